// Text in columns: widths in characters, not bytes; wrapping; colour; the ASCII form of signs.
#pragma once

#include "reports/text.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace idemsim {

enum class Colour : std::uint8_t { red, yellow, green, cyan, bold, dim };

/// Characters of a UTF-8 text on a terminal: one per code point, none for colour sequences.
[[nodiscard]] std::size_t width_of(std::string_view text);
/// Fills up with blanks on the right; text that is too wide stays as it is.
[[nodiscard]] std::string padded(std::string text, std::size_t width);
/// Fills up with blanks on the left.
[[nodiscard]] std::string right_aligned(const std::string& text, std::size_t width);
/// `text` n times.
[[nodiscard]] std::string repeated(std::string_view text, std::size_t count);
/// Lines of at most `width` characters, broken at blanks, in words only where a word is longer.
/// At least one line.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Applies a style: which characters, and whether in colour.
class Pen {
 public:
  explicit Pen(const TextStyle& style);

  /// The text as it may be printed: one line, without control characters, in ASCII if asked for.
  [[nodiscard]] std::string write(std::string_view utf8) const;
  /// Already written text in a colour.
  [[nodiscard]] std::string paint(Colour colour, std::string text) const;
  /// What stands between two facts of one line.
  [[nodiscard]] std::string_view dot() const { return ascii_ ? " | " : " · "; }
  /// Columns of the terminal.
  [[nodiscard]] std::size_t width() const { return width_; }
  /// `text` wrapped behind `first`, the following lines under it; with the newline.
  [[nodiscard]] std::string paragraph(std::string_view first, std::string_view text) const;

 private:
  bool colour_;
  bool ascii_;
  std::size_t width_;
};

}  // namespace idemsim
