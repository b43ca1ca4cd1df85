// One function per kind of shape; each either reports one problem or looks into the children.
#include "scenarios/check.hpp"

#include "sim/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace idemsim {

namespace {

using Kind = Shape::Kind;

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", printable(text)); }

/// What a value is, for "expected X, found Y".
std::string found(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "null";
    case Node::Kind::boolean:
      return node.truth ? "true" : "false";
    case Node::Kind::integer:
    case Node::Kind::number:
      return "number " + printable(node.text);
    case Node::Kind::text:
      return "text " + quoted(node.text);
    case Node::Kind::list:
      return "a list";
    case Node::Kind::object:
      return "an object";
  }
  return "";
}

std::string range_text(const Shape& shape) {
  if (shape.most == UINT64_MAX && shape.least == 0) return "an integer of 64 bits, 0 or more";
  return fmt::format("an integer from {} to {}", shape.least, shape.most);
}

std::string one_of_names(const Shape& shape) {
  const std::vector<std::string_view> names = shape.names();
  if (names.empty()) return "nothing";
  if (names.size() == 1) return fmt::format("\"{}\"", names[0]);
  return (names.size() > 2 ? "one of " : "") + one_of(names);
}

/// What may stand in a place of this shape, in words.
std::string expected(const Shape& shape) {
  switch (shape.kind) {
    case Kind::object:
    case Kind::strategy:
      return "an object";
    case Kind::labels:
      return "an object with labels as keys";
    case Kind::list:
      return "a list";
    case Kind::line:
    case Kind::text:
      return "text";
    case Kind::word:
      return one_of_names(shape);
    case Kind::integer:
      return range_text(shape);
    case Kind::boolean:
      return "true or false";
    case Kind::duration:
      return "a duration, like \"250ms\"";
    case Kind::window:
      return "a duration or window, like \"250ms\" or \"2ms..6ms\"";
    case Kind::probability:
      return "a number from 0 to 1, or a ratio like \"1/20\"";
    case Kind::fault:
      return "the name of a fault, or an object with it as only key";
  }
  return "";
}

/// Walks over shape and document together.
class Walk {
 public:
  explicit Walk(Complaints& complaints) : complaints_(complaints) {}
  void visit(const Node& node, const Shape& shape);

 private:
  void object(const Node& node, const Shape& shape);
  void labels(const Node& node, const Shape& shape);
  void list(const Node& node, const Shape& shape);
  void line(const Node& node, const Shape& shape);
  void word(const Node& node, const Shape& shape);
  void integer(const Node& node, const Shape& shape);
  void duration(const Node& node, const Shape& shape);
  void probability(const Node& node, const Shape& shape);
  void strategy(const Node& node, const Shape& shape);
  void fault(const Node& node, const Shape& shape);

  bool fits(const Node& node, const Shape& shape);
  bool is_a(const Node& node, Node::Kind kind, const Shape& shape);
  void wrong(std::string message, std::string nearest = "") {
    complaints_.about(path_, std::move(message), std::move(nearest));
  }
  void unknown_key(const std::string& name, const Shape& shape, std::string_view noun);
  [[nodiscard]] std::string unknown(std::string_view name, const Shape& shape,
                                    std::string_view noun) const;

  Complaints& complaints_;
  std::vector<std::string> path_;
};

void Walk::visit(const Node& node, const Shape& shape) {
  if (complaints_.full()) return;
  switch (shape.kind) {
    case Kind::object:
      return object(node, shape);
    case Kind::labels:
      return labels(node, shape);
    case Kind::list:
      return list(node, shape);
    case Kind::line:
      return line(node, shape);
    case Kind::text:
      static_cast<void>(is_a(node, Node::Kind::text, shape));
      return;
    case Kind::word:
      return word(node, shape);
    case Kind::integer:
      return integer(node, shape);
    case Kind::boolean:
      static_cast<void>(is_a(node, Node::Kind::boolean, shape));
      return;
    case Kind::duration:
    case Kind::window:
      return duration(node, shape);
    case Kind::probability:
      return probability(node, shape);
    case Kind::strategy:
      return strategy(node, shape);
    case Kind::fault:
      return fault(node, shape);
  }
}

