// Verdicts, vacuity, expectations and findings from literal explorations.
#include "cli/result.hpp"

#include "reports/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace idemsim {
namespace {

using ::testing::HasSubstr;

/// One cell of a strategy, and what was found in it.
struct Found {
  StrategyLibrary library;
  Scenario scenario;
  std::vector<Cell> cells;
  Campaigned campaigned;

  explicit Found(const std::string& strategy, Mode mode = Mode::exhaustive) {
    scenario.name = "found";
    scenario.explore.mode = mode;
    scenario.strategies.push_back({"label", strategy, {}});
    scenario.faults.push_back({"none", {}});
    cells = cells_of(scenario, library);
    Exploration exploration;
    exploration.executions = 10;
    exploration.exhausted = mode == Mode::exhaustive;
    exploration.exercised = true;
    campaigned.scenario = &scenario;
    campaigned.cells = &cells;
    campaigned.explorations = {exploration};
    campaigned.explained.resize(1);
  }
  Found(const Found&) = delete;
  Found& operator=(const Found&) = delete;

  Exploration& exploration() { return campaigned.explorations[0]; }
  void violate(Property property, FindingKind kind = FindingKind::toctou, std::uint32_t choices = 1,
               const std::string& fingerprint = "f") {
    exploration().violations[static_cast<std::size_t>(property)] += 2;
    Explained explained;
    explained.finding.property = property;
    explained.finding.kind = kind;
    explained.finding.choices = choices;
    explained.finding.executions = 2;
    explained.finding.fingerprint = std::string(to_string(property)) + fingerprint;
    campaigned.explained[0].push_back(explained);
  }
  void expect(Property property, Expectation::Is is,
              std::optional<FindingKind> because = std::nullopt) {
    Expectation expectation;
    expectation.property = property;
    expectation.is = is;
    expectation.because = because;
    scenario.expect.push_back(expectation);
  }
  [[nodiscard]] CampaignResult result() const { return result_of(campaigned); }
  [[nodiscard]] PropertyOutcome outcome(Property property) const {
    const CampaignResult all = result();
    for (const PropertyOutcome& o : all.cells[0].properties) {
      if (o.property == property) return o;
    }
    ADD_FAILURE() << "not judged: " << to_string(property);
    return {};
  }
};

constexpr Property kOnce = Property::at_most_once;
using Is = Expectation::Is;

TEST(UpperBound, IsTheRuleForNoneInN) {
  EXPECT_NEAR(upper_bound_95(1'000, 0), 1 - std::pow(0.05, 1.0 / 1'000), 1e-9);
  EXPECT_NEAR(upper_bound_95(1, 0), 0.95, 1e-9);
  EXPECT_EQ(upper_bound_95(3, 3), 1);
  EXPECT_GT(upper_bound_95(1'000, 5), upper_bound_95(1'000, 0));
}

TEST(Verdicts, OnlyAnExhaustedSearchHolds) {
  Found found("insert_first");
  EXPECT_EQ(found.outcome(kOnce).verdict, Verdict::holds);
  for (const Cut cut : {Cut::runs, Cut::steps, Cut::states, Cut::budget, Cut::interrupted}) {
    found.exploration().exhausted = false;
    found.exploration().cut = cut;
    for (const Property property : kProperties) {
      EXPECT_EQ(found.outcome(property).verdict, Verdict::not_seen) << to_string(cut);
    }
    EXPECT_FALSE(found.outcome(kOnce).upper95.has_value()) << "a part of a search is no sample";
  }
}

TEST(Verdicts, ASampleHasABound) {
  const Found found("insert_first", Mode::random);
  EXPECT_EQ(found.outcome(kOnce).verdict, Verdict::not_seen);
  EXPECT_TRUE(found.outcome(kOnce).upper95.has_value());
  EXPECT_EQ(found.result().exit_code, 0);
}

TEST(Verdicts, AProtectionThatNeverWorkedIsVacuous) {
  Found found("insert_first");
  found.exploration().exercised = false;
  EXPECT_EQ(found.outcome(Property::exercised).verdict, Verdict::violated);
  EXPECT_TRUE(found.outcome(kOnce).vacuous);
  EXPECT_EQ(found.result().exit_code, 2);
  found.expect(kOnce, Is::holds);
  EXPECT_EQ(found.outcome(kOnce).met, std::nullopt);
  found.campaigned.all_faults = false;
  EXPECT_FALSE(found.outcome(kOnce).vacuous) << "other columns may exercise it";
}

TEST(Verdicts, ExercisedIsOneForAllCellsOfAStrategy) {
  Found found("insert_first");
  found.scenario.faults.push_back({"more", {}});
  found.cells = cells_of(found.scenario, found.library);
  found.campaigned.explorations.push_back(found.exploration());
  found.campaigned.explorations[0].exercised = false;
  found.campaigned.explained.resize(2);
  EXPECT_EQ(found.result().exit_code, 0);
  EXPECT_EQ(found.outcome(Property::exercised).verdict, Verdict::holds);
}

TEST(Verdicts, TheBaselineHasNothingToExercise) {
  Found found("no_key");
  found.exploration().exercised = false;
  EXPECT_EQ(found.result().exit_code, 0);
}

TEST(Expectations, TheKindOfAViolationCounts) {
  Found found("insert_first");
  found.violate(kOnce, FindingKind::lost_record);
  found.expect(kOnce, Is::violated);
  EXPECT_EQ(found.result().exit_code, 0);
  EXPECT_TRUE(found.result().findings[0].expected);
  found.expect(kOnce, Is::violated, FindingKind::toctou);
  EXPECT_EQ(found.outcome(kOnce).met, false);
  EXPECT_EQ(found.result().exit_code, 1);
  found.violate(kOnce, FindingKind::toctou, 1, "other");
  EXPECT_EQ(found.result().exit_code, 0);
}

TEST(Expectations, WhatWasNotDecidedIsOpen) {
  Found found("insert_first");
  found.exploration().exhausted = false;
  found.exploration().cut = Cut::states;
  found.expect(kOnce, Is::holds);
  EXPECT_EQ(found.result().exit_code, 2);
  EXPECT_EQ(found.result().expectations_open, 1u);
  found.expect(kOnce, Is::violated);
  EXPECT_EQ(found.result().exit_code, 2);
  found.expect(kOnce, Is::not_violated);
  EXPECT_EQ(found.result().exit_code, 0);
}

TEST(Expectations, AViolationThatTheScenarioDoesNotMentionIsShownAsThat) {
  Found found("insert_first");
  found.violate(kOnce);
  EXPECT_EQ(found.result().exit_code, 1) << "nothing is expected: a violation is bad news";
  found.expect(Property::no_lost_effect, Is::holds);
  EXPECT_EQ(found.result().exit_code, 0) << "all that is expected was met";
  EXPECT_TRUE(found.outcome(kOnce).unmentioned);
  EXPECT_THAT(render_text(found.result(), {}), HasSubstr("the scenario expects nothing"));
}

TEST(Expectations, CtrlCPrecedesARefutation) {
  Found found("insert_first");
  found.violate(kOnce);
  found.campaigned.interrupted = true;
  EXPECT_EQ(found.result().exit_code, 130);
}

TEST(Findings, OfOneFingerprintTheShortestIsShown) {
  Found found("insert_first");
  found.violate(kOnce, FindingKind::toctou, 5);
  found.violate(kOnce, FindingKind::toctou, 2);
  found.violate(kOnce, FindingKind::toctou, 9, "other");
  const CampaignResult result = found.result();
  ASSERT_EQ(result.findings.size(), 2u);
  EXPECT_EQ(result.findings[0].choices, 2u);
  EXPECT_EQ(result.findings[0].executions, 4u);
  EXPECT_EQ(result.findings[1].id, "f2");
  EXPECT_EQ(result.findings[1].trace, "t2");
  EXPECT_EQ(found.outcome(kOnce).finding, "f1");
}

TEST(ExitStatuses, TheWorstWins) {
  using enum ExitStatus;
  EXPECT_EQ(worse_of(refuted, inconclusive), refuted);
  EXPECT_EQ(worse_of(interrupted, refuted), interrupted);
  EXPECT_EQ(worse_of(bad_input, interrupted), bad_input);
  EXPECT_EQ(worse_of(ok, cannot_write), cannot_write);
  EXPECT_EQ(worse_of(internal, cannot_write), internal);
  EXPECT_EQ(worse_of(diverged, ok), diverged);
}

}  // namespace
}  // namespace idemsim
