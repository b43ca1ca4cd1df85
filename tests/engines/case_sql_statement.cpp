// Translation of recorded operations; what it does not know is reported as not covered.
#include "tests/engines/case_sql_statement.hpp"

#include "sim/base/assert.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace idemsim::tests {

using nlohmann::json;

namespace {

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& known, const std::string& word) {
  return std::find(known.begin(), known.end(), word) != known.end();
}

constexpr std::array<std::string_view, 13> kStatements = {
    "begin",     "commit",      "rollback", "insert",   "select",  "update", "delete",
    "savepoint", "rollback_to", "release",  "advisory", "nextval", "set"};
constexpr std::array<std::string_view, 14> kControls = {
    "await",      "sleep",        "kill",         "cut",          "cancel",
    "blackhole",  "hold_request", "hold_reply",   "pass",         "drop_request",
    "drop_reply", "reconnect",    "crash_server", "kill9_backend"};
constexpr std::array<std::string_view, 5> kSettings = {
    "deadlock_timeout", "lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout",
    "client_connection_check_interval"};

std::string step_not_covered(const json& step) {
  const json& op = step.at("op");
  const std::string name = op.at("op");
  if (name == "sql") return "raw SQL: " + step.at("command").get<std::string>();
  if (step.at("session") == "@") {
    const bool known = contains(kControls, name) || name == "start_server";
    return known ? "" : "control operation " + name + " is not modelled";
  }
  if (!contains(kStatements, name)) return "operation " + name + " is not modelled";
  if (name == "set" && (!contains(kSettings, op.at("name")) || op.value("local", false))) {
    return "setting " + op.at("name").get<std::string>() + " is not modelled";
  }
  return "";
}

/// Without a unique key in its WHERE a statement scans the table here, as it does with the setting.
bool forbids_index(const std::string& setting) {
  return setting == "SET enable_indexscan=off" || setting == "SET enable_bitmapscan=off" ||
         setting == "SET enable_indexonlyscan=off";
}

sql::Comparison comparison_of(const std::string& text) {
  if (text == "=") return sql::eq;
  if (text == "<>" || text == "!=") return sql::ne;
  if (text == "<") return sql::lt;
  if (text == "<=") return sql::le;
  if (text == ">") return sql::gt;
  IDEMSIM_ASSERT(text == ">=");
  return sql::ge;
}

json to_json(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null:
      return nullptr;
    case Value::Kind::integer:
      return value.as_integer();
    case Value::Kind::text:
    case Value::Kind::key:
    case Value::Kind::token:
    case Value::Kind::reference:
    case Value::Kind::deadline:
    case Value::Kind::digest:
      break;
  }
  return value.text;
}

json rows_to_json(const json& op, std::span<const sql::Row> rows) {
  json out = json::array();
  const json columns = op.value("returning", json::array());
  for (const sql::Row& row : rows) {
    json cells = json::array();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool flag = row[i].kind == Value::Kind::integer &&
                        (op.at("op") == "advisory" ||
                         (i < columns.size() && columns[i] == std::string(sql::kInserted.text)));
      cells.push_back(flag ? json(row[i].as_integer() != 0) : to_json(row[i]));
    }
    out.push_back(cells);
  }
  return out;
}

const char* text_of(sql::TransactionState state) {
  switch (state) {
    case sql::TransactionState::idle:
      return "idle";
    case sql::TransactionState::in_tx:
      return "in_tx";
    case sql::TransactionState::in_error:
      break;
  }
  return "in_error";
}

}  // namespace

sql::Schema recorded_schema() {
  const Value zero = Value::integer(0);
  sql::TableDefinition idem("idem");
  idem.column("k").column("status", zero).column("owner").column("version", zero);
  idem.column("expires_at", zero).unique("idem_pkey", {"k"});
  sql::TableDefinition acct("acct");
  acct.column("id").column("balance").unique("acct_pkey", {"id"});
  sql::TableDefinition effects("effects");
  effects.serial_column("id").column("k").column("who").unique("effects_pkey", {"id"});
  sql::TableDefinition jobs("jobs");
  jobs.column("id").column("status", zero).column("owner").unique("jobs_pkey", {"id"});
  sql::TableDefinition log("log");
  log.serial_column("id").column("k").unique("log_pkey", {"id"}).unique("log_k_key", {"k"});
  return {{idem, acct, effects, jobs, log}};
}

sql::Isolation isolation_of(const std::string& key) {
  if (key == "rr") return sql::Isolation::repeatable_read;
  if (key == "ser") return sql::Isolation::serializable;
  return sql::Isolation::read_committed;  // PostgreSQL gives it for READ UNCOMMITTED, too
}

std::string Translator::not_covered(const json& recorded) {
  if (recorded.at("engine") != "postgresql") return "the InnoDB dialect is not modelled";
  if (recorded.contains("session_iso")) return "isolation level of one session";
  const json& setup = recorded.at("setup");
  const json extra = setup.value("extra_sql", json::array());
  if (!extra.empty()) return "raw SQL: " + extra.at(0).get<std::string>();
  for (const json& setting : recorded.value("session_sets", json::array())) {
    if (!forbids_index(setting)) return "raw SQL: settings of the sessions";
  }
  for (const json& step : recorded.at("steps")) {
    const std::string reason = step_not_covered(step);
    if (!reason.empty()) return reason;
  }
  for (const json& query : recorded.at("final")) {
    if (query.at("op").at("op") != "select") {
      return "raw SQL: " + query.at("query").get<std::string>();
    }
  }
  return "";
}

Name Translator::intern(const std::string& text) {
  for (const std::string& known : texts_) {
    if (known == text) return known.c_str();
  }
  texts_.push_back(text);
  return texts_.back().c_str();
}

