// SQL statements as steps: executed, lost before or after, orphaned, or blocked in the engine.
#include "sim/base/assert.hpp"
#include "sim/engines/sql/render.hpp"
#include "sim/world/world.hpp"
#include "sim/world/world_steps.hpp"

namespace idemsim {
namespace {

std::uint64_t fold(const SqlReply& reply) {
  std::uint64_t h = static_cast<std::uint64_t>(reply.reply.code) + (reply.lost ? 256 : 0) +
                    (reply.timed_out ? 512 : 0) + (std::uint64_t{reply.reply.affected} << 16);
  for (const sql::Row& row : reply.rows) {
    for (const Value& cell : row) h = combine(h, cell.fold());
  }
  return h;
}

std::uint64_t session_name(const TaskState& task) {
  return combine(mix64(task.origin.bits), task.path);
}

}  // namespace

namespace detail {

const sql::Statement& commit_statement() {
  static const sql::Statement statement = sql::commit();
  return statement;
}
const sql::Statement& rollback_statement() {
  static const sql::Statement statement = sql::rollback();
  return statement;
}

}  // namespace detail

void World::start_sql(World& world, SqlSuspension& node) {
  node.fire = [](Step* step) {
    auto& self = static_cast<SqlSuspension&>(*step);
    self.task->world->fire_sql(self);
  };
  node.give_up = [](PollingSuspension& base) {
    auto& self = static_cast<SqlSuspension&>(base);
    SqlReply reply;
    reply.timed_out = true;
    self.task->world->complete_sql(self, reply);
  };
  node.wake = [](Parked* parked) {
    auto& self = static_cast<SqlSuspension&>(static_cast<PollingSuspension&>(*parked));
    World& w = *self.task->world;
    w.poll_again(self, self.poll.interval, w.setup_.scenario->world.latency.server_db);
  };
  node.on_wire = [](Suspension& base) {
    auto& self = static_cast<SqlSuspension&>(base);
    // A statement that was woken is in the engine already: the engine goes on with it (P41).
    if (!self.resuming && !self.database->lost_) self.task->world->orphan_sql(self);
  };
  node.window = world.setup_.scenario->world.latency.server_db;
  world.make_pending(node);
  if (node.poll.again != nullptr) world.start_polling(node, node.poll.deadline);
}

void World::connect(TaskState& task) {
  Database& db = task.context->db();
  if (db.connected_) return;
  db.session_ = sql_.connect(session_name(task));
  db.connected_ = true;
}

void World::fire_sql(SqlSuspension& node) {
  begin_fire(node);
  if (sampled_fault(node)) return;
  Database& db = *node.database;
  if (db.lost_) {
    lose_sql(node, node.task->last_event);
    return;
  }
  connect(*node.task);
  if (!node.resuming) {
    if (const FaultSpec* fault = decide_connection(Store::database, node)) {
      const EventIndex event = record_fault(*fault, node.task->last_event);
      node.task->last_event = event;
      if (fault->kind == FaultKind::orphaned) orphan_sql(node);
      node.lose_reply = fault->kind == FaultKind::lost_after;
      if (!node.lose_reply) {
        lose_sql(node, event);
        return;
      }
    }
  }
  const sql::Reply reply = run_sql(node);
  if (!reply.blocked()) {
    finish_sql(node, reply);
    return;
  }
  Event event = store_event(*node.task, node.site);
  event.type = EventType::blocked;
  const EventIndex blocked = record_for(*node.task, event);
  if (narrate_) say(blocked, sql::to_sql(sql_.schema(), *node.statement) + " -> waits");
  block(db.session_, &node, nullptr);
}

sql::Reply World::run_sql(SqlSuspension& node) {
  const sql::SessionId session = node.database->session_;
  sql::Reply reply;
  const bool resumes = node.resuming;
  const bool begins = !resumes && node.database->begin_next_;
  if (resumes) {
    node.resuming = false;
    reply = sql_.resume(session, node.id, kernel_.touched());
  } else {
    if (begins) {
      node.database->begin_next_ = false;
      static const sql::Statement kBegin = sql::begin();
      sql_.apply(session, kBegin, node.id, kernel_.touched());
    }
    reply = sql_.apply(session, *node.statement, node.id, kernel_.touched());
  }
  if (twin_ != nullptr)
    mirror({{}, node.site, session, node.statement, begins, resumes, {reply, {}}});
  wake_sessions();
  return reply;
}

Name World::effect_table() const {
  switch (setup_.scenario->operation) {
    case OperationKind::create_order:
      return kOrders;
    case OperationKind::charge:
      return kPayments;
    case OperationKind::payment_callback:
      break;
  }
  return kCoupons;
}

EventIndex World::record_sql(const sql::Statement& statement, const sql::Reply& reply,
                             Event event) {
  event.code = static_cast<std::uint8_t>(reply.code);
  const bool effect = statement.verb == sql::Verb::insert && reply.ok() && reply.affected > 0 &&
                      statement.table == effect_table();
  event.type = effect ? EventType::effect : EventType::step;
  if (effect) {
    for (const sql::Term& term : statement.terms) {
      if (term.column == Name("reference")) event.body = term.value;
    }
  } else {
    event.body = Value::integer(reply.affected);
  }
  event.read_from = writer_event(sql_.read_from());
  const EventIndex index = record(event);
  last_store_event_ = index;
  if (narrate_) say(index, describe(statement, reply));
  if (hindsight_ != nullptr) {
    SqlReply executed;
    executed.reply = reply;
    executed.rows = sql_.rows();
    hindsight_->hear(kernel_.running(), statement, executed);
  }
  return index;
}

std::string World::describe(const sql::Statement& statement, const sql::Reply& reply) const {
  std::string text = sql::to_sql(sql_.schema(), statement) + " -> ";
  if (!reply.ok()) return text + "error " + std::string(sql::sqlstate(reply.code));
  if (statement.verb == sql::Verb::commit || statement.verb == sql::Verb::rollback) {
    return text + sql::tag(reply);
  }
  if (!statement.returns_rows) {
    return text + std::to_string(reply.affected) + (reply.affected == 1 ? " row" : " rows");
  }
  if (sql_.rows().empty()) return text + "nothing";
  for (const Value& cell : sql_.rows().front()) {
    text += (text.back() == ' ' ? "" : ", ") + sql::to_sql(cell);
  }
  return text;
}

void World::finish_sql(SqlSuspension& node, const sql::Reply& reply) {
  TaskState& task = *node.task;
  Event event = store_event(task, node.site);
  task.last_event = record_sql(*node.statement, reply, event);
  if (reply.ok()) arm_deadlines(*node.statement);
  if (node.lose_reply) {
    lose_sql(node, task.last_event);
    return;
  }
  SqlReply answer = answer_to(reply);
  if (hindsight_ != nullptr) answer = told(node, answer);
  if (node.poll.again != nullptr && node.deadline != nullptr && node.poll.again(answer)) {
    task.results = combine(task.results, fold(answer));
    park(node);
    return;
  }
  complete_sql(node, answer);
}

void World::complete_sql(SqlSuspension& node, const SqlReply& reply) {
  stop_polling(node);
  resume_with(*node.task, fold(reply));
  node.complete(node, reply);
}

void World::lose_sql(SqlSuspension& node, EventIndex) {
  Database& db = *node.database;
  if (db.connected_ && !db.lost_) drop_session(db.session_);
  db.lost_ = true;
  SqlReply reply;
  reply.lost = true;
  complete_sql(node, reply);
}

void World::close_sessions(TaskState& task) {
  if (twin_ != nullptr) drop_kv(task);
  Database& db = task.context->db();
  if (!db.connected_ || db.lost_) return;
  db.lost_ = true;
  // A dead session without a transaction touches nothing but its own connection.
  drop_session(db.session_);
}

void World::arm_deadlines(const sql::Statement& statement) {
  for (const sql::Term& term : statement.terms) {
    if (term.value.kind != Value::Kind::deadline) continue;
    if (term.role != sql::Term::Role::set && term.role != sql::Term::Role::conflict_set) continue;
    for (Deadline& d : deadlines_) {
      if (d.bits != term.value.bits || d.armed) continue;
      d.armed = true;
      auto* expiry = detail::make_step<ExpiryStep>(kernel_);
      expiry->in_database = true;
      expiry->deadline = d.bits;
      expiry->site = "record expires";
      expiry->process = database_process();
      add_expiry(*expiry, d.after,
                 d.expiry == Expiry::retention ? StepClass::retention : StepClass::expiry);
    }
  }
}

}  // namespace idemsim
