// A client that tries very often: its waits grow, and stop growing before they overflow.
#include "sim/explore/explorer.hpp"
#include "sim/run/cell.hpp"

#include <gtest/gtest.h>

namespace idemsim {
namespace {

TEST(Backoff, TwoHundredAttemptsThatAllTimeOutStillEnd) {
  const StrategyLibrary library;
  Scenario scenario;
  scenario.clients.retry.timeout = Duration{1};
  scenario.clients.retry.attempts = 200;
  scenario.explore.mode = Mode::fifo;
  scenario.strategies.push_back({"check_then_write", "check_then_write", {}});
  FaultPlan none;
  none.label = "none";
  scenario.faults.push_back(none);
  World world(setup_of(cells_of(scenario, library).front()));
  const Exploration exploration = explore_fifo(world);
  EXPECT_EQ(exploration.cut, Cut::none);
  EXPECT_EQ(exploration.executions, 1u);
}

}  // namespace
}  // namespace idemsim
