// The Graphviz report: golden graphs, what `dot` says of them, and what is refused.
#include "reports/dot.hpp"

#include "tests/reports/golden.hpp"
#include "tests/reports/samples.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace idemsim {
namespace {

/// True if `dot` draws the graph, or if it is not installed.
bool is_drawn(const std::string& graph) {
  if (std::system("command -v dot >/dev/null 2>&1") != 0) return true;
  // Through a pipe: tests run side by side, and a file of that name would be shared.
  FILE* const dot = popen("dot -Tsvg >/dev/null", "w");
  if (dot == nullptr) return false;
  const bool written = std::fwrite(graph.data(), 1, graph.size(), dot) == graph.size();
  return pclose(dot) == 0 && written;
}

std::string graph_of(const CampaignResult& result, std::size_t finding) {
  const Result<std::string> graph = render_dot(result, result.findings[finding]);
  return graph.has_value() ? graph.value() : graph.error()[0].message;
}

TEST(DotReport, ARaceShowsCheckWindowAndUse) {
  const std::string graph = graph_of(samples::double_click(), 0);
  expect_golden("double_click.dot", graph);
  EXPECT_TRUE(is_drawn(graph));
}

TEST(DotReport, ACrashIsAnOctagon) {
  const std::string graph = graph_of(samples::lost_record(), 0);
  expect_golden("lost_record.dot", graph);
  EXPECT_TRUE(is_drawn(graph));
}

TEST(DotReport, AnUnexplainedFindingIsDrawnWithoutRace) {
  const std::string graph = graph_of(samples::lost_record(), 1);
  expect_golden("stuck_key.dot", graph);
  EXPECT_TRUE(is_drawn(graph));
}

TEST(DotReport, TextCannotBreakOutOfALabel) {
  CampaignResult result = samples::double_click();
  for (const char* text : {"a\"]; evil [label=\"", "ends with \\", "\\N \\G {<|>}", "a\nb\tc"}) {
    result.traces[0].events[4].text = text;
    result.traces[0].events[4].process = text;
    result.findings[0].headline = text;
    const std::string graph = graph_of(result, 0);
    EXPECT_EQ(graph.find("  evil"), std::string::npos);
    EXPECT_TRUE(is_drawn(graph)) << graph;
  }
}

TEST(DotReport, AnUnreadablyLargeGraphIsRefused) {
  CampaignResult result = samples::double_click();
  Trace& trace = result.traces[0];
  while (trace.events.size() < 1000) {
    trace.events.push_back(trace.events[2]);
    trace.events.back().n = static_cast<std::uint32_t>(trace.events.size());
  }
  const Result<std::string> graph = render_dot(result, result.findings[0]);
  ASSERT_TRUE(graph.has_error());
  EXPECT_NE(graph.error()[0].message.find("1,000 events"), std::string::npos);
}

TEST(DotReport, WithoutTraceThereIsNoGraph) {
  CampaignResult result = samples::double_click();
  result.traces.clear();
  EXPECT_TRUE(render_dot(result, result.findings[0]).has_error());
}

}  // namespace
}  // namespace idemsim
