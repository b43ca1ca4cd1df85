// Depth-first search over all choices by re-execution, with one of three reductions.
#pragma once

#include "sim/base/footprint.hpp"
#include "sim/explore/explorer.hpp"
#include "sim/explore/visited.hpp"
#include "sim/world/scheduler.hpp"

#include <cstdint>
#include <vector>

namespace idemsim {

/// Where the search asks for the identity of the present state (visited set only).
struct StateSource {
  const void* self = nullptr;
  Hash128 (*hash)(const void* self) = nullptr;
};

/// Drives run after run through the tree of choices. After each run call `next`.
///
/// Sleep sets (Godefroid 1996) skip orders that only swap independent steps. They are sound where
/// order is all that matters, so not in bounded time: there two steps that commute may not commute
/// in time, and the search keeps a visited set with inclusion of the constraints instead.
class ExhaustiveScheduler final : public Scheduler {
 public:
  /// `reduction` is not `automatic`.
  ExhaustiveScheduler(StateSource source, Reduction reduction);

  std::size_t pick(std::span<Step* const> enabled, const Kernel& kernel) override;
  std::size_t decide(const DecisionPoint& where,
                     std::span<const Alternative> alternatives) override;
  void after(const StepDone& done) override;

  /// Prepares the next run; false when everything has been explored.
  bool next();
  [[nodiscard]] std::uint64_t states() const { return visited_.size(); }

 private:
  struct Sleeping {
    StepId id;
    Footprint touched;
  };
  struct Node {
    bool is_pick = true;
    std::uint32_t chosen = 0;
    std::uint32_t choices = 0;
    std::uint64_t allowed = 0;    ///< decide: bit per alternative
    std::vector<StepId> enabled;  ///< pick
    std::vector<Sleeping> sleep;  ///< pick: steps whose executions are covered elsewhere
    Footprint touched;            ///< by the chosen step, in the last run
    Footprint touched_by_any;     ///< in all runs through this choice: its decisions differ
  };

  Node& push();
  [[nodiscard]] bool asleep(const Node& node, std::uint32_t index) const;
  void inherit_sleep(Node& node);
  std::size_t first_awake(Node& node, std::uint32_t from);

  StateSource source_;
  Reduction reduction_;
  VisitedSet visited_;
  std::vector<Node> nodes_;  ///< only the first `size_` are in use
  std::size_t size_ = 0;
  std::size_t depth_ = 0;  ///< of the present run
  std::size_t last_pick_ = 0;
  bool any_pick_ = false;
};

}  // namespace idemsim
