// Random statements, timers and deaths on few keys, for tests of what must hold in any state.
#pragma once

#include "sim/base/prng.hpp"
#include "tests/engines/sql_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace idemsim::sql {

/// One thing that a session or its timers may do now.
struct Action {
  enum class Kind { apply, resume, lock_timeout, cancel, deadlock, gone, kill };
  Kind kind = Kind::apply;
  SessionId id;
  Statement statement;
};

/// Sessions that do anything allowed, chosen from a small pool of statements on few keys.
class AnyActions {
 public:
  AnyActions(Prng prng, Isolation highest) : prng_(prng), highest_(highest) {}

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
  /// Something the session may do in this state; sessions that are blocked have only timers.
  Action any_action(const Engine& e, SessionId id) {
    const bool rare = below(12) == 0;
    if (!e.is_waiting(id)) {
      if (rare && below(6) == 0) return {Action::Kind::gone, id, {}};
      return {Action::Kind::apply, id, any_statement()};
    }
    if (rare && below(4) == 0) return {Action::Kind::kill, id, {}};
    if (can_resume(e, id) && !rare) return {Action::Kind::resume, id, {}};
    switch (below(4)) {
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
  [[nodiscard]] static bool can_resume(const Engine& e, SessionId id) {
    return e.blockers_of(id).empty();
  }
  std::uint64_t below(std::uint64_t bound) { return prng_.below(bound); }

 private:
  Isolation any_isolation() {
    return static_cast<Isolation>(1 + prng_.below(static_cast<std::uint64_t>(highest_)));
  }

  Prng prng_;
  Isolation highest_;
};

/// What an action does to an engine, as far as anybody can see it.
struct Effect {
  Reply reply;
  std::vector<Row> rows;
  Footprint touched;
};

inline Effect perform(Engine& engine, const Action& action) {
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

inline bool same(const Effect& x, const Effect& y) {
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

/// A random walk at a level of the database.
struct Case {
  Isolation isolation;
  std::uint64_t seed;
};
inline void PrintTo(const Case& c, std::ostream* out) {
  *out << "level " << static_cast<int>(c.isolation) << " seed " << c.seed;
}

/// Each level with seeds 1 to `seeds`.
inline std::vector<Case> cases(std::uint64_t seeds) {
  std::vector<Case> out;
  for (const Isolation isolation :
       {Isolation::read_committed, Isolation::repeatable_read, Isolation::serializable}) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) out.push_back({isolation, seed});
  }
  return out;
}

}  // namespace idemsim::sql
