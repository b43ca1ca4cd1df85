// Replays a sparse schedule: the recorded choices where they apply, the quiet day everywhere else.
#pragma once

#include "sim/model/schedule.hpp"
#include "sim/world/scheduler.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace idemsim {

/// What to do with an entry that does not apply.
enum class OnDivergence : std::uint8_t {
  stop,    ///< replay: the run ends and `diverged()` says why
  ignore,  ///< shrinking: go on with the quiet choice; the entry is dropped by re-recording
};

class ReplayScheduler final : public Scheduler {
 public:
  explicit ReplayScheduler(const Schedule& schedule, OnDivergence mode = OnDivergence::stop);
  /// Starts over with another schedule.
  void reset(const Schedule& schedule);

  std::size_t pick(std::span<Step* const> enabled, const Kernel& kernel) override;
  std::size_t decide(const DecisionPoint& where,
                     std::span<const Alternative> alternatives) override;

  /// Empty, or which entry could not be followed and why.
  [[nodiscard]] const std::string& diverged() const { return diverged_; }
  /// Entries that were never reached: also a divergence once the run has ended.
  [[nodiscard]] std::size_t unused() const;
  /// Empty, or a sentence about the first entry that was never reached.
  [[nodiscard]] std::string first_unused() const;

 private:
  void diverge(std::string why);
  Schedule schedule_;
  OnDivergence mode_;
  std::vector<bool> run_used_;
  std::vector<bool> take_used_;
  std::string diverged_;
};

}  // namespace idemsim
