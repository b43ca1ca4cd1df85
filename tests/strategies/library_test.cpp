// The shipped scenarios against the simulator: what they expect, what strategies claim, and whether
// each safeguard is taken away somewhere.
#include "scenarios/load.hpp"
#include "scenarios/schema.hpp"
#include "sim/explore/explorer.hpp"
#include "sim/explore/schedulers.hpp"
#include "sim/explore/shrink.hpp"
#include "sim/run/cell.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace idemsim {
namespace {

/// A search is cut here, so that the test stays short in slow builds; the cells that are left are
/// few, and what is found before the cut counts.
constexpr std::uint64_t kStatesMax = 2'000;

std::vector<std::string> shipped_files() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(IDEMSIM_SOURCE_DIR "/scenarios")) {
    const std::string name = entry.path().filename().string();
    const bool scenario = name.ends_with(".json") && !name.ends_with(".schema.json");
    if (scenario) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Scenario loaded(const std::string& path, const StrategyLibrary& library) {
  Result<Scenario> scenario = load_scenario(path, library.catalogue());
  for (const Problem& problem : scenario ? Problems{} : scenario.error()) {
    ADD_FAILURE() << path << ":" << problem.line << ": " << problem.message;
  }
  return scenario ? std::move(*scenario) : Scenario{};
}

bool names(const std::vector<std::string>& labels, const std::string& label) {
  return labels.empty() || std::find(labels.begin(), labels.end(), label) != labels.end();
}

/// The last expectation about a property in a cell, or null.
const Expectation* expected(const Cell& cell, Property property) {
  const Expectation* last = nullptr;
  for (const Expectation& e : cell.scenario->expect) {
    if (e.property != property || !names(e.strategies, cell.variant->label)) continue;
    if (names(e.faults, cell.faults->label)) last = &e;
  }
  return last;
}

/// Does the claim speak of this cell: the strategy as it comes, a client that keeps its key, exact
/// time, and no faults but those of the claim?
bool covers(const ClaimInfo& claim, const Cell& cell) {
  const Scenario& scenario = *cell.scenario;
  if (!cell.variant->parameters.empty() || scenario.clients.key != KeyPolicy::stable) return false;
  if (scenario.explore.time != TimeModel::bounded) return false;
  // What is kept for a day cannot stand a retry after it.
  if (scenario.clients.retry.backoff.latest >= seconds(24 * 3600)) return false;
  return std::ranges::all_of(cell.faults->faults, [&](const FaultSpec& fault) {
    return std::ranges::find(claim.faults, fault.kind) != claim.faults.end();
  });
}

class Shipped : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Scenarios, Shipped, testing::ValuesIn(shipped_files()),
                         [](const testing::TestParamInfo<std::string>& file) {
                           return std::filesystem::path(file.param).stem().string();
                         });

TEST_P(Shipped, SaysWhatItShowsAndIsCalledAsItsFile) {
  const StrategyLibrary library;
  const Scenario scenario = loaded(GetParam(), library);
  EXPECT_EQ(scenario.name, std::filesystem::path(GetParam()).stem().string());
  EXPECT_FALSE(scenario.about.empty());
  EXPECT_FALSE(scenario.expect.empty());
}

TEST_P(Shipped, ExpectsAndStrategiesClaimWhatIsFound) {
  const StrategyLibrary library;
  const Scenario scenario = loaded(GetParam(), library);
  Limits limits;
  limits.states = kStatesMax;
  limits.runs = kStatesMax * 4;
  for (const Cell& cell : cells_of(scenario, library)) {
    SCOPED_TRACE(cell.id());
    World world(setup_of(cell));
    const Exploration exploration = explore(world, limits);
    for (const Property property : kProperties) {
      if (property == Property::exercised) continue;
      SCOPED_TRACE(std::string(to_string(property)));
      const bool violated = exploration.violations[static_cast<std::size_t>(property)] > 0;
      if (const Expectation* expectation = expected(cell, property)) {
        const bool wants = expectation->is == Expectation::Is::violated;
        if (violated || exploration.exhausted) {
          EXPECT_EQ(violated, wants);
        }
      }
      for (const ClaimInfo& claim : cell.strategy->info.claims) {
        if (claim.property == property && covers(claim, cell)) {
          EXPECT_FALSE(violated);
        }
      }
    }
  }
}

