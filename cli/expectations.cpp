// An expectation is met, refuted, or open: nothing that was not decided counts as met.
#include "cli/expectations.hpp"

#include <algorithm>
#include <string>

namespace idemsim {
namespace {

bool names(const std::vector<std::string>& labels, const std::string& label) {
  return labels.empty() || std::find(labels.begin(), labels.end(), label) != labels.end();
}

const Expectation* expectation_for(const Scenario& scenario, const CellResult& cell,
                                   Property property) {
  const Expectation* last = nullptr;
  for (const Expectation& e : scenario.expect) {
    if (e.property != property || !names(e.strategies, cell.strategy)) continue;
    if (names(e.faults, cell.faults)) last = &e;
  }
  return last;
}

/// Was one of the violations of the property in that cell of the expected kind?
bool has_kind(const CampaignResult& result, const CellResult& cell, Property property,
              FindingKind kind) {
  return std::any_of(result.findings.begin(), result.findings.end(), [&](const Finding& f) {
    return f.cell == cell.id && f.property == property && f.kind == kind;
  });
}

/// Empty: the search did not decide it.
std::optional<bool> met(const CampaignResult& result, const CellResult& cell,
                        const PropertyOutcome& outcome) {
  const bool violated = outcome.verdict == Verdict::violated;
  switch (*outcome.expect) {
    case Expectation::Is::violated:
      if (violated) {
        return !outcome.expect_because ||
               has_kind(result, cell, outcome.property, *outcome.expect_because);
      }
      if (outcome.verdict == Verdict::holds) return false;
      return std::nullopt;
    case Expectation::Is::holds:
      if (violated) return false;
      if (outcome.verdict == Verdict::holds && !outcome.vacuous) return true;
      return std::nullopt;
    case Expectation::Is::not_violated:
      if (violated) return false;
      // Runs that were never made, or a protection that never worked, support nothing.
      if (outcome.vacuous || cell.cut == Cut::interrupted || cell.executions == 0) {
        return std::nullopt;
      }
      return true;
  }
  return std::nullopt;
}

void count(const std::optional<bool>& met, CampaignResult& result) {
  if (!met.has_value()) {
    ++result.expectations_open;
  } else if (*met) {
    ++result.expectations_met;
  } else {
    ++result.expectations_refuted;
  }
}

void mark_findings(const CellResult& cell, const PropertyOutcome& outcome,
                   std::vector<Finding>& findings) {
  const bool expected = outcome.expect == Expectation::Is::violated && outcome.met == true;
  for (Finding& finding : findings) {
    if (finding.cell != cell.id || finding.property != outcome.property) continue;
    finding.expected = expected;
    finding.unmentioned = outcome.unmentioned;
  }
}

/// What one outcome says without any expectation about it.
ExitStatus status_without_expectation(const CellResult& cell, const PropertyOutcome& outcome) {
  switch (outcome.verdict) {
    case Verdict::violated:
      return ExitStatus::refuted;
    case Verdict::holds:
      return ExitStatus::ok;
    case Verdict::not_seen:
      // A sample that ran all its runs is what was asked for; a search that was cut is not.
      return cell.mode != Mode::exhaustive && cell.cut == Cut::none ? ExitStatus::ok
                                                                    : ExitStatus::inconclusive;
  }
  return ExitStatus::inconclusive;
}

ExitStatus status_of(const Scenario& scenario, const CampaignResult& result) {
  ExitStatus status = result.interrupted ? ExitStatus::interrupted : ExitStatus::ok;
  if (result.expectations_refuted > 0) status = worse_of(status, ExitStatus::refuted);
  if (result.expectations_open > 0) status = worse_of(status, ExitStatus::inconclusive);
  for (const CellResult& cell : result.cells) {
    for (const PropertyOutcome& outcome : cell.properties) {
      if (outcome.expect.has_value()) continue;
      if (outcome.property == Property::exercised) {
        if (outcome.vacuous) status = worse_of(status, ExitStatus::inconclusive);
      } else if (scenario.expect.empty()) {
        status = worse_of(status, status_without_expectation(cell, outcome));
      }
    }
  }
  return status;
}

}  // namespace

void judge_expectations(const Scenario& scenario, CampaignResult& result) {
  for (CellResult& cell : result.cells) {
    for (PropertyOutcome& outcome : cell.properties) {
      const Expectation* expectation = expectation_for(scenario, cell, outcome.property);
      if (expectation != nullptr) {
        outcome.expect = expectation->is;
        outcome.expect_because = expectation->because;
        outcome.met = met(result, cell, outcome);
        count(outcome.met, result);
      } else if (!scenario.expect.empty()) {
        outcome.unmentioned = outcome.verdict == Verdict::violated;
      }
      mark_findings(cell, outcome, result.findings);
    }
  }
  result.exit_code = static_cast<int>(status_of(scenario, result));
}

}  // namespace idemsim
