// A PostgreSQL-flavoured store as a pure state machine: no clock, no coroutine.
#pragma once

#include "sim/base/footprint.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/ids.hpp"
#include "sim/engines/sql/reply.hpp"
#include "sim/engines/sql/schema.hpp"
#include "sim/engines/sql/serializable.hpp"
#include "sim/engines/sql/session.hpp"
#include "sim/engines/sql/statement.hpp"
#include "sim/engines/sql/storage.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace idemsim::sql {

/// Whether a deadline counts as passed at its very instant: `<= now()` or `< now()`.
enum class Boundary : std::uint8_t { passed_at_instant, alive_at_instant };

/// The store. Every call completes at once; a statement that must wait is answered with `blocked`
/// and stays with its session. When its blocker ends, the session is in `woken()`; the caller
/// decides the order and calls `resume`. Timers belong to the caller: deadlock_timeout is a call
/// of `check_deadlock`, lock_timeout, statement_timeout and cancel are calls of `interrupt`.
/// Each call records in `touched` what it read and wrote, also on behalf of a whole transaction.
class Engine {
 public:
  /// `isolation` is the level of transactions that ask for no other, and the highest they may ask
  /// for: what only higher levels need is not tracked, and footprints stay small.
  explicit Engine(Schema schema, Isolation isolation = Isolation::read_committed);

  /// Adds initial rows that are committed before anything happens and survive `reset`.
  void seed_row(const Statement& insert);
  /// Back to the initial rows: no session, no deadline passed. Keeps its memory.
  void reset();

  /// Opens a session. `name` is its identity in footprints and state hashes: any number that is
  /// the same under every reordering and differs between sessions that are open at once.
  SessionId connect(std::uint64_t name);
  /// Runs a statement of a session that is not waiting. `by` is remembered in what it writes.
  /// A closed session answers with the error that closed it.
  Reply apply(SessionId id, const Statement& statement, StepId by, Footprint& touched);
  /// Lets a woken statement go on; it may block again.
  Reply resume(SessionId id, StepId by, Footprint& touched);

  /// The one deadlock check of a wait: if the session is in a cycle it becomes the victim (40P01),
  /// else it stays `blocked` (P39). A session that is not waiting any more is left alone.
  Reply check_deadlock(SessionId id, Footprint& touched);
  /// Ends the wait of a statement with `lock_not_available` or `query_canceled`. A statement that
  /// has been woken has its lock: only `query_canceled` still reaches it.
  Reply interrupt(SessionId id, Code code, Footprint& touched);

  /// Terminates a session now: rolls back, releases, wakes. `code` is what its client hears next.
  void kill(SessionId id, Footprint& touched, Code code = Code::admin_shutdown);
  /// The client's end of the connection is gone. Not waiting: as `kill`. Waiting: the statement
  /// goes on; a statement of its own commits, one inside BEGIN is rolled back when it ends (P41).
  void client_gone(SessionId id, Footprint& touched);
  /// The server dies: all sessions lost, everything uncommitted gone. Conflicts with everything.
  void crash(Footprint& touched);
  /// From now on the deadline counts as passed for comparisons with this boundary.
  void mark_passed(std::uint64_t deadline_bits, Boundary boundary, Footprint& touched);

  /// Sessions that the last call allowed to try again, in order of arrival.
  [[nodiscard]] std::span<const SessionId> woken() const { return woken_; }
  /// Whom the session waits for, in order of their ids; empty if it is not waiting.
  [[nodiscard]] std::vector<SessionId> blockers_of(SessionId id) const;
  [[nodiscard]] bool is_open(SessionId id) const { return sessions_[id.index].open; }
  [[nodiscard]] bool is_waiting(SessionId id) const { return sessions_[id.index].waiting(); }
  [[nodiscard]] TransactionState transaction_state(SessionId id) const {
    return sessions_[id.index].state;
  }

  /// Rows given back by the last statement that ended. Valid until the next call.
  [[nodiscard]] std::span<const Row> rows() const { return sessions_[last_.index].rows; }
  /// Ghost: writers of the row versions that the last ended statement saw, locked or collided with.
  [[nodiscard]] std::span<const StepId> read_from() const {
    return sessions_[last_.index].read_from;
  }
  /// Calls `visit(const Row&, StepId writer)` for each committed row of a table.
  template <class Visitor>
  void for_each_row(Name table, Visitor visit) const {
    for (const Version& v : tables_[schema_.table_index(table)].versions) {
      if (v.used && v.creator == kNobody && !v.ended()) visit(v.values, v.writer);
    }
  }

