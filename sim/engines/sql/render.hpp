// Statements as SQL text, for traces and explanations; never on the hot path.
#pragma once

#include "sim/base/value.hpp"
#include "sim/engines/sql/schema.hpp"
#include "sim/engines/sql/statement.hpp"

#include <string>

namespace idemsim::sql {

/// A cell as SQL text: `'paid'`, `4`, `NULL`, `K1`, `:token`, ...
[[nodiscard]] std::string to_sql(const Value& value);

/// One line of SQL without a final semicolon.
[[nodiscard]] std::string to_sql(const Schema& schema, const Statement& statement);

}  // namespace idemsim::sql
