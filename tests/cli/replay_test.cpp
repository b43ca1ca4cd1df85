// replay: the same run from its token, and what is said about a token that does not fit.
#include "tests/cli/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace idemsim {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class Replaying : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    (void)run({write("a.json", kTwoClicks)});
    result_ = Json::parse(read("idemsim-out/result.json"));
    ASSERT_FALSE(result_["findings"].empty());
    token_ = result_["findings"][0]["token"];
  }
  /// The part of the token with that number, replaced.
  [[nodiscard]] std::string with_part(int number, const std::string& text) const {
    std::size_t begin = 0;
    for (int i = 0; i < number; ++i) begin = token_.find('.', begin) + 1;
    std::string token = token_;
    return token.replace(begin, token.find('.', begin) - begin, text);
  }
  Json result_;
  std::string token_;
};

TEST_F(Replaying, EveryFindingGivesTheSameHistoryHash) {
  for (const Json& finding : result_["findings"]) {
    const Ran ran = run({"replay", finding["token"]});
    EXPECT_EQ(ran.status, 0) << ran.err;
    const std::string hash = result_["traces"][finding["trace"].get<std::string>()]["hash"];
    EXPECT_THAT(ran.out, HasSubstr("history hash: " + hash));
    EXPECT_THAT(ran.out, HasSubstr("the same history as in the token"));
  }
}

TEST_F(Replaying, TheScenarioMayBeNamed) {
  std::filesystem::remove_all("idemsim-out");
  EXPECT_EQ(run({"replay", token_, "a.json"}).status, 0);
  EXPECT_EQ(run({"replay", token_}).status, 65) << "nothing to find";
  EXPECT_EQ(run({"replay", token_, "none.json"}).status, 66);
}

TEST_F(Replaying, TheLibraryIsSearched) {
  std::filesystem::remove_all("idemsim-out");
  std::filesystem::create_directory("scenarios");
  write("scenarios/mine.json", kTwoClicks);
  EXPECT_EQ(run({"replay", token_}).status, 0);
}

TEST_F(Replaying, AnotherScenarioIsRefusedWithWhatChanged) {
  const std::string other = with(kTwoClicks, "\"attempts\": 1", "\"attempts\": 2");
  const Ran ran = run({"replay", token_, write("b.json", other)});
  EXPECT_EQ(ran.status, 65);
  EXPECT_THAT(ran.err, HasSubstr("attempts"));
}

TEST_F(Replaying, AnotherVersionIsRefused) {
  const Ran ran = run({"replay", with_part(1, "9")});
  EXPECT_EQ(ran.status, 65);
  EXPECT_THAT(ran.err, HasSubstr("version 9"));
}

TEST_F(Replaying, BrokenTokensAreRefusedWithTheReason) {
  EXPECT_EQ(run({"replay", "nonsense"}).status, 65);
  const Ran label = run({"replay", with_part(3, "no_kye@none")});
  EXPECT_EQ(label.status, 65);
  EXPECT_THAT(label.err, HasSubstr("did you mean \"no_key\"?"));
  EXPECT_EQ(run({"replay", with_part(3, "no_key,wings=1@none")}).status, 65);
  EXPECT_EQ(run({"replay", with_part(4, "attempts=0")}).status, 65);
  EXPECT_EQ(run({"replay", with_part(4, "speed=1")}).status, 65);
}

TEST_F(Replaying, AChoiceThatNoLongerAppliesEndsWith3) {
  const Ran ran = run({"replay", with_part(6, "c9n9:c8n8")});
  EXPECT_EQ(ran.status, 3) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("diverged"));
}

TEST_F(Replaying, AnotherHistoryThanTheTokenSaysEndsWith3) {
  const Ran ran = run({"replay", with_part(7, "h" + std::string(32, '0'))});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("hash"));
}

TEST_F(Replaying, ATokenWithoutHashAndChoicesIsTheQuietDay) {
  std::string token = with_part(6, "-");
  token.resize(token.rfind(".h"));
  EXPECT_EQ(run({"replay", token}).status, 0);
}

TEST_F(Replaying, JsonHasTheTrace) {
  const Ran ran = run({"replay", token_, "--format", "json", "--stable"});
  const Json json = Json::parse(ran.out);
  EXPECT_FALSE(json["traces"].empty());
  EXPECT_EQ(ran.status, 0);
}

}  // namespace
}  // namespace idemsim
