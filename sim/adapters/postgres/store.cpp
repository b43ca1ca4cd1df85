// Making the tables, translating statements and answers, letting time pass, and cleaning up.
#include "sim/adapters/postgres/store.hpp"

#include "sim/base/assert.hpp"
#include "sim/engines/sql/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace idemsim::adapters::postgres {
namespace {

constexpr int kVersionMin = 100'000;             ///< 10.0
constexpr Duration kMargin = milliseconds(100);  ///< between writing a deadline and executing it

constexpr sql::Code kCodes[] = {sql::Code::unique_violation,
                                sql::Code::not_null_violation,
                                sql::Code::serialization_failure,
                                sql::Code::deadlock_detected,
                                sql::Code::in_failed_transaction,
                                sql::Code::no_active_transaction,
                                sql::Code::invalid_savepoint,
                                sql::Code::lock_not_available,
                                sql::Code::query_canceled,
                                sql::Code::admin_shutdown,
                                sql::Code::idle_in_transaction_timeout,
                                sql::Code::cardinality_violation};

sql::Code code_of(const std::string& sqlstate) {
  for (const sql::Code code : kCodes) {
    if (sql::sqlstate(code) == sqlstate) return code;
  }
  return sql::Code::feature_not_supported;
}

std::string interval(Duration length) {
  return fmt::format("interval '{} microseconds'", length.ns / 1'000);
}

}  // namespace

Store::Store(const StoreOptions& options)
    : options_(options), patience_(options.interrupted), monitor_(context_, patience_) {}

Store::~Store() { remove(); }

Duration Store::elapsed() const {
  const auto since = std::chrono::steady_clock::now() - start_;
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(since).count()};
}

Result<void> Store::open() {
  url_ = options_.url;
  if (url_.empty()) {
    Result<OwnServer> own = start_server(options_);
    if (!own) return own.error();
    server_.emplace(std::move(own->process));
    url_ = own->url;
  }
  const Result<void> connected = connect_monitor();
  if (!connected) return connected.error();
  if (monitor_.version() < kVersionMin) {
    return trouble(fmt::format("PostgreSQL {} is too old: 10 or newer is needed",
                               monitor_.parameter("server_version")));
  }
  return make_schema();
}

