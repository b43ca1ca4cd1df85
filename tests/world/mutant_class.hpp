// State classes written a second time, plainly, with one mistake at choice: the comparison with
// brute force must catch each of them, or it would not catch the same mistake in the real ones.
#pragma once

#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"
#include "sim/world/state_class.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace idemsim::tests {

enum class Mistake : std::uint8_t {
  none,
  killed_are_not_urgent,  ///< a step that dies does not bound the step that kills it
  no_minimum,             ///< "not before the fired step" is not propagated to the others
  intervals_only,         ///< one window a step, no differences between steps
};

template <Mistake kMistake>
class MutantClass {
 public:
  void create(const std::vector<Created>& created) {
    for (const Created& c : created) {
      steps_[c.id] = {c.window.earliest.ns, c.window.latest.ns, c.tie_rank};
      for (const auto& [other, row] : steps_) {
        if (other == c.id) continue;
        bound_[{c.id, other}] = plus(c.window.latest.ns, -row.earliest);
        bound_[{other, c.id}] = plus(row.latest, -c.window.earliest.ns);
      }
    }
  }

  [[nodiscard]] bool feasible(StepId step, const std::vector<StepId>& killed) const {
    return std::ranges::all_of(steps_, [&](const auto& entry) {
      const StepId other = entry.first;
      const bool dies = std::ranges::find(killed, other) != killed.end();
      if (other == step || (dies && kMistake == Mistake::killed_are_not_urgent)) return true;
      return bound(other, step) >= gap(step, other);
    });
  }

  void fire(StepId step, const std::vector<StepId>& killed, const std::vector<Created>& created) {
    const auto dies = [&](StepId s) { return std::ranges::find(killed, s) != killed.end(); };
    std::map<StepId, Row> next;
    for (const auto& [id, row] : steps_) {
      if (id == step || dies(id)) continue;
      std::int64_t lower = bound(step, id);
      for (const auto& [other, unused] : steps_) {
        if (other == step || kMistake == Mistake::no_minimum) continue;
        if (dies(other) && kMistake == Mistake::killed_are_not_urgent) continue;
        lower = std::min(lower, bound(other, id) - gap(step, other));
      }
      next[id] = {-lower, bound(id, step), row.rank};
    }
    std::map<std::pair<StepId, StepId>, std::int64_t> next_bound;
    for (const auto& [a, row] : next) {
      for (const auto& [b, other] : next) {
        if (a == b) continue;
        const std::int64_t wide = plus(row.latest, -other.earliest);
        next_bound[{a, b}] =
            kMistake == Mistake::intervals_only ? wide : std::min(wide, bound_.at({a, b}));
      }
    }
    steps_ = std::move(next);
    bound_ = std::move(next_bound);
    create(created);
  }

  void shift(const std::vector<StepId>& paused, Duration by) {
    for (const StepId step : paused) {
      steps_[step].earliest += by.ns;
      steps_[step].latest = plus(steps_[step].latest, by.ns);
      for (auto& [pair, value] : bound_) {
        if (pair.first == step) value = plus(value, by.ns);
        if (pair.second == step) value = plus(value, -by.ns);
      }
    }
  }

  /// As in StateClass, for comparing the plain version without a mistake.
  [[nodiscard]] std::vector<std::int64_t> bounds() const {
    std::vector<std::int64_t> all{0};
    for (const auto& [id, row] : steps_) all.push_back(-row.earliest);
    for (const auto& [id, row] : steps_) {
      all.push_back(row.latest);
      for (const auto& [other, unused] : steps_) all.push_back(bound(id, other));
    }
    return all;
  }

 private:
  struct Row {
    std::int64_t earliest = 0;
    std::int64_t latest = 0;
    std::uint8_t rank = 0;
  };

  static std::int64_t plus(std::int64_t a, std::int64_t b) {
    return saturating_add(Duration{a}, Duration{b}).ns;
  }
  [[nodiscard]] std::int64_t bound(StepId a, StepId b) const {
    return a == b ? 0 : bound_.at({a, b});
  }
  [[nodiscard]] std::int64_t gap(StepId fired, StepId other) const {
    return steps_.at(fired).rank > steps_.at(other).rank ? 1 : 0;
  }

  std::map<StepId, Row> steps_;
  std::map<std::pair<StepId, StepId>, std::int64_t> bound_;  ///< first - second
};

}  // namespace idemsim::tests
