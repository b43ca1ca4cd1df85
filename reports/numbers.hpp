// Numbers as people read them, the same on every machine.
#pragma once

#include <cstdint>
#include <string>

namespace idemsim {

/// 1234567 -> "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t number);
/// "18 executions", "1 execution".
[[nodiscard]] std::string counted(std::uint64_t number, const char* noun);
/// A length of time with one decimal: "6.0 ms", "31.0 s"; below 0.1 ms in whole µs.
[[nodiscard]] std::string duration_text(std::int64_t ns);
/// A probability as per cent with two significant digits: 0.0015 -> "0.15 %".
[[nodiscard]] std::string percent(double probability);
/// Rounded to six significant digits, so that the last bits of a computation do not show.
[[nodiscard]] double six_digits(double value);

}  // namespace idemsim
