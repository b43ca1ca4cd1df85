// The SQL engine against all recorded cases, with exact counts, and the comparison against itself.
#include "tests/engines/case.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

namespace idemsim::tests {

namespace {

using nlohmann::json;

std::string folder() { return std::string(IDEMSIM_SOURCE_DIR) + "/tests/groundtruth"; }

json recorded(const std::string& name) {
  std::ifstream in(folder() + "/" + name + ".json");
  return json::parse(in);
}

TEST(RecordedSqlCases, AllThatAreCoveredAgree) {
  std::map<CaseOutcome::Status, int> counts;
  for (const NamedOutcome& named : run_folder(folder()).outcomes) {
    const std::string kind = named.name.substr(0, 3);
    if (kind != "pg_" && kind != "my_") continue;
    ++counts[named.outcome.status];
    EXPECT_NE(named.outcome.status, CaseOutcome::Status::differs)
        << named.name << ": " << named.outcome.text;
  }
  EXPECT_EQ(counts[CaseOutcome::Status::passed], 213);
  EXPECT_EQ(counts[CaseOutcome::Status::not_covered], 102);
}

/// Each recorded outcome of a race is reached by some order of waking.
TEST(RecordedSqlCases, EachVariantOfARaceIsReached) {
  for (const char* name : {"pg_insert_dup_three_waiters_first_rolls_back.rc",
                           "pg_ocdn_two_waiters_first_rolls_back.rc", "pg_update_fifo_queue.rc"}) {
    const json original = recorded(name);
    for (const json& variant : original.at("variants")) {
      json single = original;
      single["variants"] = json::array({variant});
      EXPECT_EQ(run_sql_case(single).text, "") << name;
    }
  }
}

TEST(RecordedSqlCases, WrongRowCountIsNoticed) {
  json falsified = recorded("pg_cas_update_first_commits.rc");
  falsified["steps"][3]["outcome"]["then"]["affected"] = 1;
  EXPECT_EQ(run_sql_case(falsified).status, CaseOutcome::Status::differs);
}

TEST(RecordedSqlCases, WrongFinalTableIsNoticed) {
  json falsified = recorded("pg_cas_update_first_commits.rc");
  falsified["final"][0]["rows"][0][1] = 7;
  EXPECT_EQ(run_sql_case(falsified).status, CaseOutcome::Status::differs);
}

TEST(RecordedSqlCases, WrongBlockerIsNoticed) {
  json falsified = recorded("pg_cas_update_first_commits.rc");
  falsified["steps"][3]["outcome"]["blocked_by"] = json::array({"B"});
  EXPECT_EQ(run_sql_case(falsified).status, CaseOutcome::Status::differs);
}

TEST(RecordedSqlCases, MissingFolderIsAnError) {
  EXPECT_EQ(run_folder("no such folder").exit_status, 66);
}

}  // namespace

}  // namespace idemsim::tests
