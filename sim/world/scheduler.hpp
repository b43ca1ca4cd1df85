// The adversary's interface: which step next, which alternative. It knows no strategy.
#pragma once

#include "sim/base/footprint.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/name.hpp"
#include "sim/base/prng.hpp"
#include "sim/base/time.hpp"
#include "sim/model/fault_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace idemsim {

class Kernel;

/// What kind of step it is, in fifo order of the classes: work before faults.
enum class StepClass : std::uint8_t {
  work,       ///< of a client or handler, or a message: a run ends when none is left
  expiry,     ///< TTL or lease: fires in the settle phase too
  retention,  ///< expiry of a stored record: the settle phase never reaches it
  check,      ///< deadlock check
  fault,      ///< crash, pause: a run may end without it
};

/// The atomic unit of execution, pending until the scheduler picks it.
/// `fire` and `discard` consume the node; exactly one of them is called.
struct Step {
  StepId id;
  StepId creator;    ///< the step that made it pending; StepId{} = the start of the run
  Name site;         ///< the place in the strategy or world, for reports
  Window window;     ///< from the instant of its creator
  Instant earliest;  ///< nominal: creator's nominal instant + window.earliest
  ProcessId process;
  StepClass klass = StepClass::work;
  bool pending = false;
  Ratio probability{0, 1};     ///< fault steps: weight when orders are sampled
  std::uint64_t content = 0;   ///< what it carries, if its id does not tell (state identity)
  Footprint declared;          ///< over-approximation of what it will touch
  std::size_t heap_index = 0;  ///< sampled time: where the heap keeps it
  void (*fire)(Step*) = nullptr;
  void (*discard)(Step*) = nullptr;
  Step* next = nullptr;  ///< graveyard link
};

/// One way in which something undetermined can go. Index 0 is always the benign one.
struct Alternative {
  Name name;
  std::optional<FaultKind> fault;  ///< empty: no fault, just undetermined
  Ratio probability{0, 1};         ///< in sampled modes
  bool allowed = true;             ///< false: its budget is spent; it keeps its number
};

/// Where a decision is taken: the running step, the site, the how-manieth at that site in the step.
struct DecisionPoint {
  StepId step;
  Name site;
  std::uint32_t ordinal = 0;
};

/// What a step did, for schedulers that learn.
struct StepDone {
  const StepId& id;
  const StepId& creator;
  const Footprint& touched;
  ProcessId process;
  StepClass klass;
};

/// Chooses. Implementations: fifo, random, exhaustive, replay.
class Scheduler {
 public:
  /// Ends the run at once: it is not complete.
  static constexpr std::size_t kStop = ~std::size_t{0};

  virtual ~Scheduler() = default;
  /// Index into `enabled`, which is in fifo order (earliest, step id; faults last) and holds only
  /// what may go next in time; or `kStop`.
  virtual std::size_t pick(std::span<Step* const> enabled, const Kernel& kernel) = 0;
  /// Index into `alternatives`; more than one of them is allowed.
  virtual std::size_t decide(const DecisionPoint& where,
                             std::span<const Alternative> alternatives) = 0;
  /// After each step, with the recorded footprint.
  virtual void after(const StepDone&) {}
};

}  // namespace idemsim
