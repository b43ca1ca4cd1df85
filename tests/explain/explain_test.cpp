// From a witness to a finding: the kind that is proved, the events that prove it, the words.
#include "sim/explain/explain.hpp"

#include "sim/explore/replay.hpp"
#include "sim/oracles/oracles.hpp"
#include "tests/explain/laboratory.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace idemsim {
namespace {

using namespace testing_support;  // NOLINT
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint32_t kRunsMax = 2'000;

Explained explained(const Laboratory& lab, Property property = Property::at_most_once) {
  return explain(lab.cell(), lab.witness(property), {kRunsMax, {}});
}

std::string all_of(const Explained& e) {
  std::string text = fmt::format("{}\n{}\n", e.finding.fingerprint, e.finding.headline);
  for (const FindingKind kind : e.finding.also) text += fmt::format("also {}\n", to_string(kind));
  for (const std::string& line : e.finding.text) text += line + "\n";
  if (e.finding.counterfactual) {
    text += e.finding.counterfactual->change + " " + e.finding.counterfactual->result + "\n";
  }
  text += e.finding.token + "\n";
  for (const TraceEvent& event : e.trace.events) {
    text += fmt::format("#{} {} ns {}: {} {}: {}\n", event.n, event.at_ns, event.process,
                        to_string(event.type), event.site, event.text);
  }
  return text;
}

const TraceEvent& event(const Explained& e, std::uint32_t n) { return e.trace.events.at(n - 1); }

TEST(Explain, NaiveDoubleClickIsARaceBetweenCheckAndUse) {
  const Laboratory lab(check_then_write);
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::toctou);
  EXPECT_EQ(e.finding.fingerprint, "at_most_once/toctou/find record/write effect");
  EXPECT_EQ(e.finding.faults, 0U);
  ASSERT_TRUE(e.finding.race.has_value());
  const Race& race = *e.finding.race;
  EXPECT_EQ(event(e, race.check).site, "find record");
  EXPECT_EQ(event(e, race.record).site, "write record");
  EXPECT_EQ(event(e, race.use).site, "write effect");
  EXPECT_EQ(event(e, race.other_check).site, "find record");
  EXPECT_EQ(event(e, race.other_use).site, "write effect");
  EXPECT_LT(race.check, race.record);
  EXPECT_GT(race.window_ns, 0);
  EXPECT_GT(race.gap_ns, 0);
  EXPECT_TRUE(event(e, race.use).guilty);
}

TEST(Explain, OtherOrderOfTheNaiveDoubleClickIsRun) {
  const Laboratory lab(check_then_write);
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  ASSERT_TRUE(e.finding.counterfactual.has_value());
  const Race& race = *e.finding.race;
  EXPECT_EQ(e.finding.counterfactual->change,
            fmt::format("had #{} come before #{}", race.record, race.check));
  EXPECT_EQ(e.finding.counterfactual->result, "B would have answered with the stored response");
  const Result<Token> token = parse_token(e.finding.counterfactual->token);
  ASSERT_TRUE(token.has_value());
  World world(setup_of(lab.cell()));
  ReplayScheduler replay(token->schedule);
  ASSERT_EQ(world.run(replay, {token->seed, true}), RunEnd::quiescent);
  EXPECT_EQ(replay.diverged() + replay.first_unused(), "");
  EXPECT_EQ(hash_of(world.events()), token->hash);
  EXPECT_EQ(violated_set(world.finished()), 0U);
}

TEST(Explain, TokenOfTheFindingReplaysToTheSameHistory) {
  Laboratory lab(check_then_write, {fault(FaultKind::crash)});
  lab.single(3);
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  const Result<Token> token = parse_token(e.finding.token);
  ASSERT_TRUE(token.has_value());
  const Result<Workload> workload = workload_with(lab.scenario(), token->overrides);
  ASSERT_TRUE(workload.has_value());
  const Scenario scenario = with_workload(lab.scenario(), *workload);
  Cell cell = lab.cell();
  cell.scenario = &scenario;
  World world(setup_of(cell));
  ReplayScheduler replay(token->schedule);
  ASSERT_EQ(world.run(replay, {token->seed, true}), RunEnd::quiescent);
  EXPECT_EQ(hash_of(world.events()), token->hash);
  EXPECT_EQ(trace_of(world).hash, e.trace.hash);
  EXPECT_EQ(trace_of(world).events.size(), e.trace.events.size());
}

TEST(Explain, SameWitnessGivesTheSameFinding) {
  const Laboratory lab(check_then_write, {fault(FaultKind::crash)});
  const Witness witness = lab.witness(Property::at_most_once);
  EXPECT_EQ(all_of(explain(lab.cell(), witness, {kRunsMax, {}})),
            all_of(explain(lab.cell(), witness, {kRunsMax, {}})));
}

TEST(Explain, CrashBeforeTheRecordLosesIt) {
  Laboratory lab(check_then_write, {fault(FaultKind::crash)});
  lab.single(3);
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::lost_record);
  EXPECT_EQ(e.finding.faults, 1U);
  EXPECT_FALSE(e.finding.race.has_value());
}

TEST(Explain, LostAnswerOfTheEffectIsAmbiguous) {
  Laboratory lab(check_then_write, {fault(FaultKind::lost_after, "write effect")});
  lab.single(3);
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::ambiguous_outcome);
}

