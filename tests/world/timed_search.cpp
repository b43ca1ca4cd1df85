// Brute force over integer instants, and a checker that knows no matrix.
#include "tests/world/timed_search.hpp"

#include "sim/explore/visited.hpp"
#include "sim/world/instants.hpp"

#include <algorithm>
#include <optional>

namespace idemsim::tests {

namespace {

Hash128 key_of(const Discrete& state, const StateClass& time) {
  StateHasher hasher;
  for (std::size_t actor = 0; actor < kActorsMax; ++actor) {
    hasher.add(static_cast<std::uint64_t>(state.status[actor]));
    hasher.add(state.next[actor]);
  }
  hasher.add(state.variables[0]);
  hasher.add(state.variables[1]);
  hasher.add(state.owner);
  time.hash_pending(hasher);
  return hasher.value();
}

struct InclusionSearch {
  const TimedWorld& world;
  VisitedSet visited;
  Found found;

  void go(const Discrete& state, const StateClass& time) {
    if (!visited.insert(key_of(state, time), time.bounds())) return;
    if (time.size() == 0) found.final_states.insert(state);
    const std::uint64_t mask = time.feasible_mask();
    for (std::size_t row = 0; row < time.size(); ++row) {
      if ((mask >> row & 1) == 0) continue;
      ++found.transitions;
      const auto actor = static_cast<std::size_t>(time.pending()[row].place);
      Discrete next = state;
      const Effects effects = fire(world, next, actor);
      StateClass later = time;
      later.fire(step_of(actor), steps_of(effects.killed),
                 created_of(world, next, effects.created));
      later.shift(steps_of(effects.paused), effects.by);
      go(next, later);
    }
  }
};

/// Instants of the pending steps, counted from the last fired one.
using Drawn = std::array<std::int16_t, kActorsMax>;

struct BruteSearch {
  const TimedWorld& world;
  std::size_t instants_max;
  std::int64_t horizon = 0;  ///< stands for "never": no order needs a longer delay
  Found found;

  [[nodiscard]] std::vector<Drawn> draw(const Discrete& state,
                                        const std::vector<std::size_t>& created, Drawn base) const {
    std::vector<Drawn> all{base};
    for (const std::size_t actor : created) {
      const Window window = window_of(world, state, actor);
      const std::int64_t latest = std::min(window.latest.ns, horizon);
      std::vector<Drawn> more;
      for (Drawn drawn : all) {
        for (std::int64_t at = window.earliest.ns; at <= latest; ++at) {
          drawn[actor] = static_cast<std::int16_t>(at);
          more.push_back(drawn);
        }
      }
      all.swap(more);
    }
    return all;
  }

  [[nodiscard]] bool goes_next(const Discrete& state, const Drawn& drawn, std::size_t actor) const {
    for (std::size_t other = 0; other < world.programs.size(); ++other) {
      if (other == actor || !is_pending(state, other)) continue;
      if (drawn[other] < drawn[actor]) return false;
      const bool first_at_ties = world.ranks[other] < world.ranks[actor];
      if (drawn[other] == drawn[actor] && first_at_ties) return false;
    }
    return true;
  }

  /// `choices`: every way to have drawn the instants so far that leads to this order.
  void go(const Discrete& state, const std::set<Drawn>& choices, const Order& order) {
    found.transitions += choices.size();
    if (found.transitions > instants_max) found.truncated = true;
    if (found.truncated) return;
    bool any_pending = false;
    for (std::size_t actor = 0; actor < world.programs.size(); ++actor) {
      if (!is_pending(state, actor)) continue;
      any_pending = true;
      Discrete next = state;
      const Effects effects = fire(world, next, actor);
      std::set<Drawn> later;
      for (const Drawn& drawn : choices) {
        if (!goes_next(state, drawn, actor)) continue;
        Drawn base{};
        for (std::size_t other = 0; other < world.programs.size(); ++other) {
          if (is_pending(next, other)) {
            base[other] = static_cast<std::int16_t>(drawn[other] - drawn[actor]);
          }
        }
        for (Drawn again : draw(next, effects.created, base)) {
          for (const std::size_t paused : effects.paused) {
            again[paused] = static_cast<std::int16_t>(again[paused] + effects.by.ns);
          }
          later.insert(again);
        }
      }
      if (!later.empty()) go(next, later, order + letter_of(actor));
    }
    if (any_pending) return;
    found.orders.insert(order);
    found.final_states.insert(state);
  }
};

}  // namespace

Found search_with_inclusion(const TimedWorld& world) {
  InclusionSearch search{world, {}, {}};
  const Start start = start_of(world);
  StateClass time;
  time.create(created_of(world, start.state, start.created));
  search.go(start.state, time);
  return search.found;
}

Found search_all_instants(const TimedWorld& world, std::size_t instants_max) {
  BruteSearch search{world, instants_max, 1, {}};
  for (const auto& program : world.programs) {
    for (const Instruction& instruction : program) {
      const Window window = instruction.window;
      search.horizon += window.latest < kForever ? window.latest.ns : window.earliest.ns;
      search.horizon += 1 + instruction.by.ns;
    }
  }
  const Start start = start_of(world);
  const std::vector<Drawn> drawn = search.draw(start.state, start.created, {});
  search.go(start.state, {drawn.begin(), drawn.end()}, "");
  return search.found;
}

bool accepts(const TimedWorld& world, const Order& order, const std::vector<Instant>& instants) {
  struct Due {
    std::int64_t earliest;
    std::int64_t latest;
  };
  std::array<Due, kActorsMax> due{};
  const auto become_pending = [&](const Discrete& state, const std::vector<std::size_t>& created,
                                  std::int64_t now) {
    for (const std::size_t actor : created) {
      const Window window = window_of(world, state, actor);
      due[actor] = {now + window.earliest.ns, saturating_add({now}, window.latest).ns};
    }
  };
  if (order.size() != instants.size()) return false;
  auto [state, created] = start_of(world);
  std::int64_t now = 0;
  become_pending(state, created, now);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t actor = actor_of(order[i]);
    if (!is_pending(state, actor) || instants[i].ns < now) return false;
    now = instants[i].ns;
    if (now < due[actor].earliest || now > due[actor].latest) return false;
    for (std::size_t other = 0; other < world.programs.size(); ++other) {
      if (other == actor || !is_pending(state, other)) continue;
      const std::int64_t not_before = now + (world.ranks[actor] > world.ranks[other] ? 1 : 0);
      if (due[other].latest < not_before) return false;
      due[other].earliest = std::max(due[other].earliest, not_before);
    }
    const Effects effects = fire(world, state, actor);
    become_pending(state, effects.created, now);
    for (const std::size_t paused : effects.paused) {
      due[paused].earliest += effects.by.ns;
      due[paused].latest = saturating_add({due[paused].latest}, effects.by).ns;
    }
  }
  return std::ranges::count(state.status, Discrete::Status::pending) == 0;
}

std::vector<Instant> solve(const TimedWorld& world, const Order& order) {
  InstantSolver solver;
  auto [state, created] = start_of(world);
  solver.create(created_of(world, state, created));
  for (const char letter : order) {
    const Effects effects = fire(world, state, actor_of(letter));
    solver.fire(step_of(actor_of(letter)), steps_of(effects.killed),
                created_of(world, state, effects.created));
    solver.shift(steps_of(effects.paused), effects.by);
  }
  return solver.solve().value_or(std::vector<Instant>{});
}

}  // namespace idemsim::tests
