// Lays the cells out in columns: every violated property has a line, everything else a sign.
#include "reports/matrix.hpp"

#include "reports/numbers.hpp"
#include "reports/verdicts.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace idemsim {
namespace {

using Lines = std::vector<std::string>;

Colour colour_of(Sign sign) {
  switch (sign) {
    case Sign::unexpected:
    case Sign::refuted:
      return Colour::red;
    case Sign::unmentioned:
    case Sign::expected:
    case Sign::cut:
    case Sign::vacuous:
      return Colour::yellow;
    case Sign::not_seen:
    case Sign::holds:
      return Colour::green;
  }
  return Colour::dim;
}

std::string_view character_of(Sign sign) {
  static constexpr std::array<std::string_view, 8> kCharacters = {"x", "!", "[x]", "(x)",
                                                                  "?", "–", "·",   "✓"};
  return kCharacters[static_cast<std::size_t>(sign)];
}

/// " #2" for the second finding of the result; nothing if there is none of that id.
std::string number_of(const CampaignResult& result, const std::string& id) {
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    if (result.findings[i].id == id) return " #" + std::to_string(i + 1);
  }
  return "";
}

std::string bound_of(const PropertyOutcome& outcome, const Pen& pen) {
  if (!outcome.upper95.has_value()) return "";
  return " " + pen.write("≤") + percent(*outcome.upper95);
}

std::string fraction(std::uint64_t part, const CellResult& cell) {
  return grouped(part) + "/" + grouped(cell.executions);
}

/// The line of an outcome that is worth a line of its own.
std::string violated_line(const CampaignResult& result, const CellResult& cell,
                          const PropertyOutcome& outcome, const Pen& pen) {
  const Sign sign = sign_of(cell, outcome);
  std::string text = pen.write(character_of(sign)) + " ";
  if (outcome.property == Property::at_most_once && sign != Sign::refuted) {
    text += fraction(outcome.violations, cell);
  } else {
    text += violation_of(outcome.property);
  }
  return pen.paint(colour_of(sign), text + number_of(result, outcome.finding));
}

/// The line of a cell without violation, by the property that is least settled.
std::string quiet_line(const CellResult& cell, Sign sign, const Pen& pen) {
  std::string text = pen.write(character_of(sign)) + " ";
  switch (sign) {
    case Sign::cut:
      text += reason_of(cell.cut);
      break;
    case Sign::not_seen:
      text += fraction(0, cell);
      for (const PropertyOutcome& outcome : cell.properties) {
        if (sign_of(cell, outcome) != sign) continue;
        text += bound_of(outcome, pen);
        break;
      }
      break;
    default:
      text += grouped(cell.executions);
  }
  return pen.paint(colour_of(sign), text);
}

Lines cell_lines(const CampaignResult& result, const CellResult& cell, const Pen& pen) {
  Lines lines;
  for (const Sign wanted : {Sign::unexpected, Sign::refuted, Sign::unmentioned, Sign::expected}) {
    for (const PropertyOutcome& outcome : cell.properties) {
      if (sign_of(cell, outcome) != wanted) continue;
      lines.push_back(violated_line(result, cell, outcome, pen));
    }
  }
  if (lines.empty()) return {quiet_line(cell, sign_of(cell), pen)};
  if (cell.cut != Cut::none) lines.push_back(quiet_line(cell, Sign::cut, pen));
  return lines;
}

struct Column {
  std::string head;
  std::vector<Lines> cells;  ///< one per row of the matrix; no line where a cell was not run
  std::size_t width = 0;
};

