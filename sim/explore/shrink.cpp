// Delta debugging over the entries of a schedule and the parts of the workload together.
#include "sim/explore/shrink.hpp"

#include "sim/base/assert.hpp"
#include "sim/explore/replay.hpp"
#include "sim/explore/singles.hpp"
#include "sim/model/token.hpp"
#include "sim/oracles/oracles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

namespace idemsim {
namespace {

/// Worlds that are kept for the next candidate with the same workload.
constexpr std::size_t kLaboratoriesMax = 8;

/// What can be left out of a candidate: one entry, or one unit of the workload.
struct Part {
  enum class Of : std::uint8_t { clients, operations, attempts, second_click, runs, takes };
  Of of;
  std::size_t index = 0;  ///< in its list of entries
};

struct Candidate {
  Workload workload;
  Schedule schedule;
};

std::uint64_t fault_kinds(std::span<const Event> events) {
  std::uint64_t kinds = 0;
  for (const Event& e : events) {
    if (e.type == EventType::fault) kinds |= std::uint64_t{1} << static_cast<unsigned>(e.fault);
  }
  return kinds;
}

bool is_fault(const RunBefore& entry) { return entry.run.is_fault(); }
bool is_fault(const Take& entry) { return fault_named(entry.alternative.view()).has_value(); }

/// Parts in the order in which they had better go: workload, faults, everything else.
std::vector<Part> parts_of(const Candidate& candidate) {
  std::vector<Part> parts;
  const Workload& w = candidate.workload;
  if (w.arrival == Arrival::double_click) parts.push_back({Part::Of::second_click});
  for (std::uint32_t i = 1; i < w.clients; ++i) parts.push_back({Part::Of::clients});
  for (std::uint32_t i = 1; i < w.operations; ++i) parts.push_back({Part::Of::operations});
  for (std::uint32_t i = 1; i < w.attempts; ++i) parts.push_back({Part::Of::attempts});
  const Schedule& s = candidate.schedule;
  for (const bool faults : {true, false}) {
    for (std::size_t i = 0; i < s.runs.size(); ++i) {
      if (is_fault(s.runs[i]) == faults) parts.push_back({Part::Of::runs, i});
    }
    for (std::size_t i = 0; i < s.takes.size(); ++i) {
      if (is_fault(s.takes[i]) == faults) parts.push_back({Part::Of::takes, i});
    }
  }
  return parts;
}

/// The candidate reduced to some of its parts; entries keep their order.
Candidate only(const Candidate& candidate, const std::vector<Part>& parts) {
  Candidate result;
  std::vector<bool> runs(candidate.schedule.runs.size());
  std::vector<bool> takes(candidate.schedule.takes.size());
  for (const Part& part : parts) {
    switch (part.of) {
      case Part::Of::clients:
        ++result.workload.clients;
        break;
      case Part::Of::operations:
        ++result.workload.operations;
        break;
      case Part::Of::attempts:
        ++result.workload.attempts;
        break;
      case Part::Of::second_click:
        result.workload.arrival = Arrival::double_click;
        break;
      case Part::Of::runs:
        runs[part.index] = true;
        break;
      case Part::Of::takes:
        takes[part.index] = true;
        break;
    }
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i]) result.schedule.runs.push_back(candidate.schedule.runs[i]);
  }
  for (std::size_t i = 0; i < takes.size(); ++i) {
    if (takes[i]) result.schedule.takes.push_back(candidate.schedule.takes[i]);
  }
  return result;
}

std::vector<Part> without(const std::vector<Part>& parts, std::size_t from, std::size_t to) {
  std::vector<Part> rest(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(from));
  rest.insert(rest.end(), parts.begin() + static_cast<std::ptrdiff_t>(to), parts.end());
  return rest;
}

/// A world with a workload of its own, kept for the next candidate with the same workload.
struct Laboratory {
  Laboratory(const Cell& cell, const Workload& w)
      : workload(w), scenario(with_workload(*cell.scenario, w)), world(setup_of(own(cell))) {}
  [[nodiscard]] Cell own(Cell cell) const {
    cell.scenario = &scenario;
    return cell;
  }
  Workload workload;
  Scenario scenario;
  World world;
};

