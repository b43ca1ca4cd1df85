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

/// One command of a unit that executes several at one instant (EXEC, a script).
struct Part {
  StepId by;          ///< the step that executes the unit: the writer of all its commands
  StepId generation;  ///< of a TTL that this command gives; differs between commands of a unit
};

/// What a key is after a unit: what a log and a replica are told, with the deadline as an instant.
struct Change {
  Value key = {};
  Value value = {};
  bool present = false;
  bool expires = false;
  std::int64_t deadline_ms = 0;
  StepId generation = {};
  StepId writer = {};
  friend bool operator==(const Change&, const Change&) = default;
};

/// Does a key that is met dead stay in memory?
enum class KeepDead : bool { no, yes };

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
  Reply apply(const Command& command, Instant now, StepId by, Footprint& touched) {
    return apply_part(command, now, {by, by}, touched);
  }
  /// The same for one command of a unit. No two units may have the same `by`.
  Reply apply_part(const Command& command, Instant now, const Part& part, Footprint& touched);

  /// Did the last `apply` change what is in memory: a write, or the removal of a dead key?
  [[nodiscard]] bool changed() const { return changed_; }
  /// The key as it is in memory, dead or alive.
  [[nodiscard]] Change change_of(Value key) const;
  /// Makes the key what `change` says it is, whatever the clock says.
  void restore(const Change& change);
  /// All keys in memory as changes, in a canonical order: a snapshot.
  [[nodiscard]] std::vector<Change> snapshot() const;

  /// The TTL that the last `apply` gave, if any.
  [[nodiscard]] const std::optional<ArmedExpiry>& armed() const { return armed_; }
  /// The generation of the TTL that the last `apply` ended (deleted, overwritten, replaced), if
  /// any.
  [[nodiscard]] const std::optional<StepId>& disarmed() const { return disarmed_; }

  /// Delivers an expiry as the step `by`. Deletes the key iff it still has that generation.
  bool expire(const ArmedExpiry& expiry, StepId by, Footprint& touched);

  /// Removes what is dead at `now`, as the background cycle of a real server does, and returns
  /// those keys. No command can see the difference; only `stored()` can.
  std::vector<Value> remove_dead(Instant now);
  /// From now on dead keys are hidden but stay in memory: on a replica only its master deletes.
  void keep_dead(KeepDead keep) { keeps_dead_ = keep == KeepDead::yes; }

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
    const Part& part;
    bool wrote = false;
  };

  static Change change_of(const Entry& entry);
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
  Entry& entry_of(Value key);
  void store(Call& call, Value value);
  void change_ttl(Call& call, Entry& entry);
  void give_deadline(Call& call, Entry& entry, std::int64_t deadline_ms);
  void end_ttl(Entry& entry);
  void erase(Call& call, Entry& entry);

  std::uint64_t space_;
  std::vector<Entry> entries_;  ///< sorted by fold
  std::optional<ArmedExpiry> armed_;
  std::optional<StepId> disarmed_;
  bool changed_ = false;
  bool keeps_dead_ = false;
};

}  // namespace idemsim::kv
