// Coroutines of a world: how they start, how their steps are named, how they end.
#include "sim/base/assert.hpp"
#include "sim/world/world.hpp"
#include "sim/world/world_steps.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <utility>

namespace idemsim {
namespace detail {

void* allocate_suspension(TaskState& task, std::size_t size_bytes) {
  return task.world->kernel_.pool().allocate(size_bytes);
}

void release_memory(TaskState& task, void* block, std::size_t size_bytes) {
  task.world->kernel_.pool().release(block, size_bytes);
}

}  // namespace detail

TaskState& World::free_task() {
  if (!free_tasks_.empty()) {
    TaskState& task = *free_tasks_.back();
    free_tasks_.pop_back();
    return task;
  }
  if (task_count_ == tasks_.size()) tasks_.emplace_back();
  return tasks_[task_count_++];
}

TaskState& World::new_task(Origin origin, std::uint32_t path, ProcessId process) {
  TaskState& task = free_task();
  task.origin = origin;
  task.path = path;
  task.counter = 0;
  task.ordinals = 0;
  task.process = process;
  task.resource = Resource::of(ResourceKind::task, origin.bits, path);
  task.role = TaskState::Role::handler;
  task.live = true;
  task.probe = false;
  task.children = 0;
  task.results = 0;
  task.last_event = -1;
  task.cause = -1;
  task.waiting = nullptr;
  task.parent = nullptr;
  task.world = this;
  task.context.emplace(*this, task, ports_);
  return task;
}

void World::spawn(TaskState&, Task<void> coroutine) {
  boost::asio::co_spawn(boost::asio::any_io_executor(Executor(executor_context_)),
                        std::move(coroutine), boost::asio::detached);
}

StepId World::next_step_id(TaskState& task) {
  task.ordinals = 0;
  return StepId::of(task.origin, task.path, ++task.counter);
}

StepId World::derived_id() {
  const StepId cause = kernel_.running();
  if (!(derived_of_ == cause)) {
    derived_of_ = cause;
    derived_count_ = 0;
  }
  ++derived_count_;
  // Four bits a level: what an expiry or orphan causes is derived from it in turn. 15 is the
  // deadline of a poll, which is made beside its first step.
  IDEMSIM_ASSERT(derived_count_ < kDeadlineOrdinal && cause.derived() < 0x1000);
  return StepId::of(cause.from(), cause.path(), cause.counter(),
                    (cause.derived() << 4) | derived_count_);
}

void World::make_pending(Suspension& node) {
  TaskState& task = *node.task;
  node.id = next_step_id(task);
  node.process = task.process;
  node.declared.clear();
  node.declared.add(Resource::of(ResourceKind::process, task.process.index), Access::read);
  node.declared.add(task.resource, Access::write);
  node.place = Suspension::Place::pending;
  task.waiting = &node;
  kernel_.add(&node);
}

void World::begin_fire(Suspension& node) {
  node.place = Suspension::Place::nowhere;
  kernel_.touch(node.task->resource, Access::write);
}

void World::resume_with(TaskState& task, std::uint64_t result) {
  task.results = combine(task.results, result);
  task.waiting = nullptr;
}

void World::finish_task(TaskState& task) {
  stop_children(task);
  close_sessions(task);
  leave_sections(task);
  task.live = false;
  // What a client was told stays part of the state; a handler has left its traces elsewhere.
  if (task.role == TaskState::Role::handler) free_tasks_.push_back(&task);
}

/// Who has ended is in no section. A background task shares the origin of its handler, which goes
/// on.
void World::leave_sections(const TaskState& task) {
  if (task.role == TaskState::Role::background) return;
  std::erase_if(sections_, [&](const Section& s) { return s.holder == task.origin; });
}

void World::stop_children(TaskState& task) {
  if (task.children == 0) return;
  for (std::size_t i = 0; i < task_count_; ++i) {
    if (tasks_[i].live && tasks_[i].parent == &task) kill_task(tasks_[i]);
  }
}

void World::kill_task(TaskState& task) {
  IDEMSIM_ASSERT(task.live);
  task.live = false;
  kernel_.touch(task.resource, Access::write);
  Suspension* node = task.waiting;
  task.waiting = nullptr;
  if (node != nullptr) {
    switch (node->place) {
      case Suspension::Place::pending:
        kernel_.remove(node);
        break;
      case Suspension::Place::parked:
        kernel_.unpark(node->polling);
        break;
      case Suspension::Place::blocked:
        abandon_blocked(*node);
        break;
      case Suspension::Place::nowhere:
        break;
    }
    // Wherever it waited, nobody is there any more whom its deadline could tell.
    if (node->polling != nullptr) stop_polling(*node->polling);
    node->place = Suspension::Place::nowhere;
    kernel_.bury(node);
  }
  stop_children(task);
  close_sessions(task);
  leave_sections(task);
}

void World::start_child(TaskState& parent, Context::Job job) {
  IDEMSIM_ASSERT(parent.children < 0x9);  // the digits above are clients, probes and orphans
  ++parent.children;
  TaskState& task = new_task(parent.origin, (parent.path << 4) | parent.children, parent.process);
  task.role = TaskState::Role::background;
  task.parent = &parent;
  task.probe = parent.probe;
  task.request = parent.request;
  task.last_event = parent.last_event;
  task.results = parent.results;
  spawn(task, run_child(task, job));
}

Task<void> World::run_child(TaskState& task, Context::Job job) {
  co_await job(*task.context, task.request);
  finish_task(task);
}

// ---- Context ----

void Parameters::set(Name name, std::int64_t value) {
  for (Entry& e : entries_) {
    if (e.name == name) {
      e.value = value;
      return;
    }
  }
  entries_.push_back({name, value});
}

std::int64_t Parameters::number(Name name) const {
  for (const Entry& e : entries_) {
    if (e.name == name) return e.value;
  }
  IDEMSIM_ASSERT(!"a parameter that the strategy declares");
}

const Parameters& Context::parameters() const { return world_->setup_.parameters; }

Value Context::token() const { return Value::token(task_->origin); }

Value Context::fresh_reference() {
  const StepId id = StepId::of(task_->origin, task_->path, task_->counter);
  return Value::reference(combine(combine(mix64(id.origin), id.place), ++task_->ordinals));
}

Value Context::expires_in(Duration after, Expiry expiry) {
  const Value reference = fresh_reference();
  world_->deadlines_.push_back({reference.bits, after, expiry, false});
  if (world_->twin_ != nullptr) world_->twin_->deadline(reference.bits, after);
  return Value::deadline(reference.bits);
}

void Context::enter(Value key) { world_->enter_section(*task_, key); }
void Context::leave(Value key) { world_->leave_section(*task_, key); }
void Context::start(Job job) { world_->start_child(*task_, job); }
void Context::stop_background() { world_->stop_children(*task_); }

}  // namespace idemsim
