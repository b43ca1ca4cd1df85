// run: explore all cells, explain what was found, report.
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/result.hpp"
#include "generated/version.hpp"
#include "reports/dot.hpp"
#include "reports/json.hpp"
#include "reports/text.hpp"
#include "sim/base/text.hpp"
#include "sim/explore/double_run.hpp"
#include "sim/explore/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <utility>

namespace idemsim {
namespace {

using Clock = std::chrono::steady_clock;

/// Schedules per cell that `--check-determinism` runs again, besides the quiet day.
constexpr std::uint64_t kCheckedSchedules = 100;
/// Real runs that shrinking one witness may take; fewer when somebody waits after Ctrl-C.
constexpr std::uint32_t kShrinkRunsMax = 2'000;
constexpr std::uint32_t kShrinkRunsInterrupted = 100;
/// How long all shrinking together may go on after Ctrl-C, and after the time budget.
constexpr std::int64_t kGraceInterruptedNs = 1'000'000'000;
constexpr std::int64_t kGraceBudgetNs = 5'000'000'000;
/// Witnesses of one property in one cell that are explained, in the order in which they were found.
constexpr std::size_t kWitnessesExplained = 12;

std::uint32_t jobs_of(const Flags& flags) {
  if (flags.jobs > 0) return flags.jobs;
  return std::max(1u, std::thread::hardware_concurrency());
}

/// The first difference in matrix order, if there is one.
std::optional<std::string> first_difference(const std::vector<Cell>& cells, std::uint32_t jobs,
                                            const Console& console) {
  std::vector<std::optional<std::string>> differences(cells.size());
  in_parallel(jobs, cells.size(), [&](std::size_t i) {
    differences[i] = check_determinism(cells[i], kCheckedSchedules, console.interrupted);
  });
  for (const auto& difference : differences) {
    if (difference.has_value()) return difference;
  }
  return std::nullopt;
}

struct Task {
  std::size_t cell;
  const Witness* witness;
};

std::vector<Task> witnesses_to_explain(const Campaigned& campaigned) {
  const std::vector<Property>& asked = campaigned.scenario->properties;
  std::vector<Task> tasks;
  for (std::size_t cell = 0; cell < campaigned.explorations.size(); ++cell) {
    std::array<std::size_t, kProperties.size()> counts{};
    for (const Witness& witness : campaigned.explorations[cell].witnesses) {
      const bool judged =
          asked.empty() || std::find(asked.begin(), asked.end(), witness.property) != asked.end();
      std::size_t& count = counts.at(static_cast<std::size_t>(witness.property));
      if (judged && count++ < kWitnessesExplained) tasks.push_back({cell, &witness});
    }
  }
  return tasks;
}

/// Ends the shrinking some time after somebody has asked for the end of the search.
class Patience {
 public:
  Patience(const CampaignOptions& options, std::atomic<std::int64_t>& interrupted_ns)
      : options_(options), interrupted_ns_(interrupted_ns) {}

  [[nodiscard]] bool is_over() const {
    const std::int64_t now = options_.stopwatch.elapsed_ns();
    if (options_.budget != kForever && now >= options_.budget.ns + kGraceBudgetNs) return true;
    if (options_.interrupted == nullptr || !options_.interrupted->load()) return false;
    std::int64_t unset = 0;
    interrupted_ns_.compare_exchange_strong(unset, now);
    return now >= interrupted_ns_.load() + kGraceInterruptedNs;
  }

