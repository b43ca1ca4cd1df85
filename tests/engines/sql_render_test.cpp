// Statements as the SQL text that traces show.
#include "sim/engines/sql/render.hpp"
#include "tests/engines/sql_fixture.hpp"

namespace idemsim::sql {

namespace {

Schema payments() {
  TableDefinition payment("payment");
  payment.column("id").column("status").column("version").unique("payment_pkey", {"id"});
  return {{payment}};
}

std::string text(const Statement& statement) { return to_sql(payments(), statement); }

TEST(SqlText, UpdateWithConditions) {
  const Statement statement = update("payment")
                                  .set("status", Value::word("paid"))
                                  .set("version", Value::integer(4))
                                  .where("id", eq, Value::word("p1"))
                                  .where("version", eq, Value::integer(3));
  EXPECT_EQ(text(statement),
            "UPDATE payment SET status='paid', version=4 WHERE id='p1' AND version=3");
}

TEST(SqlText, InsertOfTwoRows) {
  const Statement statement = insert_into("payment")
                                  .set("id", Value::key(1))
                                  .set("status", Value::null())
                                  .next_row()
                                  .set("id", Value::key(2))
                                  .set("status", Value::word("new"))
                                  .on_conflict_do_nothing()
                                  .returning();
  EXPECT_EQ(text(statement),
            "INSERT INTO payment (id, status) VALUES ('K1', NULL), ('K2', 'new')"
            " ON CONFLICT DO NOTHING RETURNING *");
}

TEST(SqlText, UpsertWithCondition) {
  const Statement statement = insert_into("payment")
                                  .set("id", Value::key(1))
                                  .on_conflict_do_update()
                                  .set_on_conflict("status", excluded("status"))
                                  .add_on_conflict("version", 1)
                                  .where_on_conflict(expired("status"))
                                  .returning({"version"});
  EXPECT_EQ(text(statement),
            "INSERT INTO payment (id) VALUES ('K1') ON CONFLICT (id) DO UPDATE SET"
            " status=EXCLUDED.status, version=version+1 WHERE status<=now() RETURNING version");
}

TEST(SqlText, LockingSelect) {
  const Statement statement = select("payment")
                                  .columns({"id"})
                                  .where("status", ne, Value::word("paid"))
                                  .order_by("id")
                                  .limit_to(1)
                                  .for_update()
                                  .skip_locked();
  EXPECT_EQ(text(statement),
            "SELECT id FROM payment WHERE status<>'paid' ORDER BY id LIMIT 1"
            " FOR UPDATE SKIP LOCKED");
}

TEST(SqlText, DeleteOfExpiredRows) {
  EXPECT_EQ(text(erase_from("payment").where(expired_strictly("version"))),
            "DELETE FROM payment WHERE version<now()");
}

TEST(SqlText, TransactionsAndLocks) {
  EXPECT_EQ(text(begin()), "BEGIN");
  EXPECT_EQ(text(begin(Isolation::serializable)), "BEGIN ISOLATION LEVEL SERIALIZABLE");
  EXPECT_EQ(text(rollback_to("s")), "ROLLBACK TO SAVEPOINT s");
  EXPECT_EQ(text(advisory_try_lock(7, LockScope::transaction)),
            "SELECT pg_try_advisory_xact_lock(7)");
  EXPECT_EQ(text(advisory_unlock(7)), "SELECT pg_advisory_unlock(7)");
}

}  // namespace

}  // namespace idemsim::sql
