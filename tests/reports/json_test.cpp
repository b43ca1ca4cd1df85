// The JSON report: golden files of the samples, and that scripts can rely on it.
#include "reports/json.hpp"

#include "tests/reports/golden.hpp"
#include "tests/reports/samples.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace idemsim {
namespace {

TEST(JsonReport, TheSamplesLookAsReviewed) {
  expect_golden("double_click.json", render_json(samples::double_click(), {}));
  expect_golden("lost_record.json", render_json(samples::lost_record(), {.stable = true}));
  expect_golden("all_holds.json", render_json(samples::all_holds(), {.stable = true}));
}

TEST(JsonReport, StableLeavesOutOnlyMeta) {
  auto whole = nlohmann::ordered_json::parse(render_json(samples::double_click(), {}));
  whole.erase("meta");
  EXPECT_EQ(whole.dump(2) + "\n", render_json(samples::double_click(), {.stable = true}));
}

TEST(JsonReport, BrokenTextDoesNotBreakTheReport) {
  CampaignResult result = samples::double_click();
  result.scenario_about = "caf\xe9 \"\n";
  const auto json = nlohmann::json::parse(render_json(result, {}));
  EXPECT_EQ(json["scenario"]["about"], "caf\uFFFD \"\n");
}

TEST(JsonReport, ABoundHasSixDigits) {
  const auto json = nlohmann::json::parse(render_json(samples::all_holds(), {}));
  EXPECT_EQ(json["cells"][5]["properties"]["at_most_once"]["upper95"].dump(), "0.00149675");
}

}  // namespace
}  // namespace idemsim
