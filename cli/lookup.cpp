// Candidates are compared by the hash of their meaning; settings that differ are named.
#include "cli/lookup.hpp"

#include "scenarios/digest.hpp"
#include "scenarios/load.hpp"
#include "sim/base/text.hpp"
#include "sim/explore/shrink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>

namespace idemsim {
namespace {

namespace fs = std::filesystem;

Problem problem_of(std::string part, std::string message, std::string nearest = "") {
  Problem problem;
  problem.pointer = std::move(part);
  problem.message = std::move(message);
  problem.nearest = std::move(nearest);
  return problem;
}

/// The folders where the scenarios of this program may be: beside the build tree, or here.
std::vector<fs::path> library_folders(const Console& console) {
  std::vector<fs::path> folders;
  if (!console.program_folder.empty()) {
    const fs::path program = console.program_folder;
    folders.push_back((program / "../../scenarios").lexically_normal());
    folders.push_back(program / "scenarios");
  }
  folders.emplace_back("scenarios");
  return folders;
}

std::vector<std::string> candidates(const Console& console) {
  std::vector<std::string> paths;
  const fs::path last = fs::path(kOutFolder) / "scenario.json";
  std::error_code error;
  if (fs::exists(last, error)) paths.push_back(last.string());
  for (const fs::path& folder : library_folders(console)) {
    std::vector<std::string> found;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      const std::string name = it->path().filename().string();
      if (name.ends_with(".json") && !name.ends_with(".schema.json")) {
        found.push_back(it->path().string());
      }
    }
    std::sort(found.begin(), found.end());
    paths.insert(paths.end(), found.begin(), found.end());
  }
  return paths;
}

/// The candidate that the token was made from, if it is there.
std::optional<Opened> matching(const Token& token, const Catalogue& catalogue,
                               const Console& console) {
  for (const std::string& path : candidates(console)) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) continue;
    const Result<Scenario> scenario = parse_scenario(*bytes, path, catalogue);
    if (scenario && scenario->canonical_hash == token.scenario_hash) {
      return Opened{*scenario, *bytes};
    }
  }
  return std::nullopt;
}

std::set<std::string> settings_of(const Scenario& scenario, const Catalogue& catalogue) {
  std::istringstream text(canonical_text(scenario, catalogue));
  std::set<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.insert(line);
  return lines;
}

/// The settings of one scenario that the other does not have, "; " between them.
std::string only_in(const std::set<std::string>& these, const std::set<std::string>& those) {
  std::string text;
  for (const std::string& line : these) {
    if (!those.contains(line)) text += (text.empty() ? "" : "; ") + printable(line, 200);
  }
  return text.empty() ? "(nothing)" : text;
}

/// Says what is different in a scenario that is not the one of the token.
Problem mismatch(const Token& token, const Scenario& given, const Catalogue& catalogue,
                 const Console& console) {
  Problem problem;
  problem.file = given.path;
  problem.pointer = "scenario";
  problem.message = fmt::format(
      "the token was made from another scenario: its hash is {:08x}, that of this file {:08x}",
      token.scenario_hash, given.canonical_hash);
  const std::optional<Opened> right = matching(token, catalogue, console);
  if (right && right->scenario.name != given.name) {
    problem.message += fmt::format("; {} has that hash", right->scenario.path);
    return problem;
  }
  if (right) {
    const std::set<std::string> then = settings_of(right->scenario, catalogue);
    const std::set<std::string> now = settings_of(given, catalogue);
    problem.message += fmt::format("; {} has that hash, and differs in: {} (here: {})",
                                   right->scenario.path, only_in(then, now), only_in(now, then));
    return problem;
  }
  std::vector<std::string_view> labels;
  for (const StrategyVariant& s : given.strategies) labels.push_back(s.label);
  if (std::find(labels.begin(), labels.end(), token.strategy) == labels.end()) {
    problem.message += fmt::format("; it has no strategy \"{}\"", token.strategy);
  }
  labels.clear();
  for (const FaultPlan& plan : given.faults) labels.push_back(plan.label);
  if (std::find(labels.begin(), labels.end(), token.faults) == labels.end()) {
    problem.message += fmt::format("; it has no faults \"{}\"", token.faults);
  }
  return problem;
}

template <class Labelled>
const Labelled* with_label(const std::vector<Labelled>& entries, const std::string& label,
                           const char* part, Problems& problems) {
  std::vector<std::string_view> labels;
  for (const Labelled& entry : entries) {
    if (entry.label == label) return &entry;
    labels.push_back(entry.label);
  }
  problems.push_back(problem_of(part,
                                fmt::format("the scenario has no label \"{}\": expected {}",
                                            printable(label), one_of(labels)),
                                nearest_name(label, labels)));
  return nullptr;
}

