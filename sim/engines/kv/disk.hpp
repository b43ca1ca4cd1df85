// What of a key-value server outlives it: a log of changes, snapshots, and how far both have come.
#pragma once

#include "sim/base/hash.hpp"
#include "sim/base/time.hpp"
#include "sim/engines/kv/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace idemsim::kv {

/// When the log of changes reaches the disk.
enum class Log : std::uint8_t {
  off,
  no_sync,       ///< `appendfsync no`: in the page cache at once, on the disk whenever
  every_second,  ///< one sync a second in the background; nothing is written while it runs
  always,        ///< synced before the answer
};

struct DiskOptions {
  Log log = Log::off;
  bool saves = false;                     ///< a snapshot is saved on an orderly stop
  Duration sync_takes = milliseconds(1);  ///< one sync of the log
};

/// How a server ends.
enum class Stop : std::uint8_t {
  orderly,     ///< asked to end
  killed,      ///< the process dies, the machine lives: the page cache stays
  power_loss,  ///< only what is synced stays
};

/// A server acknowledges from memory; a change is then in memory, in the page cache, or on disk.
/// Units are never split: each write is one.
class Disk {
 public:
  void set_up(const DiskOptions& options) { options_ = options; }
  [[nodiscard]] const DiskOptions& options() const { return options_; }
  void start(Instant now);

  /// Appends what a unit has changed.
  void write(const std::vector<Change>& changes);
  /// Does what has been due until `now`.
  void pass(Instant now);
  /// How long after a write at `now` its answer has to wait.
  [[nodiscard]] Instant answers_at(Instant now) const;

  /// A snapshot is saved, unless the disk is broken: then writes are refused from now on.
  bool save(const Engine& engine);
  void break_down() { broken_ = true; }
  [[nodiscard]] bool refuses_writes() const { return save_failed_ && options_.saves; }

  /// What a server finds when it starts after such an end.
  std::vector<Change> recover(Stop how);
  void hash_state(StateHasher& hasher) const;

 private:
  void pass_seconds(Instant now);
  void begin_sync(Instant at);
  void end_sync();
  static void keep(std::vector<Change>& state, const Change& change);

  DiskOptions options_;
  std::vector<Change> synced_;  ///< the state on disk, sorted by the key's fold
  std::vector<Change> tail_;    ///< not synced yet, in order
  std::size_t cached_ = 0;      ///< how much of the tail is in the page cache
  std::size_t syncing_ = 0;     ///< how much of the tail the running sync will leave behind
  std::optional<Instant> sync_ends_;
  std::optional<Instant> held_since_;  ///< the oldest write that waits for the running sync
  std::int64_t last_sync_second_ = 0;
  std::optional<std::vector<Change>> saved_;
  bool broken_ = false;
  bool save_failed_ = false;
};

}  // namespace idemsim::kv
