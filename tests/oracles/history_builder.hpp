// Literal histories for oracle tests: a line per event, operations and attempts by small numbers.
#pragma once

#include "sim/model/history.hpp"
#include "sim/oracles/oracles.hpp"

#include <ostream>
#include <vector>

namespace idemsim {

inline void PrintTo(const Judgement& judgement, std::ostream* out) {
  *out << (judgement.violated ? "violated by c" : "not violated c") << judgement.operation.client
       << "o" << judgement.operation.number << ", events " << judgement.first << " and "
       << judgement.second;
}

/// Builds one finished run. Each call of an event function appends one event; the events have the
/// numbers 0, 1, 2, ... After `settle()` every event belongs to the probe.
class HistoryBuilder {
 public:
  explicit HistoryBuilder(OperationKind kind = OperationKind::create_order) : kind_(kind) {}

  /// Client 0 sends that attempt of its operation.
  HistoryBuilder& invoke(std::uint32_t operation, std::uint32_t attempt) {
    const OperationId id{0, operation};
    bool known = false;
    for (const OperationId other : operations_) known = known || other == id;
    if (!known) operations_.push_back(id);
    add(EventType::invoke, operation, attempt);
    return *this;
  }
  /// The client receives that answer; the type of the event follows from the status.
  HistoryBuilder& answer(std::uint32_t operation, std::uint32_t attempt, Status status,
                         std::uint64_t reference = 0) {
    const bool claims = status == Status::done || status == Status::stored;
    const bool refuses = status == Status::failed || status == Status::rejected;
    Event& event = add(claims    ? EventType::ok
                       : refuses ? EventType::fail
                                 : EventType::info,
                       operation, attempt);
    event.status = status;
    event.body = Value::reference(reference);
    return *this;
  }
  /// The attempt's effect enters the ledger, and stays.
  HistoryBuilder& effect(std::uint32_t operation, std::uint32_t attempt, std::uint64_t reference,
                         Ledger ledger = Ledger::local) {
    undone_effect(operation, attempt, reference);
    ledger_.push_back(
        {ledger, {0, operation}, events_.back().step, Value::reference(reference), 1});
    return *this;
  }
  /// The same, but its transaction rolls back: at quiescence the ledger does not have it.
  HistoryBuilder& undone_effect(std::uint32_t operation, std::uint32_t attempt,
                                std::uint64_t reference) {
    add(EventType::effect, operation, attempt).body = Value::reference(reference);
    return *this;
  }
  HistoryBuilder& enter(std::uint32_t operation, std::uint32_t attempt, std::uint64_t key,
                        std::uint16_t process = 1) {
    Event& event = add(EventType::enter, operation, attempt);
    event.key = Value::key(key);
    event.process = {process};
    return *this;
  }
  HistoryBuilder& leave(std::uint32_t operation, std::uint32_t attempt, std::uint64_t key) {
    add(EventType::leave, operation, attempt).key = Value::key(key);
    return *this;
  }
  HistoryBuilder& crash(std::uint16_t process) {
    Event& event = add(EventType::fault, 0, 0);
    event.step = StepId::of(Origin::of({kFaultClient, 0}, 0, 0), 0, 0);
    event.fault = FaultKind::crash;
    event.process = {process};
    return *this;
  }
  /// A statement in which the protection of the strategy worked.
  HistoryBuilder& protection(std::uint32_t operation, std::uint32_t attempt) {
    add(EventType::step, operation, attempt).protection = true;
    return *this;
  }
  HistoryBuilder& settle() {
    add(EventType::settle, 0, 0);
    settled_ = true;
    return *this;
  }
  HistoryBuilder& cut() {
    completed_ = false;
    return *this;
  }
  /// Valid while the builder lives and is not appended to.
  [[nodiscard]] FinishedRun run() const {
    return {events_, ledger_, operations_, kind_, completed_};
  }

 private:
  Event& add(EventType type, std::uint32_t operation, std::uint32_t attempt) {
    Event event;
    event.type = type;
    event.step = StepId::of(Origin::of({0, operation}, attempt, 0), 0,
                            static_cast<std::uint32_t>(events_.size()));
    event.probe = settled_;
    events_.push_back(event);
    return events_.back();
  }

  std::vector<Event> events_;
  std::vector<LedgerEntry> ledger_;
  std::vector<OperationId> operations_;
  OperationKind kind_;
  bool completed_ = true;
  bool settled_ = false;
};

/// The verdict that an oracle test expects.
inline Judgement violated(std::uint32_t operation, EventIndex first, EventIndex second = -1) {
  return {true, {0, operation}, first, second};
}
inline constexpr Judgement kNotViolated{};

}  // namespace idemsim
