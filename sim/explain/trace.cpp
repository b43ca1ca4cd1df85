// Turns a finished run into a trace: which events, their numbers, their instants, their edges.
#include "sim/base/assert.hpp"
#include "sim/explain/explain.hpp"
#include "sim/explain/numbers.hpp"
#include "sim/explain/words.hpp"
#include "sim/oracles/oracles.hpp"
#include "sim/world/instants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace idemsim {
namespace {

/// Events that follow from nothing else in the settle phase are noise, unless something guilty
/// rests on them.
std::vector<bool> events_to_show(const World& world) {
  const std::span<const Event> events = world.events();
  std::vector<bool> shown(events.size());
  for (std::size_t i = 0; i < world.settle_event(); ++i) shown[i] = true;
  const FinishedRun run = world.finished();
  for (const Property property : kProperties) {
    const Judgement judgement = judge(property, run);
    if (!judgement.violated) continue;
    if (judgement.first >= 0) shown[static_cast<std::size_t>(judgement.first)] = true;
    if (judgement.second >= 0) shown[static_cast<std::size_t>(judgement.second)] = true;
  }
  bool settled = false;
  for (std::size_t i = events.size(); i-- > world.settle_event();) {
    if (events[i].type == EventType::settle) shown[i] = settled;
    if (!shown[i]) continue;
    settled = true;
    for (const EventIndex sooner : {events[i].before, events[i].cause, events[i].read_from}) {
      if (sooner >= 0) shown[static_cast<std::size_t>(sooner)] = true;
    }
  }
  return shown;
}

/// Instants of all steps of a bounded run before its settle phase, by their ordinals from 1.
std::optional<std::vector<Instant>> solved_instants(const World& world) {
  const Kernel& kernel = world.kernel();
  if (kernel.options().time != TimeModel::bounded) return std::nullopt;
  const KernelLog& log = kernel.log();
  const std::size_t count = static_cast<std::size_t>(world.settle_step()) + 1;
  if (log.steps.size() < count) return std::nullopt;
  InstantSolver solver;
  TimedStep previous;
  for (std::size_t k = 0; k < count; ++k) {
    const TimedStep& step = log.steps[k];
    const std::span killed(log.killed.begin() + previous.killed_end,
                           log.killed.begin() + step.killed_end);
    const std::span created(log.created.begin() + previous.created_end,
                            log.created.begin() + step.created_end);
    const std::span shifted(log.shifted.begin() + previous.shifted_end,
                            log.shifted.begin() + step.shifted_end);
    if (k == 0) {
      solver.create(created);
    } else {
      solver.fire(step.fired, killed, created);
      if (!shifted.empty()) solver.shift(shifted, step.shift);
    }
    previous = step;
  }
  return solver.solve();
}

/// Puts an instant on each event: solved ones, and nominal ones shifted to match behind them.
void place_in_time(const World& world, NumberedTrace& result) {
  const std::optional<std::vector<Instant>> solved = solved_instants(world);
  result.trace.instants_solved = solved.has_value();
  Duration shift;
  if (solved && !solved->empty()) shift = solved->back() - world.settle_instant();
  const std::span<const Event> events = world.events();
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (result.numbers[i] == 0) continue;
    TraceEvent& event = result.trace.events[result.numbers[i] - 1];
    event.at_ns = events[i].at.ns;
    if (!solved) continue;
    const std::uint32_t step = world.event_steps()[i];
    if (i >= world.settle_event()) {
      event.at_ns += shift.ns;
    } else {
      event.at_ns = step == 0 ? 0 : (*solved)[step - 1].ns;
    }
  }
}

/// A receipt or a heard answer comes from elsewhere; every other cause is on the spot.
bool is_arrival(EventType type) {
  return type == EventType::receive || type == EventType::ok || type == EventType::fail ||
         type == EventType::info;
}

void add_edges(const Event& from, const std::vector<std::uint32_t>& numbers, TraceEvent& event) {
  const auto number = [&](EventIndex i) {
    return i < 0 ? 0 : numbers[static_cast<std::size_t>(i)];
  };
  for (const EventIndex sooner : {from.before, from.cause, from.read_from}) {
    const std::uint32_t n = number(sooner);
    if (n != 0 && n != event.n) event.hb.push_back(n);
  }
  std::sort(event.hb.begin(), event.hb.end());
  event.hb.erase(std::unique(event.hb.begin(), event.hb.end()), event.hb.end());
  if (is_arrival(from.type)) event.message_from = number(from.cause);
  event.read_from = number(from.read_from);
}

void name_processes(const World& world, const std::vector<std::uint32_t>& numbers, Trace& trace) {
  std::vector<ProcessId> seen;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == 0) continue;
    const ProcessId process = world.events()[i].process;
    if (std::find(seen.begin(), seen.end(), process) == seen.end()) seen.push_back(process);
  }
  std::sort(seen.begin(), seen.end());
  for (const ProcessId process : seen) trace.processes.push_back(world.process_name(process));
}

}  // namespace

const TraceEvent& NumberedTrace::of(EventIndex event) const {
  const std::uint32_t n = numbers[static_cast<std::size_t>(event)];
  IDEMSIM_ASSERT(n != 0);
  return trace.events[n - 1];
}

TraceEvent& NumberedTrace::of(EventIndex event) {
  const std::uint32_t n = numbers[static_cast<std::size_t>(event)];
  IDEMSIM_ASSERT(n != 0);
  return trace.events[n - 1];
}

NumberedTrace numbered_trace(const World& world) {
  const std::span<const Event> events = world.events();
  IDEMSIM_ASSERT(world.texts().size() == events.size());
  const std::vector<bool> shown = events_to_show(world);
  NumberedTrace result;
  result.numbers.resize(events.size());
  std::uint32_t n = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (shown[i]) result.numbers[i] = ++n;
  }
  const EventWords words(world, result.numbers);
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!shown[i]) continue;
    TraceEvent& event = result.trace.events.emplace_back();
    event.n = result.numbers[i];
    event.process = world.process_name(events[i].process);
    event.type = events[i].type;
    event.site = events[i].site.view();
    event.text = words.of(static_cast<EventIndex>(i));
    event.fault = events[i].type == EventType::fault;
    add_edges(events[i], result.numbers, event);
  }
  name_processes(world, result.numbers, result.trace);
  place_in_time(world, result);
  result.trace.hash = to_hex(hash_of(events));
  return result;
}

Trace trace_of(const World& world) { return numbered_trace(world).trace; }

std::string format_ms(std::int64_t ns) {
  const std::int64_t tenths = (ns + (ns < 0 ? -50'000 : 50'000)) / 100'000;
  const std::int64_t size = tenths < 0 ? -tenths : tenths;
  return fmt::format("{}{}.{} ms", tenths < 0 ? "-" : "", size / 10, size % 10);
}

std::string operation_name(const World& world, OperationId operation) {
  std::string name = fmt::format("operation {}", operation.number + 1);
  if (world.client_processes() == 1) return name;
  return fmt::format("{} of client {}", name, operation.client + 1);
}

}  // namespace idemsim