class Shrinker {
 public:
  Shrinker(const Cell& cell, const Witness& witness, const ShrinkLimits& limits)
      : cell_(cell), property_(witness.property), seed_(witness.seed), limits_(limits) {}

  Shrunk shrink(const Schedule& schedule);

 private:
  World& world_of(const Workload& workload);
  bool attempt(const Candidate& candidate);
  bool attempt(const std::vector<Part>& parts) { return attempt(only(current_, parts)); }
  void minimise();
  bool reduce_chunks(const std::vector<Part>& parts, std::size_t chunks);
  bool remove_pair();
  bool replace_by_single();

  Cell cell_;
  Property property_;
  std::uint64_t seed_;
  ShrinkLimits limits_;
  std::uint32_t runs_ = 0;
  bool cut_ = false;
  std::uint64_t kinds_ = ~std::uint64_t{0};  ///< of faults that a candidate may show
  Candidate current_;
  std::set<std::string> tried_;
  std::vector<std::unique_ptr<Laboratory>> laboratories_;
};

World& Shrinker::world_of(const Workload& workload) {
  for (const auto& laboratory : laboratories_) {
    if (laboratory->workload == workload) return laboratory->world;
  }
  if (laboratories_.size() == kLaboratoriesMax) laboratories_.erase(laboratories_.begin());
  laboratories_.push_back(std::make_unique<Laboratory>(cell_, workload));
  return laboratories_.back()->world;
}

/// Runs a candidate; if it violates the property in the same way, its record is the new best.
bool Shrinker::attempt(const Candidate& candidate) {
  const Workload& w = candidate.workload;
  std::string name =
      fmt::format("{} {} {} {} ", w.clients, w.operations, w.attempts, static_cast<int>(w.arrival));
  if (!tried_.insert(name + to_string(candidate.schedule)).second) return false;
  const StopSignal& stop = limits_.stop;
  if (stop.asked != nullptr && stop.asked(stop.self)) cut_ = true;
  if (cut_ || runs_ >= limits_.runs_max) {
    cut_ = true;
    return false;
  }
  ++runs_;
  World& world = world_of(w);
  ReplayScheduler replay(candidate.schedule, OnDivergence::ignore);
  const RunEnd end = world.run(replay, {seed_, false, limits_.stop});
  if (end == RunEnd::interrupted) cut_ = true;
  if (end != RunEnd::quiescent) return false;
  const FinishedRun run = world.finished();
  if (!judge(property_, run).violated) return false;
  const std::uint64_t kinds = fault_kinds(run.events);
  if ((kinds & ~kinds_) != 0) return false;
  kinds_ = kinds;
  current_ = {w, world.recorded()};
  return true;
}

/// One round of ddmin: some chunk alone, or everything without some chunk.
bool Shrinker::reduce_chunks(const std::vector<Part>& parts, std::size_t chunks) {
  const auto bound = [&](std::size_t i) { return i * parts.size() / chunks; };
  for (std::size_t i = 0; i < chunks; ++i) {
    const auto first = parts.begin() + static_cast<std::ptrdiff_t>(bound(i));
    const auto last = parts.begin() + static_cast<std::ptrdiff_t>(bound(i + 1));
    if (attempt(std::vector<Part>(first, last))) return true;
  }
  for (std::size_t i = 0; i < chunks; ++i) {
    if (attempt(without(parts, bound(i), bound(i + 1)))) return true;
  }
  return false;
}

void Shrinker::minimise() {
  std::size_t chunks = 2;
  while (!cut_) {
    const std::vector<Part> parts = parts_of(current_);
    if (parts.empty() || attempt(std::vector<Part>{})) return;
    chunks = std::min(chunks, parts.size());
    if (reduce_chunks(parts, chunks)) {
      chunks = std::max<std::size_t>(chunks - 1, 2);
    } else if (chunks == parts.size()) {
      return;
    } else {
      chunks = 2 * chunks;
    }
  }
}

bool Shrinker::remove_pair() {
  const std::vector<Part> parts = parts_of(current_);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      if (cut_) return false;
      std::vector<Part> rest = without(parts, j, j + 1);
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      if (attempt(rest)) return true;
    }
  }
  return false;
}

