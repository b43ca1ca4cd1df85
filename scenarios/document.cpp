// Positions come from walking along the text beside the parser, which says only what it has read.
#include "scenarios/document.hpp"

#include "sim/base/assert.hpp"
#include "sim/base/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace idemsim {

namespace {

using Json = nlohmann::json;
constexpr std::size_t kProblemsMax = 50;

/// Walks over tokens that the parser has already accepted, in the same order.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  /// Goes to the next token, takes its position, and goes behind it.
  Position pass_token() {
    skip_while(" \t\r\n,:");
    const Position start = position_;
    if (at_ == text_.size()) return start;
    const char first = text_[at_];
    if (first == '"') {
      pass_string();
    } else if (std::string_view("{}[]").find(first) != std::string_view::npos) {
      step();
    } else {
      pass_word();
    }
    return start;
  }
  [[nodiscard]] std::size_t offset() const { return at_; }
  /// Where the next token starts.
  std::size_t next_offset() {
    skip_while(" \t\r\n,:");
    return at_;
  }

 private:
  void step() {
    const bool new_line = text_[at_++] == '\n';
    position_ =
        new_line ? Position{position_.line + 1, 1} : Position{position_.line, position_.column + 1};
  }
  void skip_while(std::string_view chars) {
    while (at_ < text_.size() && chars.find(text_[at_]) != std::string_view::npos) step();
  }
  /// A literal or a number; what follows "0" is not part of it.
  void pass_word() {
    const std::size_t start = at_;
    skip_while("-abcdefghijklmnopqrstuvwxyz");
    if (at_ < text_.size() && text_[at_] == '0') {
      step();
    } else {
      skip_while("0123456789");
    }
    const bool number = at_ > start && text_[at_ - 1] >= '0' && text_[at_ - 1] <= '9';
    if (number && at_ < text_.size() &&
        std::string_view(".eE").find(text_[at_]) != std::string_view::npos) {
      skip_while("+-.0123456789eE");
    }
  }
  void pass_string() {
    step();
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) step();
      step();
    }
    if (at_ < text_.size()) step();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Position position_;
};

Position position_of(std::string_view text, std::size_t offset) {
  Position at;
  for (const char c : text.substr(0, offset)) {
    at = c == '\n' ? Position{at.line + 1, 1} : Position{at.line, at.column + 1};
  }
  return at;
}

/// Takes the events of nlohmann's parser and builds the tree. The names of the member functions
/// are those that the parser asks for; a false result ends the reading.
class Builder {
 public:
  // NOLINTBEGIN(readability-identifier-naming): so called by the parser
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  // NOLINTEND(readability-identifier-naming)

  Builder(std::string_view bytes, const std::string& file)
      : bytes_(bytes), file_(file), cursor_(bytes) {}

  bool null() { return add(Node::Kind::null) != nullptr; }
  bool boolean(bool value) {
    add(Node::Kind::boolean)->truth = value;
    return true;
  }
  bool number_integer(number_integer_t value) {
    Node* node = add(Node::Kind::integer);
    node->negative = value < 0;
    node->magnitude =
        node->negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    return true;
  }
  bool number_unsigned(number_unsigned_t value) {
    add(Node::Kind::integer)->magnitude = value;
    return true;
  }
  bool number_float(number_float_t, const std::string&) {
    return add(Node::Kind::number) != nullptr;
  }
  bool string(std::string& value) {
    add(Node::Kind::text)->text = value;
    return true;
  }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Node::Kind::object); }
  bool start_array(std::size_t) { return open(Node::Kind::list); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& value);
  bool parse_error(std::size_t read, const std::string& token, const Json::exception& error);

  Result<Node> result() {
    if (!problems_.empty()) return problems_;
    return std::move(root_);
  }

 private:
  Node* add(Node::Kind kind);
  bool open(Node::Kind kind);
  bool close();
  void complain(Position at, std::string message);
  [[nodiscard]] std::string common_mistake(std::size_t offset) const;
  [[nodiscard]] std::string pointer() const;

  std::string_view bytes_;
  const std::string& file_;
  Cursor cursor_;
  Node root_;
  bool has_root_ = false;
  std::vector<Node*> open_;                               ///< the containers around the next value
  std::vector<std::set<std::string, std::less<>>> keys_;  ///< seen in each of them
  std::string key_;
  Position key_at_;
  Problems problems_;
};

