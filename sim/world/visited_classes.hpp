// The classes that a bounded-time search has been in: what is covered need not be searched again.
#pragma once

#include "sim/base/hash.hpp"
#include "sim/world/state_class.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace idemsim {

/// Visited set with inclusion: a class whose bounds are all within those of a stored class with the
/// same key adds nothing, and stored classes that a new one covers are dropped. Keeps the set of
/// reachable states, not the set of orders.
class VisitedClasses {
 public:
  /// True if `visited` is not covered yet; it is stored then. `key` must determine the discrete
  /// state and the pending steps (`StateClass::hash_pending`).
  bool insert(Hash128 key, const StateClass& visited);

  /// Number of stored classes.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Forgets all.
  void reset();

 private:
  std::map<Hash128, std::vector<std::int64_t>> matrices_;  ///< of one key, one behind the other
  std::size_t size_ = 0;
};

}  // namespace idemsim
