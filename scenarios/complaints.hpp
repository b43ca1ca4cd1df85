// The problems of one document, each with the position of the value that it is about.
#pragma once

#include "scenarios/document.hpp"
#include "sim/base/result.hpp"

#include <string>
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

}  // namespace idemsim