void apply_switches(const Token& token, const StrategyInfo& info, StrategyVariant& variant,
                    Problems& problems) {
  std::vector<std::string_view> names;
  for (const ParameterInfo& parameter : info.parameters) names.push_back(parameter.name);
  for (const auto& [name, value] : token.switches) {
    const ParameterInfo* parameter = info.find(name);
    if (parameter == nullptr) {
      problems.push_back(
          problem_of("strategy",
                     fmt::format("strategy {} has no parameter \"{}\"", info.name, printable(name)),
                     nearest_name(name, names)));
      continue;
    }
    const bool flag = parameter->type == ParameterInfo::Type::safeguard ||
                      parameter->type == ParameterInfo::Type::boolean;
    std::int64_t most = flag ? 1 : parameter->most;
    if (parameter->type == ParameterInfo::Type::choice) {
      most = static_cast<std::int64_t>(parameter->choices.size()) - 1;
    }
    if (value < (flag ? 0 : parameter->least) || value > most) {
      problems.push_back(
          problem_of("strategy", fmt::format("{}={} is outside the range of it", name, value)));
      continue;
    }
    const std::string& replaced = name;  // clang 14 captures no structured binding
    std::erase_if(variant.parameters, [&](const auto& p) { return p.first == replaced; });
    variant.parameters.emplace_back(name, value);
  }
  std::sort(variant.parameters.begin(), variant.parameters.end());
}

}  // namespace

OpenResult find_scenario(const Token& token, const Flags& flags, const StrategyLibrary& library,
                         const Console& console) {
  const Catalogue catalogue = library.catalogue();
  if (!flags.scenario.empty()) {
    Flags only_file;
    only_file.scenario = flags.scenario;
    OpenResult result = open_scenario(only_file, library, console);
    if (result.status != ExitStatus::ok) return result;
    const Scenario& scenario = result.opened.scenario;
    if (scenario.canonical_hash == token.scenario_hash) return result;
    print_problems({mismatch(token, scenario, catalogue, console)}, console);
    result.status = ExitStatus::bad_input;
    return result;
  }
  OpenResult result;
  if (std::optional<Opened> opened = matching(token, catalogue, console)) {
    result.opened = std::move(*opened);
    return result;
  }
  print_problems(
      {problem_of("scenario", fmt::format("no scenario with the hash {:08x} in {} or the library: "
                                          "it has changed since, or its file must be named",
                                          token.scenario_hash, kOutFolder))},
      console);
  result.status = ExitStatus::bad_input;
  return result;
}

Result<std::unique_ptr<TokenCell>> cell_of(const Token& token, const Scenario& scenario,
                                           const StrategyLibrary& library) {
  Problems problems;
  const StrategyVariant* variant =
      with_label(scenario.strategies, token.strategy, "strategy", problems);
  const FaultPlan* plan = with_label(scenario.faults, token.faults, "faults", problems);
  if (variant == nullptr || plan == nullptr) return problems;
  auto result = std::make_unique<TokenCell>();
  result->variant = *variant;
  const StrategyDefinition* strategy = library.find(variant->strategy);
  apply_switches(token, strategy->info, result->variant, problems);
  const Result<Workload> workload = workload_with(scenario, token.overrides);
  if (!workload) {
    const Problems found = workload.error();  // error() is a copy each time
    problems.insert(problems.end(), found.begin(), found.end());
  }
  if (!problems.empty()) return problems;
  result->scenario = with_workload(scenario, *workload);
  const auto column = plan - scenario.faults.data();
  result->cell = {&result->scenario, strategy, &result->variant,
                  &result->scenario.faults.at(static_cast<std::size_t>(column))};
  return result;
}

TokenRun open_token(const Flags& flags, const StrategyLibrary& library, const Console& console) {
  TokenRun opened;
  const auto fail = [&](const Problems& problems) {
    print_problems(problems, console);
    opened.status = ExitStatus::bad_input;
    return std::move(opened);
  };
  const Result<Token> token = parse_token(flags.token);
  if (!token) return fail(token.error());
  opened.token = *token;
  if (token->semantics != Token().semantics) {
    return fail({problem_of(
        "semantics",
        fmt::format("the token is of version {} of the simulation, this program of version {}: "
                    "the same choices mean something else",
                    token->semantics, Token().semantics))});
  }
  const OpenResult open = find_scenario(*token, flags, library, console);
  opened.status = open.status;
  if (open.status != ExitStatus::ok) return opened;
  Result<std::unique_ptr<TokenCell>> run = cell_of(*token, open.opened.scenario, library);
  if (!run) return fail(run.error());
  opened.run = std::move(*run);
  return opened;
}

}  // namespace idemsim
