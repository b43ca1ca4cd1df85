// The text of a value names its kind, because a real store forgets it.
#include "sim/adapters/value_text.hpp"

#include "sim/base/assert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace idemsim::adapters {
namespace {

constexpr std::string_view kToken = "token-";
constexpr std::string_view kReference = "ref-";
constexpr std::string_view kDigest = "digest-";

template <class Number>
std::optional<Number> number_of(std::string_view text, int base) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number, base);
  if (text.empty() || error != std::errc() || at != end) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> bits_of(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix) || text.size() != prefix.size() + 16) return std::nullopt;
  return number_of<std::uint64_t>(text.substr(prefix.size()), 16);
}

std::string hex(std::string_view prefix, std::uint64_t bits) {
  return fmt::format("{}{:016x}", prefix, bits);
}

}  // namespace

Value Words::word(std::string_view text) {
  for (const std::string& known : words_) {
    if (known == text) return Value::word(Name(known.c_str()));
  }
  return Value::word(Name(words_.emplace_back(text).c_str()));
}

std::string to_plain(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null:
      return "";
    case Value::Kind::integer:
      return std::to_string(value.as_integer());
    case Value::Kind::text:
      return value.text;
    case Value::Kind::key:
      return "K" + std::to_string(value.bits);
    case Value::Kind::token:
      return hex(kToken, value.bits);
    case Value::Kind::reference:
      return hex(kReference, value.bits);
    case Value::Kind::digest:
      return hex(kDigest, value.bits);
    case Value::Kind::deadline:
      break;
  }
  IDEMSIM_ASSERT(!"a deadline is an instant of the store");
}

Value from_plain(std::string_view text, Words& words) {
  if (const auto n = number_of<std::int64_t>(text, 10)) return Value::integer(*n);
  if (const auto bits = bits_of(text, kToken)) return {Value::Kind::token, *bits, ""};
  if (const auto bits = bits_of(text, kReference)) return Value::reference(*bits);
  if (const auto bits = bits_of(text, kDigest)) return Value::digest(*bits);
  if (text.starts_with("K")) {
    if (const auto n = number_of<std::uint64_t>(text.substr(1), 10)) return Value::key(*n);
  }
  return words.word(text);
}

}  // namespace idemsim::adapters
