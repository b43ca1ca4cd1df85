// SERIALIZABLE: who dies of a dangerous structure, where, and what is no conflict.
#include "tests/engines/sql_fixture.hpp"

#include <vector>

namespace idemsim::sql {

namespace {

class SqlSerial : public SqlEngine {
 protected:
  SqlSerial() : SqlEngine(Isolation::serializable) {}

  void begin_all() {
    for (const SessionId session : {a, b, c}) run(session, begin());
  }
  static Statement add_effect(Name payment) {
    return insert_into("effect").set("payment", Value::word(payment));
  }
  static Statement find_effect(Name payment) {
    return select("effect").where("payment", eq, Value::word(payment));
  }
};

TEST_F(SqlSerial, OfTwoWhoCheckAndInsertTheSecondCommitterDies) {
  begin_all();
  for (const SessionId session : {a, b}) run(session, find_effect("p"));
  for (const SessionId session : {a, b}) run(session, add_effect("p"));
  EXPECT_TRUE(run(b, commit()).ok());
  const Reply reply = run(a, commit());
  EXPECT_EQ(reply.code, Code::serialization_failure);
  EXPECT_EQ(reply.transaction, TransactionState::idle);
}

TEST_F(SqlSerial, WriteAfterTheOtherHasCommittedDiesAtOnce) {
  begin_all();
  for (const SessionId session : {a, b}) run(session, find_effect("p"));
  run(a, add_effect("p"));
  run(a, commit());
  EXPECT_EQ(run(b, add_effect("p")).code, Code::serialization_failure);
  EXPECT_EQ(engine.transaction_state(b), TransactionState::in_error);
}

TEST_F(SqlSerial, SerializationFailureReplacesTheDuplicateIfBothHadRead) {
  begin_all();
  for (const SessionId session : {a, b}) run(session, find_payment(3));
  run(a, insert_payment(3));
  EXPECT_TRUE(run(b, insert_payment(3)).blocked());
  run(a, commit());
  EXPECT_EQ(resume(b).code, Code::serialization_failure);
}

TEST_F(SqlSerial, DuplicateStaysADuplicateIfOnlyTheWaiterHadRead) {
  begin_all();
  run(b, find_payment(3));
  run(a, insert_payment(3));
  run(b, insert_payment(3));
  run(a, commit());
  EXPECT_EQ(resume(b).code, Code::unique_violation);
}

TEST_F(SqlSerial, DifferentAbsentKeysConflictOnTheLeafPageThatTheyShare) {
  begin_all();
  run(a, find_payment(3));
  run(b, find_payment(4));
  run(a, insert_payment(3));
  run(b, insert_payment(4));
  EXPECT_TRUE(run(a, commit()).ok());
  EXPECT_EQ(run(b, commit()).code, Code::serialization_failure);
}

TEST_F(SqlSerial, DifferentExistingRowsDoNotConflict) {
  begin_all();
  run(a, find_payment(1));
  run(b, find_payment(2));
  run(a, set_status(1, "a"));
  run(b, set_status(2, "b"));
  EXPECT_TRUE(run(a, commit()).ok());
  EXPECT_TRUE(run(b, commit()).ok());
}

TEST_F(SqlSerial, ThirdRowReadByKeyMakesThePageConflict) {
  run(c, insert_payment(3));
  run(c, insert_payment(4));
  begin_all();
  for (const std::uint64_t key : {1, 2, 3}) run(a, find_payment(key));
  for (const std::uint64_t key : {1, 2, 4}) run(b, find_payment(key));
  run(a, set_status(4, "a"));
  run(b, set_status(3, "b"));
  EXPECT_TRUE(run(a, commit()).ok());
  EXPECT_EQ(run(b, commit()).code, Code::serialization_failure);
}

TEST_F(SqlSerial, OneAntidependencyAloneAbortsNobody) {
  begin_all();
  run(a, find_payment(1));
  run(b, set_status(1, "b"));
  EXPECT_TRUE(run(b, commit()).ok());
  EXPECT_TRUE(run(a, commit()).ok());
}

TEST_F(SqlSerial, RolledBackPartnerDoesNotCount) {
  begin_all();
  for (const SessionId session : {a, b}) run(session, find_effect("p"));
  for (const SessionId session : {a, b}) run(session, add_effect("p"));
  run(a, rollback());
  EXPECT_TRUE(run(b, commit()).ok());
}

TEST_F(SqlSerial, PartnerAtALowerLevelDoesNotCount) {
  run(a, begin());
  run(b, begin(Isolation::repeatable_read));
  for (const SessionId session : {a, b}) run(session, find_effect("p"));
  for (const SessionId session : {a, b}) run(session, add_effect("p"));
  EXPECT_TRUE(run(a, commit()).ok());
  EXPECT_TRUE(run(b, commit()).ok());
}

TEST_F(SqlSerial, ReportThatReadBetweenTwoWritersIsCaught) {
  run(b, begin());
  run(b, select("payment"));
  run(a, set_status(2, "a"));
  run(c, select("payment"));
  EXPECT_EQ(run(b, set_status(1, "b")).code, Code::serialization_failure);
}

TEST_F(SqlSerial, DoomedReaderOfAbsentRowsDiesOnlyAtItsCommit) {
  begin_all();
  for (const SessionId session : {a, b}) run(session, find_effect("p"));
  for (const SessionId session : {a, b}) run(session, add_effect("p"));
  run(a, commit());
  EXPECT_TRUE(run(b, find_payment(9)).ok());
  EXPECT_EQ(run(b, find_payment(1)).code, Code::serialization_failure);
}

TEST_F(SqlSerial, WriterOfAMarkedRowConflictsWithItsReader) {
  begin_all();
  const Footprint reader = footprint_of(a, find_payment(1));
  run(b, find_payment(2));
  const Footprint writer = footprint_of(b, insert_payment(4));
  EXPECT_TRUE(conflict(reader, writer));
}

TEST_F(SqlSerial, StateForgetsTransactionsThatNobodyIsConcurrentWith) {
  Engine other = engine;
  run(a, begin());
  run(a, find_payment(1));
  run(a, commit());
  EXPECT_EQ(hash_of(engine), hash_of(other));
}

TEST_F(SqlSerial, StateRemembersWhatWasRead) {
  begin_all();
  Engine other = engine;
  run(a, find_payment(1));
  other.apply(a, find_payment(2), step(a.index), touched);
  EXPECT_NE(hash_of(engine), hash_of(other));
}

}  // namespace

}  // namespace idemsim::sql
