// The matrix of a campaign as text: a row per strategy, a column per fault plan, signs and a
// legend.
#pragma once

#include "reports/layout.hpp"
#include "reports/verdicts.hpp"
#include "sim/model/result.hpp"

#include <string>

namespace idemsim {

/// The matrix with its legend; in several blocks of columns if they do not fit the width.
[[nodiscard]] std::string render_matrix(const CampaignResult& result, const Pen& pen);

/// What a single cell says, a line per property with its basis.
[[nodiscard]] std::string render_cell(const CampaignResult& result, const CellResult& cell,
                                      const Pen& pen);

/// The sign alone, written and painted.
[[nodiscard]] std::string sign_text(Sign sign, const Pen& pen);

}  // namespace idemsim
