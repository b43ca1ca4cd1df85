// SQL text of statements: what a reader of a trace would have written by hand.
#include "sim/engines/sql/render.hpp"

#include <string_view>

namespace idemsim::sql {

namespace {

std::string text_of(Name name) { return std::string(name.view()); }

std::string assignment_sql(const Term& term) {
  const std::string column = text_of(term.column);
  switch (term.assign) {
    case Assign::value:
      return column + "=" + to_sql(term.value);
    case Assign::excluded:
      return column + "=EXCLUDED." + term.value.text;
    case Assign::add:
      break;
  }
  const std::int64_t n = term.value.as_integer();
  return column + "=" + column + (n < 0 ? std::to_string(n) : "+" + std::to_string(n));
}

std::string condition_sql(const Term& term) {
  const std::string column = text_of(term.column);
  const std::string value = to_sql(term.value);
  switch (term.comparison) {
    case Comparison::eq:
      return column + "=" + value;
    case Comparison::ne:
      return column + "<>" + value;
    case Comparison::lt:
      return column + "<" + value;
    case Comparison::le:
      return column + "<=" + value;
    case Comparison::gt:
      return column + ">" + value;
    case Comparison::ge:
      return column + ">=" + value;
    case Comparison::is_null:
      return column + " IS NULL";
    case Comparison::is_not_null:
      return column + " IS NOT NULL";
    case Comparison::expired:
      return column + "<=now()";
    case Comparison::not_expired:
      return column + ">now()";
    case Comparison::expired_strictly:
      return column + "<now()";
    case Comparison::not_expired_strictly:
      return column + ">=now()";
  }
  return "";
}

/// All terms of one role, each through `render`, with a separator between them.
template <class Render>
std::string join(const Statement& statement, Term::Role role, std::string_view separator,
                 Render render) {
  std::string out;
  for (const Term& term : statement.terms) {
    if (term.role != role) continue;
    if (!out.empty()) out += separator;
    out += render(term);
  }
  return out;
}

std::string columns_sql(const Statement& statement) {
  const std::string names = join(statement, Term::Role::column, ", ",
                                 [](const Term& term) { return text_of(term.column); });
  return names.empty() ? "*" : names;
}

std::string where_sql(const Statement& statement, Term::Role role) {
  const std::string conditions = join(statement, role, " AND ", condition_sql);
  return conditions.empty() ? "" : " WHERE " + conditions;
}

std::string returning_sql(const Statement& statement) {
  return statement.returns_rows ? " RETURNING " + columns_sql(statement) : "";
}

std::string index_sql(const TableDefinition& table, std::uint8_t index) {
  std::string out;
  for (const std::uint8_t position : table.indexes[index].columns) {
    out += (out.empty() ? " (" : ", ") + text_of(table.columns[position].name);
  }
  return out + ")";
}

std::string conflict_sql(const Schema& schema, const Statement& statement) {
  if (statement.conflict == OnConflict::fail) return "";
  std::string out = " ON CONFLICT";
  if (statement.conflict_index != kAnyIndex) {
    out += index_sql(schema.table(statement.table), statement.conflict_index);
  }
  if (statement.conflict == OnConflict::nothing) return out + " DO NOTHING";
  return out + " DO UPDATE SET " + join(statement, Term::Role::conflict_set, ", ", assignment_sql) +
         where_sql(statement, Term::Role::conflict_where);
}

std::string insert_sql(const Schema& schema, const Statement& statement) {
  std::string names;
  std::string values;
  std::uint8_t row = 0;
  for (const Term& term : statement.terms) {
    if (term.role != Term::Role::set) continue;
    if (term.row == 0) names += (names.empty() ? "" : ", ") + text_of(term.column);
    values += term.row != row ? "), (" : values.empty() ? "" : ", ";
    row = term.row;
    values += to_sql(term.value);
  }
  return "INSERT INTO " + text_of(statement.table) + " (" + names + ") VALUES (" + values + ")" +
         conflict_sql(schema, statement) + returning_sql(statement);
}

std::string select_sql(const Statement& statement) {
  std::string out = "SELECT " + columns_sql(statement) + " FROM " + text_of(statement.table) +
                    where_sql(statement, Term::Role::where);
  if (statement.ordered) out += " ORDER BY " + text_of(statement.order);
  if (statement.limit != kNoLimit) out += " LIMIT " + std::to_string(statement.limit);
  if (statement.row_lock == RowLock::none) return out;
  out += statement.row_lock == RowLock::update ? " FOR UPDATE" : " FOR SHARE";
  if (statement.lock_wait == LockWait::nowait) out += " NOWAIT";
  if (statement.lock_wait == LockWait::skip_locked) out += " SKIP LOCKED";
  return out;
}

std::string begin_sql(Isolation isolation) {
  switch (isolation) {
    case Isolation::standard:
      return "BEGIN";
    case Isolation::read_committed:
      return "BEGIN ISOLATION LEVEL READ COMMITTED";
    case Isolation::repeatable_read:
      return "BEGIN ISOLATION LEVEL REPEATABLE READ";
    case Isolation::serializable:
      return "BEGIN ISOLATION LEVEL SERIALIZABLE";
  }
  return "";
}

std::string advisory_sql(const Statement& statement, std::string_view function) {
  const char* scope = statement.scope == LockScope::transaction ? "xact_" : "";
  const bool unlock = statement.verb == Verb::advisory_unlock;
  return "SELECT " + std::string(function) + scope + (unlock ? "unlock(" : "lock(") +
         std::to_string(statement.key) + ")";
}

}  // namespace

std::string to_sql(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null:
      return "NULL";
    case Value::Kind::integer:
      return std::to_string(value.as_integer());
    case Value::Kind::text:
      return "'" + std::string(value.text) + "'";
    case Value::Kind::key:
      return "'K" + std::to_string(value.bits) + "'";
    case Value::Kind::token:
      return ":token";
    case Value::Kind::reference:
      return ":reference";
    case Value::Kind::deadline:
      return ":deadline";
    case Value::Kind::digest:
      return ":fingerprint";
  }
  return "";
}

std::string to_sql(const Schema& schema, const Statement& statement) {
  switch (statement.verb) {
    case Verb::select:
      return select_sql(statement);
    case Verb::insert:
      return insert_sql(schema, statement);
    case Verb::update:
      return "UPDATE " + text_of(statement.table) + " SET " +
             join(statement, Term::Role::set, ", ", assignment_sql) +
             where_sql(statement, Term::Role::where) + returning_sql(statement);
    case Verb::erase:
      return "DELETE FROM " + text_of(statement.table) + where_sql(statement, Term::Role::where) +
             returning_sql(statement);
    case Verb::begin:
      return begin_sql(statement.isolation);
    case Verb::commit:
      return "COMMIT";
    case Verb::rollback:
      return "ROLLBACK";
    case Verb::savepoint:
      return "SAVEPOINT " + text_of(statement.table);
    case Verb::rollback_to:
      return "ROLLBACK TO SAVEPOINT " + text_of(statement.table);
    case Verb::release:
      return "RELEASE SAVEPOINT " + text_of(statement.table);
    case Verb::advisory_lock:
    case Verb::advisory_unlock:
      return advisory_sql(statement, "pg_advisory_");
    case Verb::advisory_try_lock:
      return advisory_sql(statement, "pg_try_advisory_");
    case Verb::nextval:
      return "SELECT nextval('" + text_of(statement.table) + "')";
  }
  return "";
}

}  // namespace idemsim::sql
