// From what was explored and explained to the one value that every report is made from.
#pragma once

#include "cli/exit_status.hpp"
#include "sim/explain/explain.hpp"
#include "sim/explore/explorer.hpp"
#include "sim/model/result.hpp"
#include "sim/run/cell.hpp"

#include <vector>

namespace idemsim {

/// A finished campaign. All lists are in matrix order.
struct Campaigned {
  const Scenario* scenario = nullptr;
  const std::vector<Cell>* cells = nullptr;
  std::vector<Exploration> explorations;          ///< one per cell
  std::vector<std::vector<Explained>> explained;  ///< per cell, one per explained witness
  bool all_faults = true;    ///< false: some columns were left out, so `exercised` is not judged
  bool interrupted = false;  ///< Ctrl-C was pressed
};

/// Verdicts, expectations, findings and exit status. `meta` and the version are left to the caller.
[[nodiscard]] CampaignResult result_of(const Campaigned& campaigned);

/// The verdict for a property in the runs of one cell, and its basis. `holds` only if the bounded
/// space was exhausted.
[[nodiscard]] PropertyOutcome outcome_of(Property property, Mode mode,
                                         const Exploration& exploration);

/// 95 % upper bound (one-sided; Clopper and Pearson 1934) of the probability of a violation, if
/// none was seen in `runs` runs. Runs that are `undecided` count as if they had violated.
[[nodiscard]] double upper_bound_95(std::uint64_t runs, std::uint64_t undecided);

/// The parameters that a variant sets, as in a scenario file.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> params_of(const Cell& cell);

}  // namespace idemsim
