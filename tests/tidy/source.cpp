// Separates code from comments and literals, so that a rule about code is not broken by a sentence.
#include "tests/tidy/source.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace idemsim::tidy {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The end of what starts at `begin`, one past it, for the three kinds of thing that are not code.
std::size_t end_of_comment(std::string_view text, std::size_t begin) {
  const bool block = text[begin + 1] == '*';
  const std::size_t end = text.find(block ? "*/" : "\n", block ? begin + 2 : begin);
  if (end == std::string_view::npos) return text.size();
  return block ? end + 2 : end;
}

std::size_t end_of_literal(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote || text[i] == '\n') {
      return i + 1;
    }
  }
  return text.size();
}

std::size_t end_of_raw_literal(std::string_view text, std::size_t quote) {
  const std::size_t open = text.find('(', quote);
  if (open == std::string_view::npos) return text.size();
  std::string close = ")";
  close += text.substr(quote + 1, open - quote - 1);
  close += '"';
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

bool starts_literal(std::string_view text, std::size_t i) {
  if (text[i] == '"') return true;
  // 1'000 separates digits.
  return text[i] == '\'' && (i == 0 || !is_word(text[i - 1]));
}

void blank(std::string& code, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (code[i] != '\n') code[i] = ' ';
  }
}

}  // namespace

Source make_source(std::string path, std::string text) {
  std::string code = text;
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == '/' && i + 1 < text.size() && (text[i + 1] == '/' || text[i + 1] == '*')) {
      const std::size_t end = end_of_comment(text, i);
      blank(code, i, end);
      i = end;
    } else if (starts_literal(text, i)) {
      const bool raw = text[i] == '"' && i > 0 && text[i - 1] == 'R';
      const std::size_t end = raw ? end_of_raw_literal(text, i) : end_of_literal(text, i);
      blank(code, i + 1, std::max(i + 1, end - 1));
      i = end;
    } else {
      ++i;
    }
  }
  return Source{std::move(path), std::move(text), std::move(code)};
}

std::vector<Source> read_sources(const std::string& root, const std::vector<std::string>& folders) {
  namespace fs = std::filesystem;
  std::vector<Source> sources;
  for (const std::string& folder : folders) {
    const fs::path top = fs::path(root) / folder;
    if (!fs::exists(top)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".cpp" && path.extension() != ".hpp") continue;
      std::ifstream file(path, std::ios::binary);
      std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
      sources.push_back(make_source(path.lexically_relative(root).string(), std::move(text)));
    }
  }
  std::sort(sources.begin(), sources.end(),
            [](const Source& a, const Source& b) { return a.path < b.path; });
  return sources;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

int line_at(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, position);
  return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace idemsim::tidy
