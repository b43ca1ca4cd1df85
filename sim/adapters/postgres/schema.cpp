// Tables whose columns have the narrowest type that takes all that they will be given.
#include "sim/adapters/postgres/schema.hpp"

#include <algorithm>

namespace idemsim::adapters::postgres {
namespace {

const char* word_of(ColumnType type) {
  switch (type) {
    case ColumnType::text:
      return "text";
    case ColumnType::bigint:
      return "bigint";
    case ColumnType::timestamptz:
      return "timestamptz";
  }
  return "";
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += c;
    out += c;
  }
  return out + "'";
}

std::string columns_of(const sql::TableDefinition& table, const sql::UniqueIndex& index) {
  std::string names;
  for (const std::uint8_t position : index.columns) {
    names += (names.empty() ? "" : ", ") + std::string(table.columns[position].name.view());
  }
  return names;
}

}  // namespace

Types::Types(const SqlPlan& plan) {
  see_rows(plan);
  for (const sql::Statement& statement : plan.statements) {
    for (const sql::Term& term : statement.terms) {
      if (term.role == sql::Term::Role::column || term.assign == sql::Assign::excluded) continue;
      see(statement.table, term.column, term.value);
    }
  }
}

void Types::see_rows(const SqlPlan& plan) {
  for (std::size_t t = 0; t < plan.schema->tables.size(); ++t) {
    const sql::TableDefinition& table = plan.schema->tables[t];
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      see(table.name, table.columns[c].name, table.columns[c].default_value);
      if (c == table.serial) see(table.name, table.columns[c].name, Value::integer(0));
      if (t >= plan.rows.size()) continue;
      for (const sql::Row& row : plan.rows[t]) see(table.name, table.columns[c].name, row[c]);
    }
  }
}

void Types::see(Name table, Name column, const Value& value) {
  if (value.is_null()) return;
  auto at = std::find_if(columns_.begin(), columns_.end(),
                         [&](const Column& c) { return c.table == table && c.column == column; });
  if (at == columns_.end()) at = columns_.insert(at, Column{table, column});
  at->integers = at->integers || value.kind == Value::Kind::integer;
  at->deadlines = at->deadlines || value.kind == Value::Kind::deadline;
  at->others =
      at->others || (value.kind != Value::Kind::integer && value.kind != Value::Kind::deadline);
}

ColumnType Types::of(Name table, Name column) const {
  for (const Column& c : columns_) {
    if (c.table != table || c.column != column || c.others) continue;
    if (c.integers != c.deadlines) return c.integers ? ColumnType::bigint : ColumnType::timestamptz;
  }
  return ColumnType::text;
}

std::string create_table(const sql::TableDefinition& table, const Types& types) {
  std::string parts;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const sql::Column& column = table.columns[c];
    const ColumnType type = types.of(table.name, column.name);
    if (!parts.empty()) parts += ", ";
    parts += std::string(column.name.view()) + " ";
    parts += c == table.serial ? "bigserial" : word_of(type);
    if (!column.default_value.is_null()) parts += " DEFAULT " + literal(column.default_value, type);
  }
  for (std::size_t i = 0; i < table.indexes.size(); ++i) {
    const sql::UniqueIndex& index = table.indexes[i];
    parts += ", CONSTRAINT " + std::string(index.name.view());
    parts += i == 0 ? " PRIMARY KEY (" : " UNIQUE (";
    parts += columns_of(table, index) + ")";
  }
  return "CREATE TABLE " + std::string(table.name.view()) + " (" + parts + ")";
}

std::string literal(const Value& value, ColumnType type) {
  if (value.is_null()) return "NULL";
  const std::string text = to_plain(value);
  return type == ColumnType::bigint ? text : quoted(text);
}

Value cell_of(const std::optional<std::string>& text, ColumnType type, Words& words) {
  if (!text) return Value::null();
  if (type == ColumnType::timestamptz) return Value::deadline(0);
  return from_plain(*text, words);
}

}  // namespace idemsim::adapters::postgres
