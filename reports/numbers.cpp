// Number formats of the reports, independent of the locale.
#include "reports/numbers.hpp"

#include <fmt/format.h>

#include <charconv>

namespace idemsim {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string counted(std::uint64_t number, const char* noun) {
  return grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string duration_text(std::int64_t ns) {
  if (ns < 0) return "-" + duration_text(-ns);
  if (ns > 0 && ns < 100'000) return fmt::format("{} µs", (ns + 500) / 1000);
  const bool in_seconds = ns >= 1'000'000'000;
  const std::int64_t tenth = in_seconds ? 100'000'000 : 100'000;
  const std::int64_t tenths = (ns + tenth / 2) / tenth;
  return fmt::format("{}.{} {}", tenths / 10, tenths % 10, in_seconds ? "s" : "ms");
}

std::string percent(double probability) { return fmt::format("{:.2g} %", probability * 100); }

double six_digits(double value) {
  const std::string text = fmt::format("{:.5e}", value);
  double rounded = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

}  // namespace idemsim
