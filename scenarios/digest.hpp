// What identifies a scenario: its bytes for people, its meaning for replay tokens.
#pragma once

#include "sim/model/catalogue.hpp"
#include "sim/model/scenario.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace idemsim {

/// SHA-256 (FIPS 180-4), 64 hexadecimal digits.
[[nodiscard]] std::string sha256_of(std::string_view bytes);

/// One line per setting, defaults and parameters filled in, without name, about and expect.
[[nodiscard]] std::string canonical_text(const Scenario& scenario, const Catalogue& catalogue);

/// The low 32 bits of the hash of the canonical text: `Scenario::canonical_hash`.
[[nodiscard]] std::uint32_t canonical_hash_of(const Scenario& scenario, const Catalogue& catalogue);

}  // namespace idemsim
