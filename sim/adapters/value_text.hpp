// Values as text that a real store keeps, and back.
#pragma once

#include "sim/base/value.hpp"

#include <deque>
#include <string>
#include <string_view>

namespace idemsim::adapters {

/// Words that came from a store; they live as long as the list.
class Words {
 public:
  [[nodiscard]] Value word(std::string_view text);

 private:
  std::deque<std::string> words_;
};

/// `paid`, `4`, `K1`, `token-...`, `ref-...`, `digest-...`. A deadline has no text of its own.
[[nodiscard]] std::string to_plain(const Value& value);
/// The value of such a text; what is nothing else is a word.
[[nodiscard]] Value from_plain(std::string_view text, Words& words);

}  // namespace idemsim::adapters
