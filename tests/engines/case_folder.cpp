// Reads a folder of recorded cases and replays each against the engine that it was recorded on.
#include "tests/engines/case.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace idemsim::tests {

namespace {

constexpr int kBadData = 65;
constexpr int kNoInput = 66;

std::vector<std::filesystem::path> case_files(const std::string& path) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    const std::filesystem::path& file = it->path();
    if (file.extension() == ".json" && file.filename() != "index.json") files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

CaseOutcome run_case(const nlohmann::json& recorded) {
  return recorded.at("engine") == "redis" ? run_redis_case(recorded) : run_sql_case(recorded);
}

CaseFolder run_folder(const std::string& path) {
  CaseFolder folder;
  const std::vector<std::filesystem::path> files = case_files(path);
  if (files.empty()) {
    folder.exit_status = kNoInput;
    folder.problem = path + ": no such folder, or no recorded case (*.json) in it";
    return folder;
  }
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file);
    try {
      folder.outcomes.push_back({file.stem().string(), run_case(nlohmann::json::parse(in))});
    } catch (const nlohmann::json::exception& error) {
      folder.exit_status = kBadData;
      folder.problem = file.string() + ": not a recorded case: " + error.what();
      return folder;
    }
  }
  return folder;
}

}  // namespace idemsim::tests
