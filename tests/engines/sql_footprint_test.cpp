// What statements touch, and that steps without a conflict really commute.
#include "tests/engines/sql_actions.hpp"
#include "tests/engines/sql_fixture.hpp"

#include <array>
#include <vector>

namespace idemsim::sql {

namespace {

constexpr std::uint64_t kSeeds = 100;

TEST_F(SqlEngine, PointWritesOfDifferentRowsDoNotConflict) {
  const Footprint first = footprint_of(a, set_status(1, "paid"));
  const Footprint second = footprint_of(b, set_status(2, "paid"));
  EXPECT_FALSE(conflict(first, second));
}

TEST_F(SqlEngine, InsertsOfDifferentKeysDoNotConflict) {
  const Footprint first = footprint_of(a, insert_payment(3));
  const Footprint second = footprint_of(b, insert_payment(4));
  EXPECT_FALSE(conflict(first, second));
}

TEST_F(SqlEngine, ScanConflictsWithAnyWriteToItsTable) {
  const Footprint scan = footprint_of(a, select("payment"));
  const Footprint write = footprint_of(b, insert_payment(3));
  EXPECT_TRUE(conflict(scan, write));
}

TEST_F(SqlEngine, AbsentKeyIsRead) {
  const Footprint read = footprint_of(a, find_payment(3));
  const Footprint write = footprint_of(b, insert_payment(3));
  EXPECT_TRUE(conflict(read, write));
}

TEST_F(SqlEngine, CommitConflictsWithReaderOfWhatItMakesVisible) {
  run(a, begin());
  run(a, set_status(1, "paid"));
  const Footprint reader = footprint_of(b, find_payment(1));
  const Footprint stranger = footprint_of(c, find_payment(2));
  const Footprint committer = footprint_of(a, commit());
  EXPECT_TRUE(conflict(committer, reader));
  EXPECT_FALSE(conflict(committer, stranger));
}

TEST_F(SqlEngine, FailedInsertReadsTheKey) {
  run(a, insert_payment(1));
  EXPECT_TRUE(touched.has(engine.key_resource(0, 0, Row({Value::key(1)})), Access::read));
}

TEST_F(SqlEngine, RollbackTouchesWhatItUndoes) {
  run(a, begin());
  run(a, insert_payment(3));
  run(b, begin());
  run(b, insert_payment(4));
  const Footprint first = footprint_of(a, rollback());
  const Footprint second = footprint_of(b, rollback());
  EXPECT_TRUE(first.has(engine.key_resource(0, 0, Row({Value::key(3)})), Access::write));
  EXPECT_FALSE(conflict(first, second));
}

TEST_F(SqlEngine, BlockingConflictsWithADeadlockCheckButNotWithBlocking) {
  for (const SessionId session : {a, b}) run(session, begin());
  run(a, insert_payment(3));
  run(a, set_status(1, "paid"));
  const Footprint first = footprint_of(b, insert_payment(3));
  const Footprint second = footprint_of(c, set_status(1, "void"));
  EXPECT_FALSE(conflict(first, second));
  touched.clear();
  EXPECT_TRUE(engine.check_deadlock(c, touched).blocked());
  EXPECT_TRUE(conflict(first, touched));
}

TEST_F(SqlEngine, DeathOfAWaiterConflictsWithADeadlockCheck) {
  for (const SessionId session : {a, b}) run(session, begin());
  run(a, set_status(1, "a"));
  run(b, set_status(2, "b"));
  run(a, set_status(2, "a"));
  run(b, set_status(1, "b"));
  Engine other = engine;
  Footprint check;
  EXPECT_EQ(other.check_deadlock(b, check).code, Code::deadlock_detected);
  Footprint death;
  engine.kill(a, death);
  EXPECT_TRUE(conflict(check, death));
}

class SqlCommutation : public SqlEngine, public ::testing::WithParamInterface<Case> {
 protected:
  SqlCommutation() : SqlEngine(GetParam().isolation) {}
};

TEST_P(SqlCommutation, StepsWithoutConflictCommute) {
  AnyActions world{Prng(GetParam().seed), GetParam().isolation};
  std::array<SessionId, 3> sessions = {a, b, c};
  int independent = 0;
  for (int i = 0; i < 400; ++i) {
    const std::size_t first = world.below(3);
    const SessionId x = sessions[first];
    const SessionId y = sessions[(first + 1 + world.below(2)) % 3];
    const Action ax = world.any_action(engine, x);
    const Action ay = world.any_action(engine, y);
    Engine xy = engine;
    Engine yx = engine;
    const Effect x_first = perform(xy, ax);
    const Effect y_first = perform(yx, ay);
    if (!conflict(x_first.touched, y_first.touched)) {
      ++independent;
      const Effect y_second = perform(xy, ay);
      const Effect x_second = perform(yx, ax);
      ASSERT_TRUE(same(x_first, x_second)) << "action " << i;
      ASSERT_TRUE(same(y_first, y_second)) << "action " << i;
      ASSERT_EQ(hash_of(xy), hash_of(yx)) << "action " << i;
    }
    perform(engine, ax);
    if (!engine.is_open(x)) sessions[first] = engine.connect(1000 + static_cast<std::uint64_t>(i));
  }
  EXPECT_GT(independent, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SqlCommutation, ::testing::ValuesIn(cases(kSeeds)));

}  // namespace

}  // namespace idemsim::sql
