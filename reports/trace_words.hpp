// How the events of a trace are named in pictures: their role in the race, text, column heads.
#pragma once

#include "sim/model/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace idemsim {

/// "CHECK", "RECORD", "USE" for the events of the race, else empty. `race` may be null.
[[nodiscard]] std::string_view role_of(const TraceEvent& event, const Race* race);
/// What happened: the text, or the site, or the type of the event.
[[nodiscard]] std::string_view words_of_event(const TraceEvent& event);
/// The processes that have an event, in the order of the trace.
[[nodiscard]] std::vector<std::string> acting_processes(const Trace& trace);
/// The name of a process with its part in the race: "server-1 (A)".
[[nodiscard]] std::string head_of(const std::string& process, const Race* race);
/// The instants of the trace in ms, with one decimal if one of them needs it.
[[nodiscard]] std::vector<std::string> instants_of(const Trace& trace);

}  // namespace idemsim
