// Waiting and waking, deadlocks, and how a session may end while others wait for it (P39, P41).
#include "sim/base/assert.hpp"
#include "sim/engines/sql/engine.hpp"

#include <algorithm>

namespace idemsim::sql {

namespace {

constexpr Resource kWaitsFor = Resource::of(ResourceKind::waits_for, hash_text("sql"));

}  // namespace

Reply Engine::wait_for_transaction(Call& call, const Probe& probe) {
  return start_wait(call, {.kind = Wait::Kind::transaction,
                           .holder = probe.holder,
                           .entry = probe.entry,
                           .row = probe.row,
                           .resource = probe.key});
}

Reply Engine::wait_for_row(Call& call, RowRef row, RowLock mode) {
  const Resource resource = version(row).resource;
  call.touched.add(resource, Access::write);
  return start_wait(call,
                    {.kind = Wait::Kind::row, .mode = mode, .row = row, .resource = resource});
}

Reply Engine::wait_for_advisory(Call& call, std::uint64_t key, LockScope scope) {
  return start_wait(call, {.kind = Wait::Kind::advisory,
                           .scope = scope,
                           .key = key,
                           .resource = advisory_resource(key)});
}

Reply Engine::start_wait(Call& call, const Wait& wait) {
  Session& session = call.session;
  const Wait& old = session.wait;
  const bool same_queue = wait.kind == Wait::Kind::row && old.kind == wait.kind &&
                          old.row == wait.row && old.mode == wait.mode;
  const std::uint64_t sequence = same_queue ? old.sequence : ++wait_sequence_;
  if (!same_queue) {
    stop_wait(call);
    waiting_.push_back(call.id);
  }
  session.wait = wait;
  session.wait.sequence = sequence;
  call.touched.add(kWaitsFor, Access::append);
  return {.kind = Reply::Kind::blocked, .transaction = session.state};
}

/// Leaves the queue; those behind may move up.
void Engine::stop_wait(Call& call) {
  Wait& wait = call.session.wait;
  if (wait.kind == Wait::Kind::none) return;
  if (!wait.woken) call.touched.add(kWaitsFor, Access::append);
  const bool queue = wait.kind != Wait::Kind::transaction;
  call.touched.add(wait.resource, queue ? Access::write : Access::read);
  wait = {};
  std::erase(waiting_, call.id);
}

/// After each call: frees versions that nobody can see and finds out who may try again.
void Engine::settle() {
  for (const SessionId id : waiting_) {
    Wait& wait = sessions_[id.index].wait;
    if (wait.woken || blocked(id)) continue;
    wait.woken = true;
    woken_.push_back(id);
  }
  vacuum();
}

/// Is `other` in front of `id`, which waits or would wait like this.
bool Engine::is_ahead(SessionId other, SessionId id, const Wait& wait) const {
  if (other == id) return false;
  const Wait& theirs = sessions_[other.index].wait;
  const Wait& mine = sessions_[id.index].wait;
  if (theirs.kind != wait.kind) return false;
  if (wait.kind == Wait::Kind::row) {
    if (theirs.row != wait.row || !excludes(theirs.mode, wait.mode)) return false;
    const bool queued = mine.kind == wait.kind && mine.row == wait.row;
    return !queued || theirs.sequence < mine.sequence;
  }
  return theirs.key == wait.key && theirs.sequence < mine.sequence;
}

template <class Visitor>
void Engine::for_each_blocker(SessionId id, Visitor visit) const {
  const Wait& wait = sessions_[id.index].wait;
  if (wait.woken) return;
  switch (wait.kind) {
    case Wait::Kind::none:
      return;
    case Wait::Kind::transaction:
      if (sessions_[wait.holder.index].log.size() > wait.entry) visit(wait.holder);
      return;
    case Wait::Kind::row:
      return for_each_row_blocker(id, visit);
    case Wait::Kind::advisory:
      break;
  }
  for (const AdvisoryHold& hold : advisory_holds_) {
    if (hold.key != wait.key) continue;
    if (hold.session == id) return;
    visit(hold.session);
  }
  for (const SessionId other : waiting_) {
    if (is_ahead(other, id, wait)) visit(other);
  }
}

/// Behind others in the queue a session waits for them, at its head for the holders of the row.
template <class Visitor>
void Engine::for_each_row_blocker(SessionId id, Visitor visit) const {
  const Wait& wait = sessions_[id.index].wait;
  const Version& v = version(wait.row);
  if (v.ended()) return;
  bool queued = false;
  for (const SessionId other : waiting_) {
    if (!is_ahead(other, id, wait)) continue;
    visit(other);
    queued = true;
  }
  if (queued) return;
  if (v.ender != kNobody) visit(v.ender);
  for (const RowHold& hold : row_holds_) {
    if (hold.row != wait.row || hold.session == id || hold.session == v.ender) continue;
    if (excludes(hold.mode, wait.mode)) visit(hold.session);
  }
}

std::vector<SessionId> Engine::blockers_of(SessionId id) const {
  std::vector<SessionId> blockers;
  for_each_blocker(id, [&](SessionId other) { blockers.push_back(other); });
  std::sort(blockers.begin(), blockers.end());
  return blockers;
}

bool Engine::blocked(SessionId id) const {
  bool any = false;
  for_each_blocker(id, [&](SessionId) { any = true; });
  return any;
}

bool Engine::in_cycle(SessionId id) {
  visited_.clear();
  visited_.push_back(id);
  bool cycle = false;
  for (std::size_t i = 0; i < visited_.size(); ++i) {
    const SessionId from = visited_[i];
    for_each_blocker(from, [&](SessionId to) {
      cycle = cycle || to == id;
      const bool seen = std::find(visited_.begin(), visited_.end(), to) != visited_.end();
      if (!seen) visited_.push_back(to);
    });
  }
  return cycle;
}

Reply Engine::check_deadlock(SessionId id, Footprint& touched) {
  touched.add(kWaitsFor, Access::read);
  const Session& session = sessions_[id.index];
  if (!session.waiting() || session.wait.woken || !in_cycle(id)) {
    woken_.clear();
    return {.kind = session.waiting() ? Reply::Kind::blocked : Reply::Kind::ok,
            .transaction = session.state};
  }
  Call call = call_of(id, StepId{}, touched);
  const Reply reply = finish(call, fail(call, Code::deadlock_detected));
  settle();
  return reply;
}

Reply Engine::interrupt(SessionId id, Code code, Footprint& touched) {
  IDEMSIM_ASSERT(code == Code::lock_not_available || code == Code::query_canceled);
  Call call = call_of(id, StepId{}, touched);
  const Wait& wait = call.session.wait;
  const bool has_lock =
      wait.woken && (code == Code::lock_not_available || wait.kind == Wait::Kind::advisory);
  if (!call.session.waiting() || has_lock) {
    return {.kind = has_lock ? Reply::Kind::blocked : Reply::Kind::ok,
            .transaction = call.session.state};
  }
  const Reply reply = finish(call, fail(call, code));
  settle();
  return reply;
}

void Engine::kill(SessionId id, Footprint& touched, Code code) {
  Call call = call_of(id, StepId{}, touched);
  close(call, code);
  settle();
}

void Engine::client_gone(SessionId id, Footprint& touched) {
  Call call = call_of(id, StepId{}, touched);
  if (call.session.waiting()) {
    call.session.client_gone = true;
    return;
  }
  close(call, Code::none);
  settle();
}

void Engine::crash(Footprint& touched) {
  for (std::uint32_t i = 0; i < session_count_; ++i) {
    Call call = call_of(SessionId{i}, StepId{}, touched);
    close(call, Code::none);
  }
  settle();
}

void Engine::close(Call& call, Code code) {
  Session& session = call.session;
  if (!session.open) return;
  stop_wait(call);
  undo_log(call, 0);
  end_transaction(call);
  for (std::size_t i = 0; i < advisory_holds_.size();) {
    const AdvisoryHold hold = advisory_holds_[i];
    if (hold.session != call.id) {
      ++i;
      continue;
    }
    call.touched.add(advisory_resource(hold.key), Access::write);
    release_advisory(call.id, hold.key, LockScope::session);
  }
  session.savepoints.clear();
  session.state = TransactionState::idle;
  session.implicit = false;
  session.open = false;
  session.closed_by = code;
}

}  // namespace idemsim::sql
