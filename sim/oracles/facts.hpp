// The few questions that several oracles ask of a history and its ledgers.
#pragma once

#include "sim/model/history.hpp"

namespace idemsim {

/// The operation that an event belongs to (meaningless for faults).
[[nodiscard]] inline OperationId operation_of(const Event& event) {
  return event.step.from().operation_id();
}

/// True for an answer that reached a client and claims that the effect exists.
[[nodiscard]] inline bool claims_effect(const Event& event) {
  return event.type == EventType::ok &&
         (event.status == Status::done || event.status == Status::stored);
}

/// True for an answer that reached a client and after which it stops asking.
[[nodiscard]] inline bool is_final_answer(const Event& event) {
  return (event.type == EventType::ok || event.type == EventType::fail) && is_final(event.status);
}

/// The ledger whose entry is the effect: money counts where it moves.
[[nodiscard]] inline Ledger ledger_that_counts(OperationKind kind) {
  return kind == OperationKind::charge ? Ledger::provider : Ledger::local;
}

/// The first entry of the operation in the ledger that counts, or null.
[[nodiscard]] inline const LedgerEntry* effect_of(const FinishedRun& run, OperationId operation) {
  const Ledger counts = ledger_that_counts(run.kind);
  for (const LedgerEntry& entry : run.ledger) {
    if (entry.ledger == counts && entry.operation == operation) return &entry;
  }
  return nullptr;
}

/// The index of the first `effect` event of that step after `after`, or -1.
[[nodiscard]] inline EventIndex effect_event(const FinishedRun& run, StepId step,
                                             EventIndex after = -1) {
  for (auto i = static_cast<std::size_t>(after + 1); i < run.events.size(); ++i) {
    const Event& event = run.events[i];
    if (event.type == EventType::effect && event.step == step) return static_cast<EventIndex>(i);
  }
  return -1;
}

}  // namespace idemsim
