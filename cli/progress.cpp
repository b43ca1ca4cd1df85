// A thread of its own reads the counters of the campaign now and then.
#include "cli/progress.hpp"

#include "reports/numbers.hpp"
#include "sim/model/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace idemsim {
namespace {

/// Runs of the whole campaign, if that is known beforehand.
std::uint64_t runs_planned(const std::vector<Cell>& cells) {
  std::uint64_t runs = 0;
  for (const Cell& cell : cells) {
    const ExploreSpec& spec = cell.scenario->explore;
    if (spec.mode == Mode::exhaustive) return 0;
    runs += spec.mode == Mode::random ? spec.runs : 1;
  }
  return runs;
}

std::string rate_text(double per_second) {
  if (per_second < 1000) return fmt::format("{:.0f}/s", per_second);
  return fmt::format("{:.1f}k/s", per_second / 1000);
}

}  // namespace

ProgressPrinter::ProgressPrinter(const Console& console, ProgressKind kind,
                                 const std::vector<Cell>& cells, const ProgressCounters& counters)
    : console_(console),
      animated_(kind == ProgressKind::automatic && console.err_terminal),
      cells_(cells),
      counters_(counters),
      shown_(cells.size()) {
  if (kind != ProgressKind::none) thread_ = std::thread([this] { work(); });
}

ProgressPrinter::~ProgressPrinter() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ProgressPrinter::work() {
  const Clock::time_point start = Clock::now();
  Clock::time_point next = start + std::chrono::seconds(1);
  std::unique_lock lock(mutex_);
  bool started = false;
  while (!ended_.wait_until(lock, next, [this] { return end_; })) {
    started = true;
    print_findings();
    print_state(Clock::now() - start);
    next += animated_ ? Clock::duration(std::chrono::milliseconds(200))
                      : Clock::duration(std::chrono::seconds(10));
  }
  if (started && animated_) console_.err << "\r\x1b[K" << std::flush;
}

void ProgressPrinter::print_findings() {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::uint32_t violated = counters_.violated[i].load();
    for (const Property property : kProperties) {
      const std::uint32_t bit = std::uint32_t{1} << static_cast<unsigned>(property);
      if ((violated & ~shown_[i] & bit) == 0) continue;
      if (animated_) console_.err << "\r\x1b[K";
      console_.err << "found: " << cells_[i].id() << " violates " << to_string(property) << "\n";
    }
    shown_[i] = violated;
  }
}

void ProgressPrinter::print_state(Clock::duration elapsed) {
  if (animated_) {
    console_.err << "\r\x1b[K" << state(elapsed) << std::flush;
  } else {
    console_.err << state(elapsed) << std::endl;
  }
}

std::string ProgressPrinter::state(Clock::duration elapsed) const {
  const std::uint64_t runs = counters_.runs.load();
  const std::uint64_t planned = runs_planned(cells_);
  const double elapsed_s = std::chrono::duration<double>(elapsed).count();
  const double rate = static_cast<double>(runs) / elapsed_s;
  std::string text = grouped(std::min(runs, planned == 0 ? runs : planned));
  if (planned > 0) text += "/" + grouped(planned);
  text += " schedules, " + std::to_string(counters_.cells_done.load()) + "/" +
          std::to_string(cells_.size()) + " cells";
  const auto violated = std::count_if(counters_.violated.begin(), counters_.violated.end(),
                                      [](const auto& set) { return set.load() != 0; });
  if (violated > 0) text += ", " + std::to_string(violated) + " violated";
  text += ", " + rate_text(rate);
  if (planned > runs && rate > 0) {
    text += fmt::format(", {:.0f} s left", static_cast<double>(planned - runs) / rate);
  }
  return text;
}

}  // namespace idemsim
