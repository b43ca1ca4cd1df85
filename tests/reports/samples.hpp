// Three literal results that every report is tested with.
#pragma once

#include "sim/model/result.hpp"

namespace idemsim::samples {

/// A double click: the second request checks between the check and the record of the first.
[[nodiscard]] CampaignResult double_click();
/// A server dies between the charge and its record; nobody expected it, and one finding has no
/// explanation.
[[nodiscard]] CampaignResult lost_record();
/// Nothing violated: exhausted cells, a cut one, a vacuous strategy and a sampled one.
[[nodiscard]] CampaignResult all_holds();

}  // namespace idemsim::samples
