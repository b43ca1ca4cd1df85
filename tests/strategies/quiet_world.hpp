// One strategy in a small world, on a quiet day unless a test says otherwise.
#pragma once

#include "sim/explore/schedulers.hpp"
#include "sim/run/cell.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace idemsim::tests {

/// Owns everything that a world points to.
class QuietWorld {
 public:
  using Settings = std::vector<std::pair<std::string, std::int64_t>>;

  /// `settings` are parameters of the strategy, a safeguard as 0 or 1.
  QuietWorld(const std::string& strategy, OperationKind operation, Settings settings = {}) {
    scenario_.operation = operation;
    scenario_.explore.time = TimeModel::asynchronous;
    variant_ = {strategy, strategy, std::move(settings)};
  }

  [[nodiscard]] Scenario& scenario() { return scenario_; }
  [[nodiscard]] FaultPlan& faults() { return faults_; }

  /// Runs once and judges nothing. The history stays valid until the next run.
  FinishedRun run() {
    FifoScheduler quiet;
    return run(quiet);
  }
  FinishedRun run(Scheduler& scheduler) {
    const StrategyDefinition* strategy = library_.find(variant_.strategy);
    world_.emplace(setup_of({&scenario_, strategy, &variant_, &faults_}));
    world_->run(scheduler, {});
    return world_->finished();
  }

  /// What clients were told, in order; the probe's answer is the last one.
  [[nodiscard]] static std::vector<Answer> told(const FinishedRun& run) {
    std::vector<Answer> answers;
    for (const Event& event : run.events) {
      const bool heard = event.type == EventType::ok || event.type == EventType::fail ||
                         event.type == EventType::info;
      if (heard) answers.push_back({event.status, event.body});
    }
    return answers;
  }

 private:
  StrategyLibrary library_;
  Scenario scenario_;
  FaultPlan faults_;
  StrategyVariant variant_;
  std::optional<World> world_;
};

}  // namespace idemsim::tests
