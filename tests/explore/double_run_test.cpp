// --check-determinism: quiet about what is deterministic, exact about what is not.
#include "sim/explore/double_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace idemsim {
namespace {

using ::testing::HasSubstr;

/// The mistake that the check is for: state outside the world, here a counter.
Task<Answer> counts_outside_the_world(Context& ctx, const Request& request) {
  static std::int64_t counter = 0;
  const Value reference = Value::integer(++counter);
  const sql::Statement effect = local_effect(request, reference);
  const SqlReply wrote = co_await ctx.db().execute("write effect", effect);
  if (!wrote.ok()) co_return unknown();
  co_return done(reference);
}

struct OneCell {
  Scenario scenario;
  StrategyDefinition strategy;
  Cell cell;

  explicit OneCell(StrategyDefinition definition) : strategy(std::move(definition)) {
    scenario.clients.arrival = Arrival::double_click;
    scenario.strategies.push_back({strategy.info.name, strategy.info.name, {}});
    FaultSpec crash;
    crash.kind = FaultKind::crash;
    FaultSpec lost;
    lost.kind = FaultKind::lost_after;
    scenario.faults.push_back({"some", {crash, lost}});
    cell = {&scenario, &strategy, scenario.strategies.data(), scenario.faults.data()};
  }
  OneCell(const OneCell&) = delete;
  OneCell& operator=(const OneCell&) = delete;
};

TEST(DoubleRun, StrategiesAreDeterministicInAllTimes) {
  const StrategyLibrary library;
  for (const StrategyDefinition& strategy : library.all()) {
    for (const TimeModel time : {TimeModel::sampled, TimeModel::bounded, TimeModel::asynchronous}) {
      OneCell one(strategy);
      one.scenario.explore.time = time;
      one.scenario.explore.mode = Mode::random;
      EXPECT_EQ(check_determinism(one.cell, 30).value_or(""), "")
          << strategy.info.name << " " << to_string(time);
    }
  }
}

TEST(DoubleRun, PlantedNondeterminismIsFoundWithTheFirstDifferingEvent) {
  StrategyDefinition planted;
  planted.info.name = "planted";
  planted.handle = counts_outside_the_world;
  const OneCell one(planted);
  const std::string difference = check_determinism(one.cell, 10).value_or("nothing found");
  EXPECT_THAT(difference, HasSubstr("planted@some, schedule 0"));
  EXPECT_THAT(difference, HasSubstr("differs"));
  EXPECT_THAT(difference, HasSubstr("'write effect'"));
}

}  // namespace
}  // namespace idemsim
