// A key-value store on one server: a pure state machine with millisecond expiry.
#pragma once

#include "sim/base/footprint.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"
#include "sim/base/value.hpp"
#include "sim/engines/kv/command.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace idemsim::kv {

/// A time to live that a command has just given to a key. `generation` (the step that gave it)
/// tells it from every other time to live that the key ever had.
struct ArmedExpiry {
  Value key;
  Duration ttl;  ///< the key is alive at exactly `ttl` and dead one millisecond later
  StepId generation;
  friend bool operator==(const ArmedExpiry&, const ArmedExpiry&) = default;
};

/// Semantics as recorded on Redis 7.0. A key is alive iff now <= its deadline, in milliseconds.
///
/// Two ways to let time pass, one code path:
/// - numeric: pass the store's clock as `now`; dead keys vanish when they are touched;
/// - by steps: pass a constant `now`; after each `apply` deliver `armed()` later by `expire`,
/// unless
///   `disarmed()` named its generation meanwhile (a late `expire` does nothing). PTTL, TTL, GT and
///   LT then see the whole TTL, because no time has passed.
class Engine {
 public:
  /// `space` keeps the resources of two stores apart.
  explicit Engine(std::uint64_t space = 0) : space_(space) {}

  /// Forgets all keys and keeps the memory.
  void reset();

  /// Executes one command as the step `by`, at `now` of the store's clock. Adds to `touched` the
  /// key as read (also if absent or if a condition failed) or written.
  Reply apply(const Command& command, Instant now, StepId by, Footprint& touched);

  /// The TTL that the last `apply` gave, if any.
  [[nodiscard]] const std::optional<ArmedExpiry>& armed() const { return armed_; }
  /// The generation of the TTL that the last `apply` ended (deleted, overwritten, replaced), if
  /// any.
  [[nodiscard]] const std::optional<StepId>& disarmed() const { return disarmed_; }

  /// Delivers an expiry as the step `by`. Deletes the key iff it still has that generation.
  bool expire(const ArmedExpiry& expiry, StepId by, Footprint& touched);

  /// Removes what is dead at `now`, as the background cycle of a real server does. No command can
  /// see the difference; only `stored()` can.
  void remove_dead(Instant now);

  /// Value of a key alive at `now`, without touching it; for oracles and final states.
  [[nodiscard]] std::optional<Value> peek(Value key, Instant now) const;
  /// Keys in memory, dead ones that nobody touched included (DBSIZE).
  [[nodiscard]] std::size_t stored() const;
  /// The step that last wrote, deleted or expired the key; StepId{} if none did (reads-from edges).
  [[nodiscard]] StepId writer_of(Value key) const;
  /// The resource of a key, as in footprints.
  [[nodiscard]] Resource resource_of(Value key) const;

  /// Canonical: equal for equal futures. Writers and deleted keys do not count.
  void hash_state(StateHasher& hasher) const;

 private:
  struct Entry {
    std::uint64_t fold = 0;  ///< of the key: the order of entries
    Value key;
    Value value;
    bool present = false;  ///< an absent entry only remembers who deleted it
    bool expires = false;
    std::int64_t deadline_ms = 0;
    StepId generation;
    StepId writer;
  };
  /// The parts of one `apply` that every helper needs.
  struct Call {
    const Command& command;
    std::int64_t now_ms;
    StepId by;
    bool wrote = false;
  };

  Reply dispatch(Call& call);
  Reply read(Call& call);
  Reply set(Call& call);
  Reply increment(Call& call);
  Reply set_deadline(Call& call);
  Reply compare(Call& call);
  [[nodiscard]] Reply time_left(const Call& call);

  Entry* find(Value key);
  [[nodiscard]] const Entry* find(Value key) const;
  Entry* alive(const Call& call);
  void store(Call& call, Value value);
  void change_ttl(Call& call, Entry& entry);
  void give_deadline(Call& call, Entry& entry, std::int64_t deadline_ms);
  void end_ttl(Entry& entry);
  void erase(Call& call, Entry& entry);

  std::uint64_t space_;
  std::vector<Entry> entries_;  ///< sorted by fold
  std::optional<ArmedExpiry> armed_;
  std::optional<StepId> disarmed_;
};

}  // namespace idemsim::kv
