// Every strategy on a quiet day: the first request works, and whoever asks again hears the same.
#include "sim/oracles/oracles.hpp"
#include "tests/strategies/quiet_world.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace idemsim::tests {
namespace {

using Status = idemsim::Status;

struct Case {
  std::string strategy;
  OperationKind operation;
};

std::vector<Case> every_case() {
  std::vector<Case> cases;
  for (const StrategyFactory make : strategy_registry()) {
    const StrategyDefinition definition = make();
    for (const OperationKind operation : definition.info.operations) {
      cases.push_back({definition.info.name, operation});
    }
  }
  return cases;
}

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.strategy << " " << to_string(c.operation);
}

class QuietDay : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Strategies, QuietDay, testing::ValuesIn(every_case()),
                         [](const testing::TestParamInfo<Case>& c) {
                           return c.param.strategy + "_" +
                                  std::string(to_string(c.param.operation));
                         });

TEST_P(QuietDay, TheFirstRequestWorksAndTheNextOneHearsTheSame) {
  QuietWorld world(GetParam().strategy, GetParam().operation);
  const FinishedRun run = world.run();
  ASSERT_TRUE(run.completed);
  const std::vector<Answer> answers = QuietWorld::told(run);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].status, Status::done);
  const std::size_t ledgers = has_external_effect(GetParam().operation) ? 2 : 1;
  if (GetParam().strategy == "no_key") {
    EXPECT_EQ(answers[1].status, Status::done);
    EXPECT_EQ(run.ledger.size(), 2 * ledgers);
    EXPECT_EQ(violated_set(run),
              bit_of(Property::at_most_once) | bit_of(Property::stable_response));
    return;
  }
  EXPECT_EQ(answers[1].status, Status::stored);
  EXPECT_EQ(answers[1].body, answers[0].body);
  EXPECT_EQ(run.ledger.size(), ledgers);
  EXPECT_EQ(violated_set(run), 0u);
}

/// Every safeguard removed alone leaves a quiet day with a single request alone: what it guards
/// against is not there.
TEST_P(QuietDay, WithoutAnyOneSafeguardTheFirstRequestStillWorks) {
  const StrategyDefinition definition = *StrategyLibrary().find(GetParam().strategy);
  for (const ParameterInfo& parameter : definition.info.parameters) {
    if (parameter.type != ParameterInfo::Type::safeguard) continue;
    SCOPED_TRACE(parameter.name);
    QuietWorld world(GetParam().strategy, GetParam().operation, {{parameter.name, 0}});
    const FinishedRun run = world.run();
    ASSERT_TRUE(run.completed);
    EXPECT_EQ(QuietWorld::told(run).at(0).status, Status::done);
  }
}

TEST(InsertFirst, ARequestWithoutKeyRunsUnprotectedOrIsRefused) {
  QuietWorld passes("insert_first", OperationKind::create_order, {{"missing_key", 0}});
  passes.scenario().clients.key = KeyPolicy::none;
  EXPECT_EQ(passes.run().ledger.size(), 2u);
  QuietWorld refuses("insert_first", OperationKind::create_order, {{"missing_key", 1}});
  refuses.scenario().clients.key = KeyPolicy::none;
  const FinishedRun run = refuses.run();
  EXPECT_EQ(run.ledger.size(), 0u);
  EXPECT_EQ(QuietWorld::told(run).at(0).status, Status::rejected);
}

TEST(InsertFirst, AKeyThatIsUsedAgainForSomethingElseIsRefused) {
  QuietWorld guarded("insert_first", OperationKind::create_order);
  guarded.scenario().clients.operations = 2;
  guarded.scenario().clients.key = KeyPolicy::reused;
  EXPECT_EQ(QuietWorld::told(guarded.run()).at(1).status, Status::rejected);
  QuietWorld blind("insert_first", OperationKind::create_order, {{"fingerprint", 0}});
  blind.scenario().clients.operations = 2;
  blind.scenario().clients.key = KeyPolicy::reused;
  const FinishedRun run = blind.run();
  EXPECT_EQ(QuietWorld::told(run).at(1).status, Status::stored);
  EXPECT_TRUE(judge(Property::no_lost_effect, run).violated);
}

TEST(OptimisticLock, AKeyIsNotNeeded) {
  QuietWorld world("optimistic_lock", OperationKind::payment_callback);
  world.scenario().clients.key = KeyPolicy::none;
  const FinishedRun run = world.run();
  EXPECT_EQ(run.ledger.size(), 1u);
  EXPECT_EQ(QuietWorld::told(run).at(1).status, Status::stored);
}

}  // namespace
}  // namespace idemsim::tests
