// Compares a document with its shape and says, in words, every place where they differ.
#pragma once

#include "scenarios/document.hpp"
#include "scenarios/shape.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace idemsim {

/// Collects problems of one document; each gets the position of the value it is about.
class Complaints {
 public:
  Complaints(const Node& root, std::string file) : root_(root), file_(std::move(file)) {}

  /// About the value at `path`, or the innermost one around it that exists.
  void about(const std::vector<std::string>& path, std::string message, std::string nearest = "");
  /// About the key of the value at `path`.
  void about_key(const std::vector<std::string>& path, std::string message,
                 std::string nearest = "");
  [[nodiscard]] bool empty() const { return problems_.empty(); }
  /// So many that a search for more is of no use; what is reported now is left out.
  [[nodiscard]] bool full() const;
  /// The problems in the order of the file, of too many the first ones.
  [[nodiscard]] Problems sorted() const;

 private:
  const Node& root_;
  std::string file_;
  Problems problems_;
};

/// Reports everything in `root` that does not have the shape: only the deepest problem of each
/// branch, values that have a wrong type are not looked into.
void check_shape(const Node& root, const Shape& shape, Complaints& complaints);

/// Is it a label: `a-z0-9_`, 1 to 64 of them?
[[nodiscard]] bool is_label(std::string_view text);

}  // namespace idemsim
