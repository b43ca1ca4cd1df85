// Replacing a report: what is ours goes, what is not stays, a failure changes nothing.
#include "cli/output.hpp"

#include "tests/cli/command_line.hpp"

#include <gtest/gtest.h>

namespace idemsim {
namespace {

class ReportFolder : public CommandLine {};

TEST_F(ReportFolder, IsReplacedAsAWhole) {
  EXPECT_FALSE(replace_report("out", {{"report.txt", "a"}, {"race-1.dot", "b"}}));
  EXPECT_FALSE(replace_report("out", {{"report.txt", "c"}}));
  EXPECT_EQ(files_in("out"), std::vector<std::string>{"report.txt"});
  EXPECT_EQ(read("out/report.txt"), "c");
  EXPECT_EQ(files_in("."), std::vector<std::string>{"out"});
}

TEST_F(ReportFolder, KeepsTheFilesOfOthers) {
  std::filesystem::create_directory("out");
  write("out/notes.md", "mine");
  write("out/race-7.dot", "old");
  write("out/race-x.dot", "mine");
  EXPECT_FALSE(replace_report("out", {{"report.txt", "a"}}));
  EXPECT_EQ(files_in("out"), (std::vector<std::string>{"notes.md", "race-x.dot", "report.txt"}));
}

TEST_F(ReportFolder, MayBeTheCurrentOne) {
  write("a.json", "mine");
  EXPECT_FALSE(replace_report(".", {{"report.txt", "a"}}));
  EXPECT_EQ(files_in("."), (std::vector<std::string>{"a.json", "report.txt"}));
}

TEST_F(ReportFolder, MayBeALink) {
  std::filesystem::create_directory("real");
  std::filesystem::create_directory_symlink("real", "link");
  EXPECT_FALSE(replace_report("link", {{"report.txt", "a"}}));
  EXPECT_EQ(read("real/report.txt"), "a");
  EXPECT_TRUE(std::filesystem::is_symlink("link"));
}

TEST_F(ReportFolder, IsMadeWithItsParents) {
  EXPECT_FALSE(replace_report("a/b/c/", {{"report.txt", "a"}}));
  EXPECT_EQ(read("a/b/c/report.txt"), "a");
}

TEST_F(ReportFolder, IsUntouchedAfterAFailure) {
  EXPECT_FALSE(replace_report("out", {{"report.txt", "old"}}));
  EXPECT_TRUE(replace_report("out", {{"report.txt", "new"}, {"no/such/folder", "x"}}));
  EXPECT_EQ(read("out/report.txt"), "old");
  EXPECT_EQ(files_in("."), std::vector<std::string>{"out"});
}

}  // namespace
}  // namespace idemsim
