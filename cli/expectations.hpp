// What a scenario expects of each verdict, and what the exit status says about it.
#pragma once

#include "cli/exit_status.hpp"
#include "sim/model/result.hpp"
#include "sim/model/scenario.hpp"

namespace idemsim {

/// Fills in `expect`, `expect_because` and `met` of every outcome, `expected` of the findings, the
/// counts and the exit status. Later entries of the scenario override earlier ones.
void judge_expectations(const Scenario& scenario, CampaignResult& result);

}  // namespace idemsim
