// A position is looked up when a problem is found, so that the checks carry only paths.
#include "scenarios/complaints.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <tuple>

namespace idemsim {

namespace {

constexpr std::size_t kProblemsShown = 50;
constexpr std::size_t kProblemsKept = 200;  // finding a position costs time

/// The value at `path`, or the innermost one around it that exists.
const Node& innermost(const Node& root, const std::vector<std::string>& path) {
  const Node* node = &root;
  for (const std::string& part : path) {
    const Node* next = node->find(part);
    if (node->kind == Node::Kind::list) {
      std::size_t index = node->children.size();
      std::from_chars(part.data(), part.data() + part.size(), index);
      if (index < node->children.size()) next = &node->children[index];
    }
    if (next == nullptr) break;
    node = next;
  }
  return *node;
}

}  // namespace

void Complaints::about(const std::vector<std::string>& path, std::string message,
                       std::string nearest) {
  if (full()) return;
  const Position at = innermost(root_, path).at;
  problems_.push_back(
      {file_, at.line, at.column, pointer_of(path), std::move(message), std::move(nearest)});
}

void Complaints::about_key(const std::vector<std::string>& path, std::string message,
                           std::string nearest) {
  if (full()) return;
  about(path, std::move(message), std::move(nearest));
  const Position at = innermost(root_, path).key_at;
  problems_.back().line = at.line;
  problems_.back().column = at.column;
}

bool Complaints::full() const { return problems_.size() >= kProblemsKept; }

Problems Complaints::sorted() const {
  Problems problems = problems_;
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
  if (problems.size() > kProblemsShown) {
    problems.resize(kProblemsShown);
    const Problem last = problems.back();
    problems.push_back({file_, last.line, last.column, "", "more problems follow", ""});
  }
  return problems;
}

}  // namespace idemsim
