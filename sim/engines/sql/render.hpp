// Statements as SQL text, for traces, explanations and real servers; never on the hot path.
#pragma once

#include "sim/base/value.hpp"
#include "sim/engines/sql/schema.hpp"
#include "sim/engines/sql/statement.hpp"

#include <string>

namespace idemsim::sql {

/// A cell as SQL text: `'paid'`, `4`, `NULL`, `K1`, `:token`, ...
[[nodiscard]] std::string to_sql(const Value& value);

/// One line of SQL without a final semicolon, for reading.
[[nodiscard]] std::string to_sql(const Schema& schema, const Statement& statement);

/// How a server wants to read what a reader of a trace knows anyway.
struct Spelling {
  /// The value that a column of the table is compared with or gets.
  std::string (*value)(const void* self, const TableDefinition& table, Name column,
                       const Value& value) = nullptr;
  const void* self = nullptr;
  std::string now = "now()";  ///< what expiries are compared with
};

/// One line of SQL without a final semicolon, for execution: no column is ambiguous.
[[nodiscard]] std::string to_sql(const Schema& schema, const Statement& statement,
                                 const Spelling& spelling);

}  // namespace idemsim::sql
