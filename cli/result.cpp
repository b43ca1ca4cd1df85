// Counts become verdicts, witnesses become findings, one per fingerprint and cell.
#include "cli/result.hpp"

#include "cli/expectations.hpp"
#include "sim/base/text.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <string_view>

namespace idemsim {
namespace {

/// What to say about `exercised` in all cells of a strategy.
struct Exercise {
  bool judged = false;   ///< the scenario asks for it, and the strategy protects at all
  bool worked = false;   ///< in some run of some cell
  bool vacuous = false;  ///< never, although every cell was explored as far as asked
};

bool finished(const Exploration& exploration) {
  return exploration.cut == Cut::none && exploration.executions > 0;
}

bool asks_for(const Scenario& scenario, Property property) {
  const std::vector<Property>& asked = scenario.properties;
  return asked.empty() || std::find(asked.begin(), asked.end(), property) != asked.end();
}

Exercise exercise_of(const Campaigned& campaigned, std::string_view label) {
  Exercise exercise;
  bool all_finished = campaigned.all_faults;
  for (std::size_t i = 0; i < campaigned.cells->size(); ++i) {
    const Cell& cell = (*campaigned.cells)[i];
    if (cell.variant->label != label) continue;
    exercise.judged =
        cell.strategy->info.name != "no_key" && asks_for(*campaigned.scenario, Property::exercised);
    exercise.worked = exercise.worked || campaigned.explorations[i].exercised;
    all_finished = all_finished && finished(campaigned.explorations[i]);
  }
  // The quiet day has nothing to protect against.
  const bool adversary = campaigned.scenario->explore.mode != Mode::fifo;
  exercise.vacuous = exercise.judged && !exercise.worked && all_finished && adversary;
  return exercise;
}

PropertyOutcome exercised_outcome(const Exercise& exercise, const Exploration& exploration) {
  PropertyOutcome outcome;
  outcome.property = Property::exercised;
  outcome.vacuous = exercise.vacuous;
  if (exploration.exhausted) {
    if (exercise.worked) outcome.verdict = Verdict::holds;
    if (exercise.vacuous) outcome.verdict = Verdict::violated;
  }
  return outcome;
}

CellResult cell_result(const Campaigned& campaigned, std::size_t index) {
  const Cell& cell = (*campaigned.cells)[index];
  const Exploration& exploration = campaigned.explorations[index];
  CellResult result;
  result.id = cell.id();
  result.strategy = cell.variant->label;
  result.strategy_name = cell.strategy->info.name;
  result.faults = cell.faults->label;
  result.params = params_of(cell);
  result.mode = cell.scenario->explore.mode;
  result.time = cell.scenario->explore.time;
  result.exhausted = exploration.exhausted;
  result.cut = exploration.cut;
  result.executions = exploration.executions;
  result.pruned = exploration.pruned;
  result.states = exploration.states;
  result.steps = exploration.steps;
  result.crash_points_existing = exploration.crashes.existing();
  result.crash_points_tried = exploration.crashes.tried();
  const Exercise exercise = exercise_of(campaigned, result.strategy);
  for (const Property property : kProperties) {
    if (!asks_for(*campaigned.scenario, property)) continue;
    if (property == Property::exercised) {
      if (exercise.judged) result.properties.push_back(exercised_outcome(exercise, exploration));
      continue;
    }
    PropertyOutcome outcome = outcome_of(property, result.mode, exploration);
    outcome.vacuous = exercise.vacuous && outcome.verdict != Verdict::violated;
    result.properties.push_back(outcome);
  }
  return result;
}

/// Of two ways to the same finding the shorter one is shown; both count.
void add_explained(const Explained& explained, std::vector<Explained>& distinct) {
  const auto same = std::find_if(distinct.begin(), distinct.end(), [&](const Explained& e) {
    return e.finding.fingerprint == explained.finding.fingerprint;
  });
  if (same == distinct.end()) {
    distinct.push_back(explained);
    return;
  }
  const std::uint64_t both = same->finding.executions + explained.finding.executions;
  if (explained.finding.choices < same->finding.choices) *same = explained;
  same->finding.executions = both;
}

void add_findings(const Campaigned& campaigned, std::size_t index, CampaignResult& result) {
  std::vector<Explained> distinct;
  for (const Explained& explained : campaigned.explained[index]) {
    add_explained(explained, distinct);
  }
  CellResult& cell = result.cells[index];
  for (Explained& explained : distinct) {
    Finding& finding = explained.finding;
    finding.id = "f" + std::to_string(result.findings.size() + 1);
    finding.cell = cell.id;
    finding.trace = "t" + std::to_string(result.traces.size() + 1);
    explained.trace.id = finding.trace;
    for (PropertyOutcome& outcome : cell.properties) {
      if (outcome.property == finding.property && outcome.finding.empty()) {
        outcome.finding = finding.id;
      }
    }
    result.findings.push_back(std::move(finding));
    result.traces.push_back(std::move(explained.trace));
  }
}

/// The worst of all verdicts. A protection that never had to work is no violation.
Verdict worst_verdict(const CampaignResult& result) {
  Verdict worst = Verdict::holds;
  for (const CellResult& cell : result.cells) {
    for (const PropertyOutcome& outcome : cell.properties) {
      const bool vacuous = outcome.property == Property::exercised || outcome.vacuous;
      if (outcome.verdict == Verdict::violated && !vacuous) return Verdict::violated;
      if (outcome.verdict != Verdict::holds) worst = Verdict::not_seen;
    }
  }
  return result.cells.empty() ? Verdict::not_seen : worst;
}

std::string value_text(const ParameterInfo& parameter, std::int64_t value) {
  switch (parameter.type) {
    case ParameterInfo::Type::safeguard:
    case ParameterInfo::Type::boolean:
      return value != 0 ? "true" : "false";
    case ParameterInfo::Type::duration:
      return format_duration(Duration{value});
    case ParameterInfo::Type::integer:
      return std::to_string(value);
    case ParameterInfo::Type::choice:
      return parameter.choices.at(static_cast<std::size_t>(value));
  }
  return "";
}

}  // namespace

double upper_bound_95(std::uint64_t runs, std::uint64_t undecided) {
  using Binomial = boost::math::binomial_distribution<double>;
  if (undecided >= runs) return 1;
  return Binomial::find_upper_bound_on_p(static_cast<double>(runs), static_cast<double>(undecided),
                                         0.05, Binomial::clopper_pearson_exact_interval);
}

PropertyOutcome outcome_of(Property property, Mode mode, const Exploration& exploration) {
  PropertyOutcome outcome;
  outcome.property = property;
  outcome.violations = exploration.violations[static_cast<std::size_t>(property)];
  const std::uint64_t runs = exploration.executions + exploration.undecided;
  if (outcome.violations > 0) {
    outcome.verdict = Verdict::violated;
  } else if (exploration.exhausted && exploration.cut == Cut::none) {
    outcome.verdict = Verdict::holds;
  } else if (mode == Mode::random && runs > 0) {
    outcome.upper95 = upper_bound_95(runs, exploration.undecided);
  }
  return outcome;
}

std::vector<std::pair<std::string, std::string>> params_of(const Cell& cell) {
  std::vector<std::pair<std::string, std::string>> params;
  for (const auto& [name, value] : cell.variant->parameters) {
    const ParameterInfo* parameter = cell.strategy->info.find(name);
    if (parameter != nullptr) params.emplace_back(name, value_text(*parameter, value));
  }
  return params;
}

CampaignResult result_of(const Campaigned& campaigned) {
  const Scenario& scenario = *campaigned.scenario;
  CampaignResult result;
  result.scenario_name = scenario.name;
  result.scenario_about = scenario.about;
  result.scenario_path = scenario.path;
  result.scenario_sha256 = scenario.sha256;
  result.seed = scenario.seed;
  result.interrupted = campaigned.interrupted;
  for (const StrategyVariant& s : scenario.strategies) result.strategy_labels.push_back(s.label);
  for (const FaultPlan& plan : scenario.faults) result.fault_labels.push_back(plan.label);
  for (std::size_t i = 0; i < campaigned.cells->size(); ++i) {
    result.cells.push_back(cell_result(campaigned, i));
    add_findings(campaigned, i, result);
    result.interrupted = result.interrupted || result.cells.back().cut == Cut::interrupted;
  }
  result.verdict = worst_verdict(result);
  judge_expectations(scenario, result);
  return result;
}

}  // namespace idemsim
