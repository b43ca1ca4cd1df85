// What the twin of a run does with answers that differ, and with servers that fail.
#include "sim/adapters/lockstep.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace idemsim::adapters {
namespace {

/// A database that answers as it is told.
class Told final : public SqlStore {
 public:
  SqlOutcome next;
  std::string trouble;
  int asked = 0;

  std::string about() const override { return "told"; }
  Result<void> prepare(const SqlPlan&) override { return {}; }
  Result<SqlOutcome> execute(sql::SessionId, const sql::Statement&, bool) override {
    ++asked;
    if (!trouble.empty()) return adapters::trouble(trouble);
    return next;
  }
  Result<SqlOutcome> resume(sql::SessionId) override { return next; }
  Result<SqlOutcome> resume_victim(sql::SessionId) override { return next; }
  Result<void> close(sql::SessionId) override { return {}; }
  void deadline(std::uint64_t, Duration) override {}
  Duration pass(std::uint64_t) override { return {}; }
  Result<std::vector<sql::Row>> rows(const sql::TableDefinition&) override {
    return std::vector<sql::Row>();
  }
  void remove() override {}
};

class Steps : public ::testing::Test {
 protected:
  Steps() : statement_(sql::select("t")), steps_(schema_, &store_, nullptr) {
    sql::TableDefinition table("t");
    table.column("a");
    schema_.tables.push_back(table);
    store_.next.reply.affected = 1;
    store_.next.rows = {row(1)};
  }
  static sql::Row row(std::int64_t n) {
    sql::Row row;
    row.push_back(Value::integer(n));
    return row;
  }
  /// One SELECT that is told these rows in the simulation.
  SqlAnswer select(const std::vector<sql::Row>& rows) {
    simulated_ = rows;
    SqlCall call;
    call.site = "find";
    call.statement = &statement_;
    call.simulated.reply.affected = static_cast<std::uint32_t>(rows.size());
    call.simulated.rows = simulated_;
    return steps_.statement(call);
  }

  sql::Schema schema_;
  sql::Statement statement_;
  Told store_;
  LockStep steps_;
  std::vector<sql::Row> simulated_;
};

TEST_F(Steps, SameAnswerIsNoDifference) {
  (void)select({row(1)});
  EXPECT_EQ(steps_.difference(), nullptr);
}

TEST_F(Steps, RealAnswerReachesTheStrategy) {
  const SqlAnswer answer = select({row(2)});
  ASSERT_EQ(answer.rows.size(), 1u);
  EXPECT_EQ(answer.rows[0][0], Value::integer(1));
  ASSERT_NE(steps_.difference(), nullptr);
  EXPECT_EQ(steps_.difference()->simulated, "2");
  EXPECT_EQ(steps_.difference()->real, "1");
}

TEST_F(Steps, OnlyOrderByPromisesAnOrder) {
  store_.next.reply.affected = 2;
  store_.next.rows = {row(1), row(2)};
  (void)select({row(2), row(1)});
  EXPECT_EQ(steps_.difference(), nullptr);
  statement_.order_by("a");
  (void)select({row(2), row(1)});
  EXPECT_NE(steps_.difference(), nullptr);
}

TEST_F(Steps, WaitingWhereTheOtherAnswersEndsTheComparison) {
  store_.next.waits = true;
  (void)select({row(1)});
  ASSERT_NE(steps_.difference(), nullptr);
  EXPECT_EQ(steps_.difference()->real, "waits");
  (void)select({row(1)});
  EXPECT_EQ(store_.asked, 1);
}

TEST_F(Steps, FailedServerIsAskedNothingMore) {
  store_.trouble = "the connection is lost";
  (void)select({row(1)});
  (void)select({row(1)});
  ASSERT_TRUE(steps_.trouble());
  EXPECT_EQ(steps_.trouble()->front().message, "the connection is lost");
  EXPECT_EQ(store_.asked, 1);
}

}  // namespace
}  // namespace idemsim::adapters
