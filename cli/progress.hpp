// What the user sees on standard error while a campaign runs.
#pragma once

#include "cli/console.hpp"
#include "cli/flags.hpp"
#include "sim/explore/campaign.hpp"
#include "sim/run/cell.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace idemsim {

/// Prints while it lives: nothing in the first second; then one line that is painted over on a
/// terminal, elsewhere a line every ten seconds; and each violated property once, when it is found.
class ProgressPrinter {
 public:
  ProgressPrinter(const Console& console, ProgressKind kind, const std::vector<Cell>& cells,
                  const ProgressCounters& counters);
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  void work();
  void print_findings();
  void print_state(Clock::duration elapsed);
  [[nodiscard]] std::string state(Clock::duration elapsed) const;

  const Console& console_;
  bool animated_;
  const std::vector<Cell>& cells_;
  const ProgressCounters& counters_;
  std::vector<std::uint32_t> shown_;  ///< per cell, the violations that were printed
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace idemsim
