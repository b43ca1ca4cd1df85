// Puts the text report together: verdict and basis, matrix, one race in full, the others in brief.
#include "reports/text.hpp"

#include "reports/finding_text.hpp"
#include "reports/layout.hpp"
#include "reports/matrix.hpp"
#include "reports/numbers.hpp"
#include "reports/verdicts.hpp"

#include <algorithm>
#include <set>

namespace idemsim {
namespace {

/// Cells with that sign, of all: "2 of 6 cells".
std::string share_of(const CampaignResult& result, Sign sign) {
  const auto count = std::count_if(result.cells.begin(), result.cells.end(),
                                   [&](const CellResult& cell) { return sign_of(cell) == sign; });
  if (static_cast<std::size_t>(count) == result.cells.size()) {
    return count == 1 ? "the only cell" : "all " + counted(result.cells.size(), "cell");
  }
  return std::to_string(count) + " of " + counted(result.cells.size(), "cell");
}

Sign worst_sign(const CampaignResult& result) {
  Sign worst = result.cells.empty() ? Sign::cut : Sign::holds;
  for (const CellResult& cell : result.cells) worst = std::min(worst, sign_of(cell));
  return worst;
}

std::string verdict_words(const CampaignResult& result, Sign worst) {
  switch (worst) {
    case Sign::unexpected:
      return "VIOLATED in " + share_of(result, worst) + ", not expected";
    case Sign::refuted:
      return "an expected violation is absent in " + share_of(result, worst);
    case Sign::unmentioned:
      return "violated in " + share_of(result, worst) + ", where the scenario expects nothing";
    case Sign::expected:
      return "violated in " + share_of(result, worst) + ", as the scenario expects";
    case Sign::cut:
      return "inconclusive: not decided in " + share_of(result, worst);
    case Sign::vacuous:
      return "inconclusive: vacuous in " + share_of(result, worst);
    case Sign::not_seen:
      return "no violation seen; sampled in " + share_of(result, worst);
    case Sign::holds:
      return "holds in " + share_of(result, worst);
  }
  return "";
}

/// "seed 42 · exhaustive, bounded time", and what was run: "5,539 executions · 94,181 states".
std::string basis_lines(const CampaignResult& result, const Pen& pen) {
  std::uint64_t executions = 0;
  std::uint64_t pruned = 0;
  std::uint64_t states = 0;
  std::string bases;
  std::set<std::string> seen;
  for (const CellResult& cell : result.cells) {
    executions += cell.executions;
    pruned += cell.pruned;
    states += cell.states;
    const std::string basis = basis_of(cell);
    if (!seen.insert(basis).second) continue;
    if (!bases.empty()) bases += "; ";
    bases += basis;
  }
  std::string first = "seed " + std::to_string(result.seed);
  if (!bases.empty()) (first += pen.dot()) += bases;
  std::string second = counted(executions, "execution");
  if (pruned > 0) (second += pen.dot()) += grouped(pruned) + " pruned";
  if (states > 0) (second += pen.dot()) += counted(states, "state");
  return pen.paragraph("", first) + pen.paragraph("", second);
}

/// How many of the places where a server could die were tried; nothing without crashes.
std::string crash_line(const CampaignResult& result, const Pen& pen) {
  std::uint64_t existing = 0;
  std::uint64_t tried = 0;
  std::string missing;
  for (const CellResult& cell : result.cells) {
    existing += cell.crash_points_existing;
    tried += cell.crash_points_tried;
    if (cell.crash_points_tried == cell.crash_points_existing) continue;
    missing += (missing.empty() ? "" : ", ") + cell.id + " " + grouped(cell.crash_points_tried) +
               " of " + grouped(cell.crash_points_existing);
  }
  if (existing == 0) return "";
  const std::string all = missing.empty() ? "all " : grouped(tried) + " of ";
  return pen.paragraph("", "crash points: " + all + grouped(existing) + " tried" +
                               (missing.empty() ? "" : " (" + missing + ")"));
}

/// How much a reader learns from the finding: lower is better.
int rank_of(const Finding& finding) {
  int rank = finding.expected || finding.unmentioned ? 8 : 0;
  if (finding.kind == FindingKind::unexplained) rank += 4;
  if (finding.property != Property::at_most_once) rank += 2;
  if (!finding.race.has_value()) rank += 1;
  return rank;
}

const Finding* most_telling(const CampaignResult& result, const TextStyle& style) {
  if (const Finding* wanted = finding_of(result, style.finding)) return wanted;
  const auto least =
      std::min_element(result.findings.begin(), result.findings.end(),
                       [](const auto& a, const auto& b) { return rank_of(a) < rank_of(b); });
  return least == result.findings.end() ? nullptr : &*least;
}

/// "3 of 8 cells (time budget)": those whose search ended early; nothing if there are none.
std::string unfinished(const CampaignResult& result) {
  std::size_t count = 0;
  std::string reasons;
  std::set<Cut> seen;
  for (const CellResult& cell : result.cells) {
    if (cell.cut == Cut::none) continue;
    ++count;
    if (!seen.insert(cell.cut).second) continue;
    (reasons += reasons.empty() ? "" : ", ") += reason_of(cell.cut);
  }
  if (count == 0) return "";
  const std::string all = counted(result.cells.size(), "cell");
  const bool every = count == result.cells.size();
  return (every ? all : std::to_string(count) + " of " + all) + " (" + reasons + ")";
}

/// What a search that ended early leaves open comes before what it has found, unless that is wrong
/// already.
std::string headline(const CampaignResult& result, const Pen& pen) {
  const Sign worst = worst_sign(result);
  const std::string words = verdict_words(result, worst);
  const std::string open = unfinished(result);
  const std::string name = result.scenario_name + ": ";
  const bool found = worst == Sign::unmentioned || worst == Sign::expected;
  if (open.empty() || worst >= Sign::cut) {
    return pen.paragraph(sign_text(worst, pen) + " ", name + words);
  }
  if (!found) {
    return pen.paragraph(sign_text(worst, pen) + " ", name + words + "; not finished: " + open);
  }
  return pen.paragraph(sign_text(Sign::cut, pen) + " ",
                       name + "inconclusive, not finished: " + open + "; so far " + words);
}

std::string head(const CampaignResult& result, const Pen& pen) {
  std::string text = headline(result, pen);
  text += basis_lines(result, pen) + crash_line(result, pen);
  if (result.interrupted) text += "interrupted: this report is partial\n";
  return text + "\n";
}

std::string table(const CampaignResult& result, const Pen& pen) {
  if (result.cells.size() != 1) return render_matrix(result, pen);
  const CellResult& cell = result.cells.front();
  return pen.paint(Colour::bold, pen.write(cell.id)) + "\n" + render_cell(result, cell, pen);
}

std::string findings(const CampaignResult& result, const TextStyle& style, const Pen& pen) {
  const Finding* first = most_telling(result, style);
  if (first == nullptr) return "";
  std::string text = finding_in_full(result, *first, pen);
  if (result.findings.size() > 1) text += "\n";
  for (const Finding& finding : result.findings) {
    if (&finding != first) text += finding_in_brief(result, finding, pen);
  }
  return text;
}

std::string last_line(const CampaignResult& result, const Pen& pen) {
  const CellCounts counts = counts_of(result);
  std::string text;
  if (result.expectations_met + result.expectations_refuted + result.expectations_open > 0) {
    text += "expectations: " + std::to_string(result.expectations_met) + " met, " +
            std::to_string(result.expectations_refuted) + " refuted, " +
            std::to_string(result.expectations_open) + " open\n";
  }
  text += std::to_string(counts.unexpected) + " unexpected, " + std::to_string(counts.expected) +
          " expected, " +
          (counts.unmentioned > 0 ? std::to_string(counts.unmentioned) + " unmentioned, " : "") +
          std::to_string(counts.inconclusive) + " inconclusive of " + std::to_string(counts.total);
  text += pen.dot();
  return text + "exit " + std::to_string(result.exit_code) + "\n";
}

}  // namespace

std::string render_text(const CampaignResult& result, const TextStyle& style) {
  const Pen pen(style);
  std::string text = head(result, pen);
  if (style.part != TextStyle::Part::findings) text += table(result, pen) + "\n";
  if (style.part != TextStyle::Part::matrix && !result.findings.empty()) {
    text += findings(result, style, pen) + "\n";
  }
  return text + last_line(result, pen);
}

std::string render_finding_text(const CampaignResult& result, const Finding& finding,
                                const TextStyle& style) {
  return finding_in_full(result, finding, Pen(style));
}

}  // namespace idemsim
