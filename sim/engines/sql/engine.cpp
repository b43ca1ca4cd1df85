// The calls of the engine: sessions, statements, seeding, and what happens after each.
#include "sim/engines/sql/engine.hpp"

#include "sim/base/assert.hpp"

#include <utility>

namespace idemsim::sql {

Engine::Engine(Schema schema, Isolation isolation)
    : schema_(std::move(schema)), isolation_(isolation), tables_(schema_.tables.size()) {
  IDEMSIM_ASSERT(isolation != Isolation::standard);
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    tables_[i].resource = Resource::of(ResourceKind::table, schema_.tables[i].name.hash);
  }
}

void Engine::seed_row(const Statement& insert) {
  IDEMSIM_ASSERT(insert.verb == Verb::insert);
  IDEMSIM_ASSERT(session_count_ == 0);
  const std::size_t table_index = schema_.table_index(insert.table);
  Table& table = tables_[table_index];
  for (std::uint8_t row = 0; row < insert.rows; ++row) {
    Version version = new_version(table_index, proposed_row(table_index, insert, row), StepId{});
    version.created_at = 0;
    table.versions.push_back(version);
    table.seed.push_back(version);
  }
  table.sequence_seed = table.sequence;
}

void Engine::reset() {
  for (Table& table : tables_) {
    table.versions = table.seed;
    table.free_slots = 0;
    table.sequence = table.sequence_seed;
  }
  for (std::uint32_t i = 0; i < session_count_; ++i) sessions_[i].open = false;
  session_count_ = 0;
  last_ = {};
  commit_number_ = 0;
  wait_sequence_ = 0;
  vacuum_needed_ = false;
  waiting_.clear();
  row_holds_.clear();
  advisory_holds_.clear();
  serials_.clear();
  woken_.clear();
  passed_.clear();
}

SessionId Engine::connect(std::uint64_t name) {
  IDEMSIM_ASSERT(session_count_ < kNobody.index);
  if (session_count_ == sessions_.size()) sessions_.emplace_back();
  const SessionId id{session_count_++};
  Session& session = sessions_[id.index];
  session.name = name;
  session.resource = Resource::of(ResourceKind::connection, name);
  session.state = TransactionState::idle;
  session.open = true;
  session.implicit = false;
  session.isolation = isolation_;
  session.has_snapshot = false;
  session.serial = kNotSerial;
  session.client_gone = false;
  session.closed_by = Code::none;
  session.wait = {};
  session.log.clear();
  session.savepoints.clear();
  session.rows.clear();
  session.read_from.clear();
  return id;
}

Engine::Call Engine::call_of(SessionId id, StepId by, Footprint& touched) {
  IDEMSIM_ASSERT(id.index < session_count_);
  touched.add(connection_resource(id), Access::write);
  woken_.clear();
  last_ = id;
  return {id, sessions_[id.index], 0, by, touched};
}

Reply Engine::apply(SessionId id, const Statement& statement, StepId by, Footprint& touched) {
  Call call = call_of(id, by, touched);
  Session& session = call.session;
  IDEMSIM_ASSERT(!session.waiting());
  session.rows.clear();
  session.read_from.clear();
  if (!session.open) return {.kind = Reply::Kind::error, .code = session.closed_by};
  session.progress = {};
  session.progress.log_start = static_cast<std::uint32_t>(session.log.size());
  const Reply reply = execute(call, statement);
  if (reply.blocked()) session.statement = statement;
  settle();
  return reply;
}

Reply Engine::resume(SessionId id, StepId by, Footprint& touched) {
  Call call = call_of(id, by, touched);
  IDEMSIM_ASSERT(call.session.waiting());
  IDEMSIM_ASSERT(call.session.wait.woken);
  const Reply reply = run_statement(call, call.session.statement);
  settle();
  return reply;
}

Reply Engine::execute(Call& call, const Statement& statement) {
  const TransactionState state = call.session.state;
  const bool ends = statement.verb == Verb::commit || statement.verb == Verb::rollback ||
                    statement.verb == Verb::rollback_to;
  if (state == TransactionState::in_error && !ends) {
    return {.kind = Reply::Kind::error, .code = Code::in_failed_transaction, .transaction = state};
  }
  switch (statement.verb) {
    case Verb::begin:
      return begin_block(call, statement.isolation);
    case Verb::commit:
    case Verb::rollback:
      return end_block(call, statement.verb);
    case Verb::savepoint:
    case Verb::rollback_to:
    case Verb::release:
      return run_savepoint(call, statement);
    case Verb::select:
    case Verb::insert:
    case Verb::update:
    case Verb::erase:
    case Verb::advisory_lock:
    case Verb::advisory_try_lock:
    case Verb::advisory_unlock:
    case Verb::nextval:
      break;
  }
  call.session.implicit = state == TransactionState::idle;
  take_snapshot(call);
  return run_statement(call, statement);
}

Reply Engine::run_statement(Call& call, const Statement& statement) {
  call.table = table_of(statement);
  switch (statement.verb) {
    case Verb::insert:
      return finish(call, run_insert(call, statement));
    case Verb::select:
    case Verb::update:
    case Verb::erase:
      return finish(call, run_scan(call, statement));
    case Verb::nextval:
      return finish(call, run_nextval(call));
    case Verb::advisory_lock:
    case Verb::advisory_try_lock:
    case Verb::advisory_unlock:
    case Verb::begin:
    case Verb::commit:
    case Verb::rollback:
    case Verb::savepoint:
    case Verb::rollback_to:
    case Verb::release:
      break;
  }
  return finish(call, run_advisory(call, statement));
}

std::uint16_t Engine::table_of(const Statement& statement) const {
  const bool advisory = statement.verb == Verb::advisory_lock ||
                        statement.verb == Verb::advisory_try_lock ||
                        statement.verb == Verb::advisory_unlock;
  return advisory ? 0 : static_cast<std::uint16_t>(schema_.table_index(statement.table));
}

Reply Engine::finish(Call& call, Reply reply) {
  if (reply.blocked()) return reply;
  stop_wait(call);
  const bool commits = reply.ok() && call.session.implicit;
  if (commits && !commit_serial(call)) {
    reply = fail_commit(call);
  } else if (commits) {
    commit_log(call);
    end_transaction(call);
    call.session.implicit = false;
  }
  reply.transaction = call.session.state;
  if (call.session.client_gone) close(call, Code::none);
  return reply;
}

Reply Engine::done(const Call& call, Verb verb) const {
  return {.verb = verb, .affected = call.session.progress.affected};
}

void Engine::mark_passed(std::uint64_t deadline_bits, Boundary boundary, Footprint& touched) {
  touched.add(deadline_resource(deadline_bits, boundary), Access::write);
  woken_.clear();
  if (!has_passed(deadline_bits, boundary)) passed_.push_back({deadline_bits, boundary});
}

}  // namespace idemsim::sql