std::vector<Column> columns_of(const CampaignResult& result, const Pen& pen) {
  std::vector<Column> columns;
  for (const std::string& faults : result.fault_labels) {
    Column column{pen.write(faults), {}, 0};
    column.width = width_of(column.head);
    for (const std::string& strategy : result.strategy_labels) {
      Lines lines;
      for (const CellResult& cell : result.cells) {
        if (cell.strategy != strategy || cell.faults != faults) continue;
        lines = cell_lines(result, cell, pen);
      }
      for (const std::string& line : lines) column.width = std::max(column.width, width_of(line));
      column.cells.push_back(std::move(lines));
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// The columns [from, to) side by side, with the labels of the rows in front.
std::string block(const Lines& labels, const std::vector<Column>& columns, std::size_t from,
                  std::size_t to, const Pen& pen) {
  std::size_t label_width = 0;
  for (const std::string& label : labels) label_width = std::max(label_width, width_of(label));
  std::string head(label_width, ' ');
  for (std::size_t c = from; c < to; ++c) head += "  " + padded(columns[c].head, columns[c].width);
  std::string text = pen.paint(Colour::bold, head.substr(0, head.find_last_not_of(' ') + 1)) + "\n";
  for (std::size_t row = 0; row < labels.size(); ++row) {
    std::size_t height = 1;
    for (std::size_t c = from; c < to; ++c) {
      height = std::max(height, columns[c].cells[row].size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      std::string written = padded(line == 0 ? labels[row] : "", label_width);
      for (std::size_t c = from; c < to; ++c) {
        const Lines& cell = columns[c].cells[row];
        written += "  " + padded(line < cell.size() ? cell[line] : "", columns[c].width);
      }
      text += trimmed(std::move(written));
    }
  }
  return text;
}

/// Joins the different values that cells with that sign have, in order of appearance.
template <class ValueOf>
std::string all_of_sign(const CampaignResult& result, Sign sign, ValueOf value_of) {
  std::string joined;
  std::set<std::string> seen;
  for (const CellResult& cell : result.cells) {
    const bool cut_too = sign == Sign::cut && cell.cut != Cut::none;
    if (sign_of(cell) != sign && !cut_too) continue;
    const std::string value(value_of(cell));
    if (seen.insert(value).second) joined += (joined.empty() ? "" : "; ") + value;
  }
  return joined;
}

/// Does a sample say how likely a violation can still be? The quiet day does not.
bool has_bound(const CampaignResult& result) {
  return std::any_of(result.cells.begin(), result.cells.end(), [](const CellResult& cell) {
    return std::any_of(cell.properties.begin(), cell.properties.end(),
                       [](const PropertyOutcome& o) { return o.upper95.has_value(); });
  });
}

std::string meaning_of(const CampaignResult& result, Sign sign) {
  switch (sign) {
    case Sign::unexpected:
      return "violated, not expected: at_most_once in b of N executions, or the property named";
    case Sign::refuted:
      return "holds in the whole bounded space, although the scenario expects a violation";
    case Sign::unmentioned:
      return "violated, and the scenario expects nothing about it: at_most_once in b of N "
             "executions, or the property named";
    case Sign::expected:
      return "violated, as expected: at_most_once in b of N executions, or the property named";
    case Sign::cut:
      return "not decided, the search ended early: " +
             all_of_sign(result, sign, [](const CellResult& c) { return reason_of(c.cut); });
    case Sign::vacuous:
      return "vacuous: nothing was violated, and the protection never had to work";
    case Sign::not_seen:
      return (has_bound(result)
                  ? "not seen in N runs, with the 95 % upper bound of its probability ("
                  : "not seen in the N runs that were made, which bounds nothing (") +
             all_of_sign(result, sign, basis_of) + ")";
    case Sign::holds:
      return "holds: no violation in all N executions of the bounded space (" +
             all_of_sign(result, sign, basis_of) + ")";
  }
  return "";
}

/// One entry for each sign that the matrix uses.
std::string legend(const CampaignResult& result, const Pen& pen) {
  std::set<Sign> used;
  for (const CellResult& cell : result.cells) {
    const Sign worst = sign_of(cell);
    used.insert(worst);
    if (cell.cut != Cut::none && worst < Sign::cut) used.insert(Sign::cut);
    for (const PropertyOutcome& outcome : cell.properties) {
      const Sign sign = sign_of(cell, outcome);
      if (sign <= Sign::expected) used.insert(sign);
    }
  }
  std::string text;
  for (auto sign = used.rbegin(); sign != used.rend(); ++sign) {
    text +=
        pen.paragraph("  " + padded(pen.write(character_of(*sign)), 4), meaning_of(result, *sign));
  }
  return text;
}

}  // namespace

std::string sign_text(Sign sign, const Pen& pen) {
  return pen.paint(colour_of(sign), pen.write(character_of(sign)));
}

std::string render_matrix(const CampaignResult& result, const Pen& pen) {
  Lines labels;
  std::size_t label_width = 0;
  for (const std::string& label : result.strategy_labels) {
    labels.push_back(pen.write(label));
    label_width = std::max(label_width, width_of(labels.back()));
  }
  const std::vector<Column> columns = columns_of(result, pen);
  std::string text;
  for (std::size_t from = 0; from < columns.size();) {
    std::size_t to = from + 1;
    std::size_t width = label_width + 2 + columns[from].width;
    while (to < columns.size() && width + 2 + columns[to].width <= pen.width()) {
      width += 2 + columns[to++].width;
    }
    if (from > 0) text += "\n";
    text += block(labels, columns, from, to, pen);
    from = to;
  }
  return text + legend(result, pen);
}

std::string render_cell(const CampaignResult& result, const CellResult& cell, const Pen& pen) {
  std::string text;
  for (const PropertyOutcome& outcome : cell.properties) {
    const Sign sign = sign_of(cell, outcome);
    std::string basis;
    switch (sign) {
      case Sign::unexpected:
      case Sign::unmentioned:
      case Sign::expected:
        basis = "violated in " + grouped(outcome.violations) + " of " +
                counted(cell.executions, "execution") + number_of(result, outcome.finding);
        if (sign == Sign::expected) basis += ", as expected";
        if (sign == Sign::unmentioned) basis += ", nothing expected about it";
        break;
      case Sign::refuted:
      case Sign::holds:
        basis = "holds in all " + counted(cell.executions, "execution");
        if (outcome.property == Property::exercised) basis = "the protection worked";
        if (sign == Sign::refuted) basis += ", although a violation is expected";
        break;
      case Sign::cut:
        basis = "not decided after " + counted(cell.executions, "execution") + ": " +
                std::string(reason_of(cell.cut));
        break;
      case Sign::vacuous:
        basis = "vacuous: the protection never had to work";
        break;
      case Sign::not_seen:
        basis = "not seen in " + counted(cell.executions, "run") + bound_of(outcome, pen);
        if (outcome.upper95.has_value()) basis += " (95 %)";
    }
    const std::string name(to_string(outcome.property));
    text += padded(sign_text(sign, pen), 4) + padded(name, 18) + basis + "\n";
  }
  return text;
}

}  // namespace idemsim