  [[nodiscard]] const Schema& schema() const { return schema_; }
  /// Canonical: independent of the order of independent operations and of slots and counters.
  void hash_state(StateHasher& hasher) const;

  // What resources are called; for tests and for explanations.
  [[nodiscard]] Resource row_resource(std::size_t table, const Row& row) const;
  [[nodiscard]] Resource key_resource(std::size_t table, std::size_t index, const Row& row) const;
  [[nodiscard]] Resource table_resource(std::size_t table) const { return tables_[table].resource; }
  [[nodiscard]] static Resource advisory_resource(std::uint64_t key);
  [[nodiscard]] static Resource deadline_resource(std::uint64_t deadline_bits, Boundary boundary);
  [[nodiscard]] Resource sequence_resource(std::size_t table) const;
  [[nodiscard]] Resource connection_resource(SessionId id) const {
    return sessions_[id.index].resource;
  }

 private:
  /// One call's context: who executes, for which step, and where it records what it touches.
  struct Call {
    SessionId id;
    Session& session;
    std::uint16_t table;  ///< of the statement, if it has one
    StepId by;
    Footprint& touched;
  };
  static constexpr std::size_t kNoIndex = 0xff;
  enum class LockTest : std::uint8_t { free, busy, superseded };
  struct Probe {
    enum class Result : std::uint8_t { absent, conflict, in_progress };
    Result result = Result::absent;
    RowRef row;                  ///< the conflicting or unfinished version
    Resource key = {};           ///< the index key
    SessionId holder = kNobody;  ///< whose transaction is in progress
    std::uint32_t entry = 0;     ///< and which entry of its log
  };

  // engine.cpp: dispatch
  Call call_of(SessionId id, StepId by, Footprint& touched);
  Reply execute(Call& call, const Statement& statement);
  Reply run_statement(Call& call, const Statement& statement);
  [[nodiscard]] std::uint16_t table_of(const Statement& statement) const;
  Reply finish(Call& call, Reply reply);
  [[nodiscard]] Reply done(const Call& call, Verb verb) const;

  // transaction.cpp: begin to end, savepoints, errors
  Reply begin_block(Call& call, Isolation isolation);
  Reply fail_commit(Call& call);
  void end_transaction(Call& call);
  Reply end_block(Call& call, Verb verb);
  Reply run_savepoint(Call& call, const Statement& statement);
  Reply fail(Call& call, Code code, Name constraint = {});
  void add_entry(Call& call, const Entry& entry);
  void commit_log(Call& call);
  void undo_log(Call& call, std::uint32_t position);
  void undo_entry(const Call& call, const Entry& entry);
  void touch_entry(Footprint& touched, const Entry& entry) const;
  void vacuum();

  // snapshots.cpp: REPEATABLE READ
  void take_snapshot(Call& call);
  void order_commit(Footprint& touched) const;
  [[nodiscard]] CommitNumber oldest_snapshot() const;
  [[nodiscard]] bool outruns_snapshot(const Call& call, RowRef row) const;

  // serial_access.cpp: SERIALIZABLE. False means that the transaction must fail.
  void touch_serial(Call& call, Access marks) const;
  bool read_serially(Call& call, std::size_t index, const Row& key);
  template <class Visitor>
  void for_each_met(const Call& call, std::size_t index, const Row& key, Visitor visit) const;
  [[nodiscard]] bool follows_visible(const Call& call, VersionIndex index) const;
  bool write_serially(Call& call, ReadTarget target);
  bool write_keys_serially(Call& call);
  bool write_row_serially(Call& call, RowRef row);
  void begin_serial(Call& call);
  bool commit_serial(Call& call);
  void abort_serial(Call& call);

  // insert.cpp
  Reply run_insert(Call& call, const Statement& statement);
  Row proposed_row(std::size_t table, const Statement& statement, std::uint8_t row);
  Reply insert_row(Call& call, const Statement& statement);
  Reply place_row(Call& call, const Statement& statement);
  Reply update_on_conflict(Call& call, const Statement& statement, RowRef row);
  Reply run_nextval(Call& call);

  // scan.cpp: select, update, delete
  Reply run_scan(Call& call, const Statement& statement);
  Reply find_candidates(Call& call, const Statement& statement);
  [[nodiscard]] std::size_t usable_index(const Call& call, const Statement& statement,
                                         Row& key) const;
  void sort_candidates(Call& call, const Statement& statement) const;
  Reply visit_candidate(Call& call, const Statement& statement, RowRef row);
  Reply use_row(Call& call, const Statement& statement, RowRef row);
  Reply replace_row(Call& call, RowRef row, const Row& values);

