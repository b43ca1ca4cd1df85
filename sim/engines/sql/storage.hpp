// Row versions as the engine keeps them: who made and ended each, and how to name it.
#pragma once

#include "sim/base/footprint.hpp"
#include "sim/base/ids.hpp"
#include "sim/engines/sql/reply.hpp"
#include "sim/engines/sql/schema.hpp"

#include <cstdint>
#include <vector>

namespace idemsim::sql {

/// Position in the commit order; initial rows are at 0.
using CommitNumber = std::uint32_t;
inline constexpr CommitNumber kNever = 0xffffffff;

/// Index of a version in its table.
using VersionIndex = std::uint32_t;
inline constexpr VersionIndex kNoVersion = 0xffffffff;

/// Number of a serializable transaction.
using SerialNumber = std::uint32_t;
inline constexpr SerialNumber kNotSerial = 0;

inline constexpr SessionId kNobody{0xffff'ffff};

/// What a statement can see. READ COMMITTED takes one per statement, other levels one in all.
struct Snapshot {
  CommitNumber as_of = 0;
};

/// One version of a row. `creator` and `ender` are the transactions in progress that made and
/// ended it; when they commit they become `kNobody` and leave their commit number.
struct Version {
  Row values;
  Resource resource;                       ///< names the row by its primary key
  InlineList<Resource, kIndexesMax> keys;  ///< its keys without NULL in unique indexes
  std::uint64_t content = 0;               ///< fold of all cells
  StepId writer;                           ///< ghost: strategies cannot see it
  SessionId creator = kNobody;
  SessionId ender = kNobody;
  std::uint32_t created_entry = 0;  ///< position in the log of the creator
  std::uint32_t ended_entry = 0;    ///< position in the log of the ender
  CommitNumber created_at = kNever;
  CommitNumber ended_at = kNever;
  SerialNumber created_by = kNotSerial;
  SerialNumber ended_by = kNotSerial;
  VersionIndex next = kNoVersion;  ///< what an UPDATE replaced it with; none after DELETE
  std::uint8_t indexed = 0;        ///< in how many unique indexes it has been entered
  bool used = false;

  [[nodiscard]] bool ended() const { return ended_at != kNever; }
};

/// One table: its versions in slots that are reused.
struct Table {
  std::vector<Version> versions;
  Resource resource;          ///< names the table
  std::vector<Version> seed;  ///< what `Engine::reset` goes back to
  std::uint32_t free_slots = 0;
  std::int64_t sequence = 0;  ///< last value drawn for the serial column
  std::int64_t sequence_seed = 0;
};

/// A row as (table, version).
struct RowRef {
  std::uint16_t table = 0;
  VersionIndex version = 0;
  friend constexpr auto operator<=>(RowRef, RowRef) = default;
};

/// A row that a transaction has locked without changing it.
struct RowHold {
  RowRef row;
  SessionId session;
  RowLock mode = RowLock::share;
  std::uint32_t entry = 0;  ///< position in the log of the session
};

/// An advisory lock and how often its holder has taken it.
struct AdvisoryHold {
  std::uint64_t key = 0;
  SessionId session;
  std::uint32_t session_count = 0;
  std::uint32_t transaction_count = 0;
};

/// Do two row locks of different transactions exclude each other.
constexpr bool excludes(RowLock a, RowLock b) {
  return a == RowLock::update || b == RowLock::update;
}

/// One word for all cells of a row.
[[nodiscard]] std::uint64_t content_of(const Row& row);

/// The order of ORDER BY, lt and the scans: integers by value, text by its bytes, else by bits.
[[nodiscard]] int order_of(const Value& a, const Value& b);

}  // namespace idemsim::sql
