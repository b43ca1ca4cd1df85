// Finds statements that g++ 12 compiles wrongly: temporaries made beside a co_await die twice.
#include "tests/tidy/rules.hpp"

#include <cctype>
#include <optional>
#include <string>
#include <string_view>

namespace idemsim::tidy {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The last position before `at` that is not a blank.
std::optional<std::size_t> previous(std::string_view code, std::size_t at) {
  while (at > 0) {
    --at;
    if (!is_space(code[at])) return at;
  }
  return std::nullopt;
}

bool ends_with_word(std::string_view code, std::size_t last, std::string_view word) {
  if (last + 1 < word.size()) return false;
  const std::size_t begin = last + 1 - word.size();
  return code.substr(begin, word.size()) == word && (begin == 0 || !is_word(code[begin - 1]));
}

/// Whether the `{` at this position opens a block, not a list of initial values.
bool opens_block(std::string_view code, std::size_t brace) {
  const std::optional<std::size_t> last = previous(code, brace);
  if (!last) return true;
  switch (code[*last]) {
    case ')':
    case ';':
    case '{':
    case '}':
    case ':':
    case ']':
      return true;
    default:
      break;
  }
  for (const std::string_view word : {"else", "do", "try", "mutable", "noexcept", "const"}) {
    if (ends_with_word(code, *last, word)) return true;
  }
  // A function or lambda with a trailing return type.
  const std::size_t begin = code.find_last_of(";{}", *last);
  return code.substr(begin == std::string_view::npos ? 0 : begin, brace - begin).find("->") !=
         std::string_view::npos;
}

/// Whether the `}` at this position ends a list of initial values inside a statement.
bool closes_list(std::string_view code, std::size_t brace) {
  for (std::size_t i = brace + 1; i < code.size(); ++i) {
    if (!is_space(code[i])) return std::string_view(",).;]?:+-|&=<>").find(code[i]) < 16;
  }
  return false;
}

/// The first position of the statement that the co_await at `at` is in.
std::size_t start_of_statement(std::string_view code, std::size_t at) {
  int lists = 0;
  while (at > 0) {
    const char c = code[at - 1];
    if (c == ';' && lists == 0) return at;
    if (c == '}') {
      if (!closes_list(code, at - 1)) return at;
      ++lists;
    }
    if (c == '{') {
      if (lists == 0 && opens_block(code, at - 1)) return at;
      if (lists > 0) --lists;
    }
    --at;
  }
  return 0;
}

struct Trouble {
  std::size_t at;
  std::string_view what;
};

/// What must not stand between the start of a statement and its end.
std::optional<Trouble> trouble_in(std::string_view code, std::size_t start) {
  int parentheses = 0;
  for (std::size_t i = start; i < code.size(); ++i) {
    switch (code[i]) {
      case '(':
        ++parentheses;
        break;
      case ')':
        --parentheses;
        break;
      case ';':
        if (parentheses <= 0) return std::nullopt;
        break;
      case '{':
        if (parentheses <= 0 && opens_block(code, i)) return std::nullopt;
        return Trouble{i, "`{`"};
      case '?':
        return Trouble{i, "`?`"};
      default:
        break;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Finding> check_co_await(const Source& source) {
  const std::string_view code = source.code;
  const std::string_view word = "co_await";
  std::vector<Finding> findings;
  for (std::size_t at = code.find(word); at != std::string_view::npos;
       at = code.find(word, at + 1)) {
    if (!ends_with_word(code, at + word.size() - 1, word)) continue;
    if (at + word.size() < code.size() && is_word(code[at + word.size()])) continue;
    const std::optional<Trouble> trouble = trouble_in(code, start_of_statement(code, at));
    if (!trouble) continue;
    findings.push_back({source.path, line_at(code, trouble->at),
                        std::string(trouble->what) +
                            " in a statement with co_await: name the value in a statement before"});
  }
  return findings;
}

}  // namespace idemsim::tidy
