// A source file as the house rules read it: its text, and the same text without what is not code.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace idemsim::tidy {

struct Source {
  std::string path;  ///< relative to the repository, with slashes
  std::string text;
  std::string code;  ///< as long as `text`; comments and the insides of literals are blanks
};

struct Finding {
  std::string path;
  int line = 0;  ///< 1-based
  std::string message;

  friend auto operator<=>(const Finding&, const Finding&) = default;
};

Source make_source(std::string path, std::string text);

/// All *.cpp and *.hpp below the given folders of the repository, sorted by path.
std::vector<Source> read_sources(const std::string& root, const std::vector<std::string>& folders);

/// The lines of a text without their ends.
std::vector<std::string_view> lines_of(std::string_view text);

/// The 1-based line of a position in a text.
int line_at(std::string_view text, std::size_t position);

}  // namespace idemsim::tidy
