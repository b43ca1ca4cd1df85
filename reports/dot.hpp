// One finding as a happens-before graph for Graphviz.
#pragma once

#include "sim/base/result.hpp"
#include "sim/model/result.hpp"

#include <string>

namespace idemsim {

/// Graphs above this size are refused: nobody could read the picture.
inline constexpr std::size_t kDotBytesMax = 65'536;

/// The trace of the finding in the DOT language: a cluster per process, time down, the check a
/// hexagon, the use with a double border, faults as octagons, the guilty pair in red, the window of
/// a race as a labelled edge. Errors: the trace is missing, or the graph is too large.
[[nodiscard]] Result<std::string> render_dot(const CampaignResult& result, const Finding& finding);

}  // namespace idemsim
