// The fluent builders of statements: each adds one clause.
#include "sim/engines/sql/statement.hpp"

namespace idemsim::sql {

namespace {

Statement of(Verb verb, Name table = {}) {
  Statement statement;
  statement.verb = verb;
  statement.table = table;
  return statement;
}

Term assignment(Term::Role role, Assign assign, Name column, Value value) {
  Term term;
  term.column = column;
  term.value = value;
  term.role = role;
  term.assign = assign;
  return term;
}

Term condition(Term::Role role, Name column, Comparison comparison, Value value) {
  Term term;
  term.column = column;
  term.value = value;
  term.role = role;
  term.comparison = comparison;
  return term;
}

Statement advisory(Verb verb, std::uint64_t key, LockScope scope) {
  Statement statement = of(verb);
  statement.key = key;
  statement.scope = scope;
  statement.returns_rows = true;
  return statement;
}

}  // namespace

Statement& Statement::set(Name column, Value value) {
  Term term = assignment(Term::Role::set, Assign::value, column, value);
  term.row = static_cast<std::uint8_t>(rows - 1);
  terms.push_back(term);
  return *this;
}

Statement& Statement::next_row() {
  ++rows;
  return *this;
}

Statement& Statement::add(Name column, std::int64_t n) {
  terms.push_back(assignment(Term::Role::set, Assign::add, column, Value::integer(n)));
  return *this;
}

Statement& Statement::where(Name column, Comparison comparison, Value value) {
  terms.push_back(condition(Term::Role::where, column, comparison, value));
  return *this;
}

Statement& Statement::where(Condition c) { return where(c.column, c.comparison, Value::null()); }

Statement& Statement::columns(std::initializer_list<Name> names) {
  for (const Name name : names) {
    terms.push_back(assignment(Term::Role::column, Assign::value, name, Value::null()));
  }
  return *this;
}

Statement& Statement::returning(std::initializer_list<Name> names) {
  returns_rows = true;
  return columns(names);
}

Statement& Statement::on_conflict_do_nothing(std::uint8_t index) {
  conflict = OnConflict::nothing;
  conflict_index = index;
  return *this;
}

Statement& Statement::on_conflict_do_update(std::uint8_t index) {
  conflict = OnConflict::update;
  conflict_index = index;
  return *this;
}

Statement& Statement::set_on_conflict(Name column, Value value) {
  terms.push_back(assignment(Term::Role::conflict_set, Assign::value, column, value));
  return *this;
}

Statement& Statement::set_on_conflict(Name column, Excluded source) {
  // The value carries the name of the column that is read from the proposed row.
  terms.push_back(
      assignment(Term::Role::conflict_set, Assign::excluded, column, Value::word(source.column)));
  return *this;
}

Statement& Statement::add_on_conflict(Name column, std::int64_t n) {
  terms.push_back(assignment(Term::Role::conflict_set, Assign::add, column, Value::integer(n)));
  return *this;
}

Statement& Statement::where_on_conflict(Name column, Comparison comparison, Value value) {
  terms.push_back(condition(Term::Role::conflict_where, column, comparison, value));
  return *this;
}

Statement& Statement::where_on_conflict(Condition c) {
  return where_on_conflict(c.column, c.comparison, Value::null());
}

Statement& Statement::for_update() {
  row_lock = RowLock::update;
  return *this;
}

Statement& Statement::for_share() {
  row_lock = RowLock::share;
  return *this;
}

Statement& Statement::nowait() {
  lock_wait = LockWait::nowait;
  return *this;
}

Statement& Statement::skip_locked() {
  lock_wait = LockWait::skip_locked;
  return *this;
}

Statement& Statement::order_by(Name column) {
  ordered = true;
  order = column;
  return *this;
}

Statement& Statement::limit_to(std::uint32_t n) {
  limit = n;
  return *this;
}

Statement select(Name table) {
  Statement statement = of(Verb::select, table);
  statement.returns_rows = true;
  return statement;
}
Statement insert_into(Name table) { return of(Verb::insert, table); }
Statement update(Name table) { return of(Verb::update, table); }
Statement erase_from(Name table) { return of(Verb::erase, table); }

Statement begin(Isolation isolation) {
  Statement statement = of(Verb::begin);
  statement.isolation = isolation;
  return statement;
}
Statement commit() { return of(Verb::commit); }
Statement rollback() { return of(Verb::rollback); }
Statement savepoint(Name name) { return of(Verb::savepoint, name); }
Statement rollback_to(Name name) { return of(Verb::rollback_to, name); }
Statement release(Name name) { return of(Verb::release, name); }

Statement advisory_lock(std::uint64_t key, LockScope scope) {
  return advisory(Verb::advisory_lock, key, scope);
}
Statement advisory_try_lock(std::uint64_t key, LockScope scope) {
  return advisory(Verb::advisory_try_lock, key, scope);
}
Statement advisory_unlock(std::uint64_t key) {
  return advisory(Verb::advisory_unlock, key, LockScope::session);
}
Statement nextval(Name table) {
  Statement statement = of(Verb::nextval, table);
  statement.returns_rows = true;
  return statement;
}

}  // namespace idemsim::sql
