// Compares a document with its shape and says, in words, every place where they differ.
#pragma once

#include "scenarios/complaints.hpp"
#include "scenarios/document.hpp"
#include "scenarios/shape.hpp"

#include <string_view>

namespace idemsim {

/// Reports everything in `root` that does not have the shape: only the deepest problem of each
/// branch, values that have a wrong type are not looked into.
void check_shape(const Node& root, const Shape& shape, Complaints& complaints);

/// Is it a label: `a-z0-9_`, 1 to 64 of them?
[[nodiscard]] bool is_label(std::string_view text);

}  // namespace idemsim
