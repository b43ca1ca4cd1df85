// no_stuck_key: once the faults are over, every operation can be brought to a final answer.
#include "sim/oracles/facts.hpp"
#include "sim/oracles/oracles.hpp"

namespace idemsim {

Judgement judge_no_stuck_key(const FinishedRun& run) {
  if (!run.completed) return {};
  for (const OperationId operation : run.operations) {
    bool answered = false;
    EventIndex last = -1;
    // The probes are at the end of a history.
    for (std::size_t i = run.events.size(); i-- > 0 && !answered;) {
      const Event& event = run.events[i];
      if (event.type == EventType::settle) break;
      if (!event.probe || operation_of(event) != operation) continue;
      answered = is_final_answer(event);
      if (last == -1 && event.type == EventType::info) last = static_cast<EventIndex>(i);
    }
    if (!answered) return {true, operation, last, -1};
  }
  return {};
}

}  // namespace idemsim
