// Turns a document into a scenario and checks what no shape can say.
#pragma once

#include "scenarios/complaints.hpp"
#include "scenarios/document.hpp"
#include "sim/model/catalogue.hpp"
#include "sim/model/scenario.hpp"

namespace idemsim {

/// Fills a scenario from a document. What is missing or has a wrong form keeps its default, so that
/// it works on broken documents too.
[[nodiscard]] Scenario read_scenario(const Node& root, const Catalogue& catalogue);

/// Reports what contradicts itself or names something that does not exist.
void check_meaning(const Node& root, const Scenario& scenario, const Catalogue& catalogue,
                   Complaints& complaints);

}  // namespace idemsim
