// Draws a trace: columns get the room that their longest text needs, as far as there is room.
#include "reports/diagram.hpp"

#include "reports/numbers.hpp"
#include "reports/trace_words.hpp"

#include <algorithm>
#include <vector>

namespace idemsim {
namespace {

constexpr std::size_t kColumnMin = 12;
constexpr std::size_t kGap = 2;  ///< between two columns

std::string number_of(const TraceEvent& event) { return "#" + std::to_string(event.n) + " "; }

/// Draws one trace; the members are what all rows share.
class Diagram {
 public:
  Diagram(const Trace& trace, const Race* race, const Pen& pen)
      : trace_(trace), race_(race), pen_(pen), names_(acting_processes(trace)) {
    for (const std::string& instant : instants_of(trace)) {
      instants_.push_back(instant);
      time_width_ = std::max(time_width_, width_of(instant));
    }
    if (race != nullptr) window_label_ = pen.write(duration_text(race->window_ns));
    left_ = 2 + time_width_ + (race != nullptr ? 2 : 0) + 1;
    right_ = race == nullptr ? 0 : 3 + std::max<std::size_t>(6, width_of(window_label_));
    place_columns();
  }

  [[nodiscard]] bool fits() const { return fits_; }

  [[nodiscard]] std::string draw() {
    std::string head = "  " + right_aligned("ms", time_width_);
    for (std::size_t c = 0; c < names_.size(); ++c) {
      head = padded(std::move(head), left_ + starts_[c]) + head_text(c);
    }
    std::string text = pen_.paint(Colour::bold, head) + "\n";
    for (std::size_t i = 0; i < trace_.events.size(); ++i) text += rows(i);
    return text;
  }

 private:
  [[nodiscard]] std::string head_text(std::size_t column) const {
    return pen_.write(head_of(names_[column], race_));
  }
  [[nodiscard]] std::size_t column_of(const TraceEvent& event) const {
    const auto found = std::find(names_.begin(), names_.end(), event.process);
    return static_cast<std::size_t>(found - names_.begin());
  }
  [[nodiscard]] std::string words(const TraceEvent& event) const {
    std::string text(role_of(event, race_));
    if (!text.empty()) text += " ";
    if (event.fault) text += "! ";
    text += pen_.write(words_of_event(event));
    return text;
  }

  /// What stands behind the text of an event that violates the property; it is never folded off.
  [[nodiscard]] std::string mark(const TraceEvent& event) const {
    return event.guilty ? " " + pen_.write("✗") : "";
  }
  [[nodiscard]] std::size_t length(const TraceEvent& event) const {
    return width_of(words(event)) + width_of(mark(event));
  }

  /// Every column starts with its least width; the room that is left goes to those in need of it.
  void place_columns() {
    const std::size_t room = pen_.width() - left_ - right_;
    std::vector<std::size_t> wanted;
    std::vector<std::size_t> widths;
    std::size_t used = 0;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      std::size_t most = width_of(head_text(c));
      widths.push_back(std::max(kColumnMin, most));
      for (const TraceEvent& event : trace_.events) {
        if (column_of(event) != c) continue;
        most = std::max(most, width_of(number_of(event)) + length(event));
      }
      wanted.push_back(most);
      used += widths.back() + (c > 0 ? kGap : 0);
    }
    fits_ = used <= room;
    if (!fits_) return;
    // The column whose text has to be folded most often gets the next character.
    for (; used < room; ++used) {
      std::size_t neediest = names_.size();
      for (std::size_t c = 0; c < names_.size(); ++c) {
        if (wanted[c] <= widths[c]) continue;
        if (neediest == names_.size() ||
            wanted[c] * widths[neediest] > wanted[neediest] * widths[c]) {
          neediest = c;
        }
      }
      if (neediest == names_.size()) break;
      ++widths[neediest];
    }
    end_ = used;
    for (std::size_t c = 0, start = 0; c < names_.size(); ++c) {
      starts_.push_back(start);
      start += widths[c] + kGap;
    }
  }
  /// Columns that the text of an event has: up to the next process, or, if that spares folding it,
  /// up to the last one, because no other event shares its row.
  [[nodiscard]] std::size_t room_of(const TraceEvent& event, std::size_t column) const {
    const std::size_t start = starts_[column] + width_of(number_of(event));
    if (length(event) <= end_ - start) return end_ - start;
    return (column + 1 < starts_.size() ? starts_[column + 1] - kGap : end_) - start;
  }

  /// An arrow from the column of the sender, in front of the event; blanks if there is none.
  [[nodiscard]] std::string lead(const TraceEvent& event, std::size_t column) const {
    const TraceEvent* sender = sender_of(event);
    if (sender == nullptr || column_of(*sender) >= column) return std::string(starts_[column], ' ');
    const std::size_t from = starts_[column_of(*sender)];
    const std::string label = " #" + std::to_string(sender->n) + " ";
    const std::size_t length = starts_[column] - from - 2;
    const std::size_t line = length > label.size() + 4 ? length - label.size() : length;
    std::string arrow = repeated(pen_.write("─"), line == length ? length : 2);
    if (line != length) arrow += label + repeated(pen_.write("─"), line - 2);
    return std::string(from, ' ') + arrow + pen_.write("►") + " ";
  }
  /// An arrow from a sender on the right, behind the text of the event.
  [[nodiscard]] std::string trail(const TraceEvent& event, std::size_t used) const {
    const TraceEvent* sender = sender_of(event);
    if (sender == nullptr || column_of(*sender) <= column_of(event)) return "";
    const std::size_t to = starts_[column_of(*sender)];
    const std::string label = " #" + std::to_string(sender->n);
    const std::size_t line = to > used + 3 ? to - used - 2 : 1;
    return " " + pen_.write("◄") + repeated(pen_.write("─"), line) + label;
  }
  [[nodiscard]] const TraceEvent* sender_of(const TraceEvent& event) const {
    for (const TraceEvent& other : trace_.events) {
      if (event.message_from != 0 && other.n == event.message_from) return &other;
    }
    return nullptr;
  }

