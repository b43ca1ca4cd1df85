// Makes a witness 1-minimal: no single choice, fault or part of the workload can be left out.
#pragma once

#include "sim/base/result.hpp"
#include "sim/explore/explorer.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace idemsim {

/// Workload after shrinking, as overrides of the scenario; only what differs is in a token.
struct Workload {
  std::uint32_t clients = 1;
  std::uint32_t operations = 1;
  std::uint32_t attempts = 1;
  Arrival arrival = Arrival::single;
  friend bool operator==(const Workload&, const Workload&) = default;
};
[[nodiscard]] Workload workload_of(const Scenario& scenario);
/// The scenario with that workload; nothing else differs.
[[nodiscard]] Scenario with_workload(const Scenario& scenario, const Workload& workload);
/// (name, value) pairs of what differs from the scenario, for the token.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> overrides_of(
    const Scenario& scenario, const Workload& workload);

/// The workload that such overrides of a token mean. Each unknown name or value is one problem, and
/// so is a value that the scenario itself does not reach.
[[nodiscard]] Result<Workload> workload_with(
    const Scenario& scenario, const std::vector<std::pair<std::string, std::string>>& overrides);

/// How many entries of a schedule are faults; the others are orders and undetermined outcomes.
[[nodiscard]] std::uint32_t faults_of(const Schedule& schedule);
/// How many entries run a step, which is no fault, before its turn.
[[nodiscard]] std::uint32_t preemptions_of(const Schedule& schedule);

struct Shrunk {
  Workload workload;
  Schedule schedule;
  std::uint64_t seed = 0;
  std::uint32_t from = 0;  ///< entries before
  std::uint32_t to = 0;    ///< entries after
  std::uint32_t runs = 0;  ///< candidates tried, each a real run
  bool minimal = true;     ///< false: a limit was reached first
};

/// How much work shrinking one witness may be.
struct ShrinkLimits {
  std::uint32_t runs_max = 0;  ///< real runs
  StopSignal stop{};           ///< asked in the middle of a run too
};

/// Delta debugging (Zeller and Hildebrandt 2002) over choices, faults and workload together. A
/// candidate is kept if it violates the same property with no other kinds of faults. What is kept
/// is always the candidate's own record, so that entries which do not apply are gone. At the end no
/// entry, no pair of entries and no part of the workload can be left out, and if more than one
/// entry is left, no single choice would do in their place.
[[nodiscard]] Shrunk shrink(const Cell& cell, const Witness& witness, const ShrinkLimits& limits);

}  // namespace idemsim