bool Walk::is_a(const Node& node, Node::Kind kind, const Shape& shape) {
  if (node.kind == kind) return true;
  std::string nearest;
  const bool is_duration = shape.kind == Kind::duration || shape.kind == Kind::window;
  if (is_duration && node.kind == Node::Kind::integer && !node.negative) nearest = node.text + "ms";
  wrong(fmt::format("expected {}, found {}", expected(shape), found(node)), nearest);
  return false;
}

bool Walk::fits(const Node& node, const Shape& shape) {
  if (node.children.size() <= shape.most) return true;
  wrong(fmt::format("{} entries are too many: expected at most {}", node.children.size(),
                    shape.most));
  return false;
}

std::string Walk::unknown(std::string_view name, const Shape& shape, std::string_view noun) const {
  // The only word that is allowed needs a reason, unless the reason is that it is the default.
  const bool explained = shape.kind == Kind::word && shape.words.size() == 1 &&
                         shape.about.find('(') == std::string::npos;
  return fmt::format("unknown {} {}: expected {}{}", noun, quoted(name), one_of_names(shape),
                     explained ? " (" + shape.about + ")" : "");
}

void Walk::unknown_key(const std::string& name, const Shape& shape, std::string_view noun) {
  complaints_.about_key(path_, unknown(name, shape, noun), nearest_name(name, shape.names()));
}

void Walk::object(const Node& node, const Shape& shape) {
  if (!is_a(node, Node::Kind::object, shape)) return;
  for (const Field& field : shape.fields) {
    if (!field.required || node.find(field.name) != nullptr) continue;
    wrong(fmt::format("field \"{}\" is missing: expected {}", field.name, expected(field.shape)));
  }
  const bool plain = shape.noun == "field" || shape.noun == "link";
  const std::string noun = plain ? shape.noun : "parameter of " + shape.noun;
  for (const Node& child : node.children) {
    path_.push_back(child.key);
    const Field* field = shape.find(child.key);
    if (field == nullptr) {
      unknown_key(child.key, shape, noun);
    } else {
      visit(child, field->shape);
    }
    path_.pop_back();
  }
}

void Walk::labels(const Node& node, const Shape& shape) {
  if (!is_a(node, Node::Kind::object, shape)) return;
  if (node.children.empty()) {
    wrong("the matrix is empty: expected at least one label");
  }
  if (!fits(node, shape)) return;
  for (const Node& child : node.children) {
    path_.push_back(child.key);
    if (!is_label(child.key)) {
      complaints_.about_key(path_, fmt::format("{} is no label: expected 1 to 64 of a-z, 0-9 and _",
                                               quoted(child.key)));
    } else {
      visit(child, shape.inner[0]);
    }
    path_.pop_back();
  }
}

void Walk::list(const Node& node, const Shape& shape) {
  if (!is_a(node, Node::Kind::list, shape)) return;
  if (node.children.size() < shape.least) {
    wrong("the list is empty: expected at least one entry");
  }
  if (!fits(node, shape)) return;
  const bool entries_are_words =
      shape.inner[0].kind == Kind::word || shape.inner[0].kind == Kind::line;
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = node.children[i];
    path_.push_back(std::to_string(i));
    if (entries_are_words && child.kind == Node::Kind::text && !seen.insert(child.text).second) {
      wrong(fmt::format("{} is listed twice: expected it once", quoted(child.text)));
    } else {
      visit(child, shape.inner[0]);
    }
    path_.pop_back();
  }
}

void Walk::line(const Node& node, const Shape& shape) {
  if (!is_a(node, Node::Kind::text, shape)) return;
  const bool printed = std::all_of(node.text.begin(), node.text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
  });
  if (!printed || node.text.size() < shape.least || node.text.size() > shape.most) {
    wrong(fmt::format("{} does not fit: expected one line of {} to {} bytes", quoted(node.text),
                      shape.least, shape.most));
  }
}

