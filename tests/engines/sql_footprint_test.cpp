// What statements touch, and that steps without a conflict really commute.
#include "sim/base/prng.hpp"
#include "tests/engines/sql_fixture.hpp"

#include <array>
#include <vector>

namespace idemsim::sql {

namespace {

constexpr std::uint64_t kSeeds = 101;

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

/// Two sessions that do anything allowed, chosen from a small pool of statements on few keys.
class Commuting {
 public:
  Commuting(Prng prng, Isolation highest) : prng_(prng), highest_(highest) {}

  Statement any_statement() {
    const Value key = Value::key(1 + prng_.below(3));
    const Value reference = Value::key(1 + prng_.below(2));
    switch (prng_.below(18)) {
      case 0:
        return begin();
      case 1:
        return begin(any_isolation());
      case 2:
      case 3:
        return commit();
      case 4:
        return rollback();
      case 5:
        return insert_into("payment").set("id", key);
      case 6:
        return insert_into("payment").set("id", key).on_conflict_do_nothing().returning();
      case 7:
        return insert_into("payment").set("id", key).on_conflict_do_update().add_on_conflict(
            "version", 1);
      case 8:
        return update("payment").add("version", 1).where("id", eq, key);
      case 9:
        return update("payment").set("id", Value::key(1 + prng_.below(3))).where("id", eq, key);
      case 10:
        return erase_from("payment").where("id", eq, key).returning();
      case 11:
        return select("payment").where("id", eq, key).for_update();
      case 12:
        return select("payment").where("id", eq, key).for_share();
      case 13:
        return select("payment").where("version", ge, Value::integer(1)).for_update().skip_locked();
      case 14:
        return insert_into("effect").set("reference", reference);
      case 15:
        return advisory_lock(7, prng_.below(2) == 0 ? LockScope::session : LockScope::transaction);
      case 16:
        return prng_.below(2) == 0 ? savepoint("s") : rollback_to("s");
      default:
        return select("payment").where("id", eq, key);
    }
  }
  std::uint64_t below(std::uint64_t bound) { return prng_.below(bound); }

 private:
  Isolation any_isolation() {
    return static_cast<Isolation>(1 + prng_.below(static_cast<std::uint64_t>(highest_)));
  }

  Prng prng_;
  Isolation highest_;
};

/// One thing that a session or its timers may do now.
struct Action {
  enum class Kind { apply, resume, lock_timeout, cancel, deadlock, gone, kill };
  Kind kind = Kind::apply;
  SessionId id;
  Statement statement;
};

/// What an action does to an engine, as far as anybody can see it.
struct Effect {
  Reply reply;
  std::vector<Row> rows;
  Footprint touched;
};

Effect perform(Engine& engine, const Action& action) {
  Effect effect;
  switch (action.kind) {
    case Action::Kind::apply:
      effect.reply =
          engine.apply(action.id, action.statement, step(action.id.index), effect.touched);
      break;
    case Action::Kind::resume:
      effect.reply = engine.resume(action.id, step(action.id.index), effect.touched);
      break;
    case Action::Kind::lock_timeout:
      effect.reply = engine.interrupt(action.id, Code::lock_not_available, effect.touched);
      break;
    case Action::Kind::cancel:
      effect.reply = engine.interrupt(action.id, Code::query_canceled, effect.touched);
      break;
    case Action::Kind::deadlock:
      effect.reply = engine.check_deadlock(action.id, effect.touched);
      break;
    case Action::Kind::gone:
      engine.client_gone(action.id, effect.touched);
      return effect;
    case Action::Kind::kill:
      engine.kill(action.id, effect.touched);
      return effect;
  }
  if (!effect.reply.blocked()) effect.rows = {engine.rows().begin(), engine.rows().end()};
  return effect;
}

bool same(const Effect& x, const Effect& y) {
  if (x.reply.kind != y.reply.kind || x.reply.code != y.reply.code) return false;
  if (x.reply.affected != y.reply.affected || x.reply.transaction != y.reply.transaction) {
    return false;
  }
  if (x.rows.size() != y.rows.size()) return false;
  for (std::size_t i = 0; i < x.rows.size(); ++i) {
    if (!std::equal(x.rows[i].begin(), x.rows[i].end(), y.rows[i].begin(), y.rows[i].end())) {
      return false;
    }
  }
  return true;
}

struct Case {
  Isolation isolation;
  std::uint64_t seed;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << "level " << static_cast<int>(c.isolation) << " seed " << c.seed;
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const Isolation isolation :
       {Isolation::read_committed, Isolation::repeatable_read, Isolation::serializable}) {
    for (std::uint64_t seed = 1; seed < kSeeds; ++seed) out.push_back({isolation, seed});
  }
  return out;
}

class SqlCommutation : public SqlEngine, public ::testing::WithParamInterface<Case> {
 protected:
  SqlCommutation() : SqlEngine(GetParam().isolation) {}

  /// Something the session may do in this state; sessions that are blocked have only timers.
  Action any_action(const Engine& e, SessionId id, Commuting& world) {
    const bool rare = world.below(12) == 0;
    if (!e.is_waiting(id)) {
      if (rare && world.below(6) == 0) return {Action::Kind::gone, id, {}};
      return {Action::Kind::apply, id, world.any_statement()};
    }
    if (rare && world.below(4) == 0) return {Action::Kind::kill, id, {}};
    if (can_resume(e, id) && !rare) return {Action::Kind::resume, id, {}};
    switch (world.below(4)) {
      case 0:
        return {Action::Kind::lock_timeout, id, {}};
      case 1:
        return {Action::Kind::cancel, id, {}};
      case 2:
        return {Action::Kind::gone, id, {}};
      default:
        return {Action::Kind::deadlock, id, {}};
    }
  }
  static bool can_resume(const Engine& e, SessionId id) { return e.blockers_of(id).empty(); }
};

TEST_P(SqlCommutation, StepsWithoutConflictCommute) {
  Commuting world{Prng(GetParam().seed), GetParam().isolation};
  std::array<SessionId, 3> sessions = {a, b, c};
  int independent = 0;
  for (int i = 0; i < 400; ++i) {
    const std::size_t first = world.below(3);
    const SessionId x = sessions[first];
    const SessionId y = sessions[(first + 1 + world.below(2)) % 3];
    const Action ax = any_action(engine, x, world);
    const Action ay = any_action(engine, y, world);
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

INSTANTIATE_TEST_SUITE_P(Seeds, SqlCommutation, ::testing::ValuesIn(cases()));

}  // namespace

}  // namespace idemsim::sql