/// The list of steps is read off the sources; what really runs must be in it.
TEST_P(Shipped, StepsOfItsStrategiesAreAllListed) {
  const StrategyLibrary library;
  const Scenario scenario = loaded(GetParam(), library);
  for (const Cell& cell : cells_of(scenario, library)) {
    SCOPED_TRACE(cell.id());
    World world(setup_of(cell));
    RandomScheduler scheduler(*cell.faults);
    for (std::uint64_t run = 0; run < 50; ++run) {
      scheduler.reset(run);
      (void)world.run(scheduler, {run, false});
      for (const Event& event : world.events()) {
        const std::size_t process = event.process.index;
        const bool server = process >= world.client_processes() &&
                            process < world.client_processes() + world.server_processes();
        if (!server || event.type != EventType::step) continue;
        const std::vector<std::string>& steps = cell.strategy->info.steps;
        EXPECT_NE(std::ranges::find(steps, event.site.view()), steps.end()) << event.site.view();
      }
    }
  }
}

/// The naive strategy survives a quiet day, and one choice is enough to break it.
TEST(DoubleClick, OneReorderingAndNoFaultMakesTheNaiveStrategyChargeTwice) {
  const StrategyLibrary library;
  const Scenario scenario = loaded(IDEMSIM_SOURCE_DIR "/scenarios/double_click.json", library);
  const std::vector<Cell> cells = cells_of(scenario, library);
  const Cell& naive = cells.front();
  ASSERT_EQ(naive.id(), "check_then_write@none");
  World world(setup_of(naive));
  EXPECT_TRUE(explore_fifo(world).witnesses.empty());
  const Exploration all = explore_exhaustive(world, {});
  const auto twice = std::ranges::find(all.witnesses, Property::at_most_once, &Witness::property);
  ASSERT_NE(twice, all.witnesses.end());
  const Shrunk shrunk = shrink(naive, *twice, {2'000, {}});
  EXPECT_EQ(shrunk.schedule.size(), 1u);
  EXPECT_EQ(preemptions_of(shrunk.schedule), 1u);
  EXPECT_EQ(faults_of(shrunk.schedule), 0u);
}

TEST(Schema, CheckedInCopyIsTheOneOfTheProgram) {
  std::ifstream file(IDEMSIM_SOURCE_DIR "/scenarios/idemsim.scenario.schema.json");
  const std::string kept((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(kept, schema_text(StrategyLibrary().catalogue()))
      << "write it again with: ./idemsim schema";
}

/// The strategy as its author wrote it: no safeguard removed, and a client that keeps its key.
bool as_designed(const Cell& cell) {
  if (cell.scenario->clients.key != KeyPolicy::stable) return false;
  return std::ranges::all_of(cell.variant->parameters, [&](const auto& setting) {
    const ParameterInfo* p = cell.strategy->info.find(setting.first);
    return p->type != ParameterInfo::Type::safeguard || setting.second != 0;
  });
}

/// Claims a strategy less than it could, or does a shipped scenario show why it does not?
TEST(Claims, WhatAStrategyDoesNotClaimIsCaughtInAShippedScenario) {
  std::set<std::string> silent;
  const StrategyLibrary library;
  for (const StrategyDefinition& strategy : library.all()) {
    std::set<Property> claimed;
    for (const ClaimInfo& claim : strategy.info.claims) {
      if (claim.faults.size() == kFaultKinds.size()) claimed.insert(claim.property);
    }
    for (const Property p : kProperties) {
      // Sections are a matter of those who enter one.
      if (p == Property::mutual_exclusion && strategy.info.name != "distributed_lock") continue;
      if (p == Property::exercised || claimed.contains(p)) continue;
      silent.insert(strategy.info.name + "." + std::string(to_string(p)));
    }
  }
  for (const std::string& path : shipped_files()) {
    const Scenario scenario = loaded(path, library);
    for (const Cell& cell : cells_of(scenario, library)) {
      if (!as_designed(cell)) continue;
      for (const Property p : kProperties) {
        const Expectation* e = expected(cell, p);
        if (e == nullptr || e->is != Expectation::Is::violated) continue;
        silent.erase(cell.strategy->info.name + "." + std::string(to_string(p)));
      }
    }
  }
  EXPECT_EQ(silent, std::set<std::string>{});
}

TEST(Safeguards, EachIsTakenAwayInAShippedScenario) {
  std::set<std::string> missing;
  const StrategyLibrary library;
  for (const StrategyDefinition& strategy : library.all()) {
    for (const ParameterInfo& p : strategy.info.parameters) {
      if (p.type == ParameterInfo::Type::safeguard)
        missing.insert(strategy.info.name + "." + p.name);
    }
  }
  for (const std::string& path : shipped_files()) {
    const Scenario scenario = loaded(path, library);
    for (const StrategyVariant& variant : scenario.strategies) {
      for (const auto& [name, value] : variant.parameters) {
        if (value == 0) missing.erase(variant.strategy + "." + name);
      }
    }
  }
  EXPECT_EQ(missing, std::set<std::string>{});
}

}  // namespace
}  // namespace idemsim
