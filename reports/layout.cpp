// Columns, wrapping and the ASCII form of every sign that reports use.
#include "reports/layout.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace idemsim {
namespace {

constexpr bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

struct Translation {
  std::string_view utf8;
  std::string_view ascii;
};
constexpr std::array kTranslations = {
    Translation{"·", "."},  Translation{"✓", "ok"},  Translation{"✗", "!!"}, Translation{"×", "x"},
    Translation{"–", "-"},  Translation{"—", "-"},   Translation{"→", "->"}, Translation{"≤", "<="},
    Translation{"≥", ">="}, Translation{"─", "-"},   Translation{"│", "|"},  Translation{"┌", "+"},
    Translation{"┐", "+"},  Translation{"└", "+"},   Translation{"┘", "+"},  Translation{"►", ">"},
    Translation{"◄", "<"},  Translation{"…", "..."}, Translation{"µ", "u"},
};

std::string_view ascii_of(std::string_view character) {
  for (const Translation& it : kTranslations) {
    if (it.utf8 == character) return it.ascii;
  }
  return "?";
}

/// Bytes of the character that starts at `at`.
std::size_t character_bytes(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && !starts_character(text[end])) ++end;
  return end - at;
}

/// Bytes of the first `width` characters.
std::size_t prefix_bytes(std::string_view text, std::size_t width) {
  std::size_t at = 0;
  for (; width > 0 && at < text.size(); --width) at += character_bytes(text, at);
  return at;
}

}  // namespace

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  bool in_colour = false;
  for (const char c : text) {
    if (c == '\x1b') in_colour = true;
    if (!in_colour && starts_character(c)) ++width;
    if (c == 'm') in_colour = false;
  }
  return width;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t used = width_of(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::string right_aligned(const std::string& text, std::size_t width) {
  const std::size_t used = width_of(text);
  return used < width ? std::string(width - used, ' ') + text : text;
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string result;
  for (; count > 0; --count) result += text;
  return result;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  width = std::max<std::size_t>(width, 1);
  std::vector<std::string> lines;
  while (width_of(text) > width) {
    const std::size_t fits = prefix_bytes(text, width);
    // The blank behind a full line is a place to break, too.
    std::size_t end = text.rfind(' ', fits);
    if (end == std::string_view::npos || end == 0) end = fits;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    if (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  if (!text.empty() || lines.empty()) lines.emplace_back(text);
  return lines;
}

Pen::Pen(const TextStyle& style)
    : colour_(style.colour),
      ascii_(style.ascii),
      width_(static_cast<std::size_t>(std::max(style.width, 60))) {}

std::string Pen::write(std::string_view utf8) const {
  std::string result;
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t bytes = character_bytes(utf8, at);
    const std::string_view character = utf8.substr(at, bytes);
    const auto byte = static_cast<unsigned char>(character.front());
    if (byte < 0x20 || byte == 0x7f) {
      result += ' ';
    } else if (ascii_ && byte >= 0x80) {
      result += ascii_of(character);
    } else {
      result += character;
    }
    at += bytes;
  }
  return result;
}

std::string Pen::paint(Colour colour, std::string text) const {
  if (!colour_) return text;
  static constexpr std::array<std::string_view, 6> kCodes = {"31;1", "33", "32", "36;1", "1", "2"};
  std::string result = "\x1b[";
  result += kCodes[static_cast<std::size_t>(colour)];
  result += 'm';
  result += text;
  result += "\x1b[0m";
  return result;
}

std::string Pen::paragraph(std::string_view first, std::string_view text) const {
  const std::size_t indent = width_of(first);
  const std::vector<std::string> lines =
      wrapped(write(text), width_ > indent + 10 ? width_ - indent : 10);
  std::string result(first);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) result.append(indent, ' ');
    result += lines[i] + "\n";
  }
  return result;
}

}  // namespace idemsim
