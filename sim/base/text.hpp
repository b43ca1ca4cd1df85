// Text that people write and read: durations with units, lists of names, the nearest valid name.
#pragma once

#include "sim/base/result.hpp"
#include "sim/base/time.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace idemsim {

/// Exact, in the largest unit that gives an integer: "250ms", "90s", "24h"; "0s"; "forever".
[[nodiscard]] std::string format_duration(Duration duration);
/// "2ms..6ms", or one duration if both ends are equal.
[[nodiscard]] std::string format_window(Window window);

/// Reads an integer with a unit (ns us ms s m h d), below `kForever`. One problem without position:
/// negative, fraction, missing or unknown unit, too large; with the nearest valid text if any.
[[nodiscard]] Result<Duration> parse_duration(std::string_view text);
/// Reads "2ms..6ms", or one duration as a window without width. `earliest <= latest`.
[[nodiscard]] Result<Window> parse_window(std::string_view text);

/// The candidate with the smallest edit distance (Damerau, adjacent swaps count as one), if it is
/// near enough to be a slip of the pen; else empty. The first of equally near ones.
[[nodiscard]] std::string nearest_name(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// "a", "a or b", "a, b or c"; of more than 24 words the first ones and "...".
[[nodiscard]] std::string one_of(std::span<const std::string_view> words);

/// Length in bytes of the valid UTF-8 sequence at `at` (RFC 3629); 0 if it is broken.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at);

/// Makes outside text printable in one line: control characters and broken UTF-8 become \xNN, and
/// what exceeds `shown` bytes is cut with "...".
[[nodiscard]] std::string printable(std::string_view text, std::size_t shown = 60);

/// One line per problem: `FILE:LINE:COLUMN: POINTER: MESSAGE; did you mean "NEAREST"?`, where parts
/// that a problem does not have are left out.
[[nodiscard]] std::string format_problems(const Problems& problems);

}  // namespace idemsim