void Walk::word(const Node& node, const Shape& shape) {
  if (!is_a(node, Node::Kind::text, shape)) return;
  if (std::find(shape.words.begin(), shape.words.end(), node.text) != shape.words.end()) return;
  wrong(unknown(node.text, shape, shape.noun), nearest_name(node.text, shape.names()));
}

void Walk::integer(const Node& node, const Shape& shape) {
  if (!is_a(node, Node::Kind::integer, shape)) return;
  const bool below = (node.negative && node.magnitude > 0) || node.magnitude < shape.least;
  if (below || node.magnitude > shape.most) {
    wrong(fmt::format("{} is out of range: expected {}", printable(node.text), range_text(shape)));
  }
}

void Walk::duration(const Node& node, const Shape& shape) {
  if (!is_a(node, Node::Kind::text, shape)) return;
  const Result<Window> window = parse_window(node.text);
  if (!window) return wrong(window.error()[0].message, window.error()[0].nearest);
  if (shape.kind == Kind::duration && node.text.find("..") != std::string::npos) {
    return wrong(fmt::format("{} is a window: expected one duration", quoted(node.text)),
                 format_duration(window->latest));
  }
  const auto earliest = static_cast<std::uint64_t>(window->earliest.ns);
  if (earliest >= shape.least && static_cast<std::uint64_t>(window->latest.ns) <= shape.most)
    return;
  const Duration least{static_cast<std::int64_t>(shape.least)};
  const Duration most{static_cast<std::int64_t>(shape.most)};
  wrong(earliest < shape.least ? fmt::format("duration {} is too short: expected at least {}",
                                             quoted(node.text), format_duration(least))
                               : fmt::format("duration {} is too long: expected at most {}",
                                             quoted(node.text), format_duration(most)));
}

void Walk::probability(const Node& node, const Shape& shape) {
  const bool number = node.kind == Node::Kind::integer || node.kind == Node::Kind::number;
  if (!number && !is_a(node, Node::Kind::text, shape)) return;
  const Result<Ratio> ratio = parse_probability(node.text);
  if (!ratio) wrong(ratio.error()[0].message, ratio.error()[0].nearest);
}

void Walk::strategy(const Node& node, const Shape& shape) {
  if (!is_a(node, Node::Kind::object, shape)) return;
  const Node* name = node.find("strategy");
  if (name == nullptr) {
    const Shape* variant = shape.variant(node.key);
    if (variant != nullptr) return object(node, *variant);
    return unknown_key(node.key, shape, shape.noun);
  }
  path_.emplace_back("strategy");
  const Shape* variant = nullptr;
  if (name->kind != Node::Kind::text) {
    wrong(fmt::format("expected {}, found {}", one_of_names(shape), found(*name)));
  } else {
    variant = shape.variant(name->text);
    if (variant == nullptr) {
      wrong(unknown(name->text, shape, shape.noun), nearest_name(name->text, shape.names()));
    }
  }
  path_.pop_back();
  if (variant != nullptr) object(node, *variant);
}

void Walk::fault(const Node& node, const Shape& shape) {
  if (node.kind == Node::Kind::text) {
    const Shape* variant = shape.variant(node.text);
    if (variant == nullptr) {
      return wrong(unknown(node.text, shape, shape.noun), nearest_name(node.text, shape.names()));
    }
    if (variant->has_required()) {
      wrong(fmt::format("fault {0} needs \"by\": expected {{\"{1}\": {{\"by\": \"1s\"}}}}",
                        quoted(node.text), node.text));
    }
    return;
  }
  if (!is_a(node, Node::Kind::object, shape)) return;
  if (node.children.size() != 1) {
    return wrong(
        fmt::format("expected an object with the name of a fault as only key, found {} "
                    "keys",
                    node.children.size()));
  }
  const Node& child = node.children[0];
  path_.push_back(child.key);
  const Shape* variant = shape.variant(child.key);
  if (variant == nullptr) {
    unknown_key(child.key, shape, shape.noun);
  } else {
    object(child, *variant);
  }
  path_.pop_back();
}

}  // namespace

void check_shape(const Node& root, const Shape& shape, Complaints& complaints) {
  Walk(complaints).visit(root, shape);
}

bool is_label(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace idemsim
