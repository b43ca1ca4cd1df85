// Three ways through a small timed world: by state classes, with a visited set, and by brute force.
#pragma once

#include "sim/world/state_class.hpp"
#include "tests/world/timed_world.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace idemsim::tests {

/// Actors in the order of firing; one letter each.
using Order = std::string;

[[nodiscard]] inline std::size_t actor_of(char letter) {
  return static_cast<std::size_t>(letter - 'a');
}
[[nodiscard]] inline char letter_of(std::size_t actor) { return static_cast<char>('a' + actor); }

/// What a search found. `truncated`: it met its limit and says nothing.
struct Found {
  std::set<Order> orders;
  std::set<Discrete> final_states;
  std::size_t transitions = 0;
  bool truncated = false;
};

/// Every order that a class of time (StateClass, or a mutant of it) calls feasible.
template <class TimeClass>
class ClassSearch {
 public:
  ClassSearch(const TimedWorld& world, std::size_t transitions_max)
      : world_(world), transitions_max_(transitions_max) {
    const Start start = start_of(world);
    TimeClass time;
    time.create(created_of(world, start.state, start.created));
    go(start.state, time, "");
  }
  Found found;

 private:
  /// Only a mutant asks who dies.
  static bool can_fire(const TimeClass& time, StepId step, const std::vector<StepId>& killed) {
    if constexpr (requires { time.feasible(step, killed); }) {
      return time.feasible(step, killed);
    } else {
      return time.feasible(step);
    }
  }

  void go(const Discrete& state, const TimeClass& time, const Order& order) {
    bool any_pending = false;
    for (std::size_t actor = 0; actor < world_.programs.size(); ++actor) {
      if (!is_pending(state, actor)) continue;
      any_pending = true;
      Discrete next = state;
      const Effects effects = fire(world_, next, actor);
      if (!can_fire(time, step_of(actor), steps_of(effects.killed))) continue;
      if (++found.transitions > transitions_max_) found.truncated = true;
      if (found.truncated) return;
      TimeClass later = time;
      later.fire(step_of(actor), steps_of(effects.killed),
                 created_of(world_, next, effects.created));
      later.shift(steps_of(effects.paused), effects.by);
      go(next, later, order + letter_of(actor));
    }
    if (any_pending) return;
    found.orders.insert(order);
    found.final_states.insert(state);
  }

  const TimedWorld& world_;
  std::size_t transitions_max_;
};

/// The final states that a search with inclusion reaches.
[[nodiscard]] Found search_with_inclusion(const TimedWorld& world);

/// Every order for which some choice of integer instants exists: each step draws its instant when
/// it becomes pending, and the smallest instant goes next.
[[nodiscard]] Found search_all_instants(const TimedWorld& world, std::size_t instants_max);

/// Walks a run with numbers only: does each step fire within its window and its pauses, in order,
/// and is nothing overdue at any time?
[[nodiscard]] bool accepts(const TimedWorld& world, const Order& order,
                           const std::vector<Instant>& instants);

/// Instants for an order by InstantSolver; empty if it finds none.
[[nodiscard]] std::vector<Instant> solve(const TimedWorld& world, const Order& order);

}  // namespace idemsim::tests
