// Transactions: what a commit makes final and an error or rollback undoes, at once (P16 to P18).
#include "sim/base/assert.hpp"
#include "sim/engines/sql/engine.hpp"

#include <algorithm>

namespace idemsim::sql {

Reply Engine::begin_block(Call& call, Isolation isolation) {
  if (isolation == Isolation::standard) isolation = isolation_;
  if (isolation > isolation_) return fail(call, Code::feature_not_supported);
  if (call.session.state == TransactionState::idle) call.session.isolation = isolation;
  call.session.state = TransactionState::in_tx;
  return {.transaction = TransactionState::in_tx, .verb = Verb::begin};
}

Reply Engine::end_block(Call& call, Verb verb) {
  Session& session = call.session;
  if (session.state == TransactionState::in_error) verb = Verb::rollback;
  if (verb == Verb::commit) {
    if (!commit_serial(call)) return fail_commit(call);
    commit_log(call);
  } else {
    undo_log(call, 0);
  }
  end_transaction(call);
  session.savepoints.clear();
  session.state = TransactionState::idle;
  return {.verb = verb};
}

/// The COMMIT that fails has ended the transaction: there is nothing left to roll back.
Reply Engine::fail_commit(Call& call) {
  call.session.savepoints.clear();
  Reply reply = fail(call, Code::serialization_failure);
  call.session.state = TransactionState::idle;
  reply.transaction = TransactionState::idle;
  return reply;
}

/// Statements outside BEGIN run at the level of the database again.
void Engine::end_transaction(Call& call) {
  abort_serial(call);  // nothing left of it after a commit
  call.session.has_snapshot = false;
  call.session.isolation = isolation_;
}

Reply Engine::run_savepoint(Call& call, const Statement& statement) {
  Session& session = call.session;
  if (session.state == TransactionState::idle) return fail(call, Code::no_active_transaction);
  const auto size = static_cast<std::uint32_t>(session.log.size());
  if (statement.verb == Verb::savepoint) {
    session.savepoints.push_back({statement.table, size});
    return {.transaction = session.state, .verb = Verb::savepoint};
  }
  const auto found = std::find_if(session.savepoints.rbegin(), session.savepoints.rend(),
                                  [&](const Savepoint& s) { return s.name == statement.table; });
  if (found == session.savepoints.rend()) return fail(call, Code::invalid_savepoint);
  const auto position = std::prev(found.base());
  if (statement.verb == Verb::release) {
    session.savepoints.erase(position, session.savepoints.end());
    return {.transaction = session.state, .verb = Verb::release};
  }
  undo_log(call, position->position);
  session.savepoints.erase(std::next(position), session.savepoints.end());
  session.state = TransactionState::in_tx;
  return {.transaction = session.state, .verb = Verb::rollback_to};
}

Reply Engine::fail(Call& call, Code code, Name constraint) {
  Session& session = call.session;
  stop_wait(call);
  session.rows.clear();
  const bool whole = session.savepoints.empty();
  undo_log(call, whole ? 0 : session.savepoints.back().position);
  if (whole) end_transaction(call);
  if (session.state == TransactionState::in_tx) session.state = TransactionState::in_error;
  session.implicit = false;
  return {.kind = Reply::Kind::error,
          .code = code,
          .transaction = session.state,
          .constraint = constraint};
}

void Engine::add_entry(Call& call, const Entry& entry) {
  call.session.log.push_back(entry);
  touch_entry(call.touched, entry);
}

void Engine::commit_log(Call& call) {
  Session& session = call.session;
  if (session.log.empty()) return;
  ++commit_number_;
  order_commit(call.touched);
  for (const Entry& entry : session.log) {
    touch_entry(call.touched, entry);
    switch (entry.kind) {
      case Entry::Kind::created:
        version(entry.row).creator = kNobody;
        version(entry.row).created_at = commit_number_;
        break;
      case Entry::Kind::ended:
        version(entry.row).ender = kNobody;
        version(entry.row).ended_at = commit_number_;
        vacuum_needed_ = true;
        break;
      case Entry::Kind::row_locked:
        std::erase_if(row_holds_, [&](const RowHold& h) { return h.session == call.id; });
        break;
      case Entry::Kind::advisory_locked:
        release_advisory(call.id, entry.key, LockScope::transaction);
        break;
    }
  }
  session.log.clear();
}

void Engine::undo_log(Call& call, std::uint32_t position) {
  std::vector<Entry>& log = call.session.log;
  IDEMSIM_ASSERT(position <= log.size());
  while (log.size() > position) {
    const Entry entry = log.back();
    touch_entry(call.touched, entry);
    log.pop_back();
    undo_entry(call, entry);
  }
}

void Engine::undo_entry(const Call& call, const Entry& entry) {
  const auto position = static_cast<std::uint32_t>(call.session.log.size());
  switch (entry.kind) {
    case Entry::Kind::created:
      version(entry.row).used = false;
      ++tables_[entry.row.table].free_slots;
      break;
    case Entry::Kind::ended:
      version(entry.row).ender = kNobody;
      version(entry.row).ended_by = kNotSerial;
      version(entry.row).next = kNoVersion;
      break;
    case Entry::Kind::row_locked:
      std::erase_if(row_holds_,
                    [&](const RowHold& h) { return h.session == call.id && h.entry == position; });
      break;
    case Entry::Kind::advisory_locked:
      release_advisory(call.id, entry.key, LockScope::transaction);
      break;
  }
}

void Engine::touch_entry(Footprint& touched, const Entry& entry) const {
  switch (entry.kind) {
    case Entry::Kind::created:
    case Entry::Kind::ended:
      touch_version(touched, entry.row);
      break;
    case Entry::Kind::row_locked:
      touch_row(touched, entry.row, Access::write);
      break;
    case Entry::Kind::advisory_locked:
      touched.add(advisory_resource(entry.key), Access::write);
      break;
  }
}

void Engine::vacuum() {
  if (!vacuum_needed_) return;
  vacuum_needed_ = false;
  const CommitNumber oldest = oldest_snapshot();
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    Table& table = tables_[t];
    for (VersionIndex i = 0; i < table.versions.size(); ++i) {
      Version& v = table.versions[i];
      if (!v.used || !v.ended()) continue;
      if (v.ended_at > oldest) {
        vacuum_needed_ = true;
        continue;
      }
      v.used = false;
      ++table.free_slots;
      serials_.forget_row({ReadTarget::Kind::row, static_cast<std::uint16_t>(t), i});
    }
  }
}

}  // namespace idemsim::sql
