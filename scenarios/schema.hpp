// The JSON schema of scenario files, made from the shape, and the library that judges by it.
#pragma once

#include "scenarios/shape.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace idemsim {

/// The draft-07 schema of scenario files that may name these strategies: pretty JSON with a new
/// line at the end, the same bytes for the same catalogue. Closed objects; no `pattern`, `oneOf`.
[[nodiscard]] std::string schema_text(const Catalogue& catalogue);
[[nodiscard]] std::string schema_text(const Shape& scenario);

/// What Valijson says about a document, as "POINTER: SENTENCE"; empty if it accepts. Both texts are
/// valid JSON; the document has at most the depth that `parse_document` allows.
[[nodiscard]] std::vector<std::string> judge(std::string_view document, std::string_view schema);

}  // namespace idemsim
