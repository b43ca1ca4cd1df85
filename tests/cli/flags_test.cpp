// The command line: what it accepts, and what it says about what it does not.
#include "cli/flags.hpp"

#include "sim/base/text.hpp"
#include "tests/cli/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace idemsim {
namespace {

using ::testing::HasSubstr;

Result<Flags> parse(const std::vector<std::string>& arguments) { return parse_flags(arguments); }

std::string problem_of(const std::vector<std::string>& arguments) {
  const Result<Flags> flags = parse(arguments);
  return flags ? "accepted" : format_problems(flags.error());
}

TEST(Flags, AScenarioAloneIsRun) {
  const Result<Flags> flags = parse({"a/b.json", "--jobs", "2", "--seed=7", "-q"});
  ASSERT_TRUE(flags);
  EXPECT_EQ(flags->command, Command::run);
  EXPECT_EQ(flags->scenario, "a/b.json");
  EXPECT_EQ(flags->jobs, 2u);
  EXPECT_EQ(flags->seed, 7u);
  EXPECT_EQ(flags->progress, ProgressKind::none);
}

TEST(Flags, FlagsMayStandBeforeTheScenario) {
  const Result<Flags> flags = parse({"--strategy", "x", "--strategy", "y", "b.json"});
  ASSERT_TRUE(flags);
  EXPECT_EQ(flags->scenario, "b.json");
  EXPECT_EQ(flags->strategies, (std::vector<std::string>{"x", "y"}));
}

TEST(Flags, AnUnknownFlagNamesTheNearest) {
  EXPECT_THAT(problem_of({"a.json", "--jbos", "2"}), HasSubstr("did you mean \"--jobs\"?"));
  EXPECT_THAT(problem_of({"a.json", "--see=2"}), HasSubstr("did you mean \"--seed\"?"));
}

TEST(Flags, AnUnknownCommandNamesTheNearest) {
  EXPECT_THAT(problem_of({"repaly", "x"}), HasSubstr("did you mean \"replay\"?"));
  EXPECT_THAT(problem_of({}), HasSubstr("--help"));
}

TEST(Flags, ValuesAreChecked) {
  EXPECT_THAT(problem_of({"a.json", "--mode", "exhausitve"}),
              HasSubstr("did you mean \"exhaustive\"?"));
  EXPECT_THAT(problem_of({"a.json", "--jobs", "0"}), HasSubstr("1 to 1024"));
  EXPECT_THAT(problem_of({"a.json", "--seed", "-1"}), HasSubstr("0 or more"));
  EXPECT_THAT(problem_of({"a.json", "--runs", "1e3"}), HasSubstr("1 or more"));
  EXPECT_THAT(problem_of({"a.json", "--budget", "30"}), HasSubstr("--budget"));
  EXPECT_THAT(problem_of({"a.json", "--format", "jsn"}), HasSubstr("did you mean \"json\"?"));
  EXPECT_THAT(problem_of({"list", "strategie"}), HasSubstr("did you mean \"strategies\"?"));
  EXPECT_THAT(problem_of({"run"}), HasSubstr("idemsim run"));
  EXPECT_THAT(problem_of({"a.json", "--out", ""}), HasSubstr("--out: its value is empty"));
  EXPECT_THAT(problem_of({"a.json", "--budget="}), HasSubstr("--budget"));
  EXPECT_THAT(problem_of({"a.json", "b.json"}), HasSubstr("too many"));
}

TEST(Flags, StableCannotBeMetWithABudget) {
  EXPECT_THAT(problem_of({"a.json", "--stable", "--budget", "3s"}), HasSubstr("--stable"));
}

TEST_F(CommandLine, UsageErrorsEndWith64) {
  EXPECT_EQ(run({"a.json", "--nope"}).status, 64);
  EXPECT_EQ(run({"nope"}).status, 64);
  EXPECT_EQ(run({}).status, 64);
  EXPECT_EQ(run({"x.json", "--stable", "--budget", "1s"}).status, 64);
}

TEST_F(CommandLine, HelpAndVersionGoToStandardOutput) {
  EXPECT_THAT(run({"--help"}).out, HasSubstr("Usage: idemsim"));
  EXPECT_THAT(run({"run", "--help"}).out, HasSubstr("--check-determinism"));
  EXPECT_THAT(run({"--version"}).out, HasSubstr("idemsim "));
  EXPECT_EQ(run({"--help"}).status, 0);
}

TEST_F(CommandLine, ListNamesWhatAScenarioCanName) {
  EXPECT_THAT(run({"list"}).out, HasSubstr("no_key"));
  EXPECT_THAT(run({"list", "faults"}).out, HasSubstr("duplicate_request"));
  EXPECT_THAT(run({"list", "properties"}).out, HasSubstr("at_most_once"));
  EXPECT_THAT(run({"list", "operations"}).out, HasSubstr("charge"));
  EXPECT_THAT(run({"list", "strategies", "--markdown"}).out, HasSubstr("| `no_key` |"));
}

TEST_F(CommandLine, SchemaIsPrinted) {
  const Ran ran = run({"schema"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("draft-07"));
}

}  // namespace
}  // namespace idemsim
