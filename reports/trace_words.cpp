// Names for the events and processes of a trace, the same in text and graphs.
#include "reports/trace_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace idemsim {

std::string_view role_of(const TraceEvent& event, const Race* race) {
  if (race == nullptr || event.n == 0) return "";
  if (event.n == race->check || event.n == race->other_check) return "CHECK";
  if (event.n == race->record) return "RECORD";
  if (event.n == race->use || event.n == race->other_use) return "USE";
  return "";
}

std::string_view words_of_event(const TraceEvent& event) {
  if (!event.text.empty()) return event.text;
  if (!event.site.empty()) return event.site;
  return to_string(event.type);
}

std::vector<std::string> acting_processes(const Trace& trace) {
  std::vector<std::string> names = trace.processes;
  for (const TraceEvent& event : trace.events) {
    if (std::find(names.begin(), names.end(), event.process) == names.end()) {
      names.push_back(event.process);
    }
  }
  std::erase_if(names, [&](const std::string& name) {
    return std::none_of(trace.events.begin(), trace.events.end(),
                        [&](const TraceEvent& event) { return event.process == name; });
  });
  return names;
}

std::string head_of(const std::string& process, const Race* race) {
  if (race == nullptr) return process;
  std::string letters;
  for (const auto& [name, letter] : {std::pair{&race->process_a, 'A'}, {&race->process_b, 'B'}}) {
    if (*name != process && !name->starts_with(process + " (")) continue;
    letters += (letters.empty() ? "" : ", ") + std::string(1, letter);
  }
  return letters.empty() || process.ends_with(")") ? process : process + " (" + letters + ")";
}

std::vector<std::string> instants_of(const Trace& trace) {
  const bool whole = std::all_of(trace.events.begin(), trace.events.end(),
                                 [](const auto& event) { return event.at_ns % 1'000'000 == 0; });
  std::vector<std::string> instants;
  for (const TraceEvent& event : trace.events) {
    const std::int64_t tenths = (event.at_ns + 50'000) / 100'000;
    instants.push_back(whole ? std::to_string(event.at_ns / 1'000'000)
                             : fmt::format("{}.{}", tenths / 10, tenths % 10));
  }
  return instants;
}

}  // namespace idemsim
