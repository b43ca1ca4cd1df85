// mutual_exclusion and exercised: the oracles that look inside the protection, and the table.
#include "tests/oracles/history_builder.hpp"

#include <gtest/gtest.h>

namespace idemsim {
namespace {

TEST(MutualExclusion, EnteringWhileAnotherHoldsTheKeyViolates) {
  HistoryBuilder h;
  h.enter(0, 0, 1).enter(0, 1, 1).leave(0, 0, 1).leave(0, 1, 1);
  EXPECT_EQ(judge_mutual_exclusion(h.run()), violated(0, 0, 1));
}

TEST(MutualExclusion, AStaleOwnersWriteIsAnOverlap) {
  HistoryBuilder h;
  h.enter(0, 0, 1).enter(0, 1, 1).effect(0, 1, 71).leave(0, 1, 1).effect(0, 0, 72).leave(0, 0, 1);
  EXPECT_EQ(judge_mutual_exclusion(h.run()), violated(0, 0, 1));
}

TEST(MutualExclusion, OneAfterTheOtherIsFine) {
  HistoryBuilder h;
  h.enter(0, 0, 1).leave(0, 0, 1).enter(0, 1, 1).leave(0, 1, 1);
  EXPECT_EQ(judge_mutual_exclusion(h.run()), kNotViolated);
}

TEST(MutualExclusion, TwoKeysHaveTwoSections) {
  HistoryBuilder h;
  h.enter(0, 0, 1).enter(1, 0, 2).leave(0, 0, 1).leave(1, 0, 2);
  EXPECT_EQ(judge_mutual_exclusion(h.run()), kNotViolated);
}

TEST(MutualExclusion, AnotherKeysLeaveEndsNothing) {
  HistoryBuilder h;
  h.enter(0, 0, 1).leave(0, 0, 2).leave(0, 1, 1).enter(0, 1, 1);
  EXPECT_EQ(judge_mutual_exclusion(h.run()), violated(0, 0, 3));
}

TEST(MutualExclusion, EnteringAgainOneselfIsFine) {
  HistoryBuilder h;
  h.enter(0, 0, 1).enter(0, 0, 1);
  EXPECT_EQ(judge_mutual_exclusion(h.run()), kNotViolated);
}

TEST(MutualExclusion, ACrashedHolderHasLeft) {
  HistoryBuilder h;
  h.enter(0, 0, 1, 4).crash(4).enter(0, 1, 1, 5);
  EXPECT_EQ(judge_mutual_exclusion(h.run()), kNotViolated);
}

TEST(MutualExclusion, TheCrashOfAnotherProcessEndsNothing) {
  HistoryBuilder h;
  h.enter(0, 0, 1, 4).crash(5).enter(0, 1, 1, 5);
  EXPECT_EQ(judge_mutual_exclusion(h.run()), violated(0, 0, 2));
}

TEST(MutualExclusion, WithoutSectionsNothingOverlaps) {
  HistoryBuilder h;
  h.invoke(0, 0).effect(0, 0, 71).effect(0, 1, 72);
  EXPECT_EQ(judge_mutual_exclusion(h.run()), kNotViolated);
}

TEST(Exercised, OnlyProtectionOutsideTheProbesCounts) {
  HistoryBuilder probed;
  probed.invoke(0, 0).settle().protection(0, 1);
  EXPECT_FALSE(exercised_in(probed.run()));
  HistoryBuilder worked;
  worked.invoke(0, 0).protection(0, 1).settle();
  EXPECT_TRUE(exercised_in(worked.run()));
}

/// One run that violates everything that one run can violate.
HistoryBuilder a_disaster() {
  HistoryBuilder h(OperationKind::charge);
  h.invoke(0, 0).invoke(1, 0).enter(0, 0, 1).enter(0, 1, 1);
  h.effect(0, 0, 71, Ledger::provider).effect(0, 1, 72, Ledger::provider);
  h.answer(0, 0, Status::failed).answer(0, 1, Status::done, 72).answer(1, 0, Status::done, 73);
  h.settle().answer(0, 2, Status::in_progress);
  return h;
}

TEST(Oracles, TheSetAgreesWithTheOraclesOneByOne) {
  const HistoryBuilder disaster = a_disaster();
  std::uint32_t expected = 0;
  for (const Property property : kProperties) {
    const bool is_violated = judge(property, disaster.run()).violated;
    EXPECT_EQ(is_violated, property != Property::exercised);
    if (is_violated) expected |= bit_of(property);
  }
  EXPECT_EQ(violated_set(disaster.run()), expected);
}

TEST(Oracles, AQuietDayViolatesNothing) {
  HistoryBuilder h(OperationKind::charge);
  h.invoke(0, 0).effect(0, 0, 71, Ledger::provider).effect(0, 0, 71);
  h.answer(0, 0, Status::done, 71).settle().answer(0, 1, Status::stored, 71);
  EXPECT_EQ(violated_set(h.run()), 0u);
}

TEST(Oracles, NothingIsConcludedFromARunThatWasCut) {
  HistoryBuilder disaster = a_disaster();
  disaster.cut();
  for (const Property property : kProperties) {
    EXPECT_EQ(judge(property, disaster.run()), kNotViolated);
  }
  EXPECT_EQ(violated_set(disaster.run()), 0u);
}

}  // namespace
}  // namespace idemsim
