// no_lost_effect: who was told that it is done can rely on it.
#include "sim/oracles/facts.hpp"
#include "sim/oracles/oracles.hpp"

namespace idemsim {

Judgement judge_no_lost_effect(const FinishedRun& run) {
  if (!run.completed) return {};
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const Event& event = run.events[i];
    if (!claims_effect(event)) continue;
    const OperationId operation = operation_of(event);
    if (effect_of(run, operation) != nullptr) continue;
    return {true, operation, static_cast<EventIndex>(i), -1};
  }
  return {};
}

}  // namespace idemsim
