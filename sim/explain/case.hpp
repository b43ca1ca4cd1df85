// A violating run taken apart: who did what, and the means to run it again in another way.
#pragma once

#include "sim/explain/numbers.hpp"
#include "sim/explore/shrink.hpp"
#include "sim/model/schedule.hpp"
#include "sim/oracles/oracles.hpp"
#include "sim/run/cell.hpp"
#include "sim/world/hindsight.hpp"
#include "sim/world/world.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace idemsim {

/// One step of the run in its order.
struct StepTaken {
  StepId id;
  StepId creator;
};

/// Two effects (or entries into a critical section) that must not both be: A is the delivery behind
/// the first of them, B that behind the second. Without a second one only A is set.
struct Guilty {
  EventIndex first = -1;
  EventIndex second = -1;
  Origin a;
  Origin b;
  [[nodiscard]] bool pair() const { return second >= 0; }
};

/// A witness after its run, with everything that explanations ask of it. Not movable.
class Case {
 public:
  Case(const Cell& cell, const Shrunk& shrunk, Property property);
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  [[nodiscard]] const World& world() const { return witness_; }
  [[nodiscard]] std::span<const Event> events() const { return witness_.events(); }
  [[nodiscard]] const Event& event(EventIndex i) const {
    return events()[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] Property property() const { return property_; }
  [[nodiscard]] const Judgement& judgement() const { return judgement_; }
  [[nodiscard]] const Guilty& guilty() const { return guilty_; }
  [[nodiscard]] const Schedule& schedule() const { return witness_.recorded(); }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  /// Steps before the settle phase, in order.
  [[nodiscard]] const std::vector<StepTaken>& steps() const { return steps_; }
  [[nodiscard]] NumberedTrace& numbered() { return numbered_; }
  [[nodiscard]] const NumberedTrace& numbered() const { return numbered_; }

  // ---- what a delivery did ----

  [[nodiscard]] bool of_handler(EventIndex i, Origin delivery) const;
  /// The first event of that type by the handler of the delivery, or -1.
  [[nodiscard]] EventIndex first_of(EventType type, Origin delivery) const;
  /// The event with which the client sent the attempt, or -1.
  [[nodiscard]] EventIndex invoke_of(Origin delivery) const;
  /// Statements of the delivery that were executed, effects included, in order.
  [[nodiscard]] std::vector<EventIndex> statements_of(Origin delivery) const;
  /// The statement itself; null for calls of the provider.
  [[nodiscard]] const Heard* statement(EventIndex i) const;
  /// Can its result depend on what is in the store? A plain INSERT without a unique index cannot.
  [[nodiscard]] bool can_tell(EventIndex i) const;
  /// Does it change the store so that it stays: committed in the end, if it is in a transaction?
  [[nodiscard]] bool leaves_trace(EventIndex i) const;
  /// Does it only remove something: a release, a deletion?
  [[nodiscard]] bool takes_away(EventIndex i) const;
  /// Does it, and did it find something?
  [[nodiscard]] bool removes(EventIndex i) const;
  /// Does it remove what has expired, as a purger does, and did it find something?
  [[nodiscard]] bool purges(EventIndex i) const;
  /// Faults that struck the handler of the delivery: crashes while it was at work, and broken
  /// connections.
  [[nodiscard]] std::vector<EventIndex> faults_of(Origin delivery) const;
  /// What B did before its use and could have learnt from: the candidates for its check.
  [[nodiscard]] std::vector<EventIndex> checks() const;

  // ---- running it again ----

  /// What the statement of event `statement` would have been told right after event `moment`.
  [[nodiscard]] std::optional<Told> told_after(EventIndex statement, EventIndex moment);
  /// The world for continuations: in asynchronous time if the witness is a sampled run, because an
  /// order can only be chosen there.
  [[nodiscard]] World& laboratory() { return laboratory_; }
  [[nodiscard]] const Scenario& scenario() const { return scenario_; }

 private:
  void find_guilty();
  void set_pair(EventIndex one, EventIndex other);
  [[nodiscard]] std::vector<EventIndex> effects_in(Ledger ledger) const;

  Property property_;
  std::uint64_t seed_;
  Scenario scenario_;
  Scenario free_scenario_;
  Cell cell_;
  Cell free_cell_;
  World witness_;
  World again_;
  World laboratory_;
  Hindsight listener_;
  std::vector<StepTaken> steps_;
  Judgement judgement_;
  Guilty guilty_;
  NumberedTrace numbered_;
};

}  // namespace idemsim
