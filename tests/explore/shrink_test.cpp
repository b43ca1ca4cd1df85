// Shrinking: what is left of a witness is what matters, and nothing else.
#include "sim/explore/shrink.hpp"

#include "sim/explore/replay.hpp"
#include "sim/model/token.hpp"
#include "sim/oracles/oracles.hpp"
#include "tests/explain/laboratory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace idemsim {
namespace {

using namespace testing_support;  // NOLINT
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr std::uint32_t kRunsMax = 2'000;

bool violates(const Cell& cell, const Shrunk& shrunk, Property property) {
  const Scenario scenario = with_workload(*cell.scenario, shrunk.workload);
  Cell smaller = cell;
  smaller.scenario = &scenario;
  World world(setup_of(smaller));
  ReplayScheduler replay(shrunk.schedule);
  const RunEnd end = world.run(replay, {shrunk.seed, false});
  EXPECT_EQ(replay.diverged() + replay.first_unused(), "");
  return end == RunEnd::quiescent && judge(property, world.finished()).violated;
}

TEST(Shrink, NaiveDoubleClickNeedsAtMostOnePreemptionAndNoFault) {
  Laboratory lab(check_then_write, {fault(FaultKind::crash), fault(FaultKind::drop_response)});
  lab.scenario().clients.retry.attempts = 2;
  lab.scenario().clients.operations = 2;
  const Witness witness = lab.witness(Property::at_most_once);
  const Shrunk shrunk = shrink(lab.cell(), witness, {kRunsMax, {}});
  EXPECT_EQ(faults_of(shrunk.schedule), 0U);
  EXPECT_LE(preemptions_of(shrunk.schedule), 1U) << to_string(shrunk.schedule);
  EXPECT_EQ(shrunk.to, shrunk.schedule.size());
  EXPECT_TRUE(shrunk.minimal);
  EXPECT_TRUE(violates(lab.cell(), shrunk, Property::at_most_once));
  EXPECT_EQ(shrunk.workload.operations, 1U);
  EXPECT_EQ(shrunk.workload.attempts, 1U);
  EXPECT_THAT(overrides_of(lab.scenario(), shrunk.workload),
              ElementsAre(Pair("operations", "1"), Pair("attempts", "1")));
}

TEST(Shrink, CrashThatLosesTheRecordIsKept) {
  Laboratory lab(check_then_write, {fault(FaultKind::crash)});
  lab.single(3);
  const Witness witness = lab.witness(Property::at_most_once);
  const Shrunk shrunk = shrink(lab.cell(), witness, {kRunsMax, {}});
  EXPECT_EQ(faults_of(shrunk.schedule), 1U) << to_string(shrunk.schedule);
  EXPECT_EQ(shrunk.schedule.size(), 1U) << to_string(shrunk.schedule);
  EXPECT_TRUE(violates(lab.cell(), shrunk, Property::at_most_once));
}

TEST(Shrink, LimitOfRunsIsSaid) {
  Laboratory lab(check_then_write, {fault(FaultKind::crash)});
  lab.single(3);
  const Witness witness = lab.witness(Property::at_most_once);
  const Shrunk shrunk = shrink(lab.cell(), witness, {2, {}});
  EXPECT_FALSE(shrunk.minimal);
  EXPECT_LE(shrunk.runs, 2U);
  EXPECT_TRUE(violates(lab.cell(), shrunk, Property::at_most_once));
}

TEST(Shrink, OverridesAreReadBack) {
  Laboratory lab(check_then_write);
  lab.scenario().clients.operations = 3;
  const Workload workload{1, 2, 1, Arrival::single};
  const auto overrides = overrides_of(lab.scenario(), workload);
  const Result<Workload> read = workload_with(lab.scenario(), overrides);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(*read, workload);
  EXPECT_THAT(overrides_of(lab.scenario(), workload_of(lab.scenario())), IsEmpty());
}

TEST(Shrink, OverridesThatMeanNothingAreProblems) {
  Laboratory lab(check_then_write);
  const Result<Workload> read = workload_with(
      lab.scenario(), {{"attempts", "7"}, {"arrival", "often"}, {"colour", "1"}, {"clients", "1"}});
  ASSERT_FALSE(read.has_value());
  ASSERT_EQ(read.error().size(), 3U);
  EXPECT_THAT(read.error()[0].message, HasSubstr("attempts=7"));
}

}  // namespace
}  // namespace idemsim
