// Campaigns: units of work on several threads, put together in the order of the runs.
#include "sim/explore/campaign.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

namespace idemsim {
namespace {

/// Two columns of the baseline strategy under a double click.
struct Matrix {
  StrategyLibrary library;
  Scenario scenario;
  std::vector<Cell> cells;

  explicit Matrix(Mode mode, std::uint64_t runs = 0) {
    scenario.clients.arrival = Arrival::double_click;
    scenario.clients.retry.attempts = 1;
    scenario.explore.mode = mode;
    scenario.explore.time = TimeModel::asynchronous;
    scenario.explore.runs = runs;
    scenario.strategies.push_back({"no_key", "no_key", {}});
    scenario.faults.push_back({"none", {}});
    FaultSpec crash;
    crash.kind = FaultKind::crash;
    scenario.faults.push_back({"crash", {crash}});
    cells = cells_of(scenario, library);
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
};

/// All that a report could show.
void expect_same(const Exploration& a, const Exploration& b) {
  EXPECT_EQ(a.exhausted, b.exhausted);
  EXPECT_EQ(a.cut, b.cut);
  EXPECT_EQ(a.executions, b.executions);
  EXPECT_EQ(a.undecided, b.undecided);
  EXPECT_EQ(a.pruned, b.pruned);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.violations, b.violations);
  EXPECT_EQ(a.crashes.existing(), b.crashes.existing());
  EXPECT_EQ(a.crashes.tried(), b.crashes.tried());
  ASSERT_EQ(a.witnesses.size(), b.witnesses.size());
  for (std::size_t i = 0; i < a.witnesses.size(); ++i) {
    EXPECT_EQ(a.witnesses[i].bucket, b.witnesses[i].bucket);
    EXPECT_EQ(a.witnesses[i].run_index, b.witnesses[i].run_index);
    EXPECT_EQ(a.witnesses[i].count, b.witnesses[i].count);
    EXPECT_EQ(a.witnesses[i].schedule, b.witnesses[i].schedule);
  }
}

TEST(Campaign, IsTheSameOnAnyNumberOfThreads) {
  const Matrix matrix(Mode::random, 3 * kChunkRuns + 17);
  CampaignOptions options;
  const std::vector<Exploration> alone = explore_cells(matrix.cells, options);
  options.jobs = 5;
  const std::vector<Exploration> together = explore_cells(matrix.cells, options);
  ASSERT_EQ(alone.size(), 2u);
  for (std::size_t i = 0; i < alone.size(); ++i) expect_same(alone[i], together[i]);
  EXPECT_EQ(alone[0].executions, matrix.scenario.explore.runs);
  EXPECT_GT(alone[1].crashes.tried(), 0u);
}

TEST(Campaign, InPartsIsTheSameAsInOnePiece) {
  const Matrix matrix(Mode::random, 2 * kChunkRuns + 3);
  const std::vector<Exploration> parts = explore_cells(matrix.cells, {});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    World world(setup_of(matrix.cells[i]));
    expect_same(parts[i], explore_random(world, 0, matrix.scenario.explore.runs, {}));
  }
}

TEST(Campaign, ExhaustsEachCell) {
  const Matrix matrix(Mode::exhaustive);
  CampaignOptions options;
  options.jobs = 2;
  for (const Exploration& exploration : explore_cells(matrix.cells, options)) {
    EXPECT_TRUE(exploration.exhausted);
    EXPECT_EQ(exploration.cut, Cut::none);
  }
}

TEST(Campaign, CtrlCBetweenTwoCellsKeepsTheFirst) {
  const Matrix matrix(Mode::exhaustive);
  std::atomic<bool> interrupted{false};
  // The clock is read before each cell, so it can tell when the first one is done.
  struct Watch {
    const ProgressCounters* counters;
    std::atomic<bool>* interrupted;
  };
  ProgressCounters counters(matrix.cells.size());
  const Watch watch{&counters, &interrupted};
  CampaignOptions options;
  options.interrupted = &interrupted;
  options.progress = &counters;
  options.budget = seconds(1);
  options.stopwatch = {[](const void* self) -> std::int64_t {
                         const Watch& it = *static_cast<const Watch*>(self);
                         if (it.counters->cells_done > 0) *it.interrupted = true;
                         return 0;
                       },
                       &watch};
  const std::vector<Exploration> explorations = explore_cells(matrix.cells, options);
  EXPECT_TRUE(explorations[0].exhausted);
  EXPECT_FALSE(explorations[1].exhausted);
  EXPECT_EQ(explorations[1].cut, Cut::interrupted);
}

/// A clock that moves by a second whenever it is read.
struct Ticking {
  mutable std::int64_t now_ns = 0;
  [[nodiscard]] Stopwatch watch() const {
    return {
        [](const void* self) { return static_cast<const Ticking*>(self)->now_ns += 1'000'000'000; },
        this};
  }
};

TEST(Campaign, TimeThatRunsOutLeavesTheFirstRunsOfEachCell) {
  const Matrix matrix(Mode::random, 1'000 * kChunkRuns);
  const Ticking clock;
  CampaignOptions options;
  options.budget = seconds(20);
  options.stopwatch = clock.watch();
  const std::vector<Exploration> cut = explore_cells(matrix.cells, options);
  for (const Exploration& exploration : cut) {
    EXPECT_EQ(exploration.cut, Cut::budget);
    EXPECT_GT(exploration.executions, 0u);
    EXPECT_EQ(exploration.executions % kChunkRuns, 0u);
  }
  // The same number of runs again gives the same counts.
  const Matrix again(Mode::random, cut[0].executions);
  const std::vector<Exploration> repeated = explore_cells(again.cells, {});
  EXPECT_EQ(repeated[0].violations, cut[0].violations);
  EXPECT_EQ(repeated[0].steps, cut[0].steps);
}

TEST(Campaign, TimeThatRunsOutEndsARunThatTakesLong) {
  for (const Mode mode : {Mode::fifo, Mode::random, Mode::exhaustive}) {
    Matrix matrix(mode, mode == Mode::random ? 5 : 0);
    matrix.scenario.clients.count = 200;  // thousands of steps
    const Ticking clock;
    CampaignOptions options;
    options.budget = seconds(20);
    options.stopwatch = clock.watch();
    for (const Exploration& exploration : explore_cells(matrix.cells, options)) {
      EXPECT_EQ(exploration.cut, Cut::budget);
      EXPECT_FALSE(exploration.exhausted);
      EXPECT_EQ(exploration.executions, 0u);
    }
  }
}

TEST(Campaign, CtrlCEndsARunThatTakesLong) {
  Matrix matrix(Mode::fifo);
  matrix.scenario.clients.count = 200;
  struct Watch {
    std::atomic<bool> interrupted{false};
    mutable int reads = 0;
  };
  Watch watch;
  CampaignOptions options;
  options.interrupted = &watch.interrupted;
  options.budget = seconds(1);
  options.stopwatch = {[](const void* self) -> std::int64_t {
                         auto& it = *static_cast<Watch*>(const_cast<void*>(self));
                         if (++it.reads > 10) it.interrupted = true;
                         return 0;
                       },
                       &watch};
  const std::vector<Exploration> explorations = explore_cells(matrix.cells, options);
  EXPECT_EQ(explorations[0].cut, Cut::interrupted);
  EXPECT_EQ(explorations[0].executions, 0u);
}

TEST(Campaign, OfTwoWitnessesOfABucketTheFirstStays) {
  Exploration all;
  Witness witness;
  witness.bucket = 7;
  witness.run_index = 3;
  witness.count = 2;
  all.witnesses = {witness};
  all.executions = 10;
  Exploration next = all;
  next.witnesses[0].run_index = 300;
  next.undecided = 1;
  next.cut = Cut::steps;
  append(all, next);
  ASSERT_EQ(all.witnesses.size(), 1u);
  EXPECT_EQ(all.witnesses[0].run_index, 3u);
  EXPECT_EQ(all.witnesses[0].count, 4u);
  EXPECT_EQ(all.executions, 20u);
  EXPECT_EQ(all.cut, Cut::steps);
}

}  // namespace
}  // namespace idemsim
