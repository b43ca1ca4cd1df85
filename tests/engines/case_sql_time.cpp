// Virtual time of a replay: timers in order, and settling until nobody can go on.
#include "sim/base/assert.hpp"
#include "tests/engines/case_sql_replay.hpp"

#include <algorithm>

namespace idemsim::tests {

using nlohmann::json;

void Replay::advance(std::int64_t ms) {
  const std::int64_t target = now_ms_ + ms;
  while (const std::optional<Timer> timer = next_timer()) {
    if (timer->at > target) break;
    now_ms_ = std::max(now_ms_, timer->at);
    fire(*timer);
    settle();
  }
  now_ms_ = target;
}

/// The earliest timer; of equal ones the one of the connection that was opened first.
std::optional<Replay::Timer> Replay::next_timer() const {
  std::optional<Timer> next;
  const auto propose = [&](std::int64_t began, std::int64_t timeout, std::size_t backend,
                           Timer::Kind kind) {
    if (timeout == 0 || (next && next->at <= began + timeout)) return;
    next = Timer{began + timeout, backend, kind};
  };
  for (std::size_t i = 0; i < backends_.size(); ++i) {
    const Backend& b = backends_[i];
    if (!engine_.is_open(b.id)) continue;
    if (engine_.is_waiting(b.id)) {
      propose(b.wait_began, b.settings.lock, i, Timer::Kind::lock);
      propose(b.statement_began, b.settings.statement, i, Timer::Kind::statement);
      if (!b.deadlock_checked) propose(b.wait_began, b.settings.deadlock, i, Timer::Kind::deadlock);
    } else if (engine_.transaction_state(b.id) != sql::TransactionState::idle) {
      propose(b.idle_since, b.settings.idle_in_transaction, i, Timer::Kind::idle);
    }
  }
  return next;
}

void Replay::fire(const Timer& timer) {
  Backend& backend = backends_[timer.backend];
  const auto ended = [&](const sql::Reply& reply) {
    if (!reply.blocked()) handle(timer.backend, reply);
  };
  switch (timer.kind) {
    case Timer::Kind::deadlock:
      backend.deadlock_checked = true;
      return ended(engine_.check_deadlock(backend.id, touched_));
    case Timer::Kind::lock:
      return ended(engine_.interrupt(backend.id, sql::Code::lock_not_available, touched_));
    case Timer::Kind::statement:
      return ended(engine_.interrupt(backend.id, sql::Code::query_canceled, touched_));
    case Timer::Kind::idle:
      break;
  }
  engine_.kill(backend.id, touched_, sql::Code::idle_in_transaction_timeout);
  collect();
  clients_[backend.client].farewell = sql::Code::idle_in_transaction_timeout;
}

void Replay::collect() {
  for (const sql::SessionId id : engine_.woken()) runnable_.push_back(id);
}

void Replay::settle() {
  while (!runnable_.empty()) {
    std::size_t choice = 0;
    if (runnable_.size() > 1) {
      if (widths_.size() < choices_.size()) choice = choices_[widths_.size()];
      widths_.push_back(runnable_.size());
    }
    const sql::SessionId id = runnable_[choice];
    runnable_.erase(runnable_.begin() + static_cast<std::ptrdiff_t>(choice));
    if (!engine_.is_open(id) || !engine_.is_waiting(id)) continue;
    const StepId by =
        StepId::of(Origin::of({id.index, 1}, 0, 0), 0, static_cast<std::uint32_t>(step_));
    handle(id.index, engine_.resume(id, by, touched_));
  }
  for (const Client& client : clients_) {
    if (client.pending) note_blocked(client);
  }
}

void Replay::note_blocked(const Client& client) {
  json& outcome = outcomes_[*client.pending];
  const json by = blockers(client);
  if (outcome.is_null()) {
    outcome = {{"kind", "blocked"}, {"blocked_by", by}};
    return;
  }
  const bool again = outcome.contains("reblocked");
  const json& last = again ? outcome["reblocked"].back() : outcome;
  if (last.at("blocked_by") == by) return;
  outcome["reblocked"].push_back({{"at_step", step_}, {"blocked_by", by}});
}

json Replay::blockers(const Client& client) const {
  if (client.held_request || client.held_reply) return json::array({"network"});
  json names = json::array();
  for (const sql::SessionId id : engine_.blockers_of(backends_[client.backend].id)) {
    names.push_back(clients_[backends_[id.index].client].name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace idemsim::tests
