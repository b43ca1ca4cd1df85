// What tables there are: columns, defaults, unique indexes, serial columns. Fixed for a run.
#pragma once

#include "sim/base/name.hpp"
#include "sim/base/value.hpp"
#include "sim/engines/sql/inline_list.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace idemsim::sql {

inline constexpr std::size_t kColumnsMax = 12;
inline constexpr std::size_t kIndexesMax = 4;
inline constexpr std::size_t kIndexColumnsMax = 4;
inline constexpr std::uint8_t kNoColumn = 0xff;

/// The cells of one row, in the order of the columns of its table.
using Row = InlineList<Value, kColumnsMax>;

/// A column and the value it gets when an INSERT does not name it.
struct Column {
  Name name;
  Value default_value;
};

/// A unique index. A key with a NULL in it never collides (P14).
struct UniqueIndex {
  Name name;
  InlineList<std::uint8_t, kIndexColumnsMax> columns;  ///< positions in the table
};

/// One table. The first unique index is the primary key: its columns are NOT NULL.
struct TableDefinition {
  Name name;
  std::vector<Column> columns;
  std::vector<UniqueIndex> indexes;
  std::uint8_t serial = kNoColumn;  ///< column filled from the table's own sequence

  explicit TableDefinition(Name table_name) : name(table_name) {}
  /// Adds a column, at most `kColumnsMax` of them.
  TableDefinition& column(Name column_name, Value default_value = Value::null());
  /// Adds an integer column that counts 1, 2, 3, ... Rolled back inserts leave gaps (P28).
  TableDefinition& serial_column(Name column_name);
  /// Adds a unique index over columns that exist already; the first one is the primary key.
  TableDefinition& unique(Name index_name, std::initializer_list<Name> column_names);

  /// Position of a column, or `kNoColumn`.
  [[nodiscard]] std::uint8_t find_column(Name column_name) const;
};

/// All tables of one store, named differently.
struct Schema {
  std::vector<TableDefinition> tables;

  /// Position of a table. An unknown name is a programmer error.
  [[nodiscard]] std::size_t table_index(Name table_name) const;
  [[nodiscard]] const TableDefinition& table(Name table_name) const;
};

}  // namespace idemsim::sql
