// Draws happens-before edges once, and on top of them what the race is about.
#include "reports/dot.hpp"

#include "reports/layout.hpp"
#include "reports/numbers.hpp"
#include "reports/trace_words.hpp"
#include "reports/verdicts.hpp"

#include <algorithm>

namespace idemsim {
namespace {

constexpr std::string_view kRed = "#c00000";
constexpr std::string_view kBlue = "#1f5fbf";
constexpr std::string_view kGreen = "#2e7d32";
constexpr std::string_view kGrey = "#999999";
constexpr std::size_t kLabelWidth = 26;  ///< characters in a line of a node

/// A string of the DOT language. Backslashes are doubled, because DOT reads \n, \l, \G in labels.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      result += ' ';
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result + "\"";
}

std::string node(std::uint32_t n) { return "e" + std::to_string(n); }

struct Attributes {
  std::string text;
  Attributes& set(std::string_view name, std::string_view value) {
    text += (text.empty() ? "" : ", ") + std::string(name) + "=" + quoted(value);
    return *this;
  }
};

class Graph {
 public:
  Graph(const Trace& trace, const Finding& finding)
      : trace_(trace),
        finding_(finding),
        race_(finding.race.has_value() ? &*finding.race : nullptr),
        instants_(instants_of(trace)) {}

  std::string draw() {
    head();
    for (const std::string& process : acting_processes(trace_)) cluster(process);
    rows();
    for (const TraceEvent& event : trace_.events) causes(event);
    if (race_ != nullptr) race();
    guilty_pair();
    return text_ + "}\n";
  }

 private:
  void head() {
    const std::string title = std::string(title_of(finding_.property)) + ": " + finding_.headline +
                              "\n" + finding_.cell + " (" + std::string(to_string(finding_.kind)) +
                              ")\n" + finding_.token;
    text_ =
        "digraph idemsim {\n"
        "  graph [rankdir=TB, newrank=true, fontname=\"Helvetica\", labelloc=t, ranksep=0.25,\n"
        "         nodesep=0.5, label=" +
        quoted(title) +
        "];\n"
        "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", color=\"#777777\",\n"
        "        fontname=\"Helvetica\", fontsize=10];\n"
        "  edge [fontname=\"Helvetica\", fontsize=10, color=\"#999999\", arrowsize=0.7];\n";
  }

  /// Whether the event is one of the two that the race is between, or violates the property.
  [[nodiscard]] bool is_guilty(const TraceEvent& event) const {
    return event.guilty || (race_ != nullptr && (event.n == race_->check || event.n == race_->use));
  }

  void event_node(const TraceEvent& event, const std::string& instant) {
    const std::string_view role = role_of(event, race_);
    std::string label = "#" + std::to_string(event.n);
    if (!role.empty()) label += " " + std::string(role);
    label += event.fault ? " FAULT" : "";
    label += "   t=" + instant + " ms";
    for (const std::string& line : wrapped(words_of_event(event), kLabelWidth)) {
      label += "\n" + line;
    }
    const bool guilty = is_guilty(event);
    const bool plain = role.empty() && !event.fault;
    std::string_view fill = event.fault ? "#fff3cd" : plain ? "#ffffff" : "#e7f0ff";
    std::string_view line = event.fault ? "#b58900" : plain ? "#777777" : kBlue;
    if (guilty) {
      fill = "#ffe3e3";
      line = kRed;
    }
    Attributes attributes;
    attributes.set("label", label).set("fillcolor", fill).set("color", line);
    if (role == "CHECK") {
      attributes.set("shape", "hexagon").set("style", "filled").set("margin", "0.02,0.04");
    } else if (role == "USE") {
      attributes.set("peripheries", "2").set("style", "filled").set("margin", "0.15,0.08");
    } else if (event.fault) {
      attributes.set("shape", "octagon").set("style", "filled");
    }
    if (guilty || role == "RECORD") attributes.set("penwidth", "2");
    text_ += "    " + node(event.n) + " [" + attributes.text + "];\n";
  }

  void cluster(const std::string& process) {
    text_ += "  subgraph cluster_" + std::to_string(clusters_++) +
             " {\n    label=" + quoted(head_of(process, race_)) +
             "; color=\"#bbbbbb\"; style=rounded; labeljust=l; margin=14;\n";
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      if (trace_.events[i].process == process) event_node(trace_.events[i], instants_[i]);
    }
    text_ += "  }\n";
  }

