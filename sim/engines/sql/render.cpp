// SQL text of statements: what a reader of a trace would have written by hand.
#include "sim/engines/sql/render.hpp"

#include <string_view>

namespace idemsim::sql {

namespace {

std::string text_of(Name name) { return std::string(name.view()); }

/// Writes the clauses of one statement, for reading or as a spelling says.
class Writer {
 public:
  Writer(const Schema& schema, const Statement& statement, const Spelling* spelling)
      : schema_(schema), statement_(statement), spelling_(spelling) {}

  [[nodiscard]] std::string select() const;
  [[nodiscard]] std::string insert() const;
  [[nodiscard]] std::string update() const;
  [[nodiscard]] std::string erase() const;
  [[nodiscard]] std::string nextval() const;

 private:
  [[nodiscard]] std::string value(const Term& term) const;
  [[nodiscard]] std::string assignment(const Term& term) const;
  [[nodiscard]] std::string condition(const Term& term) const;
  [[nodiscard]] std::string columns() const;
  [[nodiscard]] std::string where(Term::Role role) const;
  [[nodiscard]] std::string returning() const;
  [[nodiscard]] std::string index() const;
  [[nodiscard]] std::string conflict() const;
  /// The cell of the present row: in ON CONFLICT a bare name could also be the proposed row's.
  [[nodiscard]] std::string present(const Term& term) const;
  /// All terms of one role, each through `write`, with a separator between them.
  template <class Write>
  std::string join(Term::Role role, std::string_view separator, Write write) const;

