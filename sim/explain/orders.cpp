// Picking by a list of step ids.
#include "sim/explain/orders.hpp"

#include "sim/world/kernel.hpp"

#include <algorithm>
#include <utility>

namespace idemsim {
namespace {

/// More steps than that alone, and a delivery is taken to go on for ever.
constexpr std::size_t kAloneMax = 1'000;

std::size_t index_of(std::span<Step* const> enabled, StepId id) {
  for (std::size_t i = 0; i < enabled.size(); ++i) {
    if (enabled[i]->id == id) return i;
  }
  return Scheduler::kStop;
}

/// Only the decisions: the order comes from elsewhere.
Schedule takes_of(const Schedule& schedule) { return {{}, schedule.takes}; }

}  // namespace

OrderScheduler::OrderScheduler(std::vector<StepId> strict, std::vector<StepId> loose,
                               const Schedule& schedule)
    : strict_(std::move(strict)),
      loose_(std::move(loose)),
      decisions_(takes_of(schedule), OnDivergence::ignore) {}

std::size_t OrderScheduler::pick(std::span<Step* const> enabled, const Kernel&) {
  if (done_ < strict_.size()) {
    const std::size_t index = index_of(enabled, strict_[done_++]);
    failed_ = failed_ || index == kStop;
    return index;
  }
  for (std::size_t i = 0; i < loose_.size(); ++i) {
    const std::size_t index = index_of(enabled, loose_[i]);
    if (index == kStop) continue;
    loose_.erase(loose_.begin() + static_cast<std::ptrdiff_t>(i));
    return index;
  }
  return 0;
}

std::size_t OrderScheduler::decide(const DecisionPoint& where,
                                   std::span<const Alternative> alternatives) {
  return decisions_.decide(where, alternatives);
}

AloneScheduler::AloneScheduler(Task task, const Schedule& schedule, const World& world)
    : task_(std::move(task)),
      world_(&world),
      decisions_(takes_of(schedule), OnDivergence::ignore) {}

/// Looks at what the delivery has done since.
void AloneScheduler::watch() {
  const std::span<const Event> events = world_->events();
  for (; watched_ < events.size(); ++watched_) {
    const Event& e = events[watched_];
    if (e.step.from() != task_.delivery) continue;
    if (e.type == task_.use) outcome_ = Outcome::used;
    if (e.type == EventType::answer && outcome_ == Outcome::undecided) outcome_ = Outcome::ended;
  }
}

std::size_t AloneScheduler::pick(std::span<Step* const> enabled, const Kernel&) {
  if (done_ < task_.prefix.size()) {
    watched_ = world_->events().size();
    return index_of(enabled, task_.prefix[done_++]);
  }
  watch();
  if (outcome_ != Outcome::undecided || ++alone_ > kAloneMax) return kStop;
  for (std::size_t i = 0; i < enabled.size(); ++i) {
    const Step& step = *enabled[i];
    const bool at_work = step.process.index >= world_->client_processes();
    if (step.id.from() == task_.delivery && step.klass == StepClass::work && at_work) return i;
  }
  return enabled[0]->klass == StepClass::fault ? kStop : 0;
}

std::size_t AloneScheduler::decide(const DecisionPoint& where,
                                   std::span<const Alternative> alternatives) {
  // After the last step of the prefix was picked it still runs, with its decisions of old.
  return alone_ > 0 ? 0 : decisions_.decide(where, alternatives);
}

}  // namespace idemsim
