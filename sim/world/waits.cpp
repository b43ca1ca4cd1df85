// Statements that wait in the database, the deadlock checks of their waits, and orphans.
#include "sim/base/assert.hpp"
#include "sim/engines/sql/render.hpp"
#include "sim/world/world.hpp"
#include "sim/world/world_steps.hpp"

#include <algorithm>

namespace idemsim {
namespace {

/// PostgreSQL's default: each waiter checks once, this long after its wait began.
constexpr Duration kDeadlockTimeout = seconds(1);

}  // namespace

void World::block(sql::SessionId session, SqlSuspension* node, OrphanStep* orphan) {
  auto* check = detail::make_step<CheckStep>(kernel_);
  check->world = this;
  check->session = session;
  check->id = derived_id();
  check->site = "deadlock check";
  check->process = database_process();
  check->window = {kDeadlockTimeout, kDeadlockTimeout};
  check->declared.add(Resource::of(ResourceKind::waits_for, 0), Access::read);
  check->fire = [](Step* step) {
    auto& self = static_cast<CheckStep&>(*step);
    self.world->fire_check(self);
  };
  check->discard = [](Step* step) {
    auto& self = static_cast<CheckStep&>(*step);
    detail::free_step(self.world->kernel_, &self);
  };
  kernel_.add(check);
  if (node != nullptr) {
    node->place = Suspension::Place::blocked;
    node->task->waiting = node;
  }
  blocked_.push_back({session, node, orphan, check});
}

void World::drop_check(Blocked& blocked) {
  if (blocked.check == nullptr) return;
  kernel_.withdraw(blocked.check);
  kernel_.bury(blocked.check);
  blocked.check = nullptr;
}

void World::wake_sessions() {
  for (const sql::SessionId session : sql_.woken()) {
    const auto at = std::find_if(blocked_.begin(), blocked_.end(),
                                 [&](const Blocked& b) { return b.session == session; });
    if (at == blocked_.end()) continue;
    Blocked blocked = *at;
    blocked_.erase(at);
    drop_check(blocked);
    if (blocked.node != nullptr) {
      blocked.node->resuming = true;
      blocked.node->window = {};
      make_pending(*blocked.node);
    } else {
      blocked.orphan->resuming = true;
      add_orphan(*blocked.orphan, {});
    }
  }
}

void World::fire_check(CheckStep& check) {
  const sql::SessionId session = check.session;
  check.discard(&check);
  const auto at = std::find_if(blocked_.begin(), blocked_.end(),
                               [&](const Blocked& b) { return b.session == session; });
  IDEMSIM_ASSERT(at != blocked_.end());
  at->check = nullptr;
  const sql::Reply reply = sql_.check_deadlock(session, kernel_.touched());
  if (reply.blocked()) return;
  const Blocked blocked = *at;
  blocked_.erase(at);
  if (twin_ != nullptr) {
    const sql::Statement* victim =
        blocked.node != nullptr ? blocked.node->statement : &blocked.orphan->statement;
    mirror({{}, "deadlock check", session, victim, false, true, {reply, {}}});
  }
  wake_sessions();
  if (blocked.node != nullptr) {
    begin_fire(*blocked.node);
    finish_sql(*blocked.node, reply);
  } else {
    finish_sql_orphan(*blocked.orphan, reply);
  }
}

void World::abandon_blocked(Suspension& node) {
  const auto at = std::find_if(blocked_.begin(), blocked_.end(),
                               [&](const Blocked& b) { return b.node == &node; });
  IDEMSIM_ASSERT(at != blocked_.end());
  // The backend does not look at its socket while it waits: the statement goes on (P41).
  OrphanStep& orphan = new_orphan(*node.task, node.site);
  orphan.target = OrphanStep::Target::database;
  orphan.session = at->session;
  orphan.statement = *at->node->statement;
  at->orphan = &orphan;
  at->node = nullptr;
}

World::OrphanStep& World::new_orphan(TaskState& task, Name site) {
  auto* orphan = detail::make_step<OrphanStep>(kernel_);
  orphan->world = this;
  orphan->site = site;
  orphan->origin = task.origin;
  orphan->path = task.path;
  orphan->counter = task.counter;
  orphan->cause = task.last_event;
  orphan->content = task.results;
  orphan->fire = [](Step* step) {
    auto& self = static_cast<OrphanStep&>(*step);
    self.world->fire_orphan(self);
  };
  orphan->discard = [](Step* step) {
    auto& self = static_cast<OrphanStep&>(*step);
    detail::free_step(self.world->kernel_, &self);
  };
  return *orphan;
}

void World::add_orphan(OrphanStep& orphan, Window window) {
  // Named by the delivery that sent it, so that its effects are attributed to that operation even
  // when a crash set it free. Each time that it comes back from a wait it is a step of its own.
  IDEMSIM_ASSERT(orphan.turns < 63);
  orphan.id = StepId::of(orphan.origin, (orphan.path << 4) | kOrphanDigit,
                         orphan.counter * 64 + orphan.turns++);
  orphan.window = window;
  kernel_.add(&orphan);
}

void World::orphan_sql(SqlSuspension& node) {
  Database& db = *node.database;
  connect(*node.task);
  OrphanStep& orphan = new_orphan(*node.task, node.site);
  orphan.target = OrphanStep::Target::database;
  orphan.process = database_process();
  orphan.session = db.session_;
  orphan.statement = *node.statement;
  orphan.begins = db.begin_next_;
  db.begin_next_ = false;
  db.lost_ = true;  // the session lives on without a client until the statement has ended
  add_orphan(orphan, setup_.scenario->world.latency.server_db);
}

void World::fire_orphan(OrphanStep& orphan) {
  Event event;
  event.site = orphan.site;
  event.cause = orphan.cause;
  event.process = orphan.process;
  switch (orphan.target) {
    case OrphanStep::Target::database:
      fire_sql_orphan(orphan);
      return;
    case OrphanStep::Target::redis:
      run_command(orphan.command, event);
      break;
    case OrphanStep::Target::provider:
      run_charge(orphan.request, event);
      break;
  }
  orphan.discard(&orphan);
}

void World::fire_sql_orphan(OrphanStep& orphan) {
  Footprint& touched = kernel_.touched();
  sql::Reply reply;
  const bool resumes = orphan.resuming;
  const bool begins = !resumes && orphan.begins;
  if (resumes) {
    orphan.resuming = false;
    reply = sql_.resume(orphan.session, orphan.id, touched);
  } else {
    if (begins) {
      orphan.begins = false;
      const sql::Statement begin = sql::begin();
      sql_.apply(orphan.session, begin, orphan.id, touched);
    }
    reply = sql_.apply(orphan.session, orphan.statement, orphan.id, touched);
  }
  if (twin_ != nullptr)
    mirror({{}, orphan.site, orphan.session, &orphan.statement, begins, resumes, {reply, {}}});
  wake_sessions();
  if (reply.blocked()) {
    block(orphan.session, nullptr, &orphan);
    return;
  }
  finish_sql_orphan(orphan, reply);
}

void World::finish_sql_orphan(OrphanStep& orphan, const sql::Reply& reply) {
  Event event;
  event.site = orphan.site;
  event.cause = orphan.cause;
  event.process = database_process();
  record_sql(orphan.statement, reply, event);
  if (reply.ok()) arm_deadlines(orphan.statement);
  if (sql_.is_open(orphan.session)) drop_session(orphan.session);
  orphan.discard(&orphan);
}

}  // namespace idemsim
