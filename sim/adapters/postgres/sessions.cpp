// Sessions: sending one statement, and waiting until each of them has answered or is blocked.
#include "sim/adapters/postgres/store.hpp"
#include "sim/engines/sql/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace idemsim::adapters::postgres {
namespace {

/// Seen waiting that often in a row, a session waits: a lock that is given away is taken at once.
constexpr int kLooksToBelieve = 2;

SqlOutcome nobody_there() {
  SqlOutcome outcome;
  outcome.unheard = true;
  return outcome;
}

int number_of(const std::optional<std::string>& text) {
  int number = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

}  // namespace

Result<Store::Session*> Store::session_of(sql::SessionId id) {
  Session& session = sessions_[id];
  if (session.connection != nullptr || session.left) return &session;
  const Result<void> ready = set_up(session, id);
  if (!ready) return ready.error();
  return &session;
}

Result<void> Store::set_up(Session& session, sql::SessionId id) {
  session.connection = std::make_unique<Connection>(context_, patience_);
  const Result<void> connected = session.connection->open(url_);
  if (!connected) return connected.error();
  session.pid = session.connection->pid();
  std::string settings =
      "SET default_transaction_isolation = 'read committed'; SET lock_timeout = 0; "
      "SET statement_timeout = 0";
  if (!schema_name_.empty()) settings += "; SET search_path TO " + schema_name_;
  const Result<Answer> set = session.connection->demand(settings);
  if (!set) return set.error();
  // Who looks first for a deadlock is its victim. Only an administrator may set that.
  const bool victim = std::find(victims_.begin(), victims_.end(), id) != victims_.end();
  const Result<Answer> timeout = session.connection->ask(victim ? "SET deadlock_timeout = '1s'"
                                                                : "SET deadlock_timeout = '5s'");
  if (!timeout) return timeout.error();
  return {};
}

Result<SqlOutcome> Store::execute(sql::SessionId id, const sql::Statement& statement, bool begins) {
  const Result<Session*> found = session_of(id);
  if (!found) return found.error();
  Session& session = **found;
  if (session.left) return nobody_there();
  if (begins) {
    const Result<Answer> begun = session.connection->ask(sql::to_sql(*schema_, sql::begin()));
    if (!begun) return begun.error();
  }
  session.statement = statement;
  const Result<void> sent = session.connection->send(text_of(statement));
  if (!sent) return sent.error();
  session.pending = true;
  session.looks = 0;
  const Result<void> settled = settle();
  if (!settled) return settled.error();
  return outcome(session);
}

Result<SqlOutcome> Store::resume(sql::SessionId id) {
  const auto at = sessions_.find(id);
  if (at == sessions_.end()) return nobody_there();
  const Result<void> settled = settle();
  if (!settled) return settled.error();
  return outcome(at->second);
}

Result<SqlOutcome> Store::resume_victim(sql::SessionId id) {
  const auto at = sessions_.find(id);
  if (at != sessions_.end() && !at->second.left) {
    Session& session = at->second;
    const Result<void> waited = patience_.wait(context_, "PostgreSQL about a deadlock",
                                               [&] { return session.connection->ready(); });
    if (!waited) return waited.error();
  }
  return resume(id);
}

Result<void> Store::close(sql::SessionId id) {
  const auto at = sessions_.find(id);
  if (at == sessions_.end() || at->second.left) return {};
  Session& session = at->second;
  if (session.connection->ready()) session.pending = false;
  session.connection.reset();
  session.left = true;
  // What it held is free once its backend has ended; what waits goes on waiting without a client.
  session.pending = true;
  session.looks = 0;
  return settle();
}

bool Store::unsettled(Session& session) const {
  if (!session.pending || session.looks >= kLooksToBelieve) return false;
  return session.left || !session.connection->ready();
}

Result<void> Store::settle() {
  for (auto& [id, session] : sessions_) session.looks = 0;
  std::optional<Problems> failed;
  std::string last;
  const auto settled = [&] {
    bool all = true;
    for (auto& [id, session] : sessions_) {
      if (!unsettled(session)) continue;
      all = false;
      last = sql::to_sql(*schema_, session.statement);
    }
    if (all) return true;
    const Result<void> looked = look();
    if (!looked) failed = looked.error();
    return failed.has_value();
  };
  // A glance without the monitor: most statements are answered at once.
  for (int turn = 0; turn < 3; ++turn) patience_.turn(context_);
  const Result<void> waited = patience_.wait(context_, "PostgreSQL", settled);
  if (failed) return *failed;
  if (!waited) return trouble(waited.error().front().message + " to " + last);
  return {};
}

/// Asks the monitoring connection which backends are there and which of them wait for another one.
Result<void> Store::look() {
  std::string pids;
  for (const auto& [id, session] : sessions_) {
    if (session.pending) pids += (pids.empty() ? "" : ", ") + std::to_string(session.pid);
  }
  const Result<Answer> answer = monitor_.demand(fmt::format(
      "SELECT pid, cardinality(pg_blocking_pids(pid)) FROM pg_stat_activity WHERE pid IN ({})",
      pids));
  if (!answer) return answer.error();
  for (auto& [id, session] : sessions_) {
    if (!session.pending) continue;
    const auto pid = session.pid;
    const auto row = std::find_if(answer->rows.begin(), answer->rows.end(),
                                  [pid](const auto& r) { return number_of(r[0]) == pid; });
    const bool there = row != answer->rows.end();
    session.looks = there && number_of((*row)[1]) > 0 ? session.looks + 1 : 0;
    if (session.left && !there) session.pending = false;
  }
  return {};
}

}  // namespace idemsim::adapters::postgres