/// The entries may be a detour: is there one choice on the quiet day that does it?
bool Shrinker::replace_by_single() {
  if (current_.schedule.size() < 2) return false;
  const Workload workload = current_.workload;
  const std::vector<Schedule> singles = singles_of(world_of(workload), seed_, limits_.stop);
  for (const bool faults : {false, true}) {
    for (const Schedule& single : singles) {
      if (cut_) return false;
      if ((faults_of(single) != 0) == faults && attempt({workload, single})) return true;
    }
  }
  return false;
}

Shrunk Shrinker::shrink(const Schedule& schedule) {
  current_ = {workload_of(*cell_.scenario), schedule};
  Shrunk result;
  result.from = static_cast<std::uint32_t>(schedule.size());
  if (attempt(current_)) {
    do {
      minimise();
    } while (!cut_ && (remove_pair() || replace_by_single()));
  }
  result.workload = current_.workload;
  result.schedule = current_.schedule;
  result.seed = seed_;
  result.to = static_cast<std::uint32_t>(current_.schedule.size());
  result.runs = runs_;
  result.minimal = !cut_;
  return result;
}

/// Reads one override into the workload; false if it means nothing in this scenario.
bool apply(const std::string& name, const std::string& value, Workload& workload) {
  if (name == "arrival") {
    if (value != to_string(Arrival::single)) return false;
    workload.arrival = Arrival::single;
    return true;
  }
  std::uint32_t* const part = name == "clients"      ? &workload.clients
                              : name == "operations" ? &workload.operations
                              : name == "attempts"   ? &workload.attempts
                                                     : nullptr;
  if (part == nullptr || value.empty() || value.size() > 9) return false;
  std::uint32_t number = 0;
  for (const char c : value) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  if (number < 1 || number > *part) return false;
  *part = number;
  return true;
}

}  // namespace

Workload workload_of(const Scenario& scenario) {
  const ClientSpec& clients = scenario.clients;
  return {clients.count, clients.operations, clients.retry.attempts, clients.arrival};
}

Scenario with_workload(const Scenario& scenario, const Workload& workload) {
  Scenario result = scenario;
  result.clients.count = workload.clients;
  result.clients.operations = workload.operations;
  result.clients.retry.attempts = workload.attempts;
  result.clients.arrival = workload.arrival;
  return result;
}

std::vector<std::pair<std::string, std::string>> overrides_of(const Scenario& scenario,
                                                              const Workload& workload) {
  const Workload whole = workload_of(scenario);
  std::vector<std::pair<std::string, std::string>> overrides;
  const auto add = [&](const char* name, std::uint32_t value, std::uint32_t usual) {
    if (value != usual) overrides.emplace_back(name, std::to_string(value));
  };
  add("clients", workload.clients, whole.clients);
  add("operations", workload.operations, whole.operations);
  add("attempts", workload.attempts, whole.attempts);
  if (workload.arrival != whole.arrival) {
    overrides.emplace_back("arrival", to_string(workload.arrival));
  }
  return overrides;
}

Result<Workload> workload_with(const Scenario& scenario,
                               const std::vector<std::pair<std::string, std::string>>& overrides) {
  Workload workload = workload_of(scenario);
  Problems problems;
  for (const auto& [name, value] : overrides) {
    if (apply(name, value, workload)) continue;
    Problem problem;
    problem.pointer = "overrides";
    problem.message = fmt::format(
        "\"{}={}\" is no smaller workload of this scenario: expected clients up to {}, operations "
        "up to {}, attempts up to {} or arrival=single",
        name, value, scenario.clients.count, scenario.clients.operations,
        scenario.clients.retry.attempts);
    problems.push_back(std::move(problem));
  }
  if (!problems.empty()) return problems;
  return workload;
}

std::uint32_t faults_of(const Schedule& schedule) {
  std::uint32_t count = 0;
  for (const RunBefore& entry : schedule.runs) count += is_fault(entry) ? 1 : 0;
  for (const Take& entry : schedule.takes) count += is_fault(entry) ? 1 : 0;
  return count;
}

std::uint32_t preemptions_of(const Schedule& schedule) {
  std::uint32_t count = 0;
  for (const RunBefore& entry : schedule.runs) count += is_fault(entry) ? 0 : 1;
  return count;
}

Shrunk shrink(const Cell& cell, const Witness& witness, const ShrinkLimits& limits) {
  return Shrinker(cell, witness, limits).shrink(witness.schedule);
}

}  // namespace idemsim
