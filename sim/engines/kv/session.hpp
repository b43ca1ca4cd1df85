// One connection's share of a key-value server: watched keys and the commands queued by MULTI.
#pragma once

#include "sim/base/footprint.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/time.hpp"
#include "sim/engines/kv/engine.hpp"
#include "sim/engines/kv/request.hpp"

#include <vector>

namespace idemsim::kv {

/// A watch is broken by any touch of the key: the same value again, the own write, a new TTL,
/// creation and deletion, expiry. The removal of a key that was dead at WATCH is not a touch.
class Session {
 public:
  /// Remembers the key as it is now. A key that is watched already stays as it was remembered.
  void watch(const Engine& engine, Value key, Instant now);
  void unwatch();
  /// Breaks the watches whatever happens to their keys: the store was replaced.
  void break_watches();
  /// Would EXEC at `now` refuse to run?
  [[nodiscard]] bool broken(const Engine& engine, Instant now) const;
  /// What EXEC reads even if it runs nothing.
  void add_watched(const Engine& engine, Footprint& touched) const;

  [[nodiscard]] bool queues() const { return queues_; }
  [[nodiscard]] bool doomed() const { return doomed_; }
  [[nodiscard]] const std::vector<Request>& queue() const { return queue_; }
  void begin() { queues_ = true; }
  void add(const Request& request) { queue_.push_back(request); }
  /// A command was refused when it should have been queued: EXEC will run nothing.
  void doom() { doomed_ = queues_; }
  /// The transaction is over; no key is watched any more.
  void end();

  [[nodiscard]] bool idle() const { return !queues_ && watches_.empty(); }
  void hash_state(const Engine& engine, StateHasher& hasher) const;

 private:
  struct Watch {
    Value key;
    StepId writer;  ///< each touch has a writer of its own, so that a second one cannot hide it
    bool was_alive;
  };
  /// Touched, or gone without a writer because it died; a key still in memory may yet die.
  [[nodiscard]] bool touched_since(const Engine& engine, const Watch& watch) const;

  std::vector<Watch> watches_;  ///< sorted by the key's fold
  std::vector<Request> queue_;
  bool queues_ = false;
  bool doomed_ = false;
  bool replaced_ = false;
};

}  // namespace idemsim::kv
