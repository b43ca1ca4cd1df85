// Names of sites, columns and status words: a string literal with its hash, compared by content.
#pragma once

#include "sim/base/hash.hpp"

#include <cstdint>
#include <string_view>

namespace idemsim {

/// A string that lives for the whole program (a literal) or as long as its owner (a scenario).
/// Equality and order are by hash of the content, never by address.
struct Name {
  std::uint64_t hash = hash_text("");
  const char* text = "";

  constexpr Name() = default;
  /// Implicit on purpose: `site("find record")` reads as in prose.
  constexpr Name(const char* literal) : hash(hash_text(literal)), text(literal) {}  // NOLINT

  friend constexpr bool operator==(Name a, Name b) { return a.hash == b.hash; }
  friend constexpr auto operator<=>(Name a, Name b) { return a.hash <=> b.hash; }
  [[nodiscard]] constexpr std::string_view view() const { return text; }
};

}  // namespace idemsim
