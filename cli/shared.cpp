// Opening a scenario and printing, for all commands.
#include "cli/commands.hpp"
#include "scenarios/load.hpp"
#include "sim/base/text.hpp"
#include "sim/model/names.hpp"

#include <algorithm>
#include <vector>

namespace idemsim {
namespace {

/// Keeps the entries with a wanted label; what is wanted and not there is a problem.
template <class Labelled>
void keep(const std::vector<std::string>& wanted, const std::string& flag,
          std::vector<Labelled>& entries, Problems& problems) {
  if (wanted.empty()) return;
  std::vector<std::string_view> labels;
  labels.reserve(entries.size());
  for (const Labelled& entry : entries) labels.push_back(entry.label);
  for (const std::string& label : wanted) {
    if (std::find(labels.begin(), labels.end(), label) != labels.end()) continue;
    Problem problem;
    problem.pointer = flag;
    problem.message =
        "the scenario has no label \"" + printable(label) + "\": expected " + one_of(labels);
    problem.nearest = nearest_name(label, labels);
    problems.push_back(problem);
  }
  if (!problems.empty()) return;
  std::erase_if(entries, [&](const Labelled& entry) {
    return std::find(wanted.begin(), wanted.end(), entry.label) == wanted.end();
  });
}

void change_mode(const Flags& flags, ExploreSpec& explore) {
  if (flags.mode && *flags.mode != explore.mode) {
    // The number of runs of a sample says nothing about a search, and a search may have none.
    explore.runs = *flags.mode == Mode::exhaustive ? 0 : ExploreSpec().runs;
    explore.mode = *flags.mode;
  }
  if (flags.runs) explore.runs = *flags.runs;
}

std::optional<Problem> impossible(const Scenario& scenario) {
  const ExploreSpec& explore = scenario.explore;
  if (explore.mode != Mode::exhaustive || explore.time != TimeModel::sampled) return std::nullopt;
  Problem problem;
  problem.file = scenario.path;
  problem.pointer = "/explore/time";
  problem.message =
      "an exhaustive search cannot sample latencies: take --mode random, or a "
      "scenario in bounded or asynchronous time";
  return problem;
}

}  // namespace

void print_problems(const Problems& problems, const Console& console) {
  std::string text = format_problems(problems);
  // One line each, with the name of the program where no file is named.
  std::size_t line = 0;
  for (const Problem& problem : problems) {
    const std::size_t end = text.find('\n', line);
    if (problem.file.empty()) console.err << "idemsim: ";
    console.err << std::string_view(text).substr(line, end - line) << "\n";
    line = end + 1;
  }
  console.err.flush();
}

ExitStatus print_out(std::string_view text, const Console& console) {
  console.out.write(text.data(), static_cast<std::streamsize>(text.size()));
  console.out.flush();
  if (console.out) return ExitStatus::ok;
  console.err << "idemsim: cannot write to standard output" << std::endl;
  return ExitStatus::cannot_write;
}

OpenResult open_scenario(const Flags& flags, const StrategyLibrary& library,
                         const Console& console) {
  OpenResult result;
  const auto fail = [&](const Problems& problems, ExitStatus status) {
    print_problems(problems, console);
    result.status = status;
    return result;
  };
  const Result<std::string> bytes = read_file(flags.scenario);
  if (!bytes) return fail(bytes.error(), ExitStatus::no_input);
  const Result<Scenario> scenario = parse_scenario(*bytes, flags.scenario, library.catalogue());
  if (!scenario) return fail(scenario.error(), ExitStatus::bad_input);
  result.opened = {*scenario, *bytes};
  Scenario& changed = result.opened.scenario;
  Problems problems;
  keep(flags.strategies, "--strategy", changed.strategies, problems);
  keep(flags.faults, "--faults", changed.faults, problems);
  if (!problems.empty()) return fail(problems, ExitStatus::usage);
  if (flags.seed) changed.seed = *flags.seed;
  change_mode(flags, changed.explore);
  if (const std::optional<Problem> problem = impossible(changed)) {
    return fail({*problem}, ExitStatus::bad_input);
  }
  return result;
}

bool is_interrupted(const Console& console) {
  return console.interrupted != nullptr && console.interrupted->load();
}

StopSignal stop_signal(const Console& console) {
  return {[](const void* self) { return is_interrupted(*static_cast<const Console*>(self)); },
          &console};
}

}  // namespace idemsim