 private:
  const CampaignOptions& options_;
  std::atomic<std::int64_t>& interrupted_ns_;  ///< when it was first seen; 0 = not yet
};

void explain_all(Campaigned& campaigned, const CampaignOptions& options, const Console& console) {
  const std::vector<Task> tasks = witnesses_to_explain(campaigned);
  std::vector<Explained> explained(tasks.size());
  std::atomic<std::int64_t> interrupted_ns{0};
  const Patience patience(options, interrupted_ns);
  const StopSignal stop{
      [](const void* self) { return static_cast<const Patience*>(self)->is_over(); }, &patience};
  in_parallel(options.jobs, tasks.size(), [&](std::size_t i) {
    const std::uint32_t runs_max =
        is_interrupted(console) ? kShrinkRunsInterrupted : kShrinkRunsMax;
    explained[i] = explain((*campaigned.cells)[tasks[i].cell], *tasks[i].witness, {runs_max, stop});
    explained[i].finding.executions = tasks[i].witness->count;
  });
  campaigned.explained.resize(campaigned.cells->size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    campaigned.explained[tasks[i].cell].push_back(std::move(explained[i]));
  }
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// Explores and explains; `meta` is filled in.
CampaignResult campaign(const Scenario& scenario, const std::vector<Cell>& cells,
                        const Flags& flags, const Console& console) {
  const Clock::time_point start = Clock::now();
  CampaignResult meta;
  meta.meta.started = utc_now();
  meta.meta.jobs = jobs_of(flags);
  ProgressCounters counters(cells.size());
  CampaignOptions options;
  options.jobs = meta.meta.jobs;
  options.interrupted = console.interrupted;
  options.budget = flags.budget.value_or(kForever);
  options.stopwatch = {[](const void* self) -> std::int64_t {
                         const auto begin = *static_cast<const Clock::time_point*>(self);
                         return std::chrono::nanoseconds(Clock::now() - begin).count();
                       },
                       &start};
  options.progress = &counters;
  Campaigned campaigned;
  campaigned.scenario = &scenario;
  campaigned.cells = &cells;
  campaigned.all_faults = flags.faults.empty();
  {
    const ProgressPrinter printer(console, flags.progress, cells, counters);
    campaigned.explorations = explore_cells(cells, options);
    explain_all(campaigned, options, console);
  }
  campaigned.interrupted = is_interrupted(console);
  CampaignResult result = result_of(campaigned);
  result.tool_version = kVersion;
  result.meta = meta.meta;
  result.meta.elapsed_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
  return result;
}

TextStyle terminal_style(const Flags& flags, const Console& console) {
  TextStyle style;
  style.colour = console.out_terminal && console.colour_wanted && !flags.no_color;
  style.ascii = flags.ascii || !console.utf8;
  style.width = console.width;
  return style;
}

/// All graphs, each a file of its own; one that cannot be drawn is left out and named.
std::vector<OutputFile> dot_files(const CampaignResult& result, const Console& console) {
  std::vector<OutputFile> files;
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const Result<std::string> dot = render_dot(result, result.findings[i]);
    if (dot) {
      files.push_back({fmt::format("race-{}.dot", i + 1), *dot});
    } else {
      console.err << fmt::format("idemsim: no picture of finding {}: {}\n", result.findings[i].id,
                                 dot.error().front().message);
    }
  }
  return files;
}

bool wants(const Flags& flags, Format format) {
  return flags.formats.empty() ||
         std::find(flags.formats.begin(), flags.formats.end(), format) != flags.formats.end();
}

std::vector<OutputFile> files_of(const CampaignResult& result, const Opened& opened,
                                 const Flags& flags, const Console& console) {
  std::vector<OutputFile> files;
  TextStyle style;
  style.ascii = flags.ascii;
  if (wants(flags, Format::text)) files.push_back({"report.txt", render_text(result, style)});
  if (wants(flags, Format::json)) {
    files.push_back({"result.json", render_json(result, {flags.stable})});
  }
  files.push_back({"scenario.json", opened.bytes});
  if (wants(flags, Format::dot)) {
    for (OutputFile& file : dot_files(result, console)) files.push_back(std::move(file));
  }
  return files;
}

/// "files: idemsim-out/ report.txt, result.json, scenario.json, race-1.dot to race-6.dot".
std::string files_line(const std::string& folder, const std::vector<OutputFile>& files) {
  std::string text;
  std::vector<std::string> races;
  for (const OutputFile& file : files) {
    if (file.name.starts_with("race-")) {
      races.push_back(file.name);
    } else {
      text += (text.empty() ? "" : ", ") + file.name;
    }
  }
  if (!races.empty()) text += ", " + races.front();
  if (races.size() > 1) text += " to " + races.back();
  return "files: " + folder + (folder.ends_with('/') ? "" : "/") + " " + text + "\n";
}

/// One format, to standard output and nowhere else.
ExitStatus print_format(Format format, const CampaignResult& result, const Flags& flags,
                        const Console& console) {
  switch (format) {
    case Format::text:
      return print_out(render_text(result, terminal_style(flags, console)), console);
    case Format::json:
      return print_out(render_json(result, {flags.stable}), console);
    case Format::dot: {
      std::string text;
      for (const OutputFile& file : dot_files(result, console)) text += file.bytes;
      return print_out(text, console);
    }
  }
  return ExitStatus::internal;
}

ExitStatus report(CampaignResult& result, const Opened& opened, const Flags& flags,
                  const Console& console) {
  auto status = static_cast<ExitStatus>(result.exit_code);
  if (flags.formats.size() == 1 && flags.out.empty()) {
    return worse_of(status, print_format(flags.formats.front(), result, flags, console));
  }
  const std::string folder = flags.out.empty() ? kOutFolder : flags.out;
  const std::vector<OutputFile> files = files_of(result, opened, flags, console);
  std::string last = files_line(folder, files);
  if (const std::optional<Problem> problem = replace_report(folder, files)) {
    print_problems({*problem}, console);
    status = worse_of(status, ExitStatus::cannot_write);
    result.exit_code = static_cast<int>(status);
    last.clear();
  }
  const std::string text = render_text(result, terminal_style(flags, console)) + last;
  return worse_of(status, print_out(text, console));
}

}  // namespace

ExitStatus run_command(const Flags& flags, const Console& console) {
  const StrategyLibrary library;
  const OpenResult open = open_scenario(flags, library, console);
  if (open.status != ExitStatus::ok) return open.status;
  const Scenario& scenario = open.opened.scenario;
  const std::vector<Cell> cells = cells_of(scenario, library);
  if (flags.check_determinism) {
    if (const auto difference = first_difference(cells, jobs_of(flags), console)) {
      console.err << "idemsim: not deterministic: " << *difference << std::endl;
      return ExitStatus::diverged;
    }
  }
  CampaignResult result = campaign(scenario, cells, flags, console);
  return report(result, open.opened, flags, console);
}

}  // namespace idemsim
