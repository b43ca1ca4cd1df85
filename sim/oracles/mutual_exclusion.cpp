// mutual_exclusion: no two handlers believe at the same time that they own one key.
#include "sim/oracles/facts.hpp"
#include "sim/oracles/oracles.hpp"

namespace idemsim {
namespace {

/// Who died is in no section any more. A stale owner's write needs no rule of its own: between its
/// enter and its leave another one has entered.
bool ends(const Event& entered, const Event& event) {
  if (event.type == EventType::fault) {
    return event.fault == FaultKind::crash && event.process == entered.process;
  }
  return event.type == EventType::leave && event.key == entered.key &&
         event.step.from() == entered.step.from();
}

}  // namespace

Judgement judge_mutual_exclusion(const FinishedRun& run) {
  if (!run.completed) return {};
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const Event& holder = run.events[i];
    if (holder.type != EventType::enter) continue;
    for (std::size_t j = i + 1; j < run.events.size() && !ends(holder, run.events[j]); ++j) {
      const Event& other = run.events[j];
      if (other.type != EventType::enter || other.key != holder.key) continue;
      if (other.step.from() == holder.step.from()) continue;
      return {true, operation_of(other), static_cast<EventIndex>(i), static_cast<EventIndex>(j)};
    }
  }
  return {};
}

}  // namespace idemsim
