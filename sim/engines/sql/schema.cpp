// Building and searching table definitions: tables and columns are few, so searches are linear.
#include "sim/engines/sql/schema.hpp"

#include "sim/base/assert.hpp"

namespace idemsim::sql {

TableDefinition& TableDefinition::column(Name column_name, Value default_value) {
  IDEMSIM_ASSERT(columns.size() < kColumnsMax);
  IDEMSIM_ASSERT(find_column(column_name) == kNoColumn);
  columns.push_back({column_name, default_value});
  return *this;
}

TableDefinition& TableDefinition::serial_column(Name column_name) {
  IDEMSIM_ASSERT(serial == kNoColumn);
  column(column_name);
  serial = static_cast<std::uint8_t>(columns.size() - 1);
  return *this;
}

TableDefinition& TableDefinition::unique(Name index_name,
                                         std::initializer_list<Name> column_names) {
  IDEMSIM_ASSERT(indexes.size() < kIndexesMax);
  UniqueIndex index;
  index.name = index_name;
  for (const Name column_name : column_names) {
    const std::uint8_t position = find_column(column_name);
    IDEMSIM_ASSERT(position != kNoColumn);
    index.columns.push_back(position);
  }
  indexes.push_back(index);
  return *this;
}

std::uint8_t TableDefinition::find_column(Name column_name) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == column_name) return static_cast<std::uint8_t>(i);
  }
  return kNoColumn;
}

std::size_t Schema::table_index(Name table_name) const {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (tables[i].name == table_name) return i;
  }
  IDEMSIM_ASSERT(!"a table of this name exists");
  return 0;
}

const TableDefinition& Schema::table(Name table_name) const {
  return tables[table_index(table_name)];
}

}  // namespace idemsim::sql
