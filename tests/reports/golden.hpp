// Golden files: what a report looked like when it was last reviewed.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#ifndef IDEMSIM_SOURCE_DIR
#define IDEMSIM_SOURCE_DIR "."
#endif

namespace idemsim {

/// Compares with tests/reports/golden/NAME. With IDEMSIM_UPDATE_GOLDEN=1 in the environment the
/// file is written instead; review its difference as code.
inline void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = IDEMSIM_SOURCE_DIR "/tests/reports/golden/" + name;
  const char* update = std::getenv("IDEMSIM_UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  const std::string golden{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(golden, text) << path << ": set IDEMSIM_UPDATE_GOLDEN=1 if the change is intended";
}

}  // namespace idemsim
