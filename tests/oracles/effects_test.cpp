// The oracles that count effects: at_most_once, no_lost_effect, no_false_failure, ledgers_agree.
#include "tests/oracles/history_builder.hpp"

#include <gtest/gtest.h>

namespace idemsim {
namespace {

TEST(AtMostOnce, TwoRowsOfOneOperationViolate) {
  HistoryBuilder h;
  h.invoke(0, 0).invoke(0, 1).effect(0, 0, 71).effect(0, 1, 72);
  EXPECT_EQ(judge_at_most_once(h.run()), violated(0, 2, 3));
}

TEST(AtMostOnce, TwoChargesInOneStepAreNamedApart) {
  std::vector<Event> events(3);
  events[1].type = events[2].type = EventType::effect;
  events[0].step = StepId::of(Origin::of({0, 9}, 0, 0), 0, 1);
  const std::vector<LedgerEntry> ledger(2, {Ledger::provider, {0, 0}, events[1].step, {}, 1});
  EXPECT_EQ(judge_at_most_once({events, ledger, {}}), violated(0, 1, 2));
}

TEST(AtMostOnce, AChargeAndItsRowAreInTwoLedgers) {
  HistoryBuilder h(OperationKind::charge);
  h.invoke(0, 0).effect(0, 0, 71, Ledger::provider).effect(0, 0, 71, Ledger::local);
  EXPECT_EQ(judge_at_most_once(h.run()), kNotViolated);
}

TEST(AtMostOnce, TwoOperationsMayHaveAnEffectEach) {
  HistoryBuilder h;
  h.invoke(0, 0).invoke(1, 0).effect(0, 0, 71).effect(1, 0, 72);
  EXPECT_EQ(judge_at_most_once(h.run()), kNotViolated);
}

TEST(AtMostOnce, ARolledBackRowDoesNotCount) {
  HistoryBuilder h;
  h.invoke(0, 0).undone_effect(0, 0, 71).effect(0, 1, 72);
  EXPECT_EQ(judge_at_most_once(h.run()), kNotViolated);
}

TEST(AtMostOnce, AnEffectWithoutEventStillCounts) {
  const std::vector<LedgerEntry> ledger(2, {Ledger::local, {0, 3}, {}, {}, 1});
  EXPECT_EQ(judge_at_most_once({{}, ledger, {}}), violated(3, -1, -1));
}

TEST(NoLostEffect, DoneWithoutEffectViolates) {
  HistoryBuilder h;
  h.invoke(0, 0).undone_effect(0, 0, 71).answer(0, 0, Status::done, 71);
  EXPECT_EQ(judge_no_lost_effect(h.run()), violated(0, 2));
}

TEST(NoLostEffect, StoredAnswerToAProbeWithoutEffectViolates) {
  HistoryBuilder h;
  h.invoke(0, 0).settle().invoke(0, 1).answer(0, 1, Status::stored, 71);
  EXPECT_EQ(judge_no_lost_effect(h.run()), violated(0, 3));
}

TEST(NoLostEffect, TheEffectMayComeAfterTheAnswer) {
  HistoryBuilder h;
  h.invoke(0, 0).answer(0, 0, Status::done, 71).effect(0, 0, 71);
  EXPECT_EQ(judge_no_lost_effect(h.run()), kNotViolated);
}

TEST(NoLostEffect, ALocalRowIsNoCharge) {
  HistoryBuilder h(OperationKind::charge);
  h.invoke(0, 0).effect(0, 0, 71, Ledger::local).answer(0, 0, Status::done, 71);
  EXPECT_EQ(judge_no_lost_effect(h.run()), violated(0, 2));
}

TEST(NoLostEffect, TheEffectOfAnotherOperationDoesNotHelp) {
  HistoryBuilder h;
  h.invoke(0, 0).effect(0, 0, 71).answer(1, 0, Status::stored, 71);
  EXPECT_EQ(judge_no_lost_effect(h.run()), violated(1, 2));
}

TEST(NoLostEffect, AnUnknownOutcomePromisesNothing) {
  HistoryBuilder h;
  h.invoke(0, 0).answer(0, 0, Status::unknown).answer(0, 0, Status::in_progress);
  EXPECT_EQ(judge_no_lost_effect(h.run()), kNotViolated);
}

TEST(NoFalseFailure, FailedAlthoughTheRowExistsViolates) {
  HistoryBuilder h;
  h.invoke(0, 0).effect(0, 0, 71).answer(0, 0, Status::failed);
  EXPECT_EQ(judge_no_false_failure(h.run()), violated(0, 1, 2));
}

TEST(NoFalseFailure, FailedAlthoughTheChargeExistsViolates) {
  HistoryBuilder h(OperationKind::charge);
  h.invoke(0, 0).effect(0, 0, 71, Ledger::provider).answer(0, 0, Status::failed);
  EXPECT_EQ(judge_no_false_failure(h.run()), violated(0, 1, 2));
}

TEST(NoFalseFailure, FailedAndRolledBackIsTrue) {
  HistoryBuilder h;
  h.invoke(0, 0).undone_effect(0, 0, 71).answer(0, 0, Status::failed);
  EXPECT_EQ(judge_no_false_failure(h.run()), kNotViolated);
}

TEST(NoFalseFailure, RejectedClaimsNothing) {
  HistoryBuilder h;
  h.invoke(0, 0).effect(0, 0, 71).answer(0, 1, Status::rejected);
  EXPECT_EQ(judge_no_false_failure(h.run()), kNotViolated);
}

TEST(LedgersAgree, AChargeWithoutRowViolates) {
  HistoryBuilder h(OperationKind::charge);
  h.invoke(0, 0).effect(0, 0, 71, Ledger::provider);
  EXPECT_EQ(judge_ledgers_agree(h.run()), violated(0, 1));
}

TEST(LedgersAgree, ARowWithoutChargeViolates) {
  HistoryBuilder h(OperationKind::charge);
  h.invoke(0, 0).effect(0, 0, 71, Ledger::provider).effect(0, 0, 71).effect(0, 0, 72);
  EXPECT_EQ(judge_ledgers_agree(h.run()), violated(0, 3));
}

TEST(LedgersAgree, TwoRowsForOneChargeViolate) {
  HistoryBuilder h(OperationKind::charge);
  h.invoke(0, 0).effect(0, 0, 71, Ledger::provider).effect(0, 0, 71).effect(0, 1, 71);
  EXPECT_EQ(judge_ledgers_agree(h.run()), violated(0, 2));
}

TEST(LedgersAgree, TwoChargesWithTheirRowsAgree) {
  HistoryBuilder h(OperationKind::charge);
  h.invoke(0, 0).effect(0, 0, 71, Ledger::provider).effect(0, 1, 72, Ledger::provider);
  h.effect(0, 1, 72).effect(0, 0, 71);
  EXPECT_EQ(judge_ledgers_agree(h.run()), kNotViolated);
}

TEST(LedgersAgree, OnlyChargesHaveTwoLedgers) {
  HistoryBuilder h(OperationKind::create_order);
  h.invoke(0, 0).effect(0, 0, 71);
  EXPECT_EQ(judge_ledgers_agree(h.run()), kNotViolated);
}

}  // namespace
}  // namespace idemsim