  [[nodiscard]] Colour colour_of(const TraceEvent& event) const {
    if (event.guilty) return Colour::red;
    if (event.fault) return Colour::yellow;
    return role_of(event, race_).empty() ? Colour::dim : Colour::cyan;
  }

  /// The lines of one event.
  std::string rows(std::size_t index) {
    const TraceEvent& event = trace_.events[index];
    const std::size_t column = column_of(event);
    const std::string number = number_of(event);
    const std::size_t start = starts_[column];
    std::vector<std::string> parts =
        wrapped(words(event), room_of(event, column) - width_of(mark(event)));
    parts.back() += mark(event);
    const bool plain = colour_of(event) == Colour::dim;
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::string line = i == 0 ? lead(event, column) : std::string(start, ' ');
      const std::string part = (i == 0 ? number : std::string(number.size(), ' ')) + parts[i];
      line += plain ? part : pen_.paint(colour_of(event), part);
      if (i == 0 && parts.size() == 1) line += trail(event, width_of(line));
      text += margin(event, i == 0 ? instants_[index] : "", i == 0) + line;
      text += bracket(event, width_of(line), i == 0) + "\n";
    }
    return text;
  }

  /// The instant, and the gap of A between its check and its record.
  std::string margin(const TraceEvent& event, const std::string& instant, bool first) {
    std::string text = "  " + right_aligned(instant, time_width_) + " ";
    if (race_ == nullptr || race_->other_check == 0) return padded(text, left_);
    if (event.n == race_->other_check && first) in_gap_ = true;
    std::string_view sign = in_gap_ ? "│" : " ";
    if (event.n == race_->other_check && first) sign = "┌";
    if (event.n == race_->record && first && in_gap_) {
      sign = "└";
      in_gap_ = false;
    }
    return padded(text + pen_.write(sign), left_);
  }

  /// The window of B between its check and its use, at the right margin.
  std::string bracket(const TraceEvent& event, std::size_t used, bool first) {
    if (race_ == nullptr) return "";
    std::string_view sign = "│";
    if (event.n == race_->check && first) {
      sign = "┐";
      window_lines_ = 1;
    } else if (window_lines_ == 0) {
      return "";
    }
    const bool ends = event.n == race_->use && first;
    if (ends) sign = "┘";
    std::string text = " " + pen_.write(sign);
    if (window_lines_ == 1) text += " window";
    if (window_lines_ == 2) text += " " + window_label_;
    window_lines_ = ends ? 0 : window_lines_ + 1;
    return std::string(end_ > used ? end_ - used : 0, ' ') + pen_.paint(Colour::red, text);
  }

  const Trace& trace_;
  const Race* race_;
  const Pen& pen_;
  std::vector<std::string> names_;
  std::vector<std::string> instants_;
  std::string window_label_;
  std::size_t time_width_ = 2;
  std::size_t left_ = 0;   ///< columns in front of the first process
  std::size_t right_ = 0;  ///< columns for the window
  std::size_t end_ = 0;    ///< where the last process ends
  std::vector<std::size_t> starts_;
  bool fits_ = false;
  bool in_gap_ = false;
  int window_lines_ = 0;  ///< lines of the window so far; 0 = not in it
};

}  // namespace

std::string render_diagram(const Trace& trace, const Race* race, const Pen& pen) {
  Diagram diagram(trace, race, pen);
  return diagram.fits() ? diagram.draw() : render_list(trace, pen);
}

std::string render_list(const Trace& trace, const Pen& pen) {
  const std::vector<std::string> instants = instants_of(trace);
  std::size_t time_width = 2;
  std::size_t name_width = 7;
  for (const std::string& instant : instants) time_width = std::max(time_width, width_of(instant));
  for (const std::string& name : acting_processes(trace)) {
    name_width = std::max(name_width, width_of(pen.write(name)));
  }
  std::string text = pen.paint(Colour::bold, "     #  " + right_aligned("ms", time_width) + "  " +
                                                 padded("process", name_width) + "  event") +
                     "\n";
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const TraceEvent& event = trace.events[i];
    std::string words(event.fault ? "! " : "");
    if (!event.site.empty() && event.site != words_of_event(event)) words += event.site + ": ";
    words += words_of_event(event);
    if (event.guilty) words += " ✗";
    text += pen.paragraph(right_aligned("#" + std::to_string(event.n), 6) + "  " +
                              right_aligned(instants[i], time_width) + "  " +
                              padded(pen.write(event.process), name_width) + "  ",
                          words);
  }
  return text;
}

}  // namespace idemsim
