// Probabilities as exact ratios, so that no rounding decides whether a fault happens.
#include "scenarios/shape.hpp"
#include "sim/base/text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <numeric>
#include <optional>

namespace idemsim {

namespace {

constexpr int kDecimalsMax = 9;  // so that the denominator fits into 32 bits

Problems wrong(std::string_view text, std::string_view why) {
  Problem problem;
  problem.message = fmt::format(
      "probability \"{}\" {}: expected a number from 0 to 1, like 0.05, "
      "or a ratio, like \"1/20\"",
      printable(text), why);
  return {problem};
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return number;
}

Ratio reduced(std::uint64_t numerator, std::uint64_t denominator) {
  const std::uint64_t common = std::gcd(numerator, denominator);
  return {static_cast<std::uint32_t>(numerator / common),
          static_cast<std::uint32_t>(denominator / common)};
}

}  // namespace

Result<Ratio> parse_probability(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto numerator = number_in<std::uint32_t>(text.substr(0, slash));
    const auto denominator = number_in<std::uint32_t>(text.substr(slash + 1));
    if (!numerator || !denominator || *denominator == 0) return wrong(text, "is no ratio");
    if (*numerator > *denominator) return wrong(text, "is more than 1");
    return reduced(*numerator, *denominator);
  }
  // A JSON number: digits[.digits][e[+-]digits]. The mantissa is scaled to nine decimals.
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  std::string_view exponent = text.substr(std::min(e + 1, text.size()));
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  const auto power = e == text.size() ? std::optional<int>(0) : number_in<int>(exponent);
  std::string digits(text.substr(0, e));
  const std::size_t dot = digits.find('.');
  int decimals = 0;
  if (dot != std::string::npos) {
    decimals = static_cast<int>(digits.size() - dot - 1);
    digits.erase(dot, 1);
  }
  if (digits.starts_with('-')) return wrong(text, "is negative");
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos || !power) {
    return wrong(text, "is no number");
  }
  while (decimals > 0 && digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    --decimals;
  }
  const auto mantissa = number_in<std::uint64_t>(digits);
  if (mantissa && *mantissa == 0) return Ratio{0, 1};
  if (!mantissa || *power > kDecimalsMax) return wrong(text, "is out of range or too precise");
  int shift = *power > -100 ? kDecimalsMax + *power - decimals : -100;
  std::uint64_t scaled = *mantissa;
  for (; shift > 0 && scaled <= 1'000'000'000; --shift) scaled *= 10;
  for (; shift < 0 && scaled % 10 == 0; ++shift) scaled /= 10;
  if (scaled > 1'000'000'000 && shift >= 0) return wrong(text, "is more than 1");
  if (shift < 0) return wrong(text, "is out of range or too precise");
  return reduced(scaled, 1'000'000'000);
}

}  // namespace idemsim
