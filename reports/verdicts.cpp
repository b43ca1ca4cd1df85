// The signs of cells and properties, and the words that go with them.
#include "reports/verdicts.hpp"

#include <algorithm>

namespace idemsim {

Sign sign_of(const CellResult& cell, const PropertyOutcome& outcome) {
  const bool expects_violation = outcome.expect == Expectation::Is::violated;
  if (outcome.property == Property::exercised && outcome.verdict == Verdict::violated) {
    return expects_violation ? Sign::expected : Sign::vacuous;
  }
  switch (outcome.verdict) {
    case Verdict::violated:
      if (outcome.unmentioned) return Sign::unmentioned;
      return expects_violation && outcome.met.value_or(true) ? Sign::expected : Sign::unexpected;
    case Verdict::holds:
      if (expects_violation && outcome.met == false) return Sign::refuted;
      return outcome.vacuous ? Sign::vacuous : Sign::holds;
    case Verdict::not_seen:
      if (outcome.vacuous) return Sign::vacuous;
      // A part of a systematic search is no sample: it has looked at one corner only.
      return cell.mode == Mode::exhaustive || cell.executions == 0 ? Sign::cut : Sign::not_seen;
  }
  return Sign::cut;
}

Sign sign_of(const CellResult& cell) {
  Sign worst = cell.properties.empty() ? Sign::cut : Sign::holds;
  for (const PropertyOutcome& outcome : cell.properties) {
    worst = std::min(worst, sign_of(cell, outcome));
  }
  return worst;
}

CellCounts counts_of(const CampaignResult& result) {
  CellCounts counts;
  counts.total = result.cells.size();
  for (const CellResult& cell : result.cells) {
    const Sign sign = sign_of(cell);
    bool open = sign == Sign::cut || sign == Sign::vacuous;
    for (const PropertyOutcome& outcome : cell.properties) {
      open = open || (outcome.expect.has_value() && !outcome.met.has_value());
    }
    if (sign == Sign::unexpected || sign == Sign::refuted) {
      ++counts.unexpected;
    } else if (sign == Sign::unmentioned) {
      ++counts.unmentioned;
    } else if (sign == Sign::expected) {
      ++counts.expected;
    } else if (open) {
      ++counts.inconclusive;
    }
  }
  return counts;
}

std::string_view reason_of(Cut cut) {
  switch (cut) {
    case Cut::none:
      return "not finished";
    case Cut::runs:
      return "run limit";
    case Cut::steps:
      return "step limit";
    case Cut::states:
      return "state limit";
    case Cut::budget:
      return "time budget";
    case Cut::interrupted:
      return "interrupted";
  }
  return "";
}

std::string_view title_of(Property property) {
  switch (property) {
    case Property::at_most_once:
      return "DUPLICATE EFFECT";
    case Property::no_lost_effect:
      return "LOST EFFECT";
    case Property::no_false_failure:
      return "FALSE FAILURE";
    case Property::stable_response:
      return "UNSTABLE RESPONSE";
    case Property::no_stuck_key:
      return "STUCK KEY";
    case Property::mutual_exclusion:
      return "OVERLAPPING SECTIONS";
    case Property::ledgers_agree:
      return "LEDGERS DISAGREE";
    case Property::exercised:
      return "NEVER EXERCISED";
  }
  return "";
}

std::string_view violation_of(Property property) {
  std::string_view name = to_string(property);
  if (name.starts_with("no_")) name.remove_prefix(3);
  return name;
}

std::string basis_of(const CellResult& cell) {
  return std::string(to_string(cell.mode)) + ", " + std::string(to_string(cell.time)) + " time";
}

const Trace* trace_of(const CampaignResult& result, const Finding& finding) {
  for (const Trace& trace : result.traces) {
    if (trace.id == finding.trace) return &trace;
  }
  return nullptr;
}

const CellResult* cell_of(const CampaignResult& result, const Finding& finding) {
  for (const CellResult& cell : result.cells) {
    if (cell.id == finding.cell) return &cell;
  }
  return nullptr;
}

const Finding* finding_of(const CampaignResult& result, std::string_view id) {
  for (const Finding& finding : result.findings) {
    if (finding.id == id) return &finding;
  }
  return nullptr;
}

const TraceEvent* event_of(const Trace& trace, std::uint32_t n) {
  for (const TraceEvent& event : trace.events) {
    if (event.n == n) return &event;
  }
  return nullptr;
}

}  // namespace idemsim
