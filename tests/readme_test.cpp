// The README stays short, and its table of strategies is the one that the program prints.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace idemsim {
namespace {

const std::string kRoot = IDEMSIM_SOURCE_DIR;

std::string readme() {
  std::ifstream file(kRoot + "/README.md");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe)) {
    output.append(part.data(), size);
  }
  pclose(pipe);
  return output;
}

TEST(Readme, IsReadInOneSitting) {
  const std::string text = readme();
  EXPECT_GT(text.size(), 0u);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 150);
}

TEST(Readme, TableOfStrategiesIsTheOneOfTheProgram) {
  if (!std::filesystem::exists(kRoot + "/cli/main.cpp")) GTEST_SKIP() << "no program yet";
  const std::string begin = "<!-- strategies:begin -->\n";
  const std::string text = readme();
  const std::size_t start = text.find(begin);
  const std::size_t end = text.find("<!-- strategies:end -->");
  ASSERT_NE(start, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::string table = text.substr(start + begin.size(), end - start - begin.size());
  const std::string program = std::string(IDEMSIM_BINARY_DIR) + "/idemsim";
  EXPECT_EQ(table, output_of("'" + program + "' list strategies --markdown"));
}

}  // namespace
}  // namespace idemsim
