// Turns a recorded order into difference constraints and takes their least solution.
#include "sim/world/instants.hpp"

#include "sim/base/assert.hpp"

#include <algorithm>

namespace idemsim {

void InstantSolver::reset() {
  fired_ = 0;
  pending_.clear();
  floors_.clear();
  constraints_.clear();
}

void InstantSolver::create(std::span<const Created> created) {
  for (const Created& c : created) {
    IDEMSIM_ASSERT(std::ranges::find(pending_, c.id, &Pending::id) == pending_.end());
    pending_.push_back({c.id, fired_, c.window, c.tie_rank});
  }
}

void InstantSolver::fire(StepId step, std::span<const StepId> killed,
                         std::span<const Created> created) {
  const Pending fired = pending_of(step);
  const std::uint32_t previous = fired_++;
  constraints_.push_back({previous, fired_, 0});
  constraints_.push_back({fired.creator, fired_, fired.window.earliest.ns});
  for (const Floor& floor : floors_) {
    if (floor.step == step) constraints_.push_back({floor.event, fired_, floor.gap_ns});
  }
  for (const Pending& other : pending_) {
    // Whoever is pending, and even if it dies right now, has not missed its latest instant.
    const bool loses_tie = other.id != step && fired.tie_rank > other.tie_rank;
    const std::int64_t gap = loses_tie ? 1 : 0;
    if (other.window.latest < kForever) {
      constraints_.push_back({fired_, other.creator, gap - other.window.latest.ns});
    }
    if (loses_tie) floors_.push_back({other.id, fired_, gap});
  }
  leave(step);
  for (const StepId dead : killed) leave(dead);
  create(created);
}

void InstantSolver::shift(std::span<const StepId> paused, Duration by) {
  for (const StepId step : paused) {
    Pending& pending = pending_of(step);
    pending.window = pending.window + Window{by, by};
    for (Floor& floor : floors_) {
      if (floor.step == step) floor.gap_ns += by.ns;
    }
    // It had not happened before the pause began, so it happens after the pause ends.
    floors_.push_back({step, fired_, by.ns});
  }
}

std::optional<std::vector<Instant>> InstantSolver::solve() const {
  std::vector<Instant> at(fired_ + 1);
  for (std::uint32_t round = 0; round <= fired_ + 1; ++round) {
    bool changed = false;
    for (const Constraint& c : constraints_) {
      const std::int64_t least = at[c.sooner].ns + c.gap_ns;
      if (at[c.later].ns >= least) continue;
      at[c.later].ns = least;
      changed = true;
    }
    if (at[0].ns > 0) return std::nullopt;  // something is due before the start of the run
    if (!changed) {
      at.erase(at.begin());
      return at;
    }
  }
  return std::nullopt;
}

InstantSolver::Pending& InstantSolver::pending_of(StepId step) {
  const auto found = std::ranges::find(pending_, step, &Pending::id);
  IDEMSIM_ASSERT(found != pending_.end());
  return *found;
}

void InstantSolver::leave(StepId step) {
  const auto found = std::ranges::find(pending_, step, &Pending::id);
  IDEMSIM_ASSERT(found != pending_.end());
  pending_.erase(found);
  std::erase_if(floors_, [step](const Floor& floor) { return floor.step == step; });
}

}  // namespace idemsim
