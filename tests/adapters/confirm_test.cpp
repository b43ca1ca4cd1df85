// confirm: findings of the simulation come out on real servers, and nothing is left behind.
#include "tests/adapters/servers.hpp"
#include "tests/cli/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace idemsim {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

/// A cell of a scenario of the library.
struct CellName {
  std::string scenario;
  std::string strategy;
  std::string faults;
};

class Confirming : public CommandLine {
 protected:
  /// The token of the first finding of a cell.
  std::string token_of(const CellName& cell) {
    const Ran ran = run({file_of(cell), "--strategy", cell.strategy, "--faults", cell.faults,
                         "--format", "json", "-q", "--jobs", "1"});
    const Json result = Json::parse(ran.out);
    EXPECT_FALSE(result["findings"].empty()) << ran.err;
    return result["findings"].empty() ? "" : result["findings"][0]["token"].get<std::string>();
  }
  static std::string file_of(const CellName& cell) {
    return std::string(IDEMSIM_SOURCE_DIR) + "/scenarios/" + cell.scenario + ".json";
  }
  Ran confirm(const CellName& cell, const std::string& token) {
    return run({"confirm", token, file_of(cell)});
  }
  /// The same choices for another strategy of the scenario: only the history is another one.
  static std::string with_strategy(std::string token, const CellName& cell,
                                   const std::string& strategy) {
    token = with(token, "." + cell.strategy + "@", "." + strategy + "@");
    return token.substr(0, token.rfind(".h"));
  }
};

TEST_F(Confirming, NaiveDoubleClickInsertsTwiceOnPostgresqlToo) {
  IDEMSIM_NEEDS_SERVERS();
  const CellName cell{"double_click", "check_then_write", "none"};
  const std::string token = token_of(cell);
  const Ran ran = confirm(cell, token);
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("payments 2 (the same)"));
  EXPECT_THAT(ran.out, HasSubstr("charges: 2"));
  EXPECT_THAT(ran.out, HasSubstr("violated: at_most_once"));
  EXPECT_THAT(ran.out, HasSubstr("SAME: "));
  const Ran safe = confirm(cell, with_strategy(token, cell, "insert_first"));
  EXPECT_EQ(safe.status, 0) << safe.out << safe.err;
  EXPECT_THAT(safe.out, HasSubstr("payments 1 (the same)"));
  EXPECT_THAT(safe.out, HasSubstr("no property is violated"));
}

TEST_F(Confirming, LockThatOutlivedItsTtlLetsTwoIn) {
  IDEMSIM_NEEDS_SERVERS();
  const CellName cell{"lock_ttl_pause", "distributed_lock", "pause"};
  const Ran ran = confirm(cell, token_of(cell));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("orders 2 (the same)"));
  EXPECT_THAT(ran.out, HasSubstr("expiry: TTL of 'K1' after c0n4: 30s in the scenario, "));
}

TEST_F(Confirming, PlainDeleteOpensTheLockOfAnotherOne) {
  IDEMSIM_NEEDS_SERVERS();
  const CellName cell{"wrong_delete", "no_owner_token", "pause"};
  const std::string token = token_of(cell);
  const Ran ran = confirm(cell, token);
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("violated: at_most_once"));
  EXPECT_THAT(ran.out, HasSubstr("DEL K1 -> 1"));
  const Ran safe = confirm(cell, with_strategy(token, cell, "distributed_lock"));
  EXPECT_EQ(safe.status, 0) << safe.out << safe.err;
  EXPECT_THAT(safe.out, HasSubstr("no property is violated"));
}

TEST_F(Confirming, LostAcknowledgementRunsAgain) {
  IDEMSIM_NEEDS_SERVERS();
  const CellName cell{"lost_commit", "check_then_write", "ack_lost"};
  const std::string token = token_of(cell);
  const Ran ran = confirm(cell, token);
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("orders 2 (the same)"));
  const Ran safe = confirm(cell, with_strategy(token, cell, "insert_first"));
  EXPECT_EQ(safe.status, 0) << safe.out << safe.err;
  EXPECT_THAT(safe.out, HasSubstr("orders 1 (the same)"));
}

TEST_F(Confirming, PaymentCallbackWithoutItsGuardPaysTwice) {
  IDEMSIM_NEEDS_SERVERS();
  const CellName cell{"payment_callback", "no_status_guard", "none"};
  const std::string token = token_of(cell);
  const Ran ran = confirm(cell, token);
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("violated: at_most_once"));
  // Shrinking has taken the repetition out of the workload: a guard needs one to prove itself.
  std::string guarded = with_strategy(token, cell, "optimistic_lock");
  guarded = with(guarded, ".arrival=single.", ".-.");
  const Ran safe = confirm(cell, guarded);
  EXPECT_EQ(safe.status, 0) << safe.out << safe.err;
  EXPECT_THAT(safe.out, HasSubstr("no property is violated"));
}

TEST_F(Confirming, CrashReleasesWhatItsConnectionHeld) {
  IDEMSIM_NEEDS_SERVERS();
  const CellName cell{"crash_between", "no_atomic_set_nx_px", "crash"};
  const Ran ran = confirm(cell, token_of(cell));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("SAME: "));
}

TEST_F(Confirming, NothingIsLeftBehind) {
  IDEMSIM_NEEDS_SERVERS();
  const CellName cell{"double_click", "check_then_write", "none"};
  const std::string token = token_of(cell);
  // A folder of this test alone: others run beside it.
  std::filesystem::create_directory("temporary");
  ::setenv("TMPDIR", (folder_ / "temporary").c_str(), 1);
  interrupted_ = true;
  const Ran ran = confirm(cell, token);
  EXPECT_EQ(ran.status, 130);
  EXPECT_EQ(ran.err, "idemsim: interrupted\n");
  ::unsetenv("TMPDIR");
  EXPECT_EQ(files_in((folder_ / "temporary").string()), std::vector<std::string>());
}

TEST_F(Confirming, ServerThatIsNotThereIsOneSentence) {
  const CellName cell{"double_click", "check_then_write", "none"};
  const std::string token = token_of(cell);
  const Ran ran = run({"confirm", token, file_of(cell), "--postgres", "host=/nowhere user=x"});
  EXPECT_EQ(ran.status, 69);
  EXPECT_THAT(ran.err, HasSubstr("idemsim: cannot connect to PostgreSQL: "));
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_EQ(ran.out, "");
}

TEST_F(Confirming, TokenThatDivergesStartsNoServer) {
  const CellName cell{"double_click", "check_then_write", "none"};
  const std::string token = token_of(cell);
  const Ran ran = confirm(cell, with_strategy(token, cell, "optimistic_lock"));
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("does not apply"));
}

TEST_F(Confirming, AllowDatabaseNeedsAServer) {
  const Ran ran = run({"confirm", "ids1", "--allow-database", "shop"});
  EXPECT_EQ(ran.status, 64);
  EXPECT_THAT(ran.err, HasSubstr("--allow-database"));
}

}  // namespace
}  // namespace idemsim
