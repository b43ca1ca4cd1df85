// A trace as text: time down, a column per process, the window of a race at the margin.
#pragma once

#include "reports/layout.hpp"
#include "sim/model/result.hpp"

#include <string>

namespace idemsim {

/// The time-space diagram of a trace; `race` may be null. Falls back to `render_list` if the trace
/// has more processes than the width has room for.
[[nodiscard]] std::string render_diagram(const Trace& trace, const Race* race, const Pen& pen);

/// The trace as a numbered list with the names of the processes.
[[nodiscard]] std::string render_list(const Trace& trace, const Pen& pen);

}  // namespace idemsim
