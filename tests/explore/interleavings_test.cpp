// Counts that are known from elsewhere: the search must visit exactly the interleavings there are.
#include "sim/explore/exhaustive.hpp"
#include "tests/world/bare_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>

namespace idemsim {
namespace {

using testing::BareWorld;
using Workload = BareWorld::Workload;

struct Count {
  std::uint64_t executions = 0;
  std::uint64_t pruned = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t states = 0;
  std::set<std::size_t> outcomes;
};

Count explore(Workload workload, std::uint32_t n, Reduction reduction) {
  BareWorld world(workload, n);
  const StateSource source{
      &world, [](const void* self) { return static_cast<const BareWorld*>(self)->state_hash(); }};
  ExhaustiveScheduler scheduler(source, reduction);
  Count count;
  do {
    if (world.run(scheduler) == RunEnd::stopped) {
      ++count.pruned;
      continue;
    }
    ++count.executions;
    if (world.charges() > 1) ++count.duplicates;
    count.outcomes.insert(world.charges());
  } while (scheduler.next());
  count.states = scheduler.states();
  return count;
}

TEST(Interleavings, CheckThenWriteHasExactlyThoseOfTheModel) {
  EXPECT_EQ(explore(Workload::check_then_write, 2, Reduction::plain).executions, 20u);
  EXPECT_EQ(explore(Workload::check_then_write, 3, Reduction::plain).executions, 1'530u);
}

TEST(Interleavings, CheckThenWriteOfFourHasExactlyThoseOfTheModel) {
  EXPECT_EQ(explore(Workload::check_then_write, 4, Reduction::plain).executions, 290'880u);
}

TEST(Interleavings, InsertIfAbsentHasExactlyThoseOfTheModel) {
  EXPECT_EQ(explore(Workload::insert_if_absent, 2, Reduction::plain).executions, 12u);
  EXPECT_EQ(explore(Workload::insert_if_absent, 3, Reduction::plain).executions, 270u);
  EXPECT_EQ(explore(Workload::insert_if_absent, 4, Reduction::plain).executions, 10'080u);
}

TEST(Interleavings, EighteenOfTwentyOrdersOfTheNaiveCheckCharge) {
  EXPECT_EQ(explore(Workload::check_then_write, 2, Reduction::plain).duplicates, 18u);
  EXPECT_EQ(explore(Workload::insert_if_absent, 3, Reduction::plain).duplicates, 0u);
}

TEST(Interleavings, VisitedStatesAreThoseOfTheModel) {
  // The model counts final states too, one per set of requests that charged; a search stores a
  // state only where a choice remains. 20, 118, 752 and 19, 82, 325 are the model's numbers.
  EXPECT_EQ(explore(Workload::check_then_write, 2, Reduction::visited).states, 20u - 3u);
  EXPECT_EQ(explore(Workload::check_then_write, 3, Reduction::visited).states, 118u - 7u);
  EXPECT_EQ(explore(Workload::check_then_write, 4, Reduction::visited).states, 752u - 15u);
  EXPECT_EQ(explore(Workload::insert_if_absent, 2, Reduction::visited).states, 19u - 2u);
  EXPECT_EQ(explore(Workload::insert_if_absent, 3, Reduction::visited).states, 82u - 3u);
  EXPECT_EQ(explore(Workload::insert_if_absent, 4, Reduction::visited).states, 325u - 4u);
}

TEST(Interleavings, ReductionsReachEveryOutcomeOfPlainEnumeration) {
  for (const Workload workload : {Workload::check_then_write, Workload::insert_if_absent}) {
    for (const std::uint32_t n : {2u, 3u}) {
      const Count plain = explore(workload, n, Reduction::plain);
      EXPECT_EQ(explore(workload, n, Reduction::sleep_sets).outcomes, plain.outcomes);
      EXPECT_EQ(explore(workload, n, Reduction::visited).outcomes, plain.outcomes);
    }
  }
}

TEST(Interleavings, SmallestWitnessOfTheNaiveCheckIsOnePreemption) {
  BareWorld world(Workload::check_then_write, 2);
  const StateSource none{};
  ExhaustiveScheduler scheduler(none, Reduction::plain);
  std::size_t smallest = 100;
  bool quiet_day_is_safe = false;
  do {
    world.run(scheduler);
    const Schedule& schedule = world.kernel().recorded();
    EXPECT_TRUE(schedule.takes.empty());
    if (world.charges() > 1) smallest = std::min(smallest, schedule.size());
    if (schedule.size() == 0) quiet_day_is_safe = world.charges() == 1;
  } while (scheduler.next());
  EXPECT_TRUE(quiet_day_is_safe);
  EXPECT_EQ(smallest, 1u);
}

}  // namespace
}  // namespace idemsim
