// Each call goes to the real store, and both answers are compared and written down.
#include "sim/adapters/lockstep.hpp"

#include "sim/engines/kv/command.hpp"
#include "sim/engines/sql/render.hpp"

#include <algorithm>

namespace idemsim::adapters {
namespace {

/// The cells of a row as numbers, so that rows can be sorted; an instant has no name of its own.
using Folded = std::vector<std::uint64_t>;

std::vector<Folded> folded(std::span<const sql::Row> rows) {
  std::vector<Folded> all;
  for (const sql::Row& row : rows) {
    Folded& cells = all.emplace_back();
    for (const Value& cell : row) {
      const bool instant = cell.kind == Value::Kind::deadline;
      cells.push_back(instant ? Value::deadline(0).fold() : cell.fold());
    }
  }
  return all;
}

/// Only ORDER BY promises an order.
bool same_rows(std::span<const sql::Row> a, std::span<const sql::Row> b, bool ordered) {
  std::vector<Folded> left = folded(a);
  std::vector<Folded> right = folded(b);
  if (!ordered) {
    std::sort(left.begin(), left.end());
    std::sort(right.begin(), right.end());
  }
  return left == right;
}

bool same_reply(const sql::Reply& a, const sql::Reply& b) {
  if (a.kind != b.kind || a.transaction != b.transaction) return false;
  if (!a.ok()) return a.code == b.code && a.constraint == b.constraint;
  return a.verb == b.verb && a.affected == b.affected;
}

std::string cells_of(const sql::Row& row) {
  std::string text;
  for (const Value& cell : row) text += (text.empty() ? "" : ", ") + sql::to_sql(cell);
  return text;
}

std::string words_of(const sql::Statement& statement, const SqlAnswer& answer) {
  if (answer.reply.blocked()) return "waits";
  if (!answer.reply.ok()) return "error " + std::string(sql::sqlstate(answer.reply.code));
  if (!statement.returns_rows) return sql::tag(answer.reply);
  if (answer.rows.empty()) return "nothing";
  std::string text;
  for (const sql::Row& row : answer.rows) text += (text.empty() ? "" : "; ") + cells_of(row);
  return text;
}

std::string real_words(const SqlCall& call, const SqlOutcome& outcome, const SqlAnswer& answer) {
  if (outcome.waits) return "waits";
  const bool unknown = outcome.reply.code == sql::Code::feature_not_supported;
  return unknown ? "error " + outcome.error : words_of(*call.statement, answer);
}

}  // namespace

const Line* LockStep::difference() const {
  const auto at =
      std::find_if(lines_.begin(), lines_.end(), [](const Line& line) { return !line.same; });
  return at == lines_.end() ? nullptr : &*at;
}

/// Keeps the rows of an answer. An instant that came back is the deadline that was put there.
void LockStep::take_rows(const SqlCall& call, const SqlOutcome& outcome) {
  rows_ = outcome.rows;
  for (std::size_t r = 0; r < rows_.size() && r < call.simulated.rows.size(); ++r) {
    for (std::size_t c = 0; c < rows_[r].size(); ++c) {
      const Value& there = call.simulated.rows[r][c];
      const bool both = rows_[r][c].kind == Value::Kind::deadline && there.kind == rows_[r][c].kind;
      if (both) rows_[r][c] = there;
    }
  }
}

SqlAnswer LockStep::statement(const SqlCall& call) {
  if (over()) return call.simulated;
  const bool victim = call.simulated.reply.code == sql::Code::deadlock_detected;
  const Result<SqlOutcome> outcome =
      victim && call.resumes ? database_->resume_victim(call.session)
      : call.resumes         ? database_->resume(call.session)
                             : database_->execute(call.session, *call.statement, call.begins);
  if (!outcome) {
    trouble_ = outcome.error();
    return call.simulated;
  }
  Line& line = lines_.emplace_back();
  line.step = call.step;
  line.site = call.site;
  line.text = sql::to_sql(schema_, *call.statement);
  line.simulated = words_of(*call.statement, call.simulated);
  if (outcome->unheard) {
    line.real = "nobody there to be told";
    return call.simulated;
  }
  take_rows(call, *outcome);
  const SqlAnswer answer{outcome->reply, rows_};
  line.real = real_words(call, *outcome, answer);
  if (outcome->waits || call.simulated.reply.blocked()) {
    line.same = outcome->waits == call.simulated.reply.blocked();
    parted_ = !line.same;
    return call.simulated;
  }
  line.same = same_reply(call.simulated.reply, outcome->reply) &&
              same_rows(call.simulated.rows, rows_, call.statement->ordered);
  // The same rows in another order are the same answer, so that the run can go on as recorded.
  return line.same ? call.simulated : answer;
}

kv::Reply LockStep::command(const KvCall& call) {
  if (over()) return call.simulated;
  const Result<kv::Reply> reply = redis_->execute(call.connection, *call.command);
  if (!reply) {
    trouble_ = reply.error();
    return call.simulated;
  }
  Line& line = lines_.emplace_back();
  line.step = call.step;
  line.site = call.site;
  line.text = kv::to_text(*call.command);
  line.simulated = kv::to_text(call.simulated);
  line.real = kv::to_text(*reply);
  line.same = call.simulated == *reply;
  return *reply;
}

void LockStep::close(sql::SessionId session) {
  if (over() || database_ == nullptr) return;
  const Result<void> closed = database_->close(session);
  if (!closed) trouble_ = closed.error();
}

void LockStep::close(KvConnection connection) {
  if (!over() && redis_ != nullptr) redis_->close(connection);
}

void LockStep::deadline(std::uint64_t bits, Duration after) {
  deadlines_.emplace_back(bits, after);
  if (database_ != nullptr) database_->deadline(bits, after);
}

void LockStep::pass(std::uint64_t bits) {
  if (over() || database_ == nullptr) return;
  const auto at = std::find_if(deadlines_.begin(), deadlines_.end(),
                               [bits](const auto& d) { return d.first == bits; });
  const Duration skipped = database_->pass(bits);
  if (at == deadlines_.end() || skipped <= Duration{}) return;
  const StepId last = lines_.empty() ? StepId{} : lines_.back().step;
  shortened_.push_back({last, "deadline of a row", at->second, at->second - skipped});
}

void LockStep::expire(Value key) {
  if (over() || redis_ == nullptr) return;
  const Result<Expired> expired = redis_->expire(key);
  if (!expired) {
    trouble_ = expired.error();
    return;
  }
  if (!expired->existed) return;
  const StepId last = lines_.empty() ? StepId{} : lines_.back().step;
  shortened_.push_back({last, "TTL of " + sql::to_sql(key), expired->ttl, expired->lived});
}

Result<std::vector<TableEnd>> LockStep::compare_tables(const sql::Engine& simulated) {
  std::vector<TableEnd> ends;
  for (const sql::TableDefinition& table : simulated.schema().tables) {
    if (database_ == nullptr) break;
    const Result<std::vector<sql::Row>> real = database_->rows(table);
    if (!real) return real.error();
    std::vector<sql::Row> rows;
    simulated.for_each_row(table.name, [&](const sql::Row& row, StepId) { rows.push_back(row); });
    ends.push_back(
        {std::string(table.name.view()), rows.size(), real->size(), same_rows(rows, *real, false)});
  }
  return ends;
}

}  // namespace idemsim::adapters