  /// Time down for every process alike: an invisible chain of ranks in the order of the trace.
  void rows() {
    for (std::size_t i = 1; i < trace_.events.size(); ++i) {
      edge(trace_.events[i - 1].n, trace_.events[i].n,
           Attributes().set("style", "invis").set("weight", "0"));
    }
  }

  void edge(std::uint32_t from, std::uint32_t to, const Attributes& attributes) {
    text_ += "  " + node(from) + " -> " + node(to) + " [" + attributes.text + "];\n";
  }

  /// The happens-before edges into an event, each by the strongest reason that it has.
  void causes(const TraceEvent& event) {
    std::vector<std::uint32_t> from = event.hb;
    for (const std::uint32_t n : {event.message_from, event.read_from}) {
      if (n != 0 && std::find(from.begin(), from.end(), n) == from.end()) from.push_back(n);
    }
    for (const std::uint32_t n : from) {
      if (event_of(trace_, n) == nullptr) continue;
      if (race_ != nullptr && n == race_->check && event.n == race_->use) continue;  // the window
      Attributes attributes;
      if (n == event.message_from) {
        attributes.set("color", kBlue).set("fontcolor", kBlue).set("style", "bold");
        attributes.set("label", "message");
      } else if (n == event.read_from) {
        attributes.set("color", kGreen).set("fontcolor", kGreen).set("label", "reads from");
      } else {
        attributes.set("color", kGrey).set("weight", "10");
      }
      if (attributes.text.find("weight") == std::string::npos)
        attributes.set("constraint", "false");
      edge(n, event.n, attributes);
    }
  }

  void race() {
    const auto known = [&](std::uint32_t n) { return event_of(trace_, n) != nullptr; };
    if (known(race_->check) && known(race_->use)) {
      Attributes window;
      window.set("color", kRed).set("fontcolor", kRed).set("style", "bold").set("penwidth", "4");
      window.set("fontsize", "13").set("label", "  window " + duration_text(race_->window_ns));
      edge(race_->check, race_->use, window.set("weight", "20"));
    }
    if (known(race_->record) && known(race_->check)) {
      Attributes missed;
      missed.set("color", kRed).set("fontcolor", kRed).set("style", "dashed");
      missed.set("taillabel", "missed").set("labeldistance", "3").set("constraint", "false");
      edge(race_->check, race_->record, missed);
    }
    if (known(race_->other_check) && known(race_->record)) {
      Attributes gap;
      gap.set("color", kBlue)
          .set("fontcolor", kBlue)
          .set("style", "dashed")
          .set("arrowhead", "tee");
      gap.set("label", "gap " + duration_text(race_->gap_ns)).set("constraint", "false");
      edge(race_->other_check, race_->record, gap);
    }
  }

  /// Joins the first two guilty events, if they are two.
  void guilty_pair() {
    std::vector<std::uint32_t> guilty;
    for (const TraceEvent& event : trace_.events) {
      if (event.guilty) guilty.push_back(event.n);
    }
    if (guilty.size() < 2) return;
    Attributes pair;
    pair.set("color", kRed).set("fontcolor", kRed).set("style", "dotted").set("dir", "none");
    pair.set("penwidth", "2").set("xlabel", violation_label()).set("constraint", "false");
    edge(guilty[0], guilty[1], pair);
  }
  [[nodiscard]] std::string violation_label() const {
    return finding_.property == Property::at_most_once
               ? "same operation"
               : std::string(violation_of(finding_.property));
  }

  const Trace& trace_;
  const Finding& finding_;
  const Race* race_;
  std::vector<std::string> instants_;
  std::string text_;
  int clusters_ = 0;
};

Problem problem(const Finding& finding, std::string message) {
  return {"", 0, 0, "finding " + finding.id, std::move(message), ""};
}

}  // namespace

Result<std::string> render_dot(const CampaignResult& result, const Finding& finding) {
  const Trace* trace = trace_of(result, finding);
  if (trace == nullptr) return Problems{problem(finding, "the result does not contain its trace")};
  std::string text = Graph(*trace, finding).draw();
  if (text.size() > kDotBytesMax) {
    return Problems{problem(finding, "a graph of " + counted(trace->events.size(), "event") +
                                         " has " + counted(text.size(), "byte") +
                                         " in DOT, more than the " + grouped(kDotBytesMax) +
                                         " that make a readable picture")};
  }
  return text;
}

}  // namespace idemsim
