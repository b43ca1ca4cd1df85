// Seeded randomness that is the same with every compiler and library; std distributions are not.
#pragma once

#include "sim/base/assert.hpp"
#include "sim/base/hash.hpp"

#include <cstdint>
#include <string_view>

namespace idemsim {

/// A probability as an integer ratio, so that no floating point takes part in a decision.
struct Ratio {
  std::uint32_t numerator = 0;
  std::uint32_t denominator = 1;
};

/// SplitMix64. Streams are split by name or number and do not disturb each other.
class Prng {
 public:
  constexpr explicit Prng(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() { return mix64(state_ += 0x9e3779b97f4a7c15u); }

  /// Uniform in [0, bound). `bound > 0`. Multiply-shift (Lemire 2019) without the rejection step:
  /// the bias is below 2^-32 for every bound used here.
  constexpr std::uint64_t below(std::uint64_t bound) {
    IDEMSIM_ASSERT(bound > 0);
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * bound) >> 64);
  }

  constexpr bool chance(Ratio p) { return below(p.denominator) < p.numerator; }

  [[nodiscard]] constexpr Prng split(std::uint64_t number) const {
    return Prng(combine(state_, number));
  }
  [[nodiscard]] constexpr Prng split(std::string_view name) const { return split(hash_text(name)); }

 private:
  std::uint64_t state_;
};

}  // namespace idemsim
