// Key-value commands, charges, timers, polling and expiries as steps.
#include "sim/base/assert.hpp"
#include "sim/world/world.hpp"
#include "sim/world/world_steps.hpp"

#include <algorithm>

namespace idemsim {
namespace {

std::uint64_t fold(const KvReply& reply) {
  return combine(static_cast<std::uint64_t>(reply.reply.kind) + (reply.lost ? 256 : 0) +
                     (reply.timed_out ? 512 : 0),
                 reply.reply.value.fold());
}

std::uint64_t fold(const ChargeReply& reply) {
  return combine(static_cast<std::uint64_t>(reply.answer.kind) + (reply.lost ? 256 : 0),
                 reply.answer.reference.fold());
}

/// Whatever a step touched in the stores, as something to read: what a poll waits for.
Footprint watched_of(const Footprint& touched) {
  Footprint watched;
  for (const Footprint::Entry& e : touched) {
    switch (e.resource.kind()) {
      case ResourceKind::row:
      case ResourceKind::index_key:
      case ResourceKind::table:
      case ResourceKind::store_key:
      case ResourceKind::deadline:
        watched.add(e.resource, Access::read);
        break;
      default:
        break;
    }
  }
  return watched;
}

}  // namespace

Event World::store_event(const TaskState& task, Name site) const {
  Event event;
  event.site = site;
  event.process = task.process;
  event.before = task.last_event;
  event.probe = task.probe;
  event.key = task.request.key;
  return event;
}

// ---- key-value commands ----

void World::start_kv(World& world, KvSuspension& node) {
  node.fire = [](Step* step) {
    auto& self = static_cast<KvSuspension&>(*step);
    self.task->world->fire_kv(self);
  };
  node.give_up = [](PollingSuspension& base) {
    auto& self = static_cast<KvSuspension&>(base);
    KvReply reply;
    reply.timed_out = true;
    self.task->world->complete_kv(self, reply);
  };
  node.wake = [](Parked* parked) {
    auto& self = static_cast<KvSuspension&>(static_cast<PollingSuspension&>(*parked));
    World& w = *self.task->world;
    w.poll_again(self, self.poll.interval, w.setup_.scenario->world.latency.server_redis);
  };
  node.on_wire = [](Suspension& base) {
    auto& self = static_cast<KvSuspension&>(base);
    self.task->world->orphan_command(self);
  };
  node.window = world.setup_.scenario->world.latency.server_redis;
  world.make_pending(node);
  if (node.poll.again != nullptr) world.start_polling(node, node.poll.deadline);
}

kv::Reply World::run_command(const kv::Command& command, Event event) {
  const StepId reads = kv_.writer_of(command.key);
  const kv::Reply reply = kv_.apply(command, Instant{}, kernel_.running(), kernel_.touched());
  event.type = EventType::step;
  event.code = static_cast<std::uint8_t>(reply.error);
  event.key = command.key;
  event.body = reply.value;
  event.read_from = writer_event(std::span(&reads, 1));
  const EventIndex index = record(event);
  last_store_event_ = index;
  arm_ttl();
  if (narrate_) say(index, kv::to_text(command) + " -> " + kv::to_text(reply));
  if (hindsight_ != nullptr) hindsight_->hear(kernel_.running(), command, reply);
  return twin_ == nullptr ? reply : mirror(command, event.site, reply);
}

void World::fire_kv(KvSuspension& node) {
  begin_fire(node);
  if (sampled_fault(node)) return;
  TaskState& task = *node.task;
  KvReply reply;
  const FaultSpec* fault = decide_connection(Store::redis, node);
  if (fault != nullptr) {
    task.last_event = record_fault(*fault, task.last_event);
    reply.lost = true;
  }
  if (fault != nullptr && fault->kind == FaultKind::orphaned) {
    orphan_command(node);
  }
  if (fault == nullptr || fault->kind == FaultKind::lost_after) {
    reply.reply = run_command(node.command, store_event(task, node.site));
    task.last_event = last_store_event_;
  }
  if (reply.lost && twin_ != nullptr) drop_kv(task);
  if (hindsight_ != nullptr && !reply.lost) reply = told(node, reply);
  const bool polls = node.poll.again != nullptr && node.deadline != nullptr;
  if (!reply.lost && polls && node.poll.again(reply)) {
    task.results = combine(task.results, fold(reply));
    park(node);
    return;
  }
  complete_kv(node, reply);
}

void World::orphan_command(KvSuspension& node) {
  OrphanStep& orphan = new_orphan(*node.task, node.site);
  orphan.target = OrphanStep::Target::redis;
  orphan.process = redis_process();
  orphan.command = node.command;
  add_orphan(orphan, setup_.scenario->world.latency.server_redis);
}

void World::complete_kv(KvSuspension& node, const KvReply& reply) {
  stop_polling(node);
  resume_with(*node.task, fold(reply));
  node.complete(node, reply);
}

// ---- the provider ----

void World::start_charge(World& world, ChargeSuspension& node) {
  node.fire = [](Step* step) {
    auto& self = static_cast<ChargeSuspension&>(*step);
    self.task->world->fire_charge(self);
  };
  node.on_wire = [](Suspension& base) {
    auto& self = static_cast<ChargeSuspension&>(base);
    self.task->world->orphan_charge(self);
  };
  node.window = world.setup_.scenario->world.latency.server_provider;
  world.make_pending(node);
}

provider::Answer World::run_charge(const provider::Request& request, Event event) {
  const StepId by = kernel_.running();
  const provider::Answer answer =
      provider_.charge(request, {by, by.from().operation_id()}, kernel_.touched());
  event.type = answer.kind == provider::Answer::Kind::ok ? EventType::effect : EventType::step;
  event.key = request.key;
  event.body = answer.reference;
  event.code = static_cast<std::uint8_t>(answer.kind);
  event.read_from = writer_event(std::span(&answer.written_by, 1));
  const EventIndex index = record(event);
  last_store_event_ = index;
  if (narrate_) {
    say(index, "charge " + std::to_string(request.amount) +
                   (answer.kind == provider::Answer::Kind::ok       ? " -> charged"
                    : answer.kind == provider::Answer::Kind::stored ? " -> stored answer"
                                                                    : " -> refused"));
  }
  return answer;
}

void World::fire_charge(ChargeSuspension& node) {
  begin_fire(node);
  if (sampled_fault(node)) return;
  TaskState& task = *node.task;
  ChargeReply reply;
  const FaultSpec* fault = decide_connection(Store::provider, node);
  if (fault != nullptr) {
    task.last_event = record_fault(*fault, task.last_event);
    reply.lost = true;
  }
  if (fault != nullptr && fault->kind == FaultKind::orphaned) {
    orphan_charge(node);
  }
  if (fault == nullptr || fault->kind == FaultKind::lost_after) {
    reply.answer = run_charge(node.request, store_event(task, node.site));
    task.last_event = last_store_event_;
  }
  complete_charge(node, reply);
}

void World::orphan_charge(ChargeSuspension& node) {
  OrphanStep& orphan = new_orphan(*node.task, node.site);
  orphan.target = OrphanStep::Target::provider;
  orphan.process = provider_process();
  orphan.request = node.request;
  add_orphan(orphan, setup_.scenario->world.latency.server_provider);
}

void World::complete_charge(ChargeSuspension& node, const ChargeReply& reply) {
  resume_with(*node.task, fold(reply));
  node.complete(node, reply);
}

// ---- timers ----

void World::start_sleep(World& world, SleepSuspension& node) {
  node.fire = [](Step* step) {
    auto& self = static_cast<SleepSuspension&>(*step);
    World& w = *self.task->world;
    w.begin_fire(self);
    w.resume_with(*self.task, 1);
    self.complete(self, SleepReply{});
  };
  world.make_pending(node);
}

// ---- polling ----

void World::start_polling(PollingSuspension& node, Duration deadline) {
  auto* step = detail::make_step<DeadlineStep>(kernel_);
  step->id = StepId::of(node.id.from(), node.id.path(), node.id.counter(), kDeadlineOrdinal);
  step->site = "give up waiting";
  step->process = node.task->process;
  step->window = {deadline, deadline};
  step->node = &node;
  step->declared.add(node.task->resource, Access::write);
  step->fire = [](Step* base) {
    auto& self = static_cast<DeadlineStep&>(*base);
    self.node->task->world->fire_deadline(self);
  };
  step->discard = [](Step* base) {
    auto& self = static_cast<DeadlineStep&>(*base);
    detail::free_step(*self.kernel, &self);
  };
  step->kernel = &kernel_;
  node.deadline = step;
  kernel_.add(step);
}

void World::park(PollingSuspension& node) {
  if (kernel_.options().time == TimeModel::sampled) {
    node.wake(&node);  // costs are only right if it really polls
    return;
  }
  node.watched = watched_of(kernel_.touched());
  node.identity = combine(node.task->resource.bits, node.task->counter);
  node.place = Suspension::Place::parked;
  node.task->waiting = &node;
  kernel_.park(&node);
}

void World::poll_again(PollingSuspension& node, Duration interval, Window link) {
  node.window = Window{interval, interval} + link;
  // Between two polls lies that much; the change fell somewhere in between, and the next poll may
  // have been on its way already.
  if (kernel_.options().time != TimeModel::sampled) node.window.earliest = Duration{};
  make_pending(node);
}

void World::stop_polling(PollingSuspension& node) {
  if (node.deadline == nullptr) return;
  if (node.deadline->pending) {
    kernel_.remove(node.deadline);
    kernel_.bury(node.deadline);
  }
  node.deadline = nullptr;
}

void World::fire_deadline(DeadlineStep& deadline) {
  PollingSuspension& node = *deadline.node;
  deadline.discard(&deadline);
  node.deadline = nullptr;
  switch (node.place) {
    case Suspension::Place::pending:
      kernel_.remove(&node);
      break;
    case Suspension::Place::parked:
      kernel_.unpark(&node);
      break;
    case Suspension::Place::blocked:  // the engine answers first; the poll is then over anyway
      return;
    case Suspension::Place::nowhere:
      IDEMSIM_ASSERT(!"a polling operation that waits");
  }
  begin_fire(node);
  node.give_up(node);
}

// ---- expiries ----

void World::arm_ttl() {
  if (const std::optional<StepId>& ended = kv_.disarmed()) {
    for (ExpiryStep* expiry : expiries_) {
      if (expiry->in_database || !(expiry->ttl.generation == *ended)) continue;
      std::erase(expiries_, expiry);
      kernel_.remove(expiry);
      kernel_.bury(expiry);
      break;
    }
  }
  if (const std::optional<kv::ArmedExpiry>& armed = kv_.armed()) {
    auto* expiry = detail::make_step<ExpiryStep>(kernel_);
    expiry->ttl = *armed;
    expiry->site = "TTL expires";
    expiry->process = redis_process();
    expiry->declared.add(kv_.resource_of(armed->key), Access::write);
    // The key is alive at exactly its TTL and gone at the next instant.
    add_expiry(*expiry, armed->ttl + Duration{1}, StepClass::expiry);
  }
}

void World::add_expiry(ExpiryStep& expiry, Duration after, StepClass klass) {
  expiry.world = this;
  expiry.id = derived_id();
  expiry.window = {after, after};
  expiry.klass = klass;
  expiry.cause = last_store_event_;
  expiry.fire = [](Step* step) {
    auto& self = static_cast<ExpiryStep&>(*step);
    self.world->fire_expiry(self);
  };
  expiry.discard = [](Step* step) {
    auto& self = static_cast<ExpiryStep&>(*step);
    detail::free_step(self.world->kernel_, &self);
  };
  expiries_.push_back(&expiry);
  kernel_.add(&expiry);
}

void World::fire_expiry(ExpiryStep& expiry) {
  Event event;
  event.type = EventType::expire;
  event.site = expiry.site;
  event.process = expiry.process;
  event.cause = expiry.cause;
  if (expiry.in_database) {
    event.key = Value::deadline(expiry.deadline);
    if (twin_ != nullptr) twin_->pass(expiry.deadline);
    sql_.mark_passed(expiry.deadline, sql::Boundary::passed_at_instant, kernel_.touched());
  } else {
    event.key = expiry.ttl.key;
    if (twin_ != nullptr) twin_->expire(expiry.ttl.key);
    kv_.expire(expiry.ttl, expiry.id, kernel_.touched());
  }
  record(event);
  std::erase(expiries_, &expiry);
  expiry.discard(&expiry);
}

}  // namespace idemsim
