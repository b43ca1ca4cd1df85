// The oracles that look at what callers are told: stable_response and no_stuck_key.
#include "tests/oracles/history_builder.hpp"

#include <gtest/gtest.h>

namespace idemsim {
namespace {

TEST(StableResponse, TwoBodiesForOneOperationViolate) {
  HistoryBuilder h;
  h.invoke(0, 0).answer(0, 0, Status::done, 71).invoke(0, 1).answer(0, 1, Status::done, 72);
  EXPECT_EQ(judge_stable_response(h.run()), violated(0, 1, 3));
}

TEST(StableResponse, AnotherBodyToTheProbeViolates) {
  HistoryBuilder h;
  h.invoke(0, 0).answer(0, 0, Status::done, 71).settle().answer(0, 1, Status::stored, 72);
  EXPECT_EQ(judge_stable_response(h.run()), violated(0, 1, 3));
}

TEST(StableResponse, FailedThenDoneViolates) {
  HistoryBuilder h;
  h.invoke(0, 0).answer(0, 0, Status::failed).answer(0, 1, Status::done, 71);
  EXPECT_EQ(judge_stable_response(h.run()), violated(0, 1, 2));
}

TEST(StableResponse, DoneThenRejectedViolates) {
  HistoryBuilder h;
  h.invoke(0, 0).answer(0, 0, Status::done, 71).answer(0, 1, Status::rejected);
  EXPECT_EQ(judge_stable_response(h.run()), violated(0, 1, 2));
}

TEST(StableResponse, StoredWithTheSameBodyAgrees) {
  HistoryBuilder h;
  h.invoke(0, 0).answer(0, 0, Status::done, 71).settle().answer(0, 1, Status::stored, 71);
  EXPECT_EQ(judge_stable_response(h.run()), kNotViolated);
}

TEST(StableResponse, TwoRefusalsAgree) {
  HistoryBuilder h;
  h.invoke(0, 0).answer(0, 0, Status::failed, 71).answer(0, 1, Status::rejected, 72);
  EXPECT_EQ(judge_stable_response(h.run()), kNotViolated);
}

TEST(StableResponse, InProgressAndUnknownAreNotFinal) {
  HistoryBuilder h;
  h.invoke(0, 0).answer(0, 0, Status::in_progress, 1).answer(0, 1, Status::unknown, 2);
  h.answer(0, 2, Status::done, 71);
  EXPECT_EQ(judge_stable_response(h.run()), kNotViolated);
}

TEST(StableResponse, TwoOperationsMayDiffer) {
  HistoryBuilder h;
  h.invoke(0, 0).answer(0, 0, Status::done, 71).answer(1, 0, Status::done, 72);
  EXPECT_EQ(judge_stable_response(h.run()), kNotViolated);
}

TEST(StableResponse, AnswersOfTwoOperationsAreNotMixedUp) {
  HistoryBuilder h;
  h.answer(0, 0, Status::done, 71).answer(1, 0, Status::done, 72).answer(0, 1, Status::stored, 71);
  h.answer(1, 1, Status::stored, 71);
  EXPECT_EQ(judge_stable_response(h.run()), violated(1, 1, 3));
}

TEST(StableResponse, ManyOperationsAreStillToldApart) {
  HistoryBuilder h;
  for (std::uint32_t o = 0; o < 40; ++o) h.answer(o, 0, Status::done, o);
  for (std::uint32_t o = 0; o < 39; ++o) h.answer(o, 1, Status::stored, o);
  EXPECT_EQ(judge_stable_response(h.run()), kNotViolated);
  h.answer(39, 1, Status::stored, 38);
  EXPECT_EQ(judge_stable_response(h.run()), violated(39, 39, 79));
}

TEST(NoStuckKey, InProgressForEverViolates) {
  HistoryBuilder h;
  h.invoke(0, 0).settle().invoke(0, 1).answer(0, 1, Status::in_progress);
  EXPECT_EQ(judge_no_stuck_key(h.run()), violated(0, 3));
}

TEST(NoStuckKey, AProbeWithoutAnswerViolates) {
  HistoryBuilder h;
  h.invoke(0, 0).answer(0, 0, Status::done, 71).settle().invoke(0, 1);
  EXPECT_EQ(judge_no_stuck_key(h.run()), violated(0, -1));
}

TEST(NoStuckKey, OneStuckOperationAmongTwoViolates) {
  HistoryBuilder h;
  h.invoke(0, 0).invoke(1, 0).settle().answer(0, 1, Status::done, 71);
  h.answer(1, 1, Status::unknown);
  EXPECT_EQ(judge_no_stuck_key(h.run()), violated(1, 4));
}

TEST(NoStuckKey, AnyFinalAnswerToTheProbeWillDo) {
  for (const Status status : {Status::done, Status::stored, Status::rejected, Status::failed}) {
    HistoryBuilder h;
    h.invoke(0, 0).settle().invoke(0, 1).answer(0, 1, status);
    EXPECT_EQ(judge_no_stuck_key(h.run()), kNotViolated);
  }
}

TEST(NoStuckKey, AnUncertainAnswerBeforeTheSettlePhaseIsNotStuck) {
  HistoryBuilder h;
  h.invoke(0, 0).answer(0, 0, Status::unknown).settle().answer(0, 1, Status::stored, 71);
  EXPECT_EQ(judge_no_stuck_key(h.run()), kNotViolated);
}

}  // namespace
}  // namespace idemsim
