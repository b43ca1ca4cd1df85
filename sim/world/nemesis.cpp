// Faults: where they may strike, what is left of their budgets, and what they do.
#include "sim/base/assert.hpp"
#include "sim/world/world.hpp"
#include "sim/world/world_steps.hpp"

#include <algorithm>
#include <array>

namespace idemsim {
namespace {

constexpr std::size_t kCandidatesMax = 8;

Resource budget_resource(std::size_t budget) { return Resource::of(ResourceKind::budget, budget); }

bool is_process_fault(FaultKind kind) {
  return kind == FaultKind::crash || kind == FaultKind::pause;
}

Name name_of(FaultKind kind) { return Name(to_string(kind).data()); }

}  // namespace

void CrashCoverage::exists(std::uint64_t point) {
  const auto at = std::lower_bound(points_.begin(), points_.end(), point,
                                   [](const Point& p, std::uint64_t id) { return p.id < id; });
  if (at == points_.end() || at->id != point) points_.insert(at, {point, false});
}

void CrashCoverage::tried(std::uint64_t point) {
  exists(point);
  std::lower_bound(points_.begin(), points_.end(), point, [](const Point& p, std::uint64_t id) {
    return p.id < id;
  })->tried = true;
}

void CrashCoverage::merge(const CrashCoverage& other) {
  for (const Point& point : other.points_) point.tried ? tried(point.id) : exists(point.id);
}

std::size_t CrashCoverage::tried() const {
  return static_cast<std::size_t>(
      std::count_if(points_.begin(), points_.end(), [](const Point& p) { return p.tried; }));
}

bool World::aims_at(const FaultSpec& spec, Name site, ProcessId process) const {
  if (!spec.site.empty() && hash_text(spec.site) != site.hash) return false;
  return spec.process.empty() || process_name(process) == spec.process;
}

/// Asks the scheduler which of the candidate budgets strikes here, if any, and spends it.
const FaultSpec* World::decide_fault(Name site, std::span<const std::size_t> candidates) {
  std::array<Alternative, kCandidatesMax + 1> alternatives;
  alternatives[0].name = "none";
  std::size_t count = 1;
  for (const std::size_t b : candidates) {
    const Budget& budget = budgets_[b];
    Alternative& alternative = alternatives[count++];
    alternative.name = name_of(budget.spec->kind);
    alternative.fault = budget.spec->kind;
    alternative.probability = budget.spec->probability;
    alternative.allowed = budget.left > 0;
    if (budget.left > 0) kernel_.touch(budget_resource(b), Access::read);
  }
  const std::size_t taken = kernel_.decide(site, std::span(alternatives.data(), count));
  if (taken == 0) return nullptr;
  const std::size_t b = candidates[taken - 1];
  --budgets_[b].left;
  kernel_.touch(budget_resource(b), Access::write);
  return budgets_[b].spec;
}

const FaultSpec* World::decide_message(Name site, std::span<const FaultKind> kinds,
                                       ProcessId server) {
  if (budgets_.empty() || kernel_.settling()) return nullptr;
  std::array<std::size_t, kCandidatesMax> candidates;
  std::size_t count = 0;
  for (std::size_t b = 0; b < budgets_.size() && count < kCandidatesMax; ++b) {
    const FaultSpec& spec = *budgets_[b].spec;
    if (std::find(kinds.begin(), kinds.end(), spec.kind) == kinds.end()) continue;
    if (aims_at(spec, site, server)) candidates[count++] = b;
  }
  if (count == 0) return nullptr;
  return decide_fault(site, std::span(candidates.data(), count));
}

const FaultSpec* World::decide_connection(Store store, const Suspension& node) {
  if (budgets_.empty() || kernel_.settling()) return nullptr;
  std::array<std::size_t, kCandidatesMax> candidates;
  std::size_t count = 0;
  for (std::size_t b = 0; b < budgets_.size() && count < kCandidatesMax; ++b) {
    const FaultSpec& spec = *budgets_[b].spec;
    const bool kind = spec.kind == FaultKind::lost_before || spec.kind == FaultKind::lost_after ||
                      spec.kind == FaultKind::orphaned;
    if (!kind || (spec.store != Store::any && spec.store != store)) continue;
    if (aims_at(spec, node.site, node.process)) candidates[count++] = b;
  }
  if (count == 0) return nullptr;
  return decide_fault("connection", std::span(candidates.data(), count));
}

std::uint64_t World::crash_point(const TaskState& task) const {
  return combine(combine(mix64(task.origin.bits), task.path), task.counter);
}

/// A fault of a process is offered while one of its handlers is under way, at the aimed step.
void World::refresh_faults() {
  if (!has_fault_steps_ || kernel_.options().time == TimeModel::sampled) return;
  for (std::size_t b = 0; b < budgets_.size(); ++b) {
    if (!is_process_fault(budgets_[b].spec->kind)) continue;
    for (std::size_t s = 0; s < server_processes(); ++s) {
      const ProcessId process{static_cast<std::uint16_t>(client_processes() + s)};
      offer_fault(b, process);
    }
  }
}

void World::offer_fault(std::size_t budget, ProcessId process) {
  const FaultSpec& spec = *budgets_[budget].spec;
  bool possible = false;
  for (std::size_t i = 0; i < task_count_; ++i) {
    const TaskState& task = tasks_[i];
    if (!task.live || task.process != process || task.waiting == nullptr) continue;
    if (!aims_at(spec, task.waiting->site, process)) continue;
    if (budgets_[budget].left == 0) continue;
    possible = true;
    if (spec.kind == FaultKind::crash) crash_coverage_.exists(crash_point(task));
  }
  const auto at = std::find_if(
      fault_steps_.begin(), fault_steps_.end(),
      [&](const FaultStep* step) { return step->budget == budget && step->process == process; });
  if (possible == (at != fault_steps_.end())) return;
  if (!possible) {
    FaultStep* step = *at;
    fault_steps_.erase(at);
    kernel_.withdraw(step);
    kernel_.bury(step);
    return;
  }
  add_fault_step(budget, process);
}

void World::add_fault_step(std::size_t budget, ProcessId process) {
  const FaultSpec& spec = *budgets_[budget].spec;
  auto* step = detail::make_step<FaultStep>(kernel_);
  step->world = this;
  step->budget = budget;
  step->process = process;
  step->klass = StepClass::fault;
  step->site = name_of(spec.kind);
  step->window = {Duration{}, kForever};
  step->probability = spec.probability;
  // How often it has struck already: a process can crash again after its restart.
  const std::uint32_t ordinal = spec.at_most - budgets_[budget].left;
  const OperationId id{kFaultClient, static_cast<std::uint32_t>(budget)};
  step->id = StepId::of(Origin::of(id, process.index, 0), 0, ordinal);
  step->declared.add(Resource::of(ResourceKind::process, process.index), Access::write);
  step->declared.add(budget_resource(budget), Access::write);
  step->fire = [](Step* base) {
    auto& self = static_cast<FaultStep&>(*base);
    self.world->fire_fault(self);
  };
  step->discard = [](Step* base) {
    auto& self = static_cast<FaultStep&>(*base);
    detail::free_step(self.world->kernel_, &self);
  };
  fault_steps_.push_back(step);
  kernel_.add(step);
}

void World::fire_fault(FaultStep& step) {
  const std::size_t budget = step.budget;
  const ProcessId process = step.process;
  std::erase(fault_steps_, &step);
  step.discard(&step);
  strike(budget, process);
}

void World::strike(std::size_t budget, ProcessId process) {
  const FaultSpec& spec = *budgets_[budget].spec;
  IDEMSIM_ASSERT(budgets_[budget].left > 0);
  --budgets_[budget].left;
  kernel_.touch(budget_resource(budget), Access::write);
  kernel_.touch(Resource::of(ResourceKind::process, process.index), Access::write);
  Event event;
  event.type = EventType::fault;
  event.fault = spec.kind;
  event.site = name_of(spec.kind);
  event.process = process;
  const EventIndex struck = record(event);
  if (spec.kind == FaultKind::pause) {
    kernel_.shift(process, spec.by.earliest);
    for (std::size_t i = 0; i < task_count_; ++i) {
      if (tasks_[i].live && tasks_[i].process == process) tasks_[i].last_event = struck;
    }
    return;
  }
  crash(process, struck);
}

void World::crash(ProcessId process, EventIndex struck) {
  const auto dies = [&](const TaskState& task) { return task.live && task.process == process; };
  for (std::size_t i = 0; i < task_count_; ++i) {
    if (dies(tasks_[i])) crash_coverage_.tried(crash_point(tasks_[i]));
  }
  for (std::size_t i = 0; i < task_count_; ++i) {
    TaskState& task = tasks_[i];
    if (!dies(task)) continue;  // a background task dies with its handler
    task.last_event = struck;
    leave_on_wire(task);
    kill_task(task);
  }
}

/// What the process had sent and the store has not executed may still execute.
void World::leave_on_wire(TaskState& task) {
  Suspension* node = task.waiting;
  if (node == nullptr || node->place != Suspension::Place::pending || node->on_wire == nullptr) {
    return;
  }
  std::array<Alternative, 2> alternatives;
  alternatives[0].name = "dies with it";
  alternatives[1].name = "executes";
  alternatives[1].probability = {1, 2};
  if (kernel_.decide("on the wire", alternatives) == 1) node->on_wire(*node);
}

/// Sampled time has no fault steps: before each step of a handler every fault is drawn for.
bool World::sampled_fault(Suspension& node) {
  if (!has_fault_steps_ || kernel_.options().time != TimeModel::sampled || kernel_.settling()) {
    return false;
  }
  for (std::size_t b = 0; b < budgets_.size(); ++b) {
    const FaultSpec& spec = *budgets_[b].spec;
    if (!is_process_fault(spec.kind) || !aims_at(spec, node.site, node.process)) continue;
    std::array<Alternative, 2> alternatives;
    alternatives[0].name = "none";
    alternatives[1] = {name_of(spec.kind), spec.kind, spec.probability, budgets_[b].left > 0};
    if (budgets_[b].left > 0) crash_coverage_.exists(crash_point(*node.task));
    if (kernel_.decide(name_of(spec.kind), alternatives) == 0) continue;
    if (spec.kind == FaultKind::pause) {
      node.window = {spec.by.earliest, spec.by.earliest};
      strike(b, node.process);
      make_pending(node);
      return true;
    }
    // The step itself is the one that was about to execute: it dies with its task.
    node.place = Suspension::Place::nowhere;
    strike(b, node.process);
    return true;
  }
  return false;
}

}  // namespace idemsim
