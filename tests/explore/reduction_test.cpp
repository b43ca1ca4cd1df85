// Every reduction against plain enumeration on whole small worlds: the same final outcomes.
#include "sim/explore/exhaustive.hpp"
#include "sim/oracles/oracles.hpp"
#include "sim/run/cell.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace idemsim {
namespace {

/// What a run amounts to for everybody outside: ledgers, what each attempt was told, verdicts.
std::uint64_t outcome_of(const FinishedRun& run) {
  std::uint64_t h = violated_set(run);
  for (const LedgerEntry& e : run.ledger) {
    h += mix64(combine(combine(e.step.origin, e.step.place), static_cast<unsigned>(e.ledger)));
  }
  for (const Event& e : run.events) {
    const bool heard =
        e.type == EventType::ok || e.type == EventType::fail || e.type == EventType::info;
    if (!heard) continue;
    h += mix64(combine(combine(e.step.origin >> 14, static_cast<unsigned>(e.status)),
                       combine(e.body.fold(), e.probe ? 1 : 0)));
  }
  return h;
}

struct Outcomes {
  bool complete = false;
  std::uint64_t executions = 0;
  std::set<std::uint64_t> all;
};

Outcomes enumerate(const Cell& cell, Reduction reduction, std::uint64_t runs_max) {
  World world(setup_of(cell));
  const StateSource source{
      &world, [](const void* self) { return static_cast<const World*>(self)->state_hash(); }};
  ExhaustiveScheduler scheduler(source, reduction);
  Outcomes outcomes;
  for (std::uint64_t i = 0; i < runs_max; ++i) {
    if (world.run(scheduler, {1, false}) == RunEnd::quiescent) {
      ++outcomes.executions;
      outcomes.all.insert(outcome_of(world.finished()));
    }
    if (!scheduler.next()) {
      outcomes.complete = true;
      break;
    }
  }
  return outcomes;
}

FaultSpec spec_of(FaultKind kind) {
  FaultSpec spec;
  spec.kind = kind;
  const bool pause = kind == FaultKind::pause;
  spec.by = pause ? Window{seconds(3), seconds(3)} : Window{milliseconds(40), milliseconds(40)};
  return spec;
}

Scenario small_scenario(TimeModel time, Arrival arrival) {
  Scenario s;
  s.operation = OperationKind::create_order;
  s.clients.arrival = arrival;
  s.clients.retry.attempts = arrival == Arrival::single ? 2 : 1;
  s.clients.retry.timeout = milliseconds(30);
  s.clients.retry.backoff = {milliseconds(5), milliseconds(10)};
  s.explore.time = time;
  FaultPlan none;
  none.label = "none";
  s.faults.push_back(none);
  for (const FaultKind kind : kFaultKinds) {
    FaultPlan plan;
    plan.label = std::string(to_string(kind));
    plan.faults.push_back(spec_of(kind));
    s.faults.push_back(plan);
  }
  return s;
}

/// Worlds with more plain executions than this are left out; sanitizers are some thirty times
/// slower.
#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t kRunsMax = 200;
constexpr std::size_t kComparedMin = 0;  // there they only look for broken memory
#else
constexpr std::uint64_t kRunsMax = 2'000;
constexpr std::size_t kComparedMin = 8;
#endif

void compare(TimeModel time, Arrival arrival, const std::vector<Reduction>& reductions) {
  const StrategyLibrary library;
  Scenario scenario = small_scenario(time, arrival);
  for (const StrategyDefinition& s : library.all()) {
    scenario.strategies.push_back({s.info.name, s.info.name, {}});
  }
  std::size_t compared = 0;
  for (const Cell& cell : cells_of(scenario, library)) {
    const Outcomes plain = enumerate(cell, Reduction::plain, kRunsMax);
    if (!plain.complete) continue;
    ++compared;
    for (const Reduction reduction : reductions) {
      const Outcomes reduced = enumerate(cell, reduction, 10 * kRunsMax);
      EXPECT_TRUE(reduced.complete) << cell.id();
      EXPECT_EQ(reduced.all, plain.all) << cell.id();
      EXPECT_LE(reduced.executions, plain.executions) << cell.id();
    }
  }
  EXPECT_GE(compared, kComparedMin) << "too few worlds were small enough to compare";
}

TEST(Reduction, SleepSetsAndVisitedStatesLoseNoOutcomeOfARetryingClient) {
  compare(TimeModel::asynchronous, Arrival::single, {Reduction::sleep_sets, Reduction::visited});
}

TEST(Reduction, SleepSetsAndVisitedStatesLoseNoOutcomeOfADoubleClick) {
  compare(TimeModel::asynchronous, Arrival::double_click,
          {Reduction::sleep_sets, Reduction::visited});
}

TEST(Reduction, InclusionLosesNoOutcomeInBoundedTime) {
  compare(TimeModel::bounded, Arrival::single, {Reduction::visited});
  compare(TimeModel::bounded, Arrival::double_click, {Reduction::visited});
}

}  // namespace
}  // namespace idemsim
