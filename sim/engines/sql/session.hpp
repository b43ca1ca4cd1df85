// What the engine knows of one connection: its transaction, its statement, what it waits for.
#pragma once

#include "sim/base/footprint.hpp"
#include "sim/engines/sql/storage.hpp"

#include <cstdint>
#include <vector>

namespace idemsim::sql {

/// One thing that a transaction has done, so that it can be undone or made final.
struct Entry {
  enum class Kind : std::uint8_t { created, ended, row_locked, advisory_locked };
  Kind kind = Kind::created;
  RowLock mode = RowLock::none;
  RowRef row = {};
  std::uint64_t key = 0;  ///< advisory lock
};

struct Savepoint {
  Name name;
  std::uint32_t position = 0;  ///< entries of the log that survive ROLLBACK TO
};

/// Why a statement cannot go on.
struct Wait {
  enum class Kind : std::uint8_t {
    none,
    transaction,  ///< until an entry of the log of `holder` is final or undone (unique key)
    row,          ///< queue of a row version, in order of `sequence`
    advisory,     ///< queue of an advisory lock, in order of `sequence`
  };
  Kind kind = Kind::none;
  RowLock mode = RowLock::update;
  LockScope scope = LockScope::session;
  bool woken = false;  ///< may try again
  SessionId holder = kNobody;
  std::uint32_t entry = 0;
  RowRef row = {};
  std::uint64_t key = 0;
  Resource resource = {};      ///< what it waits at: an index key, a row, an advisory lock
  std::uint64_t sequence = 0;  ///< order of arrival
};

/// How far the current statement has come; kept while it waits.
struct Progress {
  Snapshot snapshot;
  std::uint32_t log_start = 0;  ///< entries from here on are of this statement
  std::uint32_t affected = 0;
  std::uint32_t position = 0;  ///< next row of an INSERT, next candidate of a scan
  std::uint8_t index = 0;      ///< INSERT: next unique index to enter
  bool ready = false;          ///< INSERT: `row` holds its cells; else: the candidates are known
  VersionIndex placed = kNoVersion;  ///< INSERT: the version that is being entered
  Row row;
};

/// One connection. Vectors keep their memory over `Engine::reset`.
struct Session {
  Resource resource;       ///< names the connection
  std::uint64_t name = 0;  ///< given by the caller; the same under every reordering
  TransactionState state = TransactionState::idle;
  bool open = false;
  bool implicit = false;                            ///< in a transaction of the single statement
  Isolation isolation = Isolation::read_committed;  ///< of the transaction
  bool has_snapshot = false;                        ///< the transaction keeps `snapshot` to its end
  Snapshot snapshot;
  SerialNumber serial = kNotSerial;  ///< if it is serializable and has a snapshot
  bool client_gone = false;          ///< nobody reads the answer any more
  Code closed_by = Code::none;
  Wait wait;
  Progress progress;
  Statement statement;  ///< only while it waits
  std::vector<Entry> log;
  std::vector<Savepoint> savepoints;
  std::vector<VersionIndex> candidates;
  std::vector<Row> rows;
  std::vector<StepId> read_from;

  [[nodiscard]] bool keeps_snapshot() const { return isolation != Isolation::read_committed; }
  [[nodiscard]] bool waiting() const { return wait.kind != Wait::Kind::none; }
};

}  // namespace idemsim::sql
