// at_most_once: no operation has two effects in one ledger.
#include "sim/oracles/facts.hpp"
#include "sim/oracles/oracles.hpp"

namespace idemsim {

Judgement judge_at_most_once(const FinishedRun& run) {
  if (!run.completed) return {};
  for (std::size_t i = 0; i < run.ledger.size(); ++i) {
    const LedgerEntry& one = run.ledger[i];
    for (std::size_t j = i + 1; j < run.ledger.size(); ++j) {
      const LedgerEntry& other = run.ledger[j];
      if (one.ledger != other.ledger || one.operation != other.operation) continue;
      const EventIndex first = effect_event(run, one.step);
      // One step may have made both; then its second effect event is the other one.
      const EventIndex after = one.step == other.step ? first : -1;
      return {true, one.operation, first, effect_event(run, other.step, after)};
    }
  }
  return {};
}

}  // namespace idemsim