  // rows.cpp: versions, conditions, footprints
  [[nodiscard]] bool visible(const Call& call, const Version& version) const;
  bool matches(Call& call, const Statement& statement, Term::Role role, const Row& row) const;
  bool holds(Call& call, const Term& term, const Value& cell) const;
  [[nodiscard]] bool has_passed(std::uint64_t deadline_bits, Boundary boundary) const;
  [[nodiscard]] Row assigned(const Call& call, const Statement& statement, Term::Role role,
                             const Row& old, const Row& proposed) const;
  [[nodiscard]] std::uint8_t column_of(std::size_t table, Name column) const;
  [[nodiscard]] bool same_key(std::size_t table, std::size_t index, const Row& a,
                              const Row& b) const;
  Probe probe(Call& call, std::size_t table, std::size_t index, const Row& row) const;
  [[nodiscard]] Version new_version(std::size_t table, const Row& row, StepId writer) const;
  RowRef create(Call& call, std::size_t table, const Row& row);
  void end_version(Call& call, RowRef row, VersionIndex next);
  void give_row(Call& call, const Statement& statement, const Row& row, std::int64_t inserted);
  [[nodiscard]] Version& version(RowRef row) { return tables_[row.table].versions[row.version]; }
  [[nodiscard]] const Version& version(RowRef row) const {
    return tables_[row.table].versions[row.version];
  }
  void touch_version(Footprint& touched, RowRef row) const;
  void touch_row(Footprint& touched, RowRef row, Access access) const;

  // locks.cpp: row and advisory locks
  [[nodiscard]] LockTest test_lock(const Call& call, RowRef row, RowLock mode) const;
  void hold_row(Call& call, RowRef row, RowLock mode);
  Reply run_advisory(Call& call, const Statement& statement);
  Reply advisory_reply(Call& call, const Statement& statement, Value value);
  [[nodiscard]] AdvisoryHold* find_advisory(std::uint64_t key);
  void hold_advisory(SessionId id, std::uint64_t key, LockScope scope);
  void release_advisory(SessionId id, std::uint64_t key, LockScope scope);

  // waits.cpp: waiting, waking, deadlocks, the end of sessions
  Reply wait_for_transaction(Call& call, const Probe& probe);
  Reply wait_for_row(Call& call, RowRef row, RowLock mode);
  Reply wait_for_advisory(Call& call, std::uint64_t key, LockScope scope);
  Reply start_wait(Call& call, const Wait& wait);
  void stop_wait(Call& call);
  void settle();
  [[nodiscard]] bool is_ahead(SessionId other, SessionId id, const Wait& wait) const;
  template <class Visitor>
  void for_each_blocker(SessionId id, Visitor visit) const;
  template <class Visitor>
  void for_each_row_blocker(SessionId id, Visitor visit) const;
  [[nodiscard]] bool blocked(SessionId id) const;
  [[nodiscard]] bool in_cycle(SessionId id);
  void close(Call& call, Code code);

  // state_hash.cpp and serial_hash.cpp
  void hash_session(const Session& session, StateHasher& hasher) const;
  void hash_snapshot(const Session& session, StateHasher& hasher) const;
  void add_version(StateHasher& hasher, const Version& v) const;
  void add_serials(StateHasher& hasher, const Version& v) const;
  void hash_serials(StateHasher& hasher) const;
  void hash_marks(StateHasher& hasher) const;
  void hash_wait(const Session& session, StateHasher& hasher) const;
  void hash_progress(const Session& session, StateHasher& hasher) const;
  [[nodiscard]] std::uint64_t name_of(SessionId id) const;
  [[nodiscard]] std::uint64_t name_of_serial(SerialNumber number) const;

  Schema schema_;
  Isolation isolation_;  ///< of the database
  std::vector<Table> tables_;
  std::vector<Session> sessions_;  ///< only the first `session_count_` are in use
  std::uint32_t session_count_ = 0;
  SessionId last_;
  CommitNumber commit_number_ = 0;
  std::uint64_t wait_sequence_ = 0;
  bool vacuum_needed_ = false;      ///< there are ended versions
  std::vector<SessionId> waiting_;  ///< in order of arrival
  std::vector<SessionId> visited_;  ///< scratch memory of `in_cycle`
  std::vector<RowHold> row_holds_;
  std::vector<AdvisoryHold> advisory_holds_;
  SerialTransactions serials_;
  std::vector<SessionId> woken_;
  struct Passed {
    std::uint64_t bits;
    Boundary boundary;
  };
  std::vector<Passed> passed_;
};

}  // namespace idemsim::sql
