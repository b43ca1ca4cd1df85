// Rules of the SQL engine that the recorded cases do not show: canonical states, deadlines, wakes.
#include "tests/engines/sql_fixture.hpp"

#include <vector>

namespace idemsim::sql {

namespace {

std::vector<SessionId> ids(std::initializer_list<SessionId> list) { return list; }

TEST_F(SqlEngine, AllWaitersOfAnAbortedInserterWake) {
  run(a, begin());
  run(a, insert_payment(3));
  EXPECT_TRUE(run(b, insert_payment(3)).blocked());
  EXPECT_TRUE(run(c, insert_payment(3)).blocked());
  run(a, rollback());
  EXPECT_EQ(woken(), ids({b, c}));
}

TEST_F(SqlEngine, LastWokenInserterMayWin) {
  run(a, begin());
  run(a, insert_payment(3));
  run(b, insert_payment(3));
  run(c, insert_payment(3));
  run(a, rollback());
  EXPECT_TRUE(resume(c).ok());
  EXPECT_EQ(resume(b).code, Code::unique_violation);
}

TEST_F(SqlEngine, OnlyTheHeadOfARowQueueWakesWhenTheHolderOnlyLocked) {
  run(a, begin());
  run(a, find_payment(1).for_update());
  run(b, find_payment(1).for_update());
  run(c, find_payment(1).for_update());
  EXPECT_EQ(engine.blockers_of(c), ids({b}));
  run(a, commit());
  EXPECT_EQ(woken(), ids({b}));
}

TEST_F(SqlEngine, NewArrivalDoesNotOvertakeTheHeadOfARowQueue) {
  run(a, begin());
  run(a, find_payment(1).for_update());
  run(b, find_payment(1).for_update());
  run(a, commit());
  EXPECT_EQ(run(c, find_payment(1).for_update().nowait()).code, Code::lock_not_available);
}

TEST_F(SqlEngine, WholeRowQueueWakesAfterAnUpdate) {
  run(a, begin());
  run(a, set_status(1, "paid"));
  run(b, set_status(1, "b"));
  run(c, set_status(1, "c"));
  run(a, commit());
  EXPECT_EQ(woken(), ids({b, c}));
  EXPECT_TRUE(resume(c).ok());
  EXPECT_TRUE(resume(b).ok());
  run(a, find_payment(1));
  EXPECT_EQ(engine.rows()[0][1], Value::word("b"));
}

TEST_F(SqlEngine, RecheckThatFailsStillLocksTheRow) {
  run(a, begin());
  run(a, set_status(1, "paid"));
  run(b, begin());
  run(b, set_status(1, "late").where("status", eq, Value::word("new")));
  run(a, commit());
  EXPECT_EQ(resume(b).affected, 0u);
  EXPECT_TRUE(run(c, set_status(1, "next")).blocked());
  EXPECT_EQ(engine.blockers_of(c), ids({b}));
}

TEST_F(SqlEngine, WaitAtASecondUniqueIndexHoldsTheFirstKey) {
  const Statement first =
      insert_into("effect").set("id", Value::integer(1)).set("reference", Value::key(1));
  const Statement second =
      insert_into("effect").set("id", Value::integer(2)).set("reference", Value::key(1));
  run(a, begin());
  run(a, first);
  EXPECT_TRUE(run(b, second).blocked());
  EXPECT_TRUE(run(c, insert_into("effect").set("id", Value::integer(2))).blocked());
  EXPECT_EQ(engine.blockers_of(c), ids({b}));
}

TEST_F(SqlEngine, UnsupportedIsolationIsRefused) {
  const Reply reply = run(a, begin(Isolation::repeatable_read));
  EXPECT_EQ(reply.code, Code::feature_not_supported);
  EXPECT_EQ(reply.transaction, TransactionState::idle);
}

TEST_F(SqlEngine, DeadlineCountsOnceItIsMarkedPassed) {
  const Value deadline = Value::deadline(77);
  run(a, update("payment").set("expires_at", deadline).where("id", eq, Value::key(1)));
  const Statement take = set_status(1, "taken").where(expired("expires_at"));
  EXPECT_EQ(run(b, take).affected, 0u);
  engine.mark_passed(77, Boundary::passed_at_instant, touched);
  EXPECT_EQ(run(b, take).affected, 1u);
}

TEST_F(SqlEngine, BoundariesOfADeadlinePassSeparately) {
  const Value deadline = Value::deadline(77);
  run(a, update("payment").set("expires_at", deadline).where("id", eq, Value::key(1)));
  engine.mark_passed(77, Boundary::passed_at_instant, touched);
  EXPECT_EQ(run(b, find_payment(1).where(expired_strictly("expires_at"))).affected, 0u);
  EXPECT_EQ(run(b, find_payment(1).where(not_expired("expires_at"))).affected, 0u);
}

TEST_F(SqlEngine, MissingDeadlineIsNeitherExpiredNorAlive) {
  EXPECT_EQ(run(a, find_payment(1).where(expired("expires_at"))).affected, 0u);
  EXPECT_EQ(run(a, find_payment(1).where(not_expired("expires_at"))).affected, 0u);
}

TEST_F(SqlEngine, OrphanedStatementCommitsWhenItsLockComes) {
  run(a, begin());
  run(a, insert_payment(3));
  run(b, insert_payment(3));
  engine.client_gone(b, touched);
  EXPECT_TRUE(engine.is_open(b));
  run(a, rollback());
  resume(b);
  EXPECT_FALSE(engine.is_open(b));
  EXPECT_EQ(run(c, find_payment(3)).affected, 1u);
}

TEST_F(SqlEngine, OrphanedStatementInATransactionIsRolledBack) {
  run(a, begin());
  run(a, insert_payment(3));
  run(b, begin());
  run(b, insert_payment(3));
  engine.client_gone(b, touched);
  run(a, rollback());
  resume(b);
  EXPECT_EQ(run(c, find_payment(3)).affected, 0u);
}

TEST_F(SqlEngine, VictimOfADeadlockReleasesItsLocksAtTheError) {
  for (const SessionId session : {a, b}) run(session, begin());
  run(a, set_status(1, "a"));
  run(b, set_status(2, "b"));
  run(a, set_status(2, "a"));
  EXPECT_TRUE(engine.check_deadlock(a, touched).blocked());
  run(b, set_status(1, "b"));
  EXPECT_EQ(engine.check_deadlock(b, touched).code, Code::deadlock_detected);
  EXPECT_EQ(engine.transaction_state(b), TransactionState::in_error);
  EXPECT_EQ(woken(), ids({a}));
}

TEST_F(SqlEngine, LockTimeoutComesTooLateForAWokenStatement) {
  run(a, begin());
  run(a, insert_payment(3));
  run(b, insert_payment(3));
  run(a, commit());
  EXPECT_TRUE(engine.interrupt(b, Code::lock_not_available, touched).blocked());
  EXPECT_EQ(resume(b).code, Code::unique_violation);
}

TEST_F(SqlEngine, KilledSessionAnswersWithTheReason) {
  engine.kill(a, touched);
  EXPECT_EQ(run(a, find_payment(1)).code, Code::admin_shutdown);
}

TEST_F(SqlEngine, CrashKeepsOnlyWhatIsCommitted) {
  run(a, insert_payment(3));
  run(b, begin());
  run(b, insert_payment(4));
  engine.crash(touched);
  int rows = 0;
  engine.for_each_row("payment", [&](const Row&, StepId) { ++rows; });
  EXPECT_EQ(rows, 3);
  EXPECT_FALSE(engine.is_open(a));
}

TEST_F(SqlEngine, ReaderLearnsWhoWroteTheRowVersion) {
  run(a, set_status(1, "paid"));
  run(b, find_payment(1));
  ASSERT_EQ(engine.read_from().size(), 1u);
  EXPECT_EQ(engine.read_from()[0], step(a.index));
}

TEST_F(SqlEngine, ResetGoesBackToTheInitialRows) {
  const Hash128 before = hash_of(Engine(engine));
  Engine fresh(schema());
  for (const std::uint64_t key : {1, 2}) fresh.seed_row(insert_payment(key));
  for (const std::uint64_t name : {101, 102, 103}) fresh.connect(name);
  EXPECT_EQ(before, hash_of(fresh));
  run(a, insert_payment(3));
  run(b, insert_into("effect"));
  EXPECT_NE(before, hash_of(engine));
  engine.reset();
  for (const std::uint64_t name : {101, 102, 103}) engine.connect(name);
  EXPECT_EQ(before, hash_of(engine));
}

TEST_F(SqlEngine, StateDoesNotDependOnTheOrderOfIndependentOperations) {
  Engine other = engine;
  run(a, insert_payment(3));
  run(b, insert_payment(4));
  other.apply(b, insert_payment(4), step(b.index), touched);
  other.apply(a, insert_payment(3), step(a.index), touched);
  EXPECT_EQ(hash_of(engine), hash_of(other));
}

TEST_F(SqlEngine, StateRemembersWhoIsFirstInARowQueue) {
  run(a, begin());
  run(a, find_payment(1).for_update());
  Engine other = engine;
  run(b, find_payment(1).for_update());
  run(c, find_payment(1).for_update());
  other.apply(c, find_payment(1).for_update(), step(c.index), touched);
  other.apply(b, find_payment(1).for_update(), step(b.index), touched);
  EXPECT_NE(hash_of(engine), hash_of(other));
}

TEST_F(SqlEngine, StateForgetsVersionsThatNobodyCanSee) {
  Engine other = engine;
  run(a, set_status(1, "draft"));
  run(a, set_status(1, "paid"));
  other.apply(a, set_status(1, "paid"), step(a.index), touched);
  EXPECT_EQ(hash_of(engine), hash_of(other));
}

}  // namespace

}  // namespace idemsim::sql
