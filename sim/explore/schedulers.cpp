// Drawing choices: orders from one stream of the run, decisions from one stream per step.
#include "sim/explore/schedulers.hpp"

#include <algorithm>

namespace idemsim {

RandomScheduler::RandomScheduler(const FaultPlan& plan) {
  for (const FaultSpec& spec : plan.faults) planned_[static_cast<std::size_t>(spec.kind)] = true;
}

void RandomScheduler::reset(std::uint64_t seed) {
  seed_ = seed;
  order_ = Prng(seed).split("order");
  Prng swarm = Prng(seed).split("swarm");
  const auto kinds = std::count(planned_.begin(), planned_.end(), true);
  for (std::size_t i = 0; i < planned_.size(); ++i) {
    const bool drawn = swarm.chance({1, 2});
    enabled_[i] = planned_[i] && (kinds == 1 || drawn);
  }
}

std::size_t RandomScheduler::pick(std::span<Step* const> enabled, const Kernel&) {
  std::size_t work = enabled.size();
  while (work > 0 && enabled[work - 1]->klass == StepClass::fault) --work;
  for (std::size_t i = work; i < enabled.size(); ++i) {
    const bool crash = enabled[i]->site == Name("crash");
    if (!enabled_kind(crash ? FaultKind::crash : FaultKind::pause)) continue;
    if (order_.chance(enabled[i]->probability)) return i;
  }
  return static_cast<std::size_t>(order_.below(work));
}

std::size_t RandomScheduler::decide(const DecisionPoint& where,
                                    std::span<const Alternative> alternatives) {
  Prng stream = Prng(combine(combine(seed_, where.step.origin), where.step.place))
                    .split(combine(where.site.hash, where.ordinal));
  for (std::size_t i = 1; i < alternatives.size(); ++i) {
    const Alternative& a = alternatives[i];
    if (!a.allowed || (a.fault && !enabled_kind(*a.fault))) continue;
    if (stream.chance(a.probability)) return i;
  }
  return 0;
}

}  // namespace idemsim
