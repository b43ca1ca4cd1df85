// Concrete instants for a finished order of steps: the witness that a bounded-time run can happen.
#pragma once

#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"
#include "sim/world/state_class.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace idemsim {

/// Records a run by the same calls as StateClass and then solves for the earliest instants that
/// obey every window, the order, the ties and the pauses. Steps that were killed bound the others
/// for as long as they were pending.
class InstantSolver {
 public:
  /// Start of a run: nothing fired, nothing pending. Keeps the memory.
  void reset();
  /// Steps that become pending at the last fired instant.
  void create(std::span<const Created> created);
  /// The next step of the order. It must be pending, and so must all of `killed`.
  void fire(StepId step, std::span<const StepId> killed, std::span<const Created> created);
  /// A pause of fixed length, right after the step that pauses.
  void shift(std::span<const StepId> paused, Duration by);

  /// Instant of each fired step, in order; nothing if the order cannot happen. Bellman-Ford.
  [[nodiscard]] std::optional<std::vector<Instant>> solve() const;
  /// Number of fired steps.
  [[nodiscard]] std::size_t fired() const { return fired_; }

 private:
  /// x[later] >= x[sooner] + gap; event 0 is the start of the run, event k the k-th fired step.
  struct Constraint {
    std::uint32_t sooner;
    std::uint32_t later;
    std::int64_t gap_ns;
  };
  /// A lower bound that a pending step has besides its window: a pause, or a tie that it lost.
  struct Floor {
    StepId step;
    std::uint32_t event;
    std::int64_t gap_ns;
  };
  struct Pending {
    StepId id;
    std::uint32_t creator;
    Window window;  ///< pauses included
    std::uint8_t tie_rank;
  };

  [[nodiscard]] Pending& pending_of(StepId step);
  void leave(StepId step);

  std::uint32_t fired_ = 0;
  std::vector<Pending> pending_;
  std::vector<Floor> floors_;
  std::vector<Constraint> constraints_;
};

}  // namespace idemsim