Value Translator::value(const json& cell) {
  if (cell.is_null()) return Value::null();
  if (cell.is_number_integer()) return Value::integer(cell.get<std::int64_t>());
  return Value::word(intern(cell.get<std::string>()));
}

void Translator::add_conditions(const json& conditions, sql::Statement& statement, bool conflict) {
  for (const json& condition : conditions) {
    const Name column = intern(condition.at(0));
    const sql::Comparison comparison = comparison_of(condition.at(1));
    if (conflict) {
      statement.where_on_conflict(column, comparison, value(condition.at(2)));
    } else {
      statement.where(column, comparison, value(condition.at(2)));
    }
  }
}

void Translator::add_assignments(const json& cells, sql::Statement& statement, bool conflict) {
  for (const auto& [name, cell] : cells.items()) {
    const Name column = intern(name);
    if (cell.is_object() && cell.contains("add")) {
      IDEMSIM_ASSERT(cell.at("add").at(0) == name);
      const std::int64_t n = cell.at("add").at(1);
      conflict ? statement.add_on_conflict(column, n) : statement.add(column, n);
    } else if (cell.is_object()) {
      statement.set_on_conflict(column, sql::excluded(intern(cell.at("excluded"))));
    } else {
      conflict ? statement.set_on_conflict(column, value(cell))
               : statement.set(column, value(cell));
    }
  }
}

sql::Statement Translator::insert(const json& op) {
  const Name table = intern(op.at("table"));
  sql::Statement statement = sql::insert_into(table);
  bool first = true;
  for (const json& row : op.at("rows")) {
    if (!first) statement.next_row();
    first = false;
    add_assignments(row, statement, false);
  }
  const json conflict = op.value("on_conflict", json());
  if (conflict.is_null()) return statement;
  const Name target = intern(op.value("conflict_key", std::string("k")));
  const sql::Schema schema = recorded_schema();
  const sql::TableDefinition& definition = schema.table(table);
  std::uint8_t index = 0;
  while (definition.columns[definition.indexes.at(index).columns[0]].name != target) ++index;
  if (conflict == "nothing") return statement.on_conflict_do_nothing(index);
  statement.on_conflict_do_update(index);
  add_assignments(conflict.at("update"), statement, true);
  add_conditions(conflict.value("where", json::array()), statement, true);
  return statement;
}

sql::Statement Translator::select(const json& op) {
  sql::Statement statement = sql::select(intern(op.at("table")));
  const json columns = op.value("cols", json());
  if (columns.is_array()) {
    for (const json& column : columns) statement.columns({intern(column)});
  } else if (columns.is_string() && columns != "*") {
    statement.columns({intern(columns)});
  }
  if (op.contains("order_by")) statement.order_by(intern(op.at("order_by")));
  if (op.contains("limit")) statement.limit_to(op.at("limit"));
  const std::string lock = op.value("lock", std::string());
  if (lock == "update") statement.for_update();
  if (lock == "share") statement.for_share();
  const std::string wait = op.value("wait", std::string());
  if (wait == "nowait") statement.nowait();
  if (wait == "skip_locked") statement.skip_locked();
  return statement;
}

sql::Statement Translator::advisory(const json& op) {
  const std::string function = op.at("fn");
  const std::uint64_t key = op.at("key");
  if (function == "advisory_unlock") return sql::advisory_unlock(key);
  const bool transaction = function.find("xact") != std::string::npos;
  const sql::LockScope scope = transaction ? sql::LockScope::transaction : sql::LockScope::session;
  if (function.rfind("try", 0) == 0) return sql::advisory_try_lock(key, scope);
  return sql::advisory_lock(key, scope);
}

sql::Statement Translator::statement(const json& op) {
  const std::string name = op.at("op");
  if (name == "begin") {
    return op.contains("iso") ? sql::begin(isolation_of(op.at("iso"))) : sql::begin();
  }
  if (name == "commit") return sql::commit();
  if (name == "rollback") return sql::rollback();
  if (name == "savepoint") return sql::savepoint(intern(op.at("name")));
  if (name == "rollback_to") return sql::rollback_to(intern(op.at("name")));
  if (name == "release") return sql::release(intern(op.at("name")));
  if (name == "advisory") return advisory(op);
  sql::Statement statement;
  if (name == "insert") {
    statement = insert(op);
  } else if (name == "select") {
    statement = select(op);
  } else if (name == "update") {
    statement = sql::update(intern(op.at("table")));
    add_assignments(op.at("set"), statement, false);
  } else {
    IDEMSIM_ASSERT(name == "delete");
    statement = sql::erase_from(intern(op.at("table")));
  }
  add_conditions(op.value("where", json::array()), statement, false);
  const json returning = op.value("returning", json::array());
  if (!returning.empty()) statement.returning();
  for (const json& column : returning) statement.columns({intern(column)});
  return statement;
}

json Translator::outcome(const json& op, const sql::Reply& reply,
                         std::span<const sql::Row> rows) const {
  json out = {{"txn", text_of(reply.transaction)}};
  if (!reply.ok()) {
    out["kind"] = "error";
    out["sqlstate"] = std::string(sql::sqlstate(reply.code));
    if (!reply.constraint.view().empty()) out["constraint"] = reply.constraint.text;
    return out;
  }
  out["kind"] = "ok";
  out["tag"] = sql::tag(reply);
  const std::string name = op.at("op");
  const bool writes = name == "insert" || name == "update" || name == "delete";
  if (writes) out["affected"] = reply.affected;
  if (name == "select" || name == "advisory" || (writes && op.contains("returning"))) {
    out["rows"] = rows_to_json(op, rows);
  }
  return out;
}

}  // namespace idemsim::tests