Node* Builder::add(Node::Kind kind) {
  IDEMSIM_ASSERT(open_.empty() != has_root_);
  Node* node = &root_;
  if (!open_.empty()) node = &open_.back()->children.emplace_back();
  has_root_ = true;
  node->kind = kind;
  node->at = cursor_.pass_token();
  if (!open_.empty() && open_.back()->kind == Node::Kind::object) {
    node->key = key_;
    node->key_at = key_at_;
  }
  if (kind == Node::Kind::integer || kind == Node::Kind::number) {
    std::size_t start = cursor_.offset();
    while (start > 0 &&
           std::string_view("+-.0123456789eE").find(bytes_[start - 1]) != std::string_view::npos) {
      --start;
    }
    node->text = bytes_.substr(start, cursor_.offset() - start);
  }
  return node;
}

bool Builder::open(Node::Kind kind) {
  Node* node = add(kind);
  // Pointers into `children` stay valid: a container grows only while it is the innermost one.
  open_.push_back(node);
  keys_.emplace_back();
  if (open_.size() <= kDocumentDepthMax) return true;
  complain(node->at,
           fmt::format("the nesting is too deep: expected at most {} levels", kDocumentDepthMax));
  problems_.back().pointer.clear();
  return false;
}

bool Builder::close() {
  cursor_.pass_token();
  open_.pop_back();
  keys_.pop_back();
  return true;
}

bool Builder::key(std::string& value) {
  key_ = value;
  key_at_ = cursor_.pass_token();
  if (!keys_.back().insert(value).second) {
    const Node* first = open_.back()->find(value);
    complain(key_at_, fmt::format("duplicate key \"{}\": the first one is in line {}",
                                  printable(value), first == nullptr ? 0 : first->key_at.line));
    problems_.back().pointer += pointer_of({value});
  }
  return problems_.size() < kProblemsMax;
}

/// nlohmann's sentence without its prefixes, without the text read, which may be long, and with the
/// comma that it forgets. "[...] parse error at line 1, column 2: syntax error while parsing value
/// - invalid literal; last read: 'x'; expected ']'" becomes "invalid literal; expected ',' or ']'".
std::string sentence_of(const Json::exception& error) {
  std::string text = error.what();
  for (const std::string_view prefix : {"] ", ": ", " - "}) {
    const std::size_t end = text.find(prefix);
    const bool in_prefix = prefix == "] " || text.find(" error ") < end;
    if (end != std::string::npos && in_prefix) text.erase(0, end + prefix.size());
  }
  const std::size_t last = text.find("; last read: ");
  if (last != std::string::npos) {
    const std::size_t expected = text.rfind("; expected");
    const bool kept = expected != std::string::npos && expected > last;
    text = text.substr(0, last) + (kept ? text.substr(expected) : "");
  }
  for (const std::string_view bracket : {"expected '}'", "expected ']'"}) {
    const std::size_t at = text.find(bracket);
    const bool is_expected = at != std::string::npos && at >= 2 && text.substr(at - 2, 2) == "; ";
    if (is_expected) text.insert(at + std::string_view("expected ").size(), "',' or ");
  }
  return printable(text, 200);
}

/// The offset of the first byte that is not UTF-8.
std::size_t broken_utf8_in(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && utf8_length(text, at) > 0) at += utf8_length(text, at);
  return at;
}

