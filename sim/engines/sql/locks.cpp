// Row locks of SELECT FOR UPDATE and FOR SHARE, and advisory locks (P17, P33 to P35, P40).
#include "sim/base/assert.hpp"
#include "sim/engines/sql/engine.hpp"

#include <algorithm>

namespace idemsim::sql {

/// A row that others queue for is busy although nobody holds it: the lock is already theirs.
Engine::LockTest Engine::test_lock(const Call& call, RowRef row, RowLock mode) const {
  const Version& v = version(row);
  if (v.ended()) return LockTest::superseded;
  IDEMSIM_ASSERT(v.ender != call.id);
  if (v.creator == call.id) return LockTest::free;
  if (v.ender != kNobody) return LockTest::busy;
  bool held = false;
  for (const RowHold& hold : row_holds_) {
    if (hold.row != row) continue;
    if (hold.session == call.id) {
      held = held || hold.mode == RowLock::update;
    } else if (excludes(hold.mode, mode)) {
      return LockTest::busy;
    }
  }
  if (held) return LockTest::free;
  const bool queue = std::any_of(waiting_.begin(), waiting_.end(), [&](SessionId other) {
    return is_ahead(other, call.id, {.kind = Wait::Kind::row, .mode = mode, .row = row});
  });
  return queue ? LockTest::busy : LockTest::free;
}

void Engine::hold_row(Call& call, RowRef row, RowLock mode) {
  touch_row(call.touched, row, Access::write);
  if (version(row).creator == call.id) return;
  const bool held = std::any_of(row_holds_.begin(), row_holds_.end(), [&](const RowHold& hold) {
    return hold.row == row && hold.session == call.id &&
           (hold.mode == mode || hold.mode == RowLock::update);
  });
  if (held) return;
  const auto entry = static_cast<std::uint32_t>(call.session.log.size());
  row_holds_.push_back({row, call.id, mode, entry});
  add_entry(call, {.kind = Entry::Kind::row_locked, .mode = mode, .row = row});
}

Reply Engine::run_advisory(Call& call, const Statement& statement) {
  const std::uint64_t key = statement.key;
  const bool granted = call.session.wait.kind == Wait::Kind::advisory;
  const AdvisoryHold* hold = find_advisory(key);
  const bool mine = hold != nullptr && hold->session == call.id;
  if (statement.verb == Verb::advisory_unlock) {
    const bool released = mine && hold->session_count > 0;
    call.touched.add(advisory_resource(key), released ? Access::write : Access::read);
    if (released) release_advisory(call.id, key, LockScope::session);
    return advisory_reply(call, statement, Value::integer(released ? 1 : 0));
  }
  const bool free = mine || hold == nullptr;
  const bool tries = statement.verb == Verb::advisory_try_lock;
  call.touched.add(advisory_resource(key), free || !tries ? Access::write : Access::read);
  if (!free && !tries) return wait_for_advisory(call, key, statement.scope);
  if (free && !granted) hold_advisory(call.id, key, statement.scope);
  return advisory_reply(call, statement, tries ? Value::integer(free ? 1 : 0) : Value::word(""));
}

Reply Engine::advisory_reply(Call& call, const Statement& statement, Value value) {
  Row row;
  row.push_back(value);
  call.session.rows.push_back(row);
  call.session.progress.affected = 1;
  return done(call, statement.verb);
}

AdvisoryHold* Engine::find_advisory(std::uint64_t key) {
  const auto found = std::find_if(advisory_holds_.begin(), advisory_holds_.end(),
                                  [&](const AdvisoryHold& hold) { return hold.key == key; });
  return found == advisory_holds_.end() ? nullptr : &*found;
}

void Engine::hold_advisory(SessionId id, std::uint64_t key, LockScope scope) {
  AdvisoryHold* hold = find_advisory(key);
  if (hold == nullptr) {
    advisory_holds_.push_back({.key = key, .session = id});
    hold = &advisory_holds_.back();
  }
  IDEMSIM_ASSERT(hold->session == id);
  if (scope == LockScope::session) {
    ++hold->session_count;
    return;
  }
  ++hold->transaction_count;
  sessions_[id.index].log.push_back({.kind = Entry::Kind::advisory_locked, .key = key});
}

/// The last release hands the lock to the first in the queue.
void Engine::release_advisory(SessionId id, std::uint64_t key, LockScope scope) {
  AdvisoryHold* hold = find_advisory(key);
  IDEMSIM_ASSERT(hold != nullptr);
  IDEMSIM_ASSERT(hold->session == id);
  --(scope == LockScope::session ? hold->session_count : hold->transaction_count);
  if (hold->session_count + hold->transaction_count > 0) return;
  advisory_holds_.erase(advisory_holds_.begin() + (hold - advisory_holds_.data()));
  for (const SessionId next : waiting_) {
    const Wait& wait = sessions_[next.index].wait;
    if (next == id || wait.kind != Wait::Kind::advisory || wait.key != key) continue;
    return hold_advisory(next, key, wait.scope);
  }
}

}  // namespace idemsim::sql
