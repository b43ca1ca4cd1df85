// Schedulers that follow a given order of steps as far as they can.
#pragma once

#include "sim/explain/case.hpp"
#include "sim/explore/replay.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace idemsim {

/// Runs `strict` exactly, one step after the other; then of `loose` always the first that can run;
/// then whatever is first. Decisions are those of the schedule where they come up, else benign.
class OrderScheduler final : public Scheduler {
 public:
  OrderScheduler(std::vector<StepId> strict, std::vector<StepId> loose, const Schedule& schedule);
  std::size_t pick(std::span<Step* const> enabled, const Kernel& kernel) override;
  std::size_t decide(const DecisionPoint& where,
                     std::span<const Alternative> alternatives) override;
  /// A step of `strict` could not run in its turn: the run was stopped.
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  std::vector<StepId> strict_;
  std::vector<StepId> loose_;
  std::size_t done_ = 0;
  bool failed_ = false;
  ReplayScheduler decisions_;
};

/// Runs `prefix` exactly and then one delivery alone, fifo and benign; others run only while it
/// cannot. It stops once the delivery has answered or has made an effect of the given type.
class AloneScheduler final : public Scheduler {
 public:
  enum class Outcome : std::uint8_t {
    undecided,  ///< the prefix did not come about, or a limit was reached
    used,       ///< the delivery did it again
    ended       ///< the delivery answered without it
  };
  struct Task {
    std::vector<StepId> prefix;
    Origin delivery;
    EventType use;
  };
  AloneScheduler(Task task, const Schedule& schedule, const World& world);
  std::size_t pick(std::span<Step* const> enabled, const Kernel& kernel) override;
  std::size_t decide(const DecisionPoint& where,
                     std::span<const Alternative> alternatives) override;
  [[nodiscard]] Outcome outcome() const { return outcome_; }

 private:
  void watch();

  Task task_;
  const World* world_;
  std::size_t done_ = 0;
  std::size_t alone_ = 0;    ///< steps since the prefix
  std::size_t watched_ = 0;  ///< events looked at
  Outcome outcome_ = Outcome::undecided;
  ReplayScheduler decisions_;
};

}  // namespace idemsim