/// A server of our own needs a moment before it listens.
Result<void> Store::connect_monitor() {
  const auto end = std::chrono::steady_clock::now() + kAnswerMax;
  for (;;) {
    Result<void> connected = monitor_.open(url_);
    if (connected || !server_) return connected;
    if (!server_->running()) {
      return trouble("the throw-away PostgreSQL has ended: " + server_->last_words());
    }
    if (patience_.interrupted() || std::chrono::steady_clock::now() > end) return connected;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

Result<void> Store::make_schema() {
  if (!options_.allow_database.empty()) {
    if (options_.allow_database == monitor_.database()) return {};
    return trouble(fmt::format("--allow-database names \"{}\", but the URL leads to \"{}\"",
                               options_.allow_database, monitor_.database()));
  }
  const Result<Answer> made = monitor_.demand("CREATE SCHEMA " + options_.name);
  if (!made) return made.error();
  schema_name_ = options_.name;
  const Result<Answer> set = monitor_.demand("SET search_path TO " + schema_name_);
  if (!set) return set.error();
  return {};
}

std::string Store::about() const {
  const std::string version = monitor_.parameter("server_version");
  return fmt::format("PostgreSQL {} ({})", version.substr(0, version.find(' ')),
                     server_                ? "throw-away server"
                     : schema_name_.empty() ? "database " + monitor_.database()
                                            : "schema " + schema_name_);
}

Result<void> Store::prepare(const SqlPlan& plan) {
  schema_ = plan.schema;
  victims_ = plan.victims;
  types_ = Types(plan);
  const Result<void> made = make_tables(plan);
  if (!made) return made.error();
  for (std::size_t t = 0; t < plan.rows.size(); ++t) {
    const sql::TableDefinition& table = plan.schema->tables[t];
    for (const sql::Row& row : plan.rows[t]) {
      std::string values;
      for (std::size_t c = 0; c < row.size(); ++c) {
        values += (c == 0 ? "" : ", ") + value_text(table, table.columns[c].name, row[c]);
      }
      const Result<Answer> inserted =
          monitor_.demand(fmt::format("INSERT INTO {} VALUES ({})", table.name.view(), values));
      if (!inserted) return inserted.error();
    }
  }
  return {};
}

Result<void> Store::make_tables(const SqlPlan& plan) {
  for (const sql::TableDefinition& table : plan.schema->tables) {
    // Where other tables may be, one of the same name is refused, and never touched.
    const Result<Answer> made = monitor_.demand(create_table(table, types_));
    if (!made) return made.error();
    tables_made_.emplace_back(table.name.view());
  }
  return {};
}

std::string Store::value_text(const sql::TableDefinition& table, Name column,
                              const Value& value) const {
  if (value.kind != Value::Kind::deadline) return literal(value, types_.of(table.name, column));
  const auto at = deadlines_.find(value.bits);
  IDEMSIM_ASSERT(at != deadlines_.end());
  return "now() + " + interval(at->second.after + skipped_);
}

/// The statement as this server reads it. Deadlines in it are counted from now.
std::string Store::text_of(const sql::Statement& statement) {
  for (const sql::Term& term : statement.terms) {
    if (term.value.kind != Value::Kind::deadline) continue;
    Deadline& deadline = deadlines_.at(term.value.bits);
    deadline.due = elapsed() + skipped_ + deadline.after;
  }
  sql::Spelling spelling;
  spelling.self = this;
  spelling.value = [](const void* self, const sql::TableDefinition& table, Name column,
                      const Value& value) {
    return static_cast<const Store*>(self)->value_text(table, column, value);
  };
  if (skipped_ > Duration{}) spelling.now = "now() + " + interval(skipped_);
  return sql::to_sql(*schema_, statement, spelling);
}

void Store::deadline(std::uint64_t bits, Duration after) { deadlines_[bits].after = after; }

Duration Store::pass(std::uint64_t bits) {
  const auto at = deadlines_.find(bits);
  if (at == deadlines_.end()) return {};
  const Duration left = at->second.due + kMargin - elapsed() - skipped_;
  if (left <= Duration{}) return {};
  skipped_ = skipped_ + left;
  return left;
}

sql::Reply Store::reply_of(const Answer& answer, const Session& session) const {
  sql::Reply reply;
  reply.verb = session.statement.verb;
  switch (session.connection->transaction()) {
    case PQTRANS_INTRANS:
      reply.transaction = sql::TransactionState::in_tx;
      break;
    case PQTRANS_INERROR:
      reply.transaction = sql::TransactionState::in_error;
      break;
    default:
      break;
  }
  if (!answer.ok) {
    reply.kind = sql::Reply::Kind::error;
    reply.code = code_of(answer.sqlstate);
    for (const sql::TableDefinition& table : schema_->tables) {
      for (const sql::UniqueIndex& index : table.indexes) {
        if (index.name.view() == answer.constraint) reply.constraint = index.name;
      }
    }
    return reply;
  }
  if (reply.verb == sql::Verb::commit && answer.tag == "ROLLBACK") {
    reply.verb = sql::Verb::rollback;
  }
  reply.affected = answer.affected;
  return reply;
}

std::vector<sql::Row> Store::rows_of(const Answer& answer, const Session& session) {
  std::vector<sql::Row> rows;
  for (const auto& cells : answer.rows) {
    sql::Row& row = rows.emplace_back();
    for (std::size_t c = 0; c < cells.size(); ++c) {
      // A boolean is `t` or `f` here and 1 or 0 in the simulation.
      const std::string& column = answer.columns[c];
      const bool truth = cells[c] && (column == "inserted" || column.starts_with("pg_"));
      if (truth && (cells[c] == "t" || cells[c] == "f")) {
        row.push_back(Value::integer(cells[c] == "t" ? 1 : 0));
        continue;
      }
      row.push_back(
          cell_of(cells[c], types_.of(session.statement.table, Name(column.c_str())), words_));
    }
  }
  return rows;
}

Result<SqlOutcome> Store::outcome(Session& session) {
  SqlOutcome outcome;
  if (session.left) {
    outcome.unheard = !session.pending;
    outcome.waits = session.pending;
    return outcome;
  }
  outcome.waits = !session.connection->ready();
  if (outcome.waits) return outcome;
  session.pending = false;
  const Result<Answer> answer = session.connection->take();
  if (!answer) return answer.error();
  outcome.reply = reply_of(*answer, session);
  outcome.rows = rows_of(*answer, session);
  if (!answer->ok) outcome.error = answer->sqlstate + " " + answer->message;
  return outcome;
}

Result<std::vector<sql::Row>> Store::rows(const sql::TableDefinition& table) {
  const Result<Answer> answer = monitor_.demand("SELECT * FROM " + std::string(table.name.view()));
  if (!answer) return answer.error();
  Session reader;
  reader.statement = sql::select(table.name);
  return rows_of(*answer, reader);
}

void Store::remove() {
  patience_.clean_up();
  sessions_.clear();
  if (!server_ && monitor_.is_open()) {
    if (!schema_name_.empty()) {
      (void)monitor_.ask("DROP SCHEMA " + schema_name_ + " CASCADE");
    } else {
      for (const std::string& table : tables_made_) (void)monitor_.ask("DROP TABLE " + table);
    }
  }
  schema_name_.clear();
  tables_made_.clear();
  monitor_.close();
  server_.reset();
}

}  // namespace idemsim::adapters::postgres
