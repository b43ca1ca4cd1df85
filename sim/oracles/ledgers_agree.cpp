// ledgers_agree: what the provider charged and what the own books say is the same.
#include "sim/oracles/facts.hpp"
#include "sim/oracles/oracles.hpp"

namespace idemsim {
namespace {

/// How many local entries minus how many provider entries have that reference.
int surplus(const FinishedRun& run, const Value& reference) {
  int count = 0;
  for (const LedgerEntry& entry : run.ledger) {
    if (entry.reference != reference) continue;
    count += entry.ledger == Ledger::local ? 1 : -1;
  }
  return count;
}

}  // namespace

Judgement judge_ledgers_agree(const FinishedRun& run) {
  if (!run.completed || run.kind != OperationKind::charge) return {};
  for (const LedgerEntry& entry : run.ledger) {
    const int count = surplus(run, entry.reference);
    // The entry to point at is one of the ledger that has too many.
    if (count == 0 || (count > 0) != (entry.ledger == Ledger::local)) continue;
    return {true, entry.operation, effect_event(run, entry.step), -1};
  }
  return {};
}

}  // namespace idemsim
