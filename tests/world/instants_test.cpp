// Solved instants against a checker that walks the run with numbers only.
#include "sim/world/instants.hpp"

#include "tests/world/timed_search.hpp"
#include "tests/world/timed_world.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace idemsim::tests {
namespace {

StepId step(std::uint64_t n) { return {.origin = 7, .place = n}; }

Created pending_in(std::uint64_t n, std::int64_t earliest_ms, std::int64_t latest_ms) {
  return {step(n), {milliseconds(earliest_ms), milliseconds(latest_ms)}};
}

/// Orders that the classes call feasible, of worlds small enough to walk them all.
#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t kWorlds = 60;
#else
constexpr std::uint64_t kWorlds = 400;
#endif
constexpr std::size_t kTransitionsMax = 2'000;

TEST(InstantsTest, EveryFeasibleOrderHasInstantsThatTheCheckerAccepts) {
  std::size_t accepted = 0;
  for (std::uint64_t seed = 1; seed <= kWorlds; ++seed) {
    const TimedWorld world = random_world(seed);
    const Found found = ClassSearch<StateClass>(world, kTransitionsMax).found;
    for (const Order& order : found.orders) {
      ASSERT_TRUE(accepts(world, order, solve(world, order))) << "world " << seed << " " << order;
      ++accepted;
    }
  }
  EXPECT_GT(accepted, 10 * kWorlds);
}

TEST(InstantsTest, AnOrderThatIsNotFeasibleHasNoInstants) {
  std::size_t refused = 0;
  for (std::uint64_t seed = 1; seed <= kWorlds; ++seed) {
    const TimedWorld world = random_world(seed);
    TimedWorld untimed = world;
    for (auto& program : untimed.programs) {
      for (Instruction& instruction : program) instruction.window = {{0}, kForever};
    }
    const Found feasible = ClassSearch<StateClass>(world, kTransitionsMax).found;
    const Found causal = ClassSearch<StateClass>(untimed, kTransitionsMax).found;
    if (feasible.truncated || causal.truncated) continue;
    for (const Order& order : causal.orders) {
      if (feasible.orders.contains(order)) continue;
      ASSERT_TRUE(solve(world, order).empty()) << "world " << seed << " " << order;
      ++refused;
    }
  }
  EXPECT_GT(refused, 10 * kWorlds);
}

TEST(InstantsTest, InstantsAreTheEarliestPossible) {
  InstantSolver solver;
  solver.create(std::vector{pending_in(1, 1, 50), pending_in(2, 3, 60)});
  solver.fire(step(1), {}, std::vector{pending_in(3, 5, 9)});
  solver.fire(step(2), {}, {});
  solver.fire(step(3), {}, {});
  const std::vector<Instant> expected{{1'000'000}, {3'000'000}, {6'000'000}};
  EXPECT_EQ(solver.solve(), expected);
}

TEST(InstantsTest, ALaterStepWaitsUntilAnEarlierOneIsDue) {
  InstantSolver solver;
  solver.create(std::vector{pending_in(1, 10, 50), pending_in(2, 3, 60)});
  solver.fire(step(1), {}, {});
  solver.fire(step(2), {}, {});
  const std::vector<Instant> expected{{10'000'000}, {10'000'000}};
  EXPECT_EQ(solver.solve(), expected);
}

TEST(InstantsTest, AKilledStepBoundsItsKiller) {
  InstantSolver solver;
  solver.create(std::vector{pending_in(1, 10, 10), pending_in(2, 1, 9)});
  solver.fire(step(1), std::vector{step(2)}, {});
  EXPECT_FALSE(solver.solve().has_value());
}

TEST(InstantsTest, APausedStepComesAfterThePause) {
  InstantSolver solver;
  solver.create(std::vector{pending_in(1, 40, 40), pending_in(2, 1, 50)});
  solver.fire(step(1), {}, {});
  solver.shift(std::vector{step(2)}, milliseconds(100));
  solver.fire(step(2), {}, {});
  const std::vector<Instant> expected{{40'000'000}, {140'000'000}};
  EXPECT_EQ(solver.solve(), expected);
}

TEST(InstantsTest, TheCheckerRefusesAStepBeforeItsPauseEnds) {
  TimedWorld world;
  world.programs = {{{Instruction::Kind::pause, 2, {{4}, {4}}, {10}}},
                    {{Instruction::Kind::work, 0, {{1}, {5}}, {}}}};
  world.starting = 3;
  EXPECT_TRUE(accepts(world, "ab", {{4}, {14}}));
  EXPECT_FALSE(accepts(world, "ab", {{4}, {13}}));
}

}  // namespace
}  // namespace idemsim::tests
