// The only reader of scenario files: bytes in, a checked scenario or all problems out.
#pragma once

#include "sim/base/result.hpp"
#include "sim/model/catalogue.hpp"
#include "sim/model/scenario.hpp"

#include <string>
#include <string_view>

namespace idemsim {

/// The bytes of a file, of one that is too large only the beginning. One problem without position
/// if it cannot be read.
[[nodiscard]] Result<std::string> read_file(const std::string& path);

/// Reads a scenario; `path` is what messages call it. Defaults are filled in, names are those of
/// the catalogue. Each problem has line, column and JSON pointer (design section 12).
[[nodiscard]] Result<Scenario> parse_scenario(std::string_view bytes, const std::string& path,
                                              const Catalogue& catalogue);

/// `read_file`, then `parse_scenario`.
[[nodiscard]] Result<Scenario> load_scenario(const std::string& path, const Catalogue& catalogue);

}  // namespace idemsim
