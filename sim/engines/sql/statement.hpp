// SQL statements as values with inline storage, built by a small fluent API.
#pragma once

#include "sim/base/name.hpp"
#include "sim/base/value.hpp"
#include "sim/engines/sql/inline_list.hpp"

#include <cstdint>
#include <initializer_list>

namespace idemsim::sql {

enum class Verb : std::uint8_t {
  select,
  insert,
  update,
  erase,
  begin,
  commit,
  rollback,
  savepoint,
  rollback_to,
  release,
  advisory_lock,
  advisory_try_lock,
  advisory_unlock,
  nextval,
};

/// What a transaction sees of others. `standard` is what the database is set to.
enum class Isolation : std::uint8_t { standard, read_committed, repeatable_read, serializable };
enum class RowLock : std::uint8_t { none, share, update };
enum class LockWait : std::uint8_t { wait, nowait, skip_locked };
enum class OnConflict : std::uint8_t { fail, nothing, update };
enum class LockScope : std::uint8_t { session, transaction };

/// How a cell is compared. `expired` and `not_expired` judge a deadline by whether the engine was
/// told that it has passed (`Engine::mark_passed`): time is no number in most explorations.
enum class Comparison : std::uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  is_null,
  is_not_null,
  expired,               ///< `column <= now()`: expired at the very instant of the deadline
  not_expired,           ///< `column > now()`
  expired_strictly,      ///< `column < now()`: still alive at the very instant
  not_expired_strictly,  ///< `column >= now()`
};
inline constexpr Comparison eq = Comparison::eq;
inline constexpr Comparison ne = Comparison::ne;
inline constexpr Comparison lt = Comparison::lt;
inline constexpr Comparison le = Comparison::le;
inline constexpr Comparison gt = Comparison::gt;
inline constexpr Comparison ge = Comparison::ge;

/// How a cell gets its new value.
enum class Assign : std::uint8_t { value, add, excluded };

/// One clause of a statement; the role says which members count.
struct Term {
  enum class Role : std::uint8_t {
    set,             ///< `column = value` of an INSERT row or an UPDATE
    where,           ///< condition on the rows to select, update or delete
    conflict_set,    ///< assignment after ON CONFLICT DO UPDATE
    conflict_where,  ///< condition after ON CONFLICT DO UPDATE
    column,          ///< column of the select list or of RETURNING
  };
  Name column;
  Value value;
  Role role = Role::set;
  Assign assign = Assign::value;
  Comparison comparison = Comparison::eq;
  std::uint8_t row = 0;  ///< which row of a multi-row INSERT
};

/// A condition on one column, made by `is_null`, `expired`, ...
struct Condition {
  Name column;
  Comparison comparison;
};
constexpr Condition is_null(Name column) { return {column, Comparison::is_null}; }
constexpr Condition is_not_null(Name column) { return {column, Comparison::is_not_null}; }
constexpr Condition expired(Name column) { return {column, Comparison::expired}; }
constexpr Condition not_expired(Name column) { return {column, Comparison::not_expired}; }
constexpr Condition expired_strictly(Name column) { return {column, Comparison::expired_strictly}; }
constexpr Condition not_expired_strictly(Name column) {
  return {column, Comparison::not_expired_strictly};
}

/// `EXCLUDED.column` in ON CONFLICT DO UPDATE.
struct Excluded {
  Name column;
};
constexpr Excluded excluded(Name column) { return {column}; }

/// RETURNING (xmax = 0): 1 if ON CONFLICT DO UPDATE inserted the row, 0 if it updated one.
inline constexpr Name kInserted = "(xmax = 0) AS inserted";

inline constexpr std::size_t kTermsMax = 24;
inline constexpr std::uint8_t kAnyIndex = 0xff;
inline constexpr std::uint32_t kNoLimit = 0xffffffff;

/// One statement: a head and the clauses in the order in which they were added.
struct Statement {
  Verb verb = Verb::select;
  RowLock row_lock = RowLock::none;
  LockWait lock_wait = LockWait::wait;
  OnConflict conflict = OnConflict::fail;
  LockScope scope = LockScope::session;
  Isolation isolation = Isolation::standard;
  std::uint8_t conflict_index = kAnyIndex;
  std::uint8_t rows = 1;      ///< rows of an INSERT
  bool returns_rows = false;  ///< SELECT, or a statement with RETURNING
  bool ordered = false;
  std::uint32_t limit = kNoLimit;
  std::uint64_t key = 0;  ///< advisory lock
  Name table;             ///< or the name of a savepoint
  Name order;
  InlineList<Term, kTermsMax> terms;

  /// INSERT: a cell of the current row. UPDATE: a new value.
  Statement& set(Name column, Value value);
  /// INSERT: begins the next row.
  Statement& next_row();
  /// UPDATE: `column = column + n` on the newest version of the row.
  Statement& add(Name column, std::int64_t n);
  Statement& where(Name column, Comparison comparison, Value value);
  Statement& where(Condition condition);
  /// SELECT: chooses columns; without it all.
  Statement& columns(std::initializer_list<Name> names);
  /// INSERT, UPDATE, DELETE: gives back all columns, or the named ones, of each changed row.
  Statement& returning(std::initializer_list<Name> names = {});

  Statement& on_conflict_do_nothing(std::uint8_t index = kAnyIndex);
  Statement& on_conflict_do_update(std::uint8_t index = 0);
  Statement& set_on_conflict(Name column, Value value);
  Statement& set_on_conflict(Name column, Excluded source);
  Statement& add_on_conflict(Name column, std::int64_t n);
  Statement& where_on_conflict(Name column, Comparison comparison, Value value);
  Statement& where_on_conflict(Condition condition);

  Statement& for_update();
  Statement& for_share();
  Statement& nowait();
  Statement& skip_locked();
  Statement& order_by(Name column);
  Statement& limit_to(std::uint32_t n);
};

Statement select(Name table);
Statement insert_into(Name table);
Statement update(Name table);
Statement erase_from(Name table);

/// A level above the one that the database is set to is answered with 0A000.
Statement begin(Isolation isolation = Isolation::standard);
Statement commit();
Statement rollback();
Statement savepoint(Name name);
Statement rollback_to(Name name);
Statement release(Name name);

Statement advisory_lock(std::uint64_t key, LockScope scope);
Statement advisory_try_lock(std::uint64_t key, LockScope scope);
Statement advisory_unlock(std::uint64_t key);
/// Next value of the sequence of the table's serial column; not undone by a rollback.
Statement nextval(Name table);

}  // namespace idemsim::sql
