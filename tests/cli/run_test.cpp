// run: verdicts, exit statuses, files, limits, Ctrl-C and errors of the outside.
#include "tests/cli/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/mount.h>

namespace idemsim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

TEST_F(CommandLine, AViolationWithoutExpectationsEndsWith1) {
  const Ran ran = run({write("a.json", kTwoClicks)});
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("at_most_once"));
  EXPECT_THAT(ran.out, HasSubstr("exit 1"));
}

TEST_F(CommandLine, NothingViolatedEndsWith0) {
  const Ran ran = run({write("a.json", kOneClick)});
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("holds"));
}

TEST_F(CommandLine, ExpectationsDecideTheStatus) {
  const auto status = [&](const std::string& expect, const std::vector<std::string>& more = {}) {
    write("a.json", with(kTwoClicks, "\"explore\"", "\"expect\": [" + expect + "], \"explore\""));
    std::vector<std::string> arguments = {"a.json", "--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments).status;
  };
  const std::string violated = R"({"property": "at_most_once", "is": "violated"})";
  const std::string holds = R"({"property": "at_most_once", "is": "holds"})";
  const std::string lost = R"({"property": "no_lost_effect", "is": "holds"})";
  EXPECT_EQ(status(violated), 0);
  EXPECT_EQ(status(holds), 1);
  EXPECT_EQ(status(holds + "," + violated), 0) << "later entries override";
  EXPECT_EQ(status(R"({"property": "no_lost_effect", "is": "violated"})"), 1);
  EXPECT_EQ(status(lost), 0);
  EXPECT_EQ(status(lost, {"--mode", "random", "--runs", "300"}), 2) << "sampling proves nothing";
  EXPECT_EQ(status(R"({"property": "no_lost_effect", "is": "not_violated"})",
                   {"--mode", "random", "--runs", "300"}),
            0);
  EXPECT_EQ(status(R"({"property": "no_lost_effect", "is": "violated"})",
                   {"--mode", "random", "--runs", "300"}),
            2);
}

TEST_F(CommandLine, ReportsAreWrittenAndNamed) {
  const Ran ran = run({write("a.json", kTwoClicks)});
  EXPECT_THAT(ran.out, HasSubstr("files: idemsim-out/"));
  const std::vector<std::string> files = files_in("idemsim-out");
  EXPECT_THAT(
      files, ::testing::IsSupersetOf({"race-1.dot", "report.txt", "result.json", "scenario.json"}));
  EXPECT_EQ(read("idemsim-out/scenario.json"), kTwoClicks);
  EXPECT_EQ(Json::parse(read("idemsim-out/result.json"))["exit_code"], 1);
  EXPECT_EQ(files_in(".").size(), 2u) << "a temporary folder was left";
}

TEST_F(CommandLine, OneFormatGoesToStandardOutputAndNothingElse) {
  const Ran ran = run({write("a.json", kTwoClicks), "--format", "json"});
  EXPECT_EQ(Json::parse(ran.out)["format"], "idemsim.result/1");
  EXPECT_EQ(ran.err, "");
  EXPECT_FALSE(std::filesystem::exists("idemsim-out"));
}

TEST_F(CommandLine, FormatsWithAFolderAreFiles) {
  (void)run({write("a.json", kTwoClicks), "--format", "json", "--out", "x/y/"});
  EXPECT_EQ(files_in("x/y"), (std::vector<std::string>{"result.json", "scenario.json"}));
}

TEST_F(CommandLine, TheResultDoesNotDependOnTheNumberOfThreads) {
  write("a.json", kTwoClicks);
  for (const char* mode : {"fifo", "random", "exhaustive"}) {
    const auto with_jobs = [&](const std::string& jobs) {
      return run({"a.json", "--stable", "--format", "json", "--mode", mode, "--jobs", jobs}).out;
    };
    const std::string one = with_jobs("1");
    EXPECT_EQ(one, with_jobs("2")) << mode;
    EXPECT_EQ(one, with_jobs("7")) << mode;
    EXPECT_THAT(one, Not(HasSubstr("\"meta\"")));
  }
}

TEST_F(CommandLine, ASearchThatWasCutNeverHolds) {
  const auto cut = [&](const std::string& limit, const std::vector<std::string>& flags = {}) {
    write("a.json", with(kOneClick, "\"time\"", limit + "\"time\""));
    std::vector<std::string> arguments = {"a.json", "--stable"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.status, 2) << ran.out << ran.err;
    const Json json = Json::parse(read("idemsim-out/result.json"));
    for (const Json& cell : json["cells"]) {
      EXPECT_FALSE(cell["cut"].is_null());
      EXPECT_EQ(cell["explored"], "sampled");
      for (const Json& property : cell["properties"]) EXPECT_NE(property["verdict"], "holds");
    }
    EXPECT_THAT(ran.out, Not(HasSubstr("holds in")));
    return json["cells"][0]["cut"].get<std::string>();
  };
  EXPECT_EQ(cut("\"steps_max\": 2, "), "steps");
  write("b.json", kTwoClicks);
  const Ran runs = run({"b.json", "--runs", "1", "--format", "json"});
  EXPECT_EQ(Json::parse(runs.out)["cells"][0]["cut"], "runs");
  EXPECT_THAT(runs.out, Not(HasSubstr("\"holds\"")));
  write("c.json", with(with(kTwoClicks, "\"asynchronous\"", "\"bounded\", \"states_max\": 2"),
                       "\"create_order\"", "\"charge\""));
  const Ran states = run({"c.json", "--format", "json"});
  EXPECT_EQ(Json::parse(states.out)["cells"][0]["cut"], "states");
  EXPECT_THAT(states.out, Not(HasSubstr("\"holds\"")));
  const Ran budget = run({"b.json", "--budget", "1ns", "--format", "json"});
  EXPECT_EQ(Json::parse(budget.out)["cells"][0]["cut"], "budget");
  EXPECT_EQ(budget.status, 2);
  EXPECT_THAT(budget.out, Not(HasSubstr("\"holds\"")));
}

TEST_F(CommandLine, ASamplePrintsItsBound) {
  const Ran ran =
      run({write("a.json", kOneClick), "--mode", "random", "--runs", "1000", "--format", "json"});
  EXPECT_EQ(ran.status, 0);
  const Json outcome = Json::parse(ran.out)["cells"][0]["properties"]["at_most_once"];
  EXPECT_EQ(outcome["verdict"], "not_seen");
  EXPECT_NEAR(outcome["upper95"].get<double>(), 0.0029912, 1e-6);
}

TEST_F(CommandLine, CtrlCLeavesAPartialReport) {
  interrupted_ = true;
  const Ran ran = run({write("a.json", kTwoClicks)});
  EXPECT_EQ(ran.status, 130);
  EXPECT_THAT(ran.out, HasSubstr("partial"));
  const Json json = Json::parse(read("idemsim-out/result.json"));
  EXPECT_TRUE(json["interrupted"]);
  EXPECT_EQ(json["cells"][0]["cut"], "interrupted");
  EXPECT_EQ(json["exit_code"], 130);
}

TEST_F(CommandLine, TheProgramEndsWith130OnCtrlC) {
  // Far too many orders for a second.
  write("long.json",
        with(kTwoClicks, "\"clients\": {", "\"clients\": { \"count\": 3, \"operations\": 2,"));
  const std::string program = std::string(IDEMSIM_BINARY_DIR) + "/idemsim";
  const int ended = std::system(
      ("timeout --preserve-status -s INT 1 '" + program + "' long.json -q > out.txt").c_str());
  EXPECT_EQ(WEXITSTATUS(ended), 130);
  EXPECT_THAT(read("out.txt"), HasSubstr("partial"));
  EXPECT_TRUE(Json::parse(read("idemsim-out/result.json"))["interrupted"]);
}

TEST_F(CommandLine, AMissingScenarioEndsWith66AndABadOneWith65) {
  EXPECT_EQ(run({"none.json"}).status, 66);
  EXPECT_EQ(run({"validate", "none.json"}).status, 66);
  const Ran bad = run({write("bad.json", "{ \"name\": 1 }")});
  EXPECT_EQ(bad.status, 65);
  EXPECT_THAT(bad.err, HasSubstr("bad.json:1:"));
  EXPECT_EQ(bad.out, "");
}

TEST_F(CommandLine, LabelsOfFlagsMustBeInTheScenario) {
  write("a.json", kTwoClicks);
  const Ran ran = run({"a.json", "--strategy", "no_kye"});
  EXPECT_EQ(ran.status, 64);
  EXPECT_THAT(ran.err, HasSubstr("did you mean \"no_key\"?"));
  EXPECT_EQ(run({"a.json", "--faults", "crash"}).status, 64);
}

TEST_F(CommandLine, AnExhaustiveSearchOfSampledTimeIsRefused) {
  write("a.json",
        with(with(kTwoClicks, "\"asynchronous\"", "\"sampled\""), "\"exhaustive\"", "\"random\""));
  EXPECT_EQ(run({"a.json", "--mode", "exhaustive"}).status, 65);
  EXPECT_EQ(run({"a.json", "--runs", "20", "--format", "text"}).status, 1);
}

TEST_F(CommandLine, AnOutputThatCannotBeWrittenEndsWith74AndOneMessage) {
  write("a.json", kTwoClicks);
  write("file", "x");
  const Ran below_a_file = run({"a.json", "--out", "file/below"});
  EXPECT_EQ(below_a_file.status, 74);
  EXPECT_THAT(below_a_file.err, HasSubstr("cannot write"));
  EXPECT_EQ(std::count(below_a_file.err.begin(), below_a_file.err.end(), '\n'), 1);
  EXPECT_THAT(below_a_file.out, Not(HasSubstr("files:")));
  EXPECT_EQ(run({"a.json", "--out", "file"}).status, 74);
  EXPECT_EQ(read("file"), "x");
}

TEST_F(CommandLine, AFullStandardOutputEndsWith74) {
  write("a.json", kTwoClicks);
  std::ofstream full("/dev/full");
  if (!full) GTEST_SKIP() << "no /dev/full here";
  std::ostringstream err;
  const std::vector<std::string> arguments = {"a.json", "--format", "json"};
  EXPECT_EQ(run_cli(arguments, full, err), 74);
  EXPECT_EQ(err.str(), "idemsim: cannot write to standard output\n");
}

TEST_F(CommandLine, AFullDiskLeavesTheOldReport) {
  std::filesystem::create_directory("small");
  if (mount("tmpfs", "small", "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "mount does not work here: " << std::strerror(errno);
  }
  write("a.json", kOneClick);
  const Ran first = run({"a.json", "--out", "small/out"});
  const std::string report = read("small/out/result.json");
  std::ofstream("small/ballast") << std::string(1 << 20, 'x');
  write("b.json", kTwoClicks);
  const Ran second = run({"b.json", "--out", "small/out"});
  const std::string kept = read("small/out/result.json");
  const std::vector<std::string> files = files_in("small");
  umount("small");
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(second.status, 74);
  EXPECT_THAT(second.err, HasSubstr("No space left"));
  EXPECT_EQ(kept, report);
  EXPECT_EQ(files, (std::vector<std::string>{"ballast", "out"}));
}

TEST_F(CommandLine, DeterminismIsChecked) {
  const Ran ran = run({write("a.json", kOneClick), "--check-determinism", "--format", "json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
}

TEST_F(CommandLine, ValidateEstimatesTheSearch) {
  const Ran ran = run({"validate", write("a.json", kTwoClicks)});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("two_clicks: valid"));
  EXPECT_THAT(ran.out, HasSubstr("no_key@none"));
  EXPECT_THAT(ran.out, HasSubstr("estimate"));
}

}  // namespace
}  // namespace idemsim
