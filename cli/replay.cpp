// replay: one run again, from its token, and its report.
#include "sim/explore/replay.hpp"

#include "cli/commands.hpp"
#include "cli/lookup.hpp"
#include "cli/result.hpp"
#include "generated/version.hpp"
#include "reports/diagram.hpp"
#include "reports/dot.hpp"
#include "reports/json.hpp"
#include "reports/text.hpp"
#include "sim/explain/explain.hpp"
#include "sim/model/token.hpp"

#include <fmt/format.h>

namespace idemsim {
namespace {

/// A replayed run and what to say about it.
struct Replayed {
  std::string diverged;  ///< empty, or which choice did not apply
  Hash128 hash;
  Exploration judged;  ///< of this one run
  Trace trace;
};

Replayed replay_once(const Token& token, const Cell& cell, const Console& console) {
  World world(setup_of(cell));
  ReplayScheduler scheduler(token.schedule);
  const RunEnd end = world.run(scheduler, {token.seed, true, stop_signal(console)});
  Replayed replayed;
  replayed.diverged = scheduler.diverged();
  if (replayed.diverged.empty()) replayed.diverged = scheduler.first_unused();
  if (replayed.diverged.empty() && end != RunEnd::quiescent) {
    replayed.diverged = "the run reached its limit of steps";
  }
  replayed.hash = hash_of(world.events());
  if (!replayed.diverged.empty()) return replayed;
  file_run(world, 0, token.seed, replayed.judged);
  replayed.trace = trace_of(world);
  return replayed;
}

bool reproduces(const Replayed& replayed, const Token& token) {
  return replayed.diverged.empty() && (!token.hash || *token.hash == replayed.hash);
}

/// In sampled time a token does not tell whether its run drew latencies (mode random) or took the
/// earliest (fifo); the one that reproduces it is right.
Replayed replay(const Token& token, TokenCell& run, const Console& console) {
  Replayed replayed = replay_once(token, run.cell, console);
  ExploreSpec& explore = run.scenario.explore;
  if (reproduces(replayed, token) || explore.time != TimeModel::sampled) return replayed;
  explore.mode = explore.mode == Mode::random ? Mode::fifo : Mode::random;
  Replayed other = replay_once(token, run.cell, console);
  return reproduces(other, token) ? other : replayed;
}

/// A token that was made in the changed scenario, as one of the scenario itself.
std::string token_in(const Token& whole, const std::string& part) {
  const Result<Token> token = parse_token(part);
  if (!token) return part;
  Token complete = *token;
  complete.switches = whole.switches;
  complete.overrides = whole.overrides;
  return to_string(complete);
}

/// A result with this one run, so that every report can be made from it.
CampaignResult result_of_run(const Token& token, const TokenCell& run, const Replayed& replayed) {
  const std::vector<Cell> cells = {run.cell};
  Scenario scenario = run.scenario;
  scenario.strategies = {run.variant};
  scenario.faults = {*run.cell.faults};
  scenario.expect.clear();  // about whole searches, not about one run
  scenario.seed = token.seed;
  Campaigned campaigned;
  campaigned.scenario = &scenario;
  campaigned.cells = &cells;
  campaigned.explorations = {replayed.judged};
  campaigned.all_faults = false;
  campaigned.explained.resize(1);
  for (const Witness& witness : replayed.judged.witnesses) {
    Explained explained = explain(run.cell, witness, {});
    explained.finding.token = to_string(token);
    explained.finding.executions = 1;
    explained.finding.shrunk = {};
    if (auto& other = explained.finding.counterfactual)
      other->token = token_in(token, other->token);
    if (explained.trace.hash != to_hex(replayed.hash)) explained.trace = replayed.trace;
    campaigned.explained[0].push_back(std::move(explained));
  }
  CampaignResult result = result_of(campaigned);
  result.tool_version = kVersion;
  result.exit_code = static_cast<int>(ExitStatus::ok);
  if (result.traces.empty()) {
    result.traces.push_back(replayed.trace);
    result.traces.back().id = "t1";
  }
  return result;
}

std::string text_of(const CampaignResult& result, const Replayed& replayed, const Token& token,
                    const TextStyle& style) {
  const char* comparison = "the token has no hash to compare with";
  if (token.hash) {
    comparison = *token.hash == replayed.hash ? "the same history as in the token"
                                              : "another history than that of the token";
  }
  std::string text = fmt::format("{} {}: seed {}, {}\n", result.scenario_name,
                                 result.cells.front().id, token.seed, comparison);
  text += fmt::format("history hash: {}\n\n", to_hex(replayed.hash));
  for (const Finding& finding : result.findings) {
    text += render_finding_text(result, finding, style) + "\n";
  }
  if (result.findings.empty()) {
    text += render_diagram(result.traces.front(), nullptr, Pen(style));
    text += "\nNo property is violated in this run.\n";
  }
  return text;
}

std::string report_of(const CampaignResult& result, const Replayed& replayed, const Token& token,
                      const Flags& flags, const Console& console) {
  const Format format = flags.formats.empty() ? Format::text : flags.formats.front();
  if (format == Format::json) return render_json(result, {flags.stable});
  if (format == Format::dot) {
    std::string text;
    for (const Finding& finding : result.findings) {
      const Result<std::string> dot = render_dot(result, finding);
      if (dot) text += *dot;
    }
    return text;
  }
  TextStyle style;
  style.colour = console.out_terminal && console.colour_wanted && !flags.no_color;
  style.ascii = flags.ascii || !console.utf8;
  style.width = console.width;
  return text_of(result, replayed, token, style);
}

}  // namespace

ExitStatus replay_command(const Flags& flags, const Console& console) {
  const StrategyLibrary library;
  const TokenRun opened = open_token(flags, library, console);
  if (opened.status != ExitStatus::ok) return opened.status;
  const Token& token = opened.token;
  const Replayed replayed = replay(token, *opened.run, console);
  if (is_interrupted(console)) return ExitStatus::interrupted;
  if (!replayed.diverged.empty()) {
    console.err << "idemsim: the replay diverged: " << replayed.diverged << std::endl;
    return ExitStatus::diverged;
  }
  const CampaignResult result = result_of_run(token, *opened.run, replayed);
  const ExitStatus status = print_out(report_of(result, replayed, token, flags, console), console);
  if (reproduces(replayed, token)) return status;
  console.err << fmt::format(
                     "idemsim: the replay diverged: the history hash is {}, the token says {}; "
                     "leave out .h and what follows to accept that",
                     to_hex(replayed.hash), to_hex(*token.hash))
              << std::endl;
  return worse_of(status, ExitStatus::diverged);
}

}  // namespace idemsim
