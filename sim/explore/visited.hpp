// States that a search has been in, with the sets of instants under which it has been there.
#pragma once

#include "sim/base/hash.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace idemsim {

/// Keyed by the discrete state; per state the constraint matrices that no other one covers.
/// Looked up only, never iterated: the hash order cannot reach a result.
class VisitedSet {
 public:
  /// False if the state was visited under constraints that allow at least the same instants.
  /// Otherwise it is stored, and those it covers are dropped. `bounds` is empty without time.
  bool insert(Hash128 state, std::span<const std::int64_t> bounds);
  /// Stored (state, constraints) pairs.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  void clear();

 private:
  struct Hasher {
    std::size_t operator()(const Hash128& h) const { return h.low; }
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Entry {
    std::size_t offset;
    std::uint32_t length;
    std::uint32_t next;
  };
  std::unordered_map<Hash128, std::uint32_t, Hasher> heads_;
  std::vector<Entry> entries_;
  std::vector<std::int64_t> bounds_;
  std::uint64_t size_ = 0;
};

}  // namespace idemsim
