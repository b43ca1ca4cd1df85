// The text report: golden files of the samples, and what must hold for every style.
#include "reports/text.hpp"

#include "tests/reports/golden.hpp"
#include "tests/reports/samples.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace idemsim {
namespace {

const TextStyle kAscii{.ascii = true};

TEST(TextReport, ARaceIsDrawnInFull) {
  expect_golden("double_click.txt", render_text(samples::double_click(), {}));
}

TEST(TextReport, ARaceIsDrawnInAscii) {
  expect_golden("double_click.ascii.txt", render_text(samples::double_click(), kAscii));
}

TEST(TextReport, AnExplanationWithoutRaceHasItsDiagram) {
  expect_golden("lost_record.txt", render_text(samples::lost_record(), {}));
}

TEST(TextReport, AnUnexplainedFindingIsAList) {
  const CampaignResult result = samples::lost_record();
  expect_golden("stuck_key.txt", render_finding_text(result, result.findings[1], {}));
}

TEST(TextReport, WithoutViolationTheMatrixAndItsBasisRemain) {
  expect_golden("all_holds.txt", render_text(samples::all_holds(), {}));
  expect_golden("all_holds.ascii.txt", render_text(samples::all_holds(), kAscii));
}

TEST(TextReport, OneCellIsToldPropertyByProperty) {
  CampaignResult result = samples::lost_record();
  result.cells = {result.cells[1]};
  result.findings = {result.findings[0]};
  expect_golden("one_cell.txt", render_text(result, {.part = TextStyle::Part::matrix}));
}

TEST(TextReport, ColumnsThatDoNotFitComeInBlocks) {
  CampaignResult result = samples::all_holds();
  for (int i = 0; i < 3; ++i) {
    result.fault_labels.push_back("more_faults_" + std::to_string(i));
    for (const std::string& strategy : result.strategy_labels) {
      result.cells.push_back(result.cells[0]);
      result.cells.back().strategy = strategy;
      result.cells.back().faults = result.fault_labels.back();
    }
  }
  expect_golden("blocks.txt", render_text(result, {.part = TextStyle::Part::matrix}));
}

TEST(TextReport, ColourChangesNothingButColour) {
  for (const CampaignResult& result : {samples::double_click(), samples::lost_record()}) {
    const std::string coloured = render_text(result, {.colour = true});
    std::string plain;
    bool in_colour = false;
    for (const char c : coloured) {
      if (c == '\x1b') in_colour = true;
      if (!in_colour) plain += c;
      if (c == 'm') in_colour = false;
    }
    EXPECT_NE(coloured, plain);
    EXPECT_EQ(plain, render_text(result, {}));
  }
}

TEST(TextReport, AsciiIsAscii) {
  for (const CampaignResult& result :
       {samples::double_click(), samples::lost_record(), samples::all_holds()}) {
    for (const char c : render_text(result, kAscii)) {
      ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << static_cast<int>(c);
    }
  }
}

TEST(TextReport, OnlyReplayLinesMayBeWiderThanTheTerminal) {
  for (const int width : {60, 80, 100, 140}) {
    for (const CampaignResult& result :
         {samples::double_click(), samples::lost_record(), samples::all_holds()}) {
      std::istringstream lines(render_text(result, {.ascii = true, .width = width}));
      for (std::string line; std::getline(lines, line);) {
        if (line.find("idemsim replay") != std::string::npos) continue;
        EXPECT_LE(line.size(), static_cast<std::size_t>(width)) << line;
      }
    }
  }
}

TEST(TextReport, ControlCharactersOfAScenarioDoNotReachTheTerminal) {
  CampaignResult result = samples::double_click();
  result.scenario_name = "evil\x1b[2J\nname";
  const std::string text = render_text(result, {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("evil [2J name"), std::string::npos);
}

TEST(TextReport, TheWantedFindingIsTheOneInFull) {
  const std::string text = render_text(samples::lost_record(), {.finding = "f2"});
  EXPECT_NE(text.find("#2 STUCK KEY"), std::string::npos);
  EXPECT_EQ(text.find("#1 DUPLICATE EFFECT"), std::string::npos);
}

TEST(TextReport, ATraceThatDoesNotFitIsAList) {
  CampaignResult result = samples::double_click();
  for (std::size_t i = 0; i < result.traces[0].events.size(); ++i) {
    result.traces[0].events[i].process = "process-" + std::to_string(i);
  }
  const std::string text = render_finding_text(result, result.findings[0], {});
  EXPECT_NE(text.find("process    "), std::string::npos);
  EXPECT_NE(text.find("Why (toctou):"), std::string::npos);
}

TEST(TextReport, AnEmptyOrMissingTraceIsNoReasonToFail) {
  CampaignResult result = samples::double_click();
  result.traces[0].events.clear();
  EXPECT_NE(render_text(result, {}).find("replay:"), std::string::npos);
  result.traces.clear();
  EXPECT_NE(render_text(result, {}).find("does not contain the trace"), std::string::npos);
}

TEST(TextReport, AResultWithoutCellsClaimsNothing) {
  const std::string text = render_text({}, {});
  EXPECT_EQ(text.find("holds"), std::string::npos);
}

TEST(TextReport, ACutSearchIsNeverSaidToHold) {
  CampaignResult result = samples::all_holds();
  result.cells = {result.cells[2]};
  const std::string text = render_text(result, {});
  EXPECT_EQ(text.find("holds"), std::string::npos);
  EXPECT_NE(text.find("state limit"), std::string::npos);
}

}  // namespace
}  // namespace idemsim
