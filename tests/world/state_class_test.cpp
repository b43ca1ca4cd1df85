// The state classes against brute force over all integer instants, on many small random worlds.
#include "sim/world/state_class.hpp"

#include "tests/world/mutant_class.hpp"
#include "tests/world/timed_search.hpp"
#include "tests/world/timed_world.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace idemsim::tests {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kWorlds = 120;  // sanitized brute force is ten times slower
#else
constexpr std::size_t kWorlds = 1'000;
#endif
constexpr std::size_t kTransitionsMax = 3'000;
constexpr std::size_t kInstantsMax = 100'000;

StepId step(std::uint64_t n) { return {.origin = 7, .place = n}; }

Created pending_in(std::uint64_t n, std::int64_t earliest_ms, std::int64_t latest_ms) {
  return {step(n), {milliseconds(earliest_ms), milliseconds(latest_ms)}};
}

/// A random world that both searches finish, and what they found.
struct Compared {
  TimedWorld world;
  Found by_classes;
  Found by_instants;
};

/// Drawn once for all tests of this file, because brute force takes most of the time.
const std::vector<Compared>& compared_worlds() {
  static const std::vector<Compared> all = [] {
    std::vector<Compared> worlds;
    for (std::uint64_t seed = 1; worlds.size() < kWorlds; ++seed) {
      const TimedWorld world = random_world(seed);
      Found by_classes = ClassSearch<StateClass>(world, kTransitionsMax).found;
      if (by_classes.truncated || by_classes.orders.size() < 2) continue;
      Found by_instants = search_all_instants(world, kInstantsMax);
      if (by_instants.truncated) continue;
      worlds.push_back({world, std::move(by_classes), std::move(by_instants)});
    }
    return worlds;
  }();
  return all;
}

template <Mistake kMistake>
std::size_t worlds_where_wrong() {
  std::size_t wrong = 0;
  for (const Compared& c : compared_worlds()) {
    const Found mutant = ClassSearch<MutantClass<kMistake>>(c.world, 10 * kTransitionsMax).found;
    if (mutant.orders != c.by_instants.orders) ++wrong;
  }
  return wrong;
}

TEST(StateClassTest, OrdersAreThoseThatSomeIntegerInstantsHave) {
  for (const Compared& c : compared_worlds()) {
    ASSERT_EQ(c.by_classes.orders, c.by_instants.orders);
    ASSERT_EQ(c.by_classes.final_states, c.by_instants.final_states);
  }
}

TEST(StateClassTest, InclusionReachesTheSameFinalStatesWithFewerTransitions) {
  std::size_t plain = 0;
  std::size_t with_inclusion = 0;
  for (const Compared& c : compared_worlds()) {
    const Found found = search_with_inclusion(c.world);
    ASSERT_EQ(found.final_states, c.by_classes.final_states);
    plain += c.by_classes.transitions;
    with_inclusion += found.transitions;
  }
  EXPECT_LT(with_inclusion, plain);
}

TEST(StateClassTest, ThePlainSecondVersionAgrees) {
  EXPECT_EQ(worlds_where_wrong<Mistake::none>(), 0u);
}

TEST(StateClassTest, BruteForceCatchesKilledStepsWithoutUrgency) {
  EXPECT_GT(worlds_where_wrong<Mistake::killed_are_not_urgent>(), kWorlds / 20);
}

TEST(StateClassTest, BruteForceCatchesAMissingMinimum) {
  EXPECT_GT(worlds_where_wrong<Mistake::no_minimum>(), kWorlds / 20);
}

TEST(StateClassTest, BruteForceCatchesIntervalsWithoutDifferences) {
  EXPECT_GT(worlds_where_wrong<Mistake::intervals_only>(), kWorlds / 20);
}

/// Is no bound implied more tightly by two others?
bool is_closed(const StateClass& time) {
  const std::size_t width = time.size() + 1;
  const auto bounds = time.bounds();
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < width; ++j) {
        const Duration around = saturating_add({bounds[i * width + k]}, {bounds[k * width + j]});
        if (around.ns < bounds[i * width + j]) return false;
      }
    }
  }
  return true;
}

TEST(StateClassTest, EveryMatrixOfARandomWalkIsCanonical) {
  for (std::uint64_t seed = 1; seed <= kWorlds; ++seed) {
    const TimedWorld world = random_world(seed);
    Prng prng(seed);
    auto [state, started] = start_of(world);
    StateClass time;
    MutantClass<Mistake::none> plain;
    time.create(created_of(world, state, started));
    plain.create(created_of(world, state, started));
    while (time.size() > 0) {
      ASSERT_TRUE(is_closed(time));
      ASSERT_EQ(plain.bounds(),
                std::vector<std::int64_t>(time.bounds().begin(), time.bounds().end()));
      std::vector<std::size_t> rows;
      for (std::size_t row = 0; row < time.size(); ++row) {
        if (time.feasible_row(row)) rows.push_back(row);
      }
      ASSERT_FALSE(rows.empty());
      const StepId next = time.pending()[rows[prng.below(rows.size())]];
      const Effects effects = fire(world, state, static_cast<std::size_t>(next.place));
      const auto created = created_of(world, state, effects.created);
      time.fire(next, steps_of(effects.killed), created);
      time.shift(steps_of(effects.paused), effects.by);
      plain.fire(next, steps_of(effects.killed), created);
      plain.shift(steps_of(effects.paused), effects.by);
    }
  }
}

