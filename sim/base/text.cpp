// Own parsers and distances: short, exact, the same on every machine and locale.
#include "sim/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace idemsim {

namespace {

struct Unit {
  std::string_view word;
  std::int64_t ns;
};
constexpr std::array kUnits = {
    // the largest first
    Unit{"d", 86'400'000'000'000},
    Unit{"h", 3'600'000'000'000},
    Unit{"m", 60'000'000'000},
    Unit{"s", 1'000'000'000},
    Unit{"ms", 1'000'000},
    Unit{"us", 1'000},
    Unit{"ns", 1},
};
constexpr std::string_view kExpected = "expected an integer and a unit (ns us ms s m h d)";

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

Problems problem(std::string message, std::string nearest = "") {
  Problem result;
  result.message = std::move(message);
  result.nearest = std::move(nearest);
  return {result};
}

/// Digits as a number; nothing if it is kForever or more.
std::optional<std::int64_t> number_below_forever(std::string_view digits) {
  std::int64_t number = 0;
  for (const char c : digits) {
    if (number > (kForever.ns - 1 - (c - '0')) / 10) return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

const Unit* unit_named(std::string_view word) {
  const auto* unit =
      std::find_if(kUnits.begin(), kUnits.end(), [word](const Unit& u) { return u.word == word; });
  return unit == kUnits.end() ? nullptr : unit;
}

/// What was probably meant by an unknown unit word: another spelling of a known one.
std::string_view unit_meant(std::string_view word) {
  struct Spelling {
    std::string_view word;
    std::string_view unit;
  };
  static constexpr std::array kSpellings = {
      Spelling{"", "ms"},          Spelling{"sec", "s"},     Spelling{"secs", "s"},
      Spelling{"second", "s"},     Spelling{"seconds", "s"}, Spelling{"min", "m"},
      Spelling{"mins", "m"},       Spelling{"minute", "m"},  Spelling{"minutes", "m"},
      Spelling{"hour", "h"},       Spelling{"hours", "h"},   Spelling{"day", "d"},
      Spelling{"days", "d"},       Spelling{"msec", "ms"},   Spelling{"millis", "ms"},
      Spelling{"\xc2\xb5s", "us"}, Spelling{"usec", "us"},   Spelling{"micros", "us"},
  };
  std::string lower;
  for (const char c : word) {
    if (c == ' ') continue;
    lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  for (const Spelling& s : kSpellings) {
    if (s.word == lower) return s.unit;
  }
  const Unit* unit = unit_named(lower);
  return unit == nullptr ? "" : unit->word;
}

/// "1.5" of a unit as an exact integer of a smaller one; empty if it is finer than a nanosecond.
std::string without_fraction(std::string_view whole, std::string_view fraction, const Unit& unit) {
  const std::optional<std::int64_t> base = number_below_forever(whole);
  if (!base || *base > kForever.ns / unit.ns - 1 || fraction.size() > 15) return "";
  std::int64_t rest = unit.ns;
  std::int64_t ns = *base * unit.ns;
  for (const char c : fraction) {
    if (rest % 10 != 0 && c != '0') return "";
    rest /= 10;
    ns += rest * (c - '0');
  }
  return format_duration({ns});
}

}  // namespace

std::string format_duration(Duration duration) {
  if (duration.ns == 0) return "0s";
  if (duration >= kForever) return "forever";
  for (const Unit& unit : kUnits) {
    if (duration.ns % unit.ns == 0) return fmt::format("{}{}", duration.ns / unit.ns, unit.word);
  }
  return "";  // not reached: the last unit divides everything
}

std::string format_window(Window window) {
  if (window.earliest == window.latest) return format_duration(window.earliest);
  return format_duration(window.earliest) + ".." + format_duration(window.latest);
}

Result<Duration> parse_duration(std::string_view text) {
  const std::string shown = printable(text);
  const bool negative = !text.empty() && text[0] == '-';
  const std::string_view rest = negative ? text.substr(1) : text;
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (digits == 0) return problem(fmt::format("\"{}\" is not a duration: {}", shown, kExpected));
  const std::string_view whole = rest.substr(0, digits);
  std::string_view word = rest.substr(digits);
  if (!word.empty() && word[0] == '.' && word.size() > 1 && is_digit(word[1])) {
    const std::size_t end = std::min(word.find_first_not_of("0123456789", 1), word.size());
    const Unit* unit = unit_named(word.substr(end));
    return problem(
        fmt::format("duration \"{}\" has a fraction: {}", shown, kExpected),
        unit == nullptr || negative ? "" : without_fraction(whole, word.substr(1, end - 1), *unit));
  }
  const Unit* unit = unit_named(word);
  if (unit == nullptr) {
    const std::string_view meant = unit_meant(word);
    return problem(fmt::format("duration \"{}\" has {}: {}", shown,
                               word.empty() ? "no unit" : "an unknown unit", kExpected),
                   negative || meant.empty() ? "" : fmt::format("{}{}", whole, meant));
  }
  if (negative) {
    return problem(fmt::format("duration \"{}\" is negative: expected 0 or more", shown));
  }
  const std::optional<std::int64_t> number = number_below_forever(whole);
  if (!number || *number > (kForever.ns - 1) / unit->ns) {
    return problem(fmt::format("duration \"{}\" is too long: expected at most {}d", shown,
                               kForever.ns / kUnits[0].ns));
  }
  return Duration{*number * unit->ns};
}

Result<Window> parse_window(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const Result<Duration> single = parse_duration(text);
    if (!single) return single.error();
    return Window{*single, *single};
  }
  const Result<Duration> earliest = parse_duration(text.substr(0, dots));
  const Result<Duration> latest = parse_duration(text.substr(dots + 2));
  if (!earliest || !latest) {
    Problems problems = !earliest ? earliest.error() : latest.error();
    problems[0].message = fmt::format("window \"{}\": {}", printable(text), problems[0].message);
    problems[0].nearest = "";
    return problems;
  }
  if (*earliest > *latest) {
    return problem(fmt::format("window \"{}\" ends before it starts: expected earliest..latest",
                               printable(text)),
                   format_window({*latest, *earliest}));
  }
  return Window{*earliest, *latest};
}

namespace {

/// Optimal string alignment distance, or `limit + 1` if it is larger.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (gap > limit) return limit + 1;
  std::vector<std::size_t> two_ago(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({change, previous[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], two_ago[j - 2] + 1);
      }
    }
    std::swap(two_ago, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kWordMax = 64;
  if (word.empty() || word.size() > kWordMax) return "";
  const std::size_t allowed = std::clamp<std::size_t>(word.size() / 3, 1, 4);
  std::string_view best;
  std::size_t best_distance = allowed + 1;
  for (const std::string_view candidate : candidates) {
    std::size_t d = distance(word, candidate, allowed);
    // A word cut short ("check" for "check_then_write") is nearer than its distance says.
    if (word.size() >= 3 && candidate.starts_with(word)) d = std::min(d, allowed);
    if (d < best_distance) {
      best = candidate;
      best_distance = d;
    }
  }
  return std::string(best);
}

std::string one_of(std::span<const std::string_view> words) {
  constexpr std::size_t kShown = 24;
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == kShown) return text + ", ...";
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(at);
  const std::size_t size = first < 0x80   ? 1
                           : first < 0xc2 ? 0
                           : first < 0xe0 ? 2
                           : first < 0xf0 ? 3
                           : first < 0xf5 ? 4
                                          : 0;
  if (size == 0 || at + size > text.size()) return 0;
  for (std::size_t k = 1; k < size; ++k) {
    if ((byte(at + k) & 0xc0) != 0x80) return 0;
  }
  if (first == 0xe0 && byte(at + 1) < 0xa0) return 0;  // overlong
  if (first == 0xed && byte(at + 1) > 0x9f) return 0;  // surrogate
  if (first == 0xf0 && byte(at + 1) < 0x90) return 0;  // overlong
  if (first == 0xf4 && byte(at + 1) > 0x8f) return 0;  // above U+10FFFF
  return size;
}

std::string printable(std::string_view text, std::size_t shown) {
  std::string result;
  std::size_t i = 0;
  while (i < text.size() && i < shown) {
    const std::size_t size = utf8_length(text, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    if (size == 0 || byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
      ++i;
    } else {
      result += text.substr(i, size);
      i += size;
    }
  }
  if (i < text.size()) result += "...";
  return result;
}

std::string format_problems(const Problems& problems) {
  std::string text;
  for (const Problem& p : problems) {
    if (!p.file.empty()) text += printable(p.file, 4096);
    if (p.line > 0) text += fmt::format(":{}:{}", p.line, p.column);
    if (!p.file.empty() || p.line > 0) text += ": ";
    if (!p.pointer.empty()) text += printable(p.pointer, 200) + ": ";
    text += p.message;
    if (!p.nearest.empty()) text += fmt::format("; did you mean \"{}\"?", p.nearest);
    text += '\n';
  }
  return text;
}

}  // namespace idemsim
