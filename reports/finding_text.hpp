// One finding in words: the race drawn, the reasons, and how to run it again.
#pragma once

#include "reports/layout.hpp"
#include "sim/model/result.hpp"

#include <string>

namespace idemsim {

/// The finding with its trace, reasons, counterfactual, fix and replay line.
[[nodiscard]] std::string finding_in_full(const CampaignResult& result, const Finding& finding,
                                          const Pen& pen);

/// Two lines: what, and how to run it again.
[[nodiscard]] std::string finding_in_brief(const CampaignResult& result, const Finding& finding,
                                           const Pen& pen);

}  // namespace idemsim
