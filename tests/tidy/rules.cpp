// Rules about the outside of a file: how it opens, how wide and how long it is.
#include "tests/tidy/rules.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace idemsim::tidy {
namespace {

constexpr std::size_t kColumnsMax = 100;
constexpr std::size_t kLinesMax = 400;
constexpr std::size_t kStrategyLinesMax = 160;

/// Characters, not bytes, of a line of UTF-8.
std::size_t columns(std::string_view line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
  }));
}

}  // namespace

std::vector<Finding> check_opening(const Source& source) {
  std::vector<Finding> findings;
  std::string_view last;
  for (const std::string_view line : lines_of(source.text)) {
    if (!line.starts_with("// ")) break;
    last = line;
  }
  if (!last.ends_with('.')) {
    findings.push_back({source.path, 1, "starts with no sentence that says what it is for"});
  }
  if (source.path.ends_with(".hpp") && source.code.find("#pragma once") == std::string_view::npos) {
    findings.push_back({source.path, 1, "has no #pragma once"});
  }
  return findings;
}

std::vector<Finding> check_size(const Source& source) {
  std::vector<Finding> findings;
  const std::vector<std::string_view> lines = lines_of(source.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (columns(lines[i]) <= kColumnsMax) continue;
    findings.push_back({source.path, static_cast<int>(i) + 1, "has more than 100 columns"});
  }
  const bool strategy = source.path.starts_with("strategies/");
  const std::size_t lines_max = strategy ? kStrategyLinesMax : kLinesMax;
  // A strategy's definition at the end of its file is a table of its parameters, not code.
  const auto end = strategy ? std::find_if(lines.begin(), lines.end(),
                                           [](std::string_view line) {
                                             return line.starts_with("StrategyDefinition ");
                                           })
                            : lines.end();
  if (static_cast<std::size_t>(end - lines.begin()) > lines_max &&
      !source.path.starts_with("tests/")) {
    findings.push_back({source.path, static_cast<int>(lines_max) + 1,
                        "has more than " + std::to_string(lines_max) + " lines: split it by noun"});
  }
  return findings;
}

std::vector<Finding> check(const Source& source) {
  std::vector<Finding> findings;
  for (const auto rule : {check_opening, check_size, check_layers, check_bans, check_co_await}) {
    const std::vector<Finding> more = rule(source);
    findings.insert(findings.end(), more.begin(), more.end());
  }
  std::sort(findings.begin(), findings.end());
  return findings;
}

}  // namespace idemsim::tidy