  const Schema& schema_;
  const Statement& statement_;
  const Spelling* spelling_;
};

template <class Write>
std::string Writer::join(Term::Role role, std::string_view separator, Write write) const {
  std::string out;
  for (const Term& term : statement_.terms) {
    if (term.role != role) continue;
    if (!out.empty()) out += separator;
    out += write(term);
  }
  return out;
}

std::string Writer::value(const Term& term) const {
  if (spelling_ == nullptr) return to_sql(term.value);
  const TableDefinition& table = schema_.table(statement_.table);
  return spelling_->value(spelling_->self, table, term.column, term.value);
}

std::string Writer::present(const Term& term) const {
  const bool conflict =
      term.role == Term::Role::conflict_set || term.role == Term::Role::conflict_where;
  if (spelling_ == nullptr || !conflict) return text_of(term.column);
  return text_of(statement_.table) + "." + text_of(term.column);
}

std::string Writer::assignment(const Term& term) const {
  const std::string column = text_of(term.column);
  switch (term.assign) {
    case Assign::value:
      return column + "=" + value(term);
    case Assign::excluded:
      return column + "=EXCLUDED." + term.value.text;
    case Assign::add:
      break;
  }
  const std::int64_t n = term.value.as_integer();
  return column + "=" + present(term) + (n < 0 ? std::to_string(n) : "+" + std::to_string(n));
}

std::string Writer::condition(const Term& term) const {
  const std::string column = present(term);
  const std::string now = spelling_ == nullptr ? "now()" : spelling_->now;
  switch (term.comparison) {
    case Comparison::eq:
      return column + "=" + value(term);
    case Comparison::ne:
      return column + "<>" + value(term);
    case Comparison::lt:
      return column + "<" + value(term);
    case Comparison::le:
      return column + "<=" + value(term);
    case Comparison::gt:
      return column + ">" + value(term);
    case Comparison::ge:
      return column + ">=" + value(term);
    case Comparison::is_null:
      return column + " IS NULL";
    case Comparison::is_not_null:
      return column + " IS NOT NULL";
    case Comparison::expired:
      return column + "<=" + now;
    case Comparison::not_expired:
      return column + ">" + now;
    case Comparison::expired_strictly:
      return column + "<" + now;
    case Comparison::not_expired_strictly:
      return column + ">=" + now;
  }
  return "";
}

std::string Writer::columns() const {
  const std::string names =
      join(Term::Role::column, ", ", [](const Term& term) { return text_of(term.column); });
  return names.empty() ? "*" : names;
}

std::string Writer::where(Term::Role role) const {
  const std::string conditions =
      join(role, " AND ", [this](const Term& term) { return condition(term); });
  return conditions.empty() ? "" : " WHERE " + conditions;
}

std::string Writer::returning() const {
  return statement_.returns_rows ? " RETURNING " + columns() : "";
}

std::string Writer::index() const {
  const TableDefinition& table = schema_.table(statement_.table);
  std::string out;
  for (const std::uint8_t position : table.indexes[statement_.conflict_index].columns) {
    out += (out.empty() ? " (" : ", ") + text_of(table.columns[position].name);
  }
  return out + ")";
}

std::string Writer::conflict() const {
  if (statement_.conflict == OnConflict::fail) return "";
  std::string out = " ON CONFLICT";
  if (statement_.conflict_index != kAnyIndex) out += index();
  if (statement_.conflict == OnConflict::nothing) return out + " DO NOTHING";
  const auto set = [this](const Term& term) { return assignment(term); };
  return out + " DO UPDATE SET " + join(Term::Role::conflict_set, ", ", set) +
         where(Term::Role::conflict_where);
}

std::string Writer::insert() const {
  std::string names;
  std::string values;
  std::uint8_t row = 0;
  for (const Term& term : statement_.terms) {
    if (term.role != Term::Role::set) continue;
    if (term.row == 0) names += (names.empty() ? "" : ", ") + text_of(term.column);
    values += term.row != row ? "), (" : values.empty() ? "" : ", ";
    row = term.row;
    values += value(term);
  }
  return "INSERT INTO " + text_of(statement_.table) + " (" + names + ") VALUES (" + values + ")" +
         conflict() + returning();
}

std::string Writer::update() const {
  const auto set = [this](const Term& term) { return assignment(term); };
  return "UPDATE " + text_of(statement_.table) + " SET " + join(Term::Role::set, ", ", set) +
         where(Term::Role::where) + returning();
}

std::string Writer::erase() const {
  return "DELETE FROM " + text_of(statement_.table) + where(Term::Role::where) + returning();
}

std::string Writer::select() const {
  std::string out =
      "SELECT " + columns() + " FROM " + text_of(statement_.table) + where(Term::Role::where);
  if (statement_.ordered) out += " ORDER BY " + text_of(statement_.order);
  if (statement_.limit != kNoLimit) out += " LIMIT " + std::to_string(statement_.limit);
  if (statement_.row_lock == RowLock::none) return out;
  out += statement_.row_lock == RowLock::update ? " FOR UPDATE" : " FOR SHARE";
  if (statement_.lock_wait == LockWait::nowait) out += " NOWAIT";
  if (statement_.lock_wait == LockWait::skip_locked) out += " SKIP LOCKED";
  return out;
}

std::string Writer::nextval() const {
  const std::string name = text_of(statement_.table);
  const TableDefinition& table = schema_.table(statement_.table);
  if (spelling_ == nullptr || table.serial == kNoColumn) return "SELECT nextval('" + name + "')";
  return "SELECT nextval(pg_get_serial_sequence('" + name + "', '" +
         text_of(table.columns[table.serial].name) + "'))";
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

namespace {

std::string write(const Schema& schema, const Statement& statement, const Spelling* spelling) {
  const Writer writer(schema, statement, spelling);
  switch (statement.verb) {
    case Verb::select:
      return writer.select();
    case Verb::insert:
      return writer.insert();
    case Verb::update:
      return writer.update();
    case Verb::erase:
      return writer.erase();
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
      return writer.nextval();
  }
  return "";
}

}  // namespace

std::string to_sql(const Schema& schema, const Statement& statement) {
  return write(schema, statement, nullptr);
}

std::string to_sql(const Schema& schema, const Statement& statement, const Spelling& spelling) {
  return write(schema, statement, &spelling);
}

}  // namespace idemsim::sql
