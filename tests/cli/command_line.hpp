// The program called as a function, in a folder of its own, with what it wrote and its status.
#pragma once

#include "cli/cli.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace idemsim {

struct Ran {
  int status = -1;
  std::string out;
  std::string err;
};

/// Two clicks on an unprotected button: small, and violated.
inline constexpr const char* kTwoClicks = R"({
  "format": "idemsim.scenario/1", "name": "two_clicks", "operation": "create_order",
  "clients": { "arrival": "double_click", "retry": { "attempts": 1 } },
  "strategies": { "no_key": {} },
  "explore": { "mode": "exhaustive", "time": "asynchronous" } })";

/// One click, nothing goes wrong: the probe finds the record, and the effect is there once.
inline constexpr const char* kOneClick = R"({
  "format": "idemsim.scenario/1", "name": "one_click", "operation": "create_order",
  "clients": { "retry": { "attempts": 1 } },
  "strategies": { "check_then_write": {} }, "properties": ["at_most_once", "no_stuck_key"],
  "explore": { "mode": "exhaustive", "time": "asynchronous" } })";

/// `text` with the first `from` replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

class CommandLine : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    std::string name = (std::filesystem::temp_directory_path() / "idemsim-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::filesystem::current_path(folder_);
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  Ran run(const std::vector<std::string>& arguments) {
    std::ostringstream out;
    std::ostringstream err;
    Console console{out, err};
    console.interrupted = &interrupted_;
    Ran ran;
    ran.status = run_cli(arguments, console);
    ran.out = out.str();
    ran.err = err.str();
    return ran;
  }

  static std::string write(const std::string& name, const std::string& text) {
    std::ofstream(name, std::ios::binary) << text;
    return name;
  }
  static std::string read(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  static std::vector<std::string> files_in(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  std::atomic<bool> interrupted_{false};
  std::filesystem::path folder_;

 private:
  std::filesystem::path before_;
};

}  // namespace idemsim