TEST(Explain, ConnectionLostAtTheRecordLosesIt) {
  Laboratory lab(check_then_write, {fault(FaultKind::lost_before, "write record")});
  lab.single(3);
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::lost_record);
}

TEST(Explain, EffectWithoutAnyQuestionIsNoCheck) {
  const Laboratory lab(write_only);
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::no_check);
}

TEST(Explain, NewKeyForEachAttemptIsANewKey) {
  Laboratory lab(check_then_write);
  lab.scenario().clients.key = KeyPolicy::per_attempt;
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::new_key);
  EXPECT_THAT(e.finding.also, Not(Contains(FindingKind::toctou)));
}

TEST(Explain, CheckThatIsIgnoredGuardsNothing) {
  const Laboratory lab(check_and_ignore);
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::no_check);
  EXPECT_THAT(e.finding.text.back(), HasSubstr("all the same"));
  EXPECT_FALSE(e.finding.race.has_value());
}

TEST(Explain, PauseBeyondTheTtlLosesTheLease) {
  Laboratory lab(locked, {fault(FaultKind::pause)});
  lab.set("ttl", milliseconds(200).ns);
  lab.scenario().clients.retry.attempts = 2;
  lab.single(3);
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::lost_lease);
  EXPECT_THAT(e.finding.also, Contains(FindingKind::toctou));
}

TEST(Explain, MutualExclusionIsLostWithTheLease) {
  Laboratory lab(locked, {fault(FaultKind::pause)});
  lab.set("ttl", milliseconds(200).ns);
  lab.single(3);
  const Explained e = explained(lab, Property::mutual_exclusion);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::lost_lease);
}

TEST(Explain, LockReleasedBeforeTheRecordIsAnEarlyRelease) {
  Laboratory lab(released_early);
  lab.set("ttl", seconds(30).ns);
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::early_release);
  EXPECT_THAT(e.finding.also, Contains(FindingKind::toctou));
}

TEST(Explain, RecordThatExpiresBeforeTheRetryIsAnExpiredRecord) {
  Laboratory lab(expiring, {fault(FaultKind::drop_response)});
  lab.set("ttl", milliseconds(200).ns);
  lab.single(3);
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::expired_record);
}

TEST(Explain, LockThatACrashLeavesBehindIsNoRecord) {
  Laboratory lab(locked, {fault(FaultKind::crash)});
  lab.set("ttl", milliseconds(200).ns);
  lab.single(1);
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::lost_record);
}

TEST(Explain, LockReleasedAfterAnErrorIsNoRecord) {
  Laboratory lab(locked, {fault(FaultKind::lost_before, "write record")});
  lab.set("ttl", milliseconds(200).ns);
  lab.single(1);
  const Explained e = explained(lab);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::lost_record);
}

TEST(Explain, ClaimLeftByACrashMakesTheKeyStuck) {
  Laboratory lab(claiming, {fault(FaultKind::crash)});
  lab.single(1);
  const Explained e = explained(lab, Property::no_stuck_key);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::lost_record);
  EXPECT_THAT(e.finding.headline, HasSubstr("stuck"));
}

TEST(Explain, KeyOfAnotherOperationIsTheWrongScope) {
  Laboratory lab(check_then_write);
  lab.scenario().clients.key = KeyPolicy::reused;
  lab.scenario().clients.operations = 2;
  lab.single(1);
  const Explained e = explained(lab, Property::no_lost_effect);
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::wrong_scope);
}

TEST(Explain, SolvedInstantsFollowTheOrder) {
  const Laboratory lab(check_then_write);
  const Explained e = explained(lab);
  EXPECT_TRUE(e.trace.instants_solved);
  std::int64_t previous = 0;
  for (const TraceEvent& event : e.trace.events) {
    EXPECT_GE(event.at_ns, previous) << event.n;
    previous = event.at_ns;
  }
}

TEST(Explain, EventNumbersCountFromOneAndEdgesPointBack) {
  Laboratory lab(check_then_write, {fault(FaultKind::crash)});
  lab.single(3);
  const Explained e = explained(lab);
  for (std::size_t i = 0; i < e.trace.events.size(); ++i) {
    const TraceEvent& event = e.trace.events[i];
    EXPECT_EQ(event.n, i + 1);
    for (const std::uint32_t sooner : event.hb) EXPECT_LT(sooner, event.n);
  }
}

TEST(Explain, SampledAndAsynchronousRunsAreExplainedToo) {
  Laboratory lab(check_then_write);
  lab.scenario().explore.time = TimeModel::asynchronous;
  EXPECT_EQ(explained(lab).finding.kind, FindingKind::toctou);

  lab.scenario().explore.time = TimeModel::sampled;
  lab.scenario().explore.mode = Mode::random;
  World world(setup_of(lab.cell()));
  const Exploration found = explore_random(world, 0, 200, {});
  ASSERT_FALSE(found.witnesses.empty());
  const Explained e = explain(lab.cell(), found.witnesses.front(), {kRunsMax, {}});
  SCOPED_TRACE(all_of(e));
  EXPECT_EQ(e.finding.kind, FindingKind::toctou);
  EXPECT_FALSE(e.finding.counterfactual.has_value());
}

}  // namespace
}  // namespace idemsim
