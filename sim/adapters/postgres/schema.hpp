// What the simulated tables are in PostgreSQL: column types, DDL, and cells as text and back.
#pragma once

#include "sim/adapters/store.hpp"
#include "sim/adapters/value_text.hpp"
#include "sim/engines/sql/schema.hpp"

#include <optional>
#include <string>
#include <vector>

namespace idemsim::adapters::postgres {

enum class ColumnType : std::uint8_t { text, bigint, timestamptz };

/// The type of every column: a simulated column takes any value, so what it is given decides.
class Types {
 public:
  Types() = default;
  explicit Types(const SqlPlan& plan);
  [[nodiscard]] ColumnType of(Name table, Name column) const;

 private:
  void see(Name table, Name column, const Value& value);
  void see_rows(const SqlPlan& plan);
  struct Column {
    Name table;
    Name column;
    bool integers = false;
    bool deadlines = false;
    bool others = false;
  };
  std::vector<Column> columns_;
};

/// CREATE TABLE with its unique indexes.
[[nodiscard]] std::string create_table(const sql::TableDefinition& table, const Types& types);
/// A literal of that type. A deadline has none.
[[nodiscard]] std::string literal(const Value& value, ColumnType type);
/// A cell that came back; an instant comes back as a deadline without a name.
[[nodiscard]] Value cell_of(const std::optional<std::string>& text, ColumnType type, Words& words);

}  // namespace idemsim::adapters::postgres
