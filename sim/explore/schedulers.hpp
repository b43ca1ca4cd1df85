// The two simple schedulers: the quiet day, and one that draws every choice.
#pragma once

#include "sim/base/prng.hpp"
#include "sim/model/fault_plan.hpp"
#include "sim/world/scheduler.hpp"

#include <array>
#include <cstdint>

namespace idemsim {

/// Earliest first, benign everywhere.
class FifoScheduler final : public Scheduler {
 public:
  std::size_t pick(std::span<Step* const>, const Kernel&) override { return 0; }
  std::size_t decide(const DecisionPoint&, std::span<const Alternative>) override { return 0; }
};

/// Draws each choice. Per run a random subset of the plan's fault kinds is enabled (swarm testing,
/// Groce et al. 2012); a plan with one kind always has it.
class RandomScheduler final : public Scheduler {
 public:
  explicit RandomScheduler(const FaultPlan& plan);
  /// Begins a run.
  void reset(std::uint64_t seed);

  std::size_t pick(std::span<Step* const> enabled, const Kernel& kernel) override;
  std::size_t decide(const DecisionPoint& where,
                     std::span<const Alternative> alternatives) override;

 private:
  [[nodiscard]] bool enabled_kind(FaultKind kind) const {
    return enabled_[static_cast<std::size_t>(kind)];
  }
  std::array<bool, kFaultKinds.size()> planned_{};
  std::array<bool, kFaultKinds.size()> enabled_{};
  std::uint64_t seed_ = 0;
  Prng order_{0};
};

}  // namespace idemsim
