// Writes findings; every sentence about cause and effect comes from the result, none is made here.
#include "reports/finding_text.hpp"

#include "reports/diagram.hpp"
#include "reports/numbers.hpp"
#include "reports/verdicts.hpp"

namespace idemsim {
namespace {

/// "#2 " by its place in the result; nothing if the result does not list it.
std::string number_of(const CampaignResult& result, const Finding& finding) {
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    if (result.findings[i].id == finding.id) return "#" + std::to_string(i + 1) + " ";
  }
  return "";
}

bool is_explained(const Finding& finding) {
  return finding.kind != FindingKind::unexplained && !finding.text.empty();
}

/// "check_then_write@none · at_most_once violated, as expected · 18/20 executions".
std::string where_and_how_often(const CampaignResult& result, const Finding& finding,
                                const Pen& pen) {
  std::string text = pen.write(finding.cell);
  text += pen.dot();
  text += to_string(finding.property);
  if (finding.expected) {
    text += " violated, as expected";
  } else {
    text += finding.unmentioned ? " violated, nothing expected about it" : " VIOLATED";
  }
  const CellResult* cell = cell_of(result, finding);
  if (cell != nullptr && finding.executions > 0) {
    text += pen.dot();
    text += grouped(finding.executions) + "/" + counted(cell->executions, "execution");
  }
  return text;
}

/// "smallest schedule: 1 choice (1 fault), shrunk from 41 in 200 runs".
std::string size_of_schedule(const Finding& finding) {
  std::string text = finding.shrunk.minimal ? "smallest schedule: " : "schedule: ";
  text += counted(finding.choices, "choice");
  std::string parts;
  if (finding.faults > 0) parts = counted(finding.faults, "fault");
  if (finding.preemptions > 0) {
    if (!parts.empty()) parts += ", ";
    parts += counted(finding.preemptions, "reordering");
  }
  if (!parts.empty()) text += " (" + parts + ")";
  if (finding.shrunk.runs > 0) {
    text += ", shrunk from " + grouped(finding.shrunk.from) + " in " +
            counted(finding.shrunk.runs, "run");
    if (!finding.shrunk.minimal) text += ", where the limit of runs ended it";
  }
  return text;
}

/// What the instants of the picture are worth.
std::string about_time(const CampaignResult& result, const Finding& finding, const Trace& trace) {
  const CellResult* cell = cell_of(result, finding);
  if (cell != nullptr && cell->time == TimeModel::asynchronous) {
    return "(asynchronous time: only the order counts, not the ms)";
  }
  if (trace.instants_solved || (cell != nullptr && cell->time == TimeModel::sampled)) return "";
  return "(the ms are nominal: the order is what was run)";
}

/// What the two brackets of the picture mean.
std::string about_brackets(const Race& race, const Pen& pen) {
  std::string text;
  if (race.other_check != 0) {
    text += "┌└ A check→record: " + duration_text(race.gap_ns) + "   ";
  }
  return pen.write(text + "┐┘ B check→use: " + duration_text(race.window_ns));
}

std::string picture(const CampaignResult& result, const Finding& finding, const Pen& pen) {
  const Trace* trace = trace_of(result, finding);
  if (trace == nullptr) return "(the result does not contain the trace)\n";
  const Race* race = finding.race.has_value() ? &*finding.race : nullptr;
  std::string text = is_explained(finding) || race != nullptr ? render_diagram(*trace, race, pen)
                                                              : render_list(*trace, pen);
  if (race != nullptr) text += pen.paint(Colour::dim, "  " + about_brackets(*race, pen)) + "\n";
  const std::string note = about_time(result, finding, *trace);
  if (!note.empty()) text += pen.paint(Colour::dim, "  " + note) + "\n";
  return text;
}

std::string reasons(const Finding& finding, const Pen& pen) {
  if (!is_explained(finding)) {
    return "No explanation was derived: the trace above is all that is known.\n";
  }
  std::string kinds(to_string(finding.kind));
  for (const FindingKind kind : finding.also) kinds += ", also " + std::string(to_string(kind));
  std::string text = pen.paint(Colour::bold, "Why (" + kinds + "):") + "\n";
  for (const std::string& sentence : finding.text) text += pen.paragraph("  - ", sentence);
  return text;
}

std::string counterfactual(const Counterfactual& it, const Pen& pen) {
  std::string change = it.change;
  if (!change.empty() && change[0] >= 'a' && change[0] <= 'z') {
    change[0] = static_cast<char>(change[0] - 'a' + 'A');
  }
  std::string text = pen.paragraph("", change + ", " + it.result + " (re-run: confirmed).");
  if (!it.token.empty()) text += "        idemsim replay " + pen.write(it.token) + "\n";
  return text;
}

}  // namespace

std::string finding_in_full(const CampaignResult& result, const Finding& finding, const Pen& pen) {
  const std::string number = number_of(result, finding);
  const std::string title = number + std::string(title_of(finding.property));
  const std::string indent(number.size(), ' ');
  std::string text = pen.paragraph(indent, title.substr(number.size()) + "  " + finding.headline);
  text.replace(0, title.size(), pen.paint(finding.expected ? Colour::yellow : Colour::red, title));
  text += pen.paragraph(indent, where_and_how_often(result, finding, pen)) + "\n";
  text += picture(result, finding, pen) + "\n" + reasons(finding, pen);
  if (finding.counterfactual.has_value()) text += counterfactual(*finding.counterfactual, pen);
  if (!finding.fix.empty()) text += pen.paragraph("Fix class: ", finding.fix);
  text += "\n" + pen.paragraph("", size_of_schedule(finding));
  return text + "replay: idemsim replay " + pen.write(finding.token) + "\n";
}

std::string finding_in_brief(const CampaignResult& result, const Finding& finding, const Pen& pen) {
  const std::string number = number_of(result, finding);
  const std::string kind(to_string(finding.kind));
  const std::string line = number + kind + "  " + pen.write(finding.headline);
  std::string first = wrapped(line, pen.width() - 3).front();
  if (first.size() < line.size()) first += pen.write("…");
  first.replace(0, number.size() + kind.size(),
                pen.paint(finding.expected ? Colour::yellow : Colour::red, number + kind));
  return first + "\n   idemsim replay " + pen.write(finding.token) + "\n";
}

}  // namespace idemsim