bool Builder::parse_error(std::size_t read, const std::string&, const Json::exception& error) {
  // `read` counts the bytes read, the broken one included; at the end it counts one too many.
  std::size_t offset = std::min(read == 0 ? 0 : read - 1, bytes_.size());
  const std::string sentence = sentence_of(error);
  const auto says = [&](std::string_view words) {
    return sentence.find(words) != std::string::npos;
  };
  std::string message = "invalid JSON: " + sentence;
  if (bytes_.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    message = "the file is empty: expected a JSON object";
    offset = 0;
  } else if (offset == bytes_.size()) {
    message = "the file ends too early: expected the end of what was opened before";
  } else if (says("number overflow")) {
    message = "the number is out of range: expected one that fits into 64 bits";
    offset = std::min(offset, cursor_.next_offset());
  } else if (says("ill-formed UTF-8")) {
    offset = broken_utf8_in(bytes_);
    message = fmt::format("invalid UTF-8: byte 0x{:02x} is not allowed here",
                          static_cast<unsigned char>(bytes_[offset]));
  } else {
    if (says("unexpected")) offset = std::min(offset, cursor_.next_offset());
    const std::string better = common_mistake(offset);
    if (!better.empty()) message = better;
  }
  complain(position_of(bytes_, offset), message);
  return false;
}

std::string Builder::common_mistake(std::size_t offset) const {
  const char byte = bytes_[offset];
  const std::size_t before =
      offset == 0 ? std::string_view::npos : bytes_.find_last_not_of(" \t\r\n", offset - 1);
  const char last = before == std::string_view::npos ? '\0' : bytes_[before];
  if (byte == '/' || byte == '#' || (byte == '*' && last == '/')) {
    return "JSON has no comments: use \"about\" instead";
  }
  if (open_.empty() && has_root_) {
    return "there is text after the end of the JSON value: expected nothing";
  }
  if (last == ',' && (byte == '}' || byte == ']')) {
    return "trailing comma: expected another value, or no comma before the bracket";
  }
  if (byte == '\'') return "invalid JSON: text stands in double quotes, not in single ones";
  return "";
}

void Builder::complain(Position at, std::string message) {
  Problem problem;
  problem.file = file_;
  problem.line = at.line;
  problem.column = at.column;
  problem.pointer = pointer();
  problem.message = std::move(message);
  problems_.push_back(std::move(problem));
}

std::string Builder::pointer() const {
  std::vector<std::string> path;
  for (std::size_t i = 1; i < open_.size(); ++i) {
    const Node& outer = *open_[i - 1];
    path.push_back(outer.kind == Node::Kind::list ? std::to_string(outer.children.size() - 1)
                                                  : open_[i]->key);
  }
  return pointer_of(path);
}

Problem at_start(const std::string& file, std::string message) {
  Problem problem;
  problem.file = file;
  problem.line = 1;
  problem.column = 1;
  problem.message = std::move(message);
  return problem;
}

}  // namespace

const Node* Node::find(std::string_view member) const {
  if (kind != Kind::object) return nullptr;
  for (const Node& child : children) {
    if (child.key == member) return &child;
  }
  return nullptr;
}

Result<Node> parse_document(std::string_view bytes, const std::string& file) {
  if (bytes.size() > kDocumentBytesMax) {
    return Problems{at_start(
        file, fmt::format("the file is too large: expected at most {} bytes", kDocumentBytesMax))};
  }
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    return Problems{at_start(file, "the file is in UTF-16: expected UTF-8")};
  }
  if (bytes.starts_with("\xef\xbb\xbf")) {
    return Problems{at_start(file, "the file starts with a byte order mark: expected plain UTF-8")};
  }
  Builder builder(bytes, file);
  Json::sax_parse(bytes.begin(), bytes.end(), &builder);
  return builder.result();
}

std::string pointer_of(const std::vector<std::string>& path) {
  std::string pointer;
  for (const std::string& part : path) {
    pointer += '/';
    for (const char c : part) pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  }
  return pointer;
}

}  // namespace idemsim
