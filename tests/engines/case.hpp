// Replays of recorded cases: what a run of one case can say, and who runs which kind of case.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace idemsim::tests {

/// What came out of replaying one recorded case against the simulated engine.
struct CaseOutcome {
  enum class Status { passed, differs, not_covered };
  Status status = Status::passed;
  std::string text;  ///< why it is not covered, or `step 3: expected ... got ...`
};

/// A case of the SQL engine (`engine` is `postgresql` or `mariadb`).
[[nodiscard]] CaseOutcome run_sql_case(const nlohmann::json& recorded);

/// A case of the key-value engine (`engine` is `redis`).
[[nodiscard]] CaseOutcome run_redis_case(const nlohmann::json& recorded);

/// Sends the case to the engine that it was recorded on.
[[nodiscard]] CaseOutcome run_case(const nlohmann::json& recorded);

/// One line of the report: the file's name without its ending, and its outcome.
struct NamedOutcome {
  std::string name;
  CaseOutcome outcome;
};

/// All cases of a folder sorted by name, or the reason why the folder cannot be used.
struct CaseFolder {
  int exit_status = 0;  ///< 0, 65 (unreadable JSON) or 66 (missing or empty folder)
  std::string problem;
  std::vector<NamedOutcome> outcomes;
};
[[nodiscard]] CaseFolder run_folder(const std::string& path);

}  // namespace idemsim::tests
