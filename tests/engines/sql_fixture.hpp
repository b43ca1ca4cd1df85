// A small store and short ways to talk to it, shared by the tests of the SQL engine.
#pragma once

#include "sim/base/footprint.hpp"
#include "sim/base/hash.hpp"
#include "sim/engines/sql/engine.hpp"

#include <gtest/gtest.h>

namespace idemsim::sql {

inline StepId step(std::uint32_t n) { return StepId::of(Origin::of({n, 0}, 0, 0), 0, 0); }

/// `payment(id primary key, status, version, expires_at)` with rows K1 and K2, and an empty
/// `effect(id serial primary key, payment, unique reference)`.
class SqlEngine : public ::testing::Test {
 protected:
  explicit SqlEngine(Isolation isolation = Isolation::read_committed)
      : engine(schema(), isolation) {
    for (const std::uint64_t key : {1, 2}) {
      engine.seed_row(insert_into("payment").set("id", Value::key(key)));
    }
    a = engine.connect(101);
    b = engine.connect(102);
    c = engine.connect(103);
  }

  static Schema schema() {
    TableDefinition payment("payment");
    payment.column("id").column("status", Value::word("new"));
    payment.column("version", Value::integer(0)).column("expires_at");
    payment.unique("payment_pkey", {"id"});
    TableDefinition effect("effect");
    effect.serial_column("id").column("payment").column("reference");
    effect.unique("effect_pkey", {"id"}).unique("effect_reference_key", {"reference"});
    return {{payment, effect}};
  }

  static Statement insert_payment(std::uint64_t key) {
    return insert_into("payment").set("id", Value::key(key));
  }
  static Statement find_payment(std::uint64_t key) {
    return select("payment").where("id", eq, Value::key(key));
  }
  static Statement set_status(std::uint64_t key, Name status) {
    return update("payment").set("status", Value::word(status)).where("id", eq, Value::key(key));
  }

  /// Runs a statement of a session as a step of its own and keeps its footprint in `touched`.
  Reply run(SessionId session, const Statement& statement) {
    touched.clear();
    return engine.apply(session, statement, step(session.index), touched);
  }
  Reply resume(SessionId session) {
    touched.clear();
    return engine.resume(session, step(session.index), touched);
  }
  Footprint footprint_of(SessionId session, const Statement& statement) {
    run(session, statement);
    return touched;
  }
  std::vector<SessionId> woken() const { return {engine.woken().begin(), engine.woken().end()}; }
  static Hash128 hash_of(const Engine& e) {
    StateHasher hasher;
    e.hash_state(hasher);
    return hasher.value();
  }

  Engine engine;
  SessionId a;
  SessionId b;
  SessionId c;
  Footprint touched;
};

inline void PrintTo(SessionId id, std::ostream* out) { *out << "session " << id.index; }
inline void PrintTo(Code code, std::ostream* out) { *out << sqlstate(code); }

}  // namespace idemsim::sql
