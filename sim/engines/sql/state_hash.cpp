// The canonical state: what future behaviour and verdicts can depend on, and nothing else.
#include "sim/engines/sql/engine.hpp"
#include "sim/engines/sql/set_hasher.hpp"

#include <algorithm>

namespace idemsim::sql {

namespace {

void add_value(StateHasher& hasher, const Value& value) { hasher.add(value.fold()); }

void add_statement(StateHasher& hasher, const Statement& s) {
  hasher.add(number(s.verb) | number(s.row_lock) << 8 | number(s.lock_wait) << 16 |
             number(s.conflict) << 24 | number(s.scope) << 32 |
             std::uint64_t{s.conflict_index} << 40 | std::uint64_t{s.rows} << 48 |
             std::uint64_t{s.returns_rows} << 56 | std::uint64_t{s.ordered} << 57);
  hasher.add(s.limit);
  hasher.add(s.key);
  hasher.add(s.table.hash);
  hasher.add(s.order.hash);
  for (const Term& term : s.terms) {
    hasher.add(term.column.hash);
    add_value(hasher, term.value);
    hasher.add(number(term.role) | number(term.assign) << 8 | number(term.comparison) << 16 |
               std::uint64_t{term.row} << 24);
  }
}

}  // namespace

void Engine::hash_state(StateHasher& hasher) const {
  for (const Table& table : tables_) {
    SetHasher rows;
    for (const Version& v : table.versions) {
      if (!v.used || v.ended()) continue;
      StateHasher member;
      member.add(v.content);
      member.add(name_of(v.creator));
      member.add(name_of(v.ender));
      member.add(v.indexed);
      add_step(member, v.writer);
      if (isolation_ == Isolation::serializable) add_serials(member, v);
      rows.add(member);
    }
    rows.add_to(hasher);
    hasher.add(static_cast<std::uint64_t>(table.sequence));
  }
  SetHasher sessions;
  for (std::uint32_t i = 0; i < session_count_; ++i) {
    if (!sessions_[i].open) continue;
    StateHasher member;
    hash_session(sessions_[i], member);
    sessions.add(member);
  }
  sessions.add_to(hasher);
  SetHasher others;
  for (const AdvisoryHold& hold : advisory_holds_) {
    StateHasher member;
    member.add(hold.key);
    member.add(name_of(hold.session));
    member.add(std::uint64_t{hold.session_count} << 32 | hold.transaction_count);
    others.add(member);
  }
  for (const Passed& passed : passed_) {
    StateHasher member;
    member.add(passed.bits);
    member.add(number(passed.boundary));
    others.add(member);
  }
  others.add_to(hasher);
  if (isolation_ == Isolation::serializable) hash_serials(hasher);
}

std::uint64_t Engine::name_of(SessionId id) const {
  return id == kNobody ? 0 : combine(1, sessions_[id.index].name);
}

void Engine::hash_session(const Session& session, StateHasher& hasher) const {
  hasher.add(session.name);
  hasher.add(number(session.state) | std::uint64_t{session.implicit} << 8 |
             std::uint64_t{session.client_gone} << 9 | number(session.wait.kind) << 16);
  for (const Savepoint& savepoint : session.savepoints) {
    hasher.add(savepoint.name.hash);
    hasher.add(savepoint.position);
  }
  for (const Entry& entry : session.log) {
    hasher.add(number(entry.kind) | number(entry.mode) << 8 | std::uint64_t{entry.row.table} << 16);
    const bool of_row = entry.kind != Entry::Kind::advisory_locked;
    const bool updated = entry.kind == Entry::Kind::ended && version(entry.row).next != kNoVersion;
    hasher.add(number(updated));  // not deleted: whoever waits for the row will follow it
    hasher.add(of_row ? version(entry.row).content : entry.key);
  }
  if (isolation_ != Isolation::read_committed) hash_snapshot(session, hasher);
  if (!session.waiting()) return;
  hash_wait(session, hasher);
  hash_progress(session, hasher);
}

void Engine::hash_wait(const Session& session, StateHasher& hasher) const {
  const Wait& wait = session.wait;
  hasher.add(number(wait.mode) | number(wait.scope) << 8 | std::uint64_t{wait.woken} << 16);
  const auto ahead = std::count_if(waiting_.begin(), waiting_.end(), [&](SessionId other) {
    const Wait& theirs = sessions_[other.index].wait;
    if (theirs.kind != wait.kind || theirs.sequence >= wait.sequence) return false;
    return wait.kind == Wait::Kind::row ? theirs.row == wait.row : theirs.key == wait.key;
  });
  switch (wait.kind) {
    case Wait::Kind::none:
      break;
    case Wait::Kind::transaction:
      hasher.add(wait.woken ? 0 : name_of(wait.holder));
      hasher.add(wait.woken ? 0 : wait.entry);
      break;
    case Wait::Kind::row:
      hasher.add(version(wait.row).content);
      hasher.add(static_cast<std::uint64_t>(ahead));
      break;
    case Wait::Kind::advisory:
      hasher.add(wait.key);
      hasher.add(static_cast<std::uint64_t>(ahead));
      break;
  }
}

/// A candidate stands for its newest final version: that is what the statement will look at.
void Engine::hash_progress(const Session& session, StateHasher& hasher) const {
  const Progress& progress = session.progress;
  add_statement(hasher, session.statement);
  hasher.add(std::uint64_t{progress.affected} << 32 | progress.position);
  hasher.add(std::uint64_t{progress.index} | std::uint64_t{progress.ready} << 8 |
             std::uint64_t{progress.placed != kNoVersion} << 9);
  for (const Row& row : session.rows) {
    for (const Value& value : row) add_value(hasher, value);
  }
  for (const StepId step : session.read_from) add_step(hasher, step);
  if (session.statement.verb == Verb::insert) {
    for (const Value& value : progress.row) add_value(hasher, value);
    return;
  }
  if (session.wait.kind == Wait::Kind::advisory) return;
  const auto table = static_cast<std::uint16_t>(schema_.table_index(session.statement.table));
  for (std::size_t i = progress.position; i < session.candidates.size(); ++i) {
    RowRef row{table, session.candidates[i]};
    while (version(row).ended() && version(row).next != kNoVersion) {
      row.version = version(row).next;
    }
    hasher.add(version(row).ended() ? 0 : combine(1, version(row).content));
    hasher.add(row.version == session.candidates[i] ? 0 : 1);
  }
}

}  // namespace idemsim::sql
