// Makes a witness 1-minimal: no single choice, fault or part of the workload can be left out.
#pragma once

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

struct Shrunk {
  Workload workload;
  Schedule schedule;
  std::uint64_t seed = 0;
  std::uint32_t from = 0;  ///< entries before
  std::uint32_t to = 0;    ///< entries after
  std::uint32_t runs = 0;  ///< candidates tried, each a real run
  bool minimal = true;     ///< false: `runs_max` was reached first
};

/// Delta debugging (Zeller and Hildebrandt 2002) over choices, faults and workload together. A
/// candidate is kept if the property is violated in the same way (same property and same bucket of
/// fault kinds or a subset of them, `same_way`).
[[nodiscard]] Shrunk shrink(const Cell& cell, const Witness& witness, std::uint32_t runs_max);

}  // namespace idemsim
