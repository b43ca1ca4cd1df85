// Small helpers of the canonical state hashes.
#pragma once

#include "sim/base/hash.hpp"
#include "sim/base/ids.hpp"

#include <cstdint>

namespace idemsim::sql {

/// Hash of a set: the order in which its members are added does not matter.
class SetHasher {
 public:
  void add(const StateHasher& member) {
    high_ += member.value().high;
    low_ += member.value().low;
  }
  void add_to(StateHasher& hasher) const {
    hasher.add(high_);
    hasher.add(low_);
  }

 private:
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
};

/// An enumerator as a word.
template <class Enum>
std::uint64_t number(Enum value) {
  return static_cast<std::uint64_t>(value);
}

inline void add_step(StateHasher& hasher, StepId step) {
  hasher.add(step.origin);
  hasher.add(step.place);
}

}  // namespace idemsim::sql
