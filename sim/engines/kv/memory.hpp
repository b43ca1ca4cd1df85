// The memory limit of a key-value server: which keys it throws away, and when there is none.
#pragma once

#include "sim/base/hash.hpp"
#include "sim/base/time.hpp"
#include "sim/engines/kv/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace idemsim::kv {

/// Which keys may be thrown away, and which of them goes first.
enum class Eviction : std::uint8_t {
  none,          ///< `noeviction`: writes that need memory are refused
  volatile_lru,  ///< of the keys with a TTL, the one not used for the longest time
  volatile_ttl,  ///< of the keys with a TTL, the one that would die first
  allkeys_lru,   ///< of all keys, the one not used for the longest time
};

/// Memory is counted in keys. A unit may run as long as the limit is not exceeded before it.
struct MemoryLimit {
  std::size_t keys_max = std::numeric_limits<std::size_t>::max();
  Eviction eviction = Eviction::none;

  [[nodiscard]] bool exists() const { return keys_max != std::numeric_limits<std::size_t>::max(); }
};

/// When keys were used, in whole seconds as on a real server. Among equals the fold of the key
/// decides: a fixed stand-in for the real server's random sample.
class Memory {
 public:
  void limit(const MemoryLimit& limit) { limit_ = limit; }
  [[nodiscard]] const MemoryLimit& limit() const { return limit_; }
  void clear() { uses_.clear(); }

  void use(Value key, Instant now);
  /// The key to be thrown away next, unless none may be.
  [[nodiscard]] std::optional<Change> victim(const Engine& engine) const;
  void hash_state(const Engine& engine, StateHasher& hasher) const;

 private:
  struct Use {
    std::uint64_t fold;
    std::int64_t second;
  };
  [[nodiscard]] std::int64_t last_use(Value key) const;
  /// The smaller, the sooner it goes.
  [[nodiscard]] std::int64_t rank(const Change& key) const;

  MemoryLimit limit_;
  std::vector<Use> uses_;  ///< sorted by fold
};

/// Does the command ask for memory when it writes?
[[nodiscard]] bool needs_memory(Verb verb);

}  // namespace idemsim::kv
