// The text of a step id: short, shell-safe, in a fixed order of parts.
#include "sim/model/schedule.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace idemsim {

namespace {

/// One part of the text: its letter, the base of its number and the largest number.
struct Part {
  char letter;
  std::uint32_t base;
  std::uint32_t most;
  std::string_view what;
};
/// `c` has no number in a fault step and is `f` there. No digit of a part is the next part's
/// letter: only `p` has letters as digits (a to f), and `n` follows it.
constexpr std::array kParts = {
    Part{'c', 10, kFaultClient - 1, "client"}, Part{'o', 10, 0xffff, "operation"},
    Part{'a', 10, 0x3fff, "attempt"},          Part{'k', 10, 0x3fff, "copy"},
    Part{'p', 16, 0xffffff, "task path"},      Part{'n', 10, 0xffffff, "counter"},
    Part{'x', 10, 0xffff, "derived step"},
};
constexpr std::size_t kClient = 0;
constexpr std::size_t kCounter = 5;

int digit_of(char c, std::uint32_t base) {
  if (c >= '0' && c <= '9') return c - '0';
  if (base == 16 && c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

Problems wrong(std::string_view text, std::string_view why) {
  Problem problem;
  problem.message = fmt::format(
      "\"{}\" is no step: {}; expected a step like c0o1a2n3 (client 0, operation 1, attempt 2, "
      "counter 3) or fn0 (a fault)",
      text, why);
  return {problem};
}

}  // namespace

std::string to_string(const StepId& id) {
  const Origin from = id.from();
  std::string text = id.is_fault() ? "f" : fmt::format("c{}", from.client());
  if (from.operation() != 0) text += fmt::format("o{}", from.operation());
  if (from.attempt() != 0) text += fmt::format("a{}", from.attempt());
  if (from.copy() != 0) text += fmt::format("k{}", from.copy());
  if (id.path() != 0) text += fmt::format("p{:x}", id.path());
  text += fmt::format("n{}", id.counter());
  if (id.derived() != 0) text += fmt::format("x{}", id.derived());
  return text;
}

Result<StepId> parse_step_id(std::string_view text) {
  std::array<std::uint32_t, kParts.size()> numbers{};
  if (text.empty() || (text[0] != 'c' && text[0] != 'f')) {
    return wrong(text, "it does not start with c or f");
  }
  bool counter_seen = false;
  std::size_t i = 0;
  if (text[0] == 'f') {
    numbers[kClient] = kFaultClient;
    i = 1;
  }
  for (std::size_t p = i; p < kParts.size(); ++p) {
    const Part& part = kParts[p];
    if (i == text.size() || text[i] != part.letter) continue;
    ++i;
    const std::size_t start = i;
    std::uint64_t number = 0;
    for (; i < text.size() && digit_of(text[i], part.base) >= 0; ++i) {
      number = number * part.base + static_cast<std::uint32_t>(digit_of(text[i], part.base));
      if (number > part.most) return wrong(text, fmt::format("its {} is too large", part.what));
    }
    if (i == start) return wrong(text, fmt::format("its {} has no number", part.what));
    numbers[p] = static_cast<std::uint32_t>(number);
    counter_seen = counter_seen || p == kCounter;
  }
  if (i != text.size()) {
    return wrong(text, fmt::format("\"{}\" is not a part in its place", text.substr(i)));
  }
  if (!counter_seen) return wrong(text, "its counter is missing");
  const Origin from = Origin::of({numbers[0], numbers[1]}, numbers[2], numbers[3]);
  return StepId::of(from, numbers[4], numbers[5], numbers[6]);
}

}  // namespace idemsim
