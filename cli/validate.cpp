// validate: is the scenario right, and how large would the search be.
#include "cli/commands.hpp"
#include "reports/numbers.hpp"
#include "sim/explore/schedulers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace idemsim {
namespace {

/// The quiet day, counting what an adversary could have chosen.
class CountingScheduler final : public Scheduler {
 public:
  std::size_t pick(std::span<Step* const>, const Kernel&) override { return 0; }
  std::size_t decide(const DecisionPoint&, std::span<const Alternative> alternatives) override {
    for (std::size_t i = 1; i < alternatives.size(); ++i) {
      if (alternatives[i].allowed) ++decisions_[alternatives[i].name];
    }
    return 0;
  }
  void after(const StepDone& done) override {
    // Steps of one delivery follow one another; different deliveries interleave.
    if (done.klass != StepClass::fault) ++steps_[done.id.origin];
    ++total_;
  }
  [[nodiscard]] std::size_t total() const { return total_; }
  [[nodiscard]] std::size_t threads() const { return steps_.size(); }

  /// Natural logarithm of the multinomial coefficient: orders of all steps that keep the order of
  /// each delivery's own.
  [[nodiscard]] double log_orders() const {
    double all = 0;
    double log = 0;
    for (const auto& [origin, count] : steps_) {
      all += static_cast<double>(count);
      log -= std::lgamma(static_cast<double>(count) + 1);
    }
    return log + std::lgamma(all + 1);
  }

  /// Natural logarithm of the ways in which each fault happens at most once.
  [[nodiscard]] double log_faults() const {
    double log = 0;
    for (const auto& [name, places] : decisions_) log += std::log1p(static_cast<double>(places));
    return log;
  }

 private:
  std::map<std::uint64_t, std::size_t> steps_;
  std::map<Name, std::size_t> decisions_;
  std::size_t total_ = 0;
};

/// "1,530" while that is readable, else "about 10^12".
std::string size_text(double log) {
  const double digits = log / std::log(10.0);
  if (digits < 9)
    return "about " + grouped(static_cast<std::uint64_t>(std::llround(std::exp(log))));
  return fmt::format("about 10^{:.0f}", digits);
}

std::string cell_line(const Cell& cell, std::size_t width, const StopSignal& stop) {
  const ExploreSpec& explore = cell.scenario->explore;
  if (explore.mode == Mode::random) {
    return fmt::format("  {:<{}}  {} runs\n", cell.id(), width, grouped(explore.runs));
  }
  World world(setup_of(cell));
  CountingScheduler scheduler;
  (void)world.run(scheduler, {cell.scenario->seed, false, stop});
  std::string text =
      fmt::format("  {:<{}}  {} steps on the quiet day", cell.id(), width, scheduler.total());
  if (explore.mode == Mode::exhaustive) {
    text += fmt::format(" in {} deliveries; {} orders", scheduler.threads(),
                        size_text(scheduler.log_orders()));
    if (scheduler.log_faults() > 0) {
      text += fmt::format(", times {} ways for faults", size_text(scheduler.log_faults()));
    }
  }
  return text + "\n";
}

}  // namespace

ExitStatus validate_command(const Flags& flags, const Console& console) {
  const StrategyLibrary library;
  const OpenResult open = open_scenario(flags, library, console);
  if (open.status != ExitStatus::ok) return open.status;
  const Scenario& scenario = open.opened.scenario;
  const std::vector<Cell> cells = cells_of(scenario, library);
  std::string text =
      fmt::format("{}: valid; {}, {} time; {} strategies, {} fault plans, {} expectations\n",
                  scenario.name, to_string(scenario.explore.mode), to_string(scenario.explore.time),
                  scenario.strategies.size(), scenario.faults.size(), scenario.expect.size());
  text += scenario.explore.mode == Mode::exhaustive
              ? "size of the search, estimated from the quiet day, without any reduction:\n"
              : "size of the search:\n";
  std::size_t width = 0;
  for (const Cell& cell : cells) width = std::max(width, cell.id().size());
  for (const Cell& cell : cells) {
    text += cell_line(cell, width, stop_signal(console));
    if (is_interrupted(console)) return ExitStatus::interrupted;
  }
  if (scenario.explore.mode == Mode::exhaustive) {
    text +=
        "Retries and recoveries after faults add to it; equivalent orders, and those that the "
        "windows\nof time forbid, are left out of the search.\n";
  }
  return print_out(text, console);
}

}  // namespace idemsim