TEST(StateClassTest, AStepThatMustBeOverCannotComeLater) {
  StateClass time;
  time.create(std::vector{pending_in(1, 1, 50), pending_in(2, 300, 400)});
  EXPECT_TRUE(time.feasible(step(1)));
  EXPECT_FALSE(time.feasible(step(2)));
}

TEST(StateClassTest, ALeaseOf30SecondsOutlivesAStepOf50Milliseconds) {
  StateClass time;
  time.create(std::vector{pending_in(1, 1, 50), pending_in(2, 30'001, 30'001)});
  EXPECT_FALSE(time.feasible(step(2)));
}

TEST(StateClassTest, APauseOf31SecondsLetsTheLeaseEndFirst) {
  StateClass time;
  const StepId pause = step(3);
  time.create(
      std::vector{pending_in(1, 1, 50), pending_in(2, 30'001, 30'001), pending_in(3, 0, 60'000)});
  time.fire(pause, {}, {});
  time.shift(std::vector{step(1)}, milliseconds(31'000));
  EXPECT_TRUE(time.feasible(step(2)));
  EXPECT_FALSE(time.feasible(step(1)));
}

TEST(StateClassTest, PausedStepsKeepTheirDistance) {
  StateClass time;
  time.create(std::vector{pending_in(0, 0, 0), pending_in(1, 10, 10), pending_in(2, 20, 20)});
  time.fire(step(0), {}, {});
  time.shift(std::vector{step(1), step(2)}, milliseconds(5));
  EXPECT_EQ(time.due(0), (Window{milliseconds(15), milliseconds(15)}));
  EXPECT_EQ(time.due(1), (Window{milliseconds(25), milliseconds(25)}));
}

TEST(StateClassTest, AtEqualInstantsBothOrdersArePossible) {
  StateClass time;
  time.create(std::vector{pending_in(1, 5, 5), pending_in(2, 5, 5)});
  EXPECT_EQ(time.feasible_mask(), 0b11u);
}

TEST(StateClassTest, AtEqualInstantsTheSmallerRankGoesFirst) {
  StateClass time;
  Created later = pending_in(1, 5, 5);
  later.tie_rank = 1;
  time.create(std::vector{later, pending_in(2, 5, 5)});
  EXPECT_EQ(time.feasible_mask(), 0b10u);
}

TEST(StateClassTest, MatricesDoNotDependOnTheOrderOfCreation) {
  StateClass one;
  StateClass other;
  one.create(std::vector{pending_in(1, 0, 5), pending_in(2, 3, 4)});
  other.create(std::vector{pending_in(2, 3, 4)});
  other.create(std::vector{pending_in(1, 0, 5)});
  EXPECT_EQ(one, other);
}

TEST(StateClassTest, AWiderWindowIncludesANarrowerOne) {
  StateClass wide;
  StateClass narrow;
  wide.create(std::vector{pending_in(1, 0, 9)});
  narrow.create(std::vector{pending_in(1, 2, 5)});
  EXPECT_TRUE(wide.includes(narrow));
  EXPECT_FALSE(narrow.includes(wide));
}

TEST(StateClassTest, OtherPendingStepsAreNeverIncluded) {
  StateClass one;
  StateClass other;
  one.create(std::vector{pending_in(1, 0, 9)});
  other.create(std::vector{pending_in(2, 2, 5)});
  EXPECT_FALSE(one.includes(other));
}

TEST(StateClassTest, AFiredStepMayBlockAndComeBack) {
  StateClass time;
  time.create(std::vector{pending_in(1, 5, 5)});
  time.fire(step(1), {}, std::vector{pending_in(1, 2, 3)});
  EXPECT_EQ(time.due(0), (Window{milliseconds(2), milliseconds(3)}));
}

TEST(StateClassTest, AnUnboundedWindowStaysUnbounded) {
  StateClass time;
  time.create(std::vector{Created{step(1), {milliseconds(1), kForever}}, pending_in(2, 4, 4)});
  time.fire(step(2), {}, {});
  time.shift(std::vector{step(1)}, milliseconds(7));
  EXPECT_EQ(time.due(0).latest, kForever);
}

}  // namespace
}  // namespace idemsim::tests
