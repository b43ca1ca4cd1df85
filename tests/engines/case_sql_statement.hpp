// Recorded abstract operations as statements of the SQL engine, and its rows as recorded JSON.
#pragma once

#include "sim/engines/sql/reply.hpp"
#include "sim/engines/sql/schema.hpp"
#include "sim/engines/sql/statement.hpp"

#include <nlohmann/json.hpp>

#include <deque>
#include <string>

namespace idemsim::tests {

/// The five tables that the recorded cases use.
[[nodiscard]] sql::Schema recorded_schema();

/// The level behind the short name of a recording: `ru`, `rc`, `rr` or `ser`.
[[nodiscard]] sql::Isolation isolation_of(const std::string& key);

/// Keeps the texts of one case alive and translates between JSON and the engine's values.
class Translator {
 public:
  /// Why this engine cannot run the recorded case; empty if it can.
  [[nodiscard]] static std::string not_covered(const nlohmann::json& recorded);

  [[nodiscard]] sql::Statement statement(const nlohmann::json& op);
  /// The outcome in the recorded form, without what recorded outcomes are not compared by.
  [[nodiscard]] nlohmann::json outcome(const nlohmann::json& op, const sql::Reply& reply,
                                       std::span<const sql::Row> rows) const;

 private:
  Name intern(const std::string& text);
  Value value(const nlohmann::json& cell);
  void add_conditions(const nlohmann::json& conditions, sql::Statement& statement, bool conflict);
  void add_assignments(const nlohmann::json& cells, sql::Statement& statement, bool conflict);
  sql::Statement insert(const nlohmann::json& op);
  sql::Statement select(const nlohmann::json& op);
  sql::Statement advisory(const nlohmann::json& op);

  std::deque<std::string> texts_;
};

}  // namespace idemsim::tests
