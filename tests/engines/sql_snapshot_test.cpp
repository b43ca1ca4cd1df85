// REPEATABLE READ: when its snapshot is taken, what it hides, and what 40001 answers to.
#include "tests/engines/sql_fixture.hpp"

#include <vector>

namespace idemsim::sql {

namespace {

class SqlSnapshot : public SqlEngine {
 protected:
  SqlSnapshot() : SqlEngine(Isolation::repeatable_read) {}

  Name status_seen_by(SessionId session, std::uint64_t key) {
    run(session, find_payment(key));
    return engine.rows()[0][1].text;
  }
};

TEST_F(SqlSnapshot, BeginTakesNoSnapshot) {
  run(a, begin());
  run(b, set_status(1, "paid"));
  EXPECT_EQ(status_seen_by(a, 1), Name("paid"));
}

TEST_F(SqlSnapshot, FirstQueryTakesItForTheWholeTransaction) {
  run(a, begin());
  run(a, find_payment(2));
  run(b, set_status(1, "paid"));
  EXPECT_EQ(status_seen_by(a, 1), Name("new"));
  run(a, commit());
  EXPECT_EQ(status_seen_by(a, 1), Name("paid"));
}

TEST_F(SqlSnapshot, AdvisoryLockTakesItBeforeItsWait) {
  run(b, advisory_lock(7, LockScope::session));
  run(a, begin());
  EXPECT_TRUE(run(a, advisory_lock(7, LockScope::transaction)).blocked());
  run(b, set_status(1, "paid"));
  run(b, advisory_unlock(7));
  EXPECT_TRUE(resume(a).ok());
  EXPECT_EQ(status_seen_by(a, 1), Name("new"));
}

TEST_F(SqlSnapshot, FirstUpdaterWins) {
  run(a, begin());
  run(a, find_payment(1));
  run(b, set_status(1, "paid"));
  EXPECT_EQ(run(a, set_status(1, "void")).code, Code::serialization_failure);
  EXPECT_EQ(engine.transaction_state(a), TransactionState::in_error);
}

TEST_F(SqlSnapshot, SkipLockedDoesNotSkipAChangedRow) {
  run(a, begin());
  run(a, find_payment(1));
  run(b, set_status(1, "paid"));
  const Reply reply = run(a, find_payment(1).for_update().skip_locked());
  EXPECT_EQ(reply.code, Code::serialization_failure);
}

TEST_F(SqlSnapshot, InvisibleRowIsNoCandidateButStillADuplicate) {
  run(a, begin());
  run(a, find_payment(1));
  run(b, insert_payment(3));
  EXPECT_EQ(run(a, set_status(3, "void")).affected, 0u);
  EXPECT_EQ(run(a, find_payment(3).for_update()).affected, 0u);
  EXPECT_EQ(run(a, insert_payment(3)).code, Code::unique_violation);
}

TEST_F(SqlSnapshot, DoNothingNeverSkipsAnInvisibleRowInSilence) {
  run(a, begin());
  run(a, find_payment(1));
  run(b, insert_payment(3));
  const Reply reply = run(a, insert_payment(3).on_conflict_do_nothing());
  EXPECT_EQ(reply.code, Code::serialization_failure);
}

TEST_F(SqlSnapshot, DoUpdateFailsWhenTheRowItWaitsForIsDeleted) {
  run(b, begin());
  run(b, find_payment(1).for_update());
  const Statement upsert = insert_payment(1).on_conflict_do_update().add_on_conflict("version", 1);
  EXPECT_TRUE(run(a, upsert).blocked());
  run(b, erase_from("payment").where("id", eq, Value::key(1)));
  run(b, commit());
  EXPECT_EQ(resume(a).code, Code::serialization_failure);
}

TEST_F(SqlSnapshot, StatementOutsideBeginRunsAtTheLevelOfTheDatabase) {
  run(b, begin());
  run(b, set_status(1, "paid"));
  EXPECT_TRUE(run(a, set_status(1, "void")).blocked());
  run(b, commit());
  EXPECT_EQ(resume(a).code, Code::serialization_failure);
}

TEST_F(SqlSnapshot, LowerLevelMayBeAskedForButNoHigherOne) {
  EXPECT_EQ(run(b, begin(Isolation::serializable)).code, Code::feature_not_supported);
  run(a, begin(Isolation::read_committed));
  run(a, find_payment(1));
  run(b, set_status(1, "paid"));
  EXPECT_EQ(run(a, set_status(1, "void")).affected, 1u);
}

TEST_F(SqlSnapshot, RowInsertedOverADeletedOneComesAfterIt) {
  run(a, begin());
  run(a, find_payment(1));
  run(b, erase_from("payment").where("id", eq, Value::key(1)));
  run(a, insert_payment(1).set("status", Value::word("again")));
  run(a, find_payment(1));
  ASSERT_EQ(engine.rows().size(), 2u);
  EXPECT_EQ(engine.rows()[0][1], Value::word("new"));
  EXPECT_EQ(engine.rows()[1][1], Value::word("again"));
}

TEST_F(SqlSnapshot, AnyCommitConflictsWithTakingIt) {
  const Footprint other = footprint_of(b, set_status(2, "paid"));
  run(a, begin());
  const Footprint first = footprint_of(a, find_payment(1));
  const Footprint second = footprint_of(a, find_payment(1));
  EXPECT_TRUE(conflict(first, other));
  EXPECT_FALSE(conflict(second, other));
}

TEST_F(SqlSnapshot, StateRemembersWhatItHides) {
  Engine other = engine;
  run(a, begin());
  other.apply(a, begin(), step(a.index), touched);
  run(a, find_payment(2));
  run(b, set_status(1, "paid"));
  other.apply(b, set_status(1, "paid"), step(b.index), touched);
  other.apply(a, find_payment(2), step(a.index), touched);
  EXPECT_NE(hash_of(engine), hash_of(other));
  run(a, commit());
  other.apply(a, commit(), step(a.index), touched);
  EXPECT_EQ(hash_of(engine), hash_of(other));
}

}  // namespace

}  // namespace idemsim::sql
