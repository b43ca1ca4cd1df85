// A campaign: all cells of a scenario, explored on a thread pool, committed in a fixed order.
#pragma once

#include "sim/explore/explorer.hpp"
#include "sim/model/result.hpp"
#include "sim/model/scenario.hpp"
#include "sim/run/cell.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace idemsim {

struct Progress {
  std::size_t cells_done = 0;
  std::size_t cells = 0;
  std::uint64_t executions = 0;  ///< of finished cells
};

struct CampaignOptions {
  std::uint32_t jobs = 1;
  std::uint32_t shrink_runs_max = 2'000;  ///< per bucket
  const std::atomic<bool>* interrupted = nullptr;
  std::function<bool()> out_of_time;              // NOLINT: a hook of cli
  std::function<void(const Progress&)> progress;  // NOLINT: called on one thread at a time
};

/// Cells in matrix order; the result does not depend on `jobs`.
[[nodiscard]] std::vector<Exploration> explore_cells(const std::vector<Cell>& cells,
                                                     const CampaignOptions& options);

}  // namespace idemsim
