// What a dead server had sent still executes, on behalf of the operation that it was sent for.
#include "sim/explore/replay.hpp"
#include "tests/strategies/quiet_world.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace idemsim::tests {
namespace {

StepId step(std::string_view text) { return parse_step_id(text).value(); }

std::vector<FaultSpec> one_crash() {
  FaultSpec crash;
  crash.kind = FaultKind::crash;
  return {crash};
}

/// The first server dies before its second step; what it has on the wire executes all the same.
Schedule crash_with_a_statement_on_the_wire() {
  Schedule schedule;
  schedule.runs.push_back({step("c0n2"), step("fa1n0")});
  schedule.takes.push_back({step("fa1n0"), "on the wire", 0, "executes"});
  return schedule;
}

TEST(Orphan, AChargeOnTheWireBelongsToTheOperationOfTheDeadHandler) {
  QuietWorld world("insert_first", OperationKind::charge);
  world.faults().faults = one_crash();
  ReplayScheduler scheduler(crash_with_a_statement_on_the_wire());
  const FinishedRun run = world.run(scheduler);
  ASSERT_TRUE(run.completed) << scheduler.diverged();
  ASSERT_FALSE(run.ledger.empty());
  for (const LedgerEntry& entry : run.ledger) {
    EXPECT_EQ(entry.operation, (OperationId{0, 0}));
  }
}

TEST(Orphan, ARowOnTheWireBelongsToTheOperationOfTheDeadHandler) {
  QuietWorld world("insert_first", OperationKind::create_order, {{"same_transaction", 0}});
  world.faults().faults = one_crash();
  ReplayScheduler scheduler(crash_with_a_statement_on_the_wire());
  const FinishedRun run = world.run(scheduler);
  ASSERT_TRUE(run.completed) << scheduler.diverged();
  ASSERT_FALSE(run.ledger.empty());
  for (const LedgerEntry& entry : run.ledger) {
    EXPECT_EQ(entry.operation, (OperationId{0, 0}));
  }
}

/// A deadline that fires goes on with its handler: what that causes is derived from the deadline.
TEST(Deadline, AHandlerThatGaveUpWaitingAnswers) {
  QuietWorld world("distributed_lock", OperationKind::create_order);
  world.faults().faults = one_crash();
  Schedule schedule;
  schedule.runs.push_back({step("c0n3"), step("fa1n0")});  // the dead one holds the lock
  ReplayScheduler scheduler(schedule);
  const FinishedRun run = world.run(scheduler);
  ASSERT_TRUE(run.completed) << scheduler.diverged();
  EXPECT_EQ(QuietWorld::told(run).at(1).status, Status::in_progress);
}

}  // namespace
}  // namespace idemsim::tests
