// A campaign: the cells of a matrix on a thread pool, committed in a fixed order.
#pragma once

#include "sim/base/time.hpp"
#include "sim/explore/explorer.hpp"
#include "sim/run/cell.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace idemsim {

/// What a campaign has done so far, to be read from another thread. Nothing depends on it.
struct ProgressCounters {
  explicit ProgressCounters(std::size_t cells) : violated(cells) {}
  std::atomic<std::size_t> cells_done{0};
  std::atomic<std::uint64_t> runs{0};
  /// Per cell the set of properties (`bit_of`) that are violated in the runs committed so far.
  std::deque<std::atomic<std::uint32_t>> violated;
};

struct CampaignOptions {
  std::uint32_t jobs = 1;
  const std::atomic<bool>* interrupted = nullptr;
  /// Time for the whole campaign; a cell gets its share of what is left when it starts.
  Duration budget = kForever;
  Stopwatch stopwatch;                   ///< needed with a budget
  ProgressCounters* progress = nullptr;  ///< may be null
};

/// Runs of a sampled cell that one thread does at a time, whatever the number of threads.
inline constexpr std::uint64_t kChunkRuns = 256;

/// Adds the next runs of the same cell: counts add, of a bucket the first witness stays.
void append(Exploration& all, const Exploration& next);

/// Cells in matrix order. The result does not depend on `jobs`, unless time or Ctrl-C ends it: then
/// a sampled cell holds the first runs of the same sequence.
[[nodiscard]] std::vector<Exploration> explore_cells(const std::vector<Cell>& cells,
                                                     const CampaignOptions& options);

}  // namespace idemsim
