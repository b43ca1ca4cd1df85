// no_false_failure: who was told that it failed can safely do it another way.
#include "sim/oracles/facts.hpp"
#include "sim/oracles/oracles.hpp"

namespace idemsim {

Judgement judge_no_false_failure(const FinishedRun& run) {
  if (!run.completed) return {};
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const Event& event = run.events[i];
    if (event.type != EventType::fail || event.status != Status::failed) continue;
    const OperationId operation = operation_of(event);
    const LedgerEntry* effect = effect_of(run, operation);
    if (effect == nullptr) continue;
    return {true, operation, effect_event(run, effect->step), static_cast<EventIndex>(i)};
  }
  return {};
}

}  // namespace idemsim
