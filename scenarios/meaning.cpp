// Settings that are right one by one and wrong together, and labels that lead nowhere.
#include "scenarios/read.hpp"
#include "sim/base/text.hpp"
#include "sim/model/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace idemsim {

namespace {

using Path = std::vector<std::string>;
using Labels = std::vector<std::string_view>;

/// Text at a path of members; empty if there is none.
std::string_view text_at(const Node& root, const Path& path) {
  const Node* node = &root;
  for (const std::string& part : path) {
    node = node->find(part);
    if (node == nullptr) return "";
  }
  return node->text;
}

void check_explore(const Node& root, const Scenario& scenario, Complaints& complaints) {
  const std::string_view mode = text_at(root, {"explore", "mode"});
  const std::string_view time = text_at(root, {"explore", "time"});
  if ((mode.empty() || mode == to_string(Mode::exhaustive)) &&
      time == to_string(TimeModel::sampled)) {
    complaints.about({"explore", "time"},
                     "an exhaustive search cannot sample latencies: expected bounded or "
                     "asynchronous, or mode fifo or random");
  }
  if (scenario.explore.mode == Mode::random && scenario.explore.runs == 0) {
    complaints.about({"explore", "runs"},
                     "a random search without a number of runs does not end: expected 1 or more");
  }
}

/// Attempts of one operation, all clicks and the probe included, that an origin can tell apart.
constexpr std::uint32_t kAttemptsOfClicksMax = 8'191;
/// Bounded time keeps a bound for each pair of pending steps.
constexpr std::uint32_t kClientsBoundedMax = 1'000;

void check_clients(const Node& root, const Scenario& scenario, Complaints& complaints) {
  const Node* clients = root.find("clients");
  if (clients == nullptr) return;
  const ClientSpec& spec = scenario.clients;
  const bool twice = spec.arrival == Arrival::double_click;
  if (!twice && clients->find("second_click") != nullptr) {
    complaints.about_key({"clients", "second_click"},
                         "only a double click has a second one: expected \"arrival\": "
                         "\"double_click\" beside it");
  }
  if (twice && spec.retry.attempts > kAttemptsOfClicksMax) {
    complaints.about({"clients", "retry", "attempts"},
                     fmt::format("a double click makes twice as many attempts: expected at most {}",
                                 kAttemptsOfClicksMax));
  }
  if (scenario.explore.time == TimeModel::bounded && spec.count > kClientsBoundedMax &&
      spec.count <= kClientsMax) {
    complaints.about({"clients", "count"},
                     fmt::format("bounded time compares all pending steps in pairs: expected at "
                                 "most {} clients, or time sampled or asynchronous",
                                 kClientsBoundedMax));
  }
}

/// The part of a message that lists the operations that a strategy can protect.
std::string operations_of(const StrategyInfo& strategy) {
  std::vector<std::string_view> words;
  for (const OperationKind kind : strategy.operations) words.push_back(to_string(kind));
  return one_of(words);
}

void check_strategies(const Node& root, const Scenario& scenario, const Catalogue& catalogue,
                      Complaints& complaints) {
  if (!enumerator_named<OperationKind>(text_at(root, {"operation"}))) return;
  for (const StrategyVariant& variant : scenario.strategies) {
    const StrategyInfo* info = catalogue.find(variant.strategy);
    if (info == nullptr) continue;
    const auto& operations = info->operations;
    if (std::find(operations.begin(), operations.end(), scenario.operation) != operations.end()) {
      continue;
    }
    complaints.about_key(
        {"strategies", variant.label},
        fmt::format("strategy \"{}\" cannot protect operation {}: expected "
                    "operation {}",
                    variant.strategy, to_string(scenario.operation), operations_of(*info)));
  }
}

void check_process(const std::string& process, std::uint32_t servers, const Path& path,
                   Complaints& complaints) {
  // As text, so that "server-01" and "server-1 " are no servers.
  for (std::uint32_t i = 1; i <= std::min(servers, 1000u); ++i) {
    if (process == fmt::format("server-{}", i)) return;
  }
  complaints.about(path,
                   fmt::format("unknown process \"{}\": expected server-1{}", printable(process),
                               servers == 1 ? "" : fmt::format(" to server-{}", servers)));
}

/// A fault that is aimed at a step which nobody takes would never strike.
void check_site(const std::string& site, const Scenario& scenario, const Catalogue& catalogue,
                const Path& path, Complaints& complaints) {
  Labels known;
  for (const StrategyVariant& variant : scenario.strategies) {
    const StrategyInfo* info = catalogue.find(variant.strategy);
    if (info == nullptr) return;  // it has its own complaint
    for (const std::string& step : info->steps) {
      if (std::find(known.begin(), known.end(), step) == known.end()) known.push_back(step);
    }
  }
  if (known.empty() || std::find(known.begin(), known.end(), site) != known.end()) return;
  std::sort(known.begin(), known.end());
  std::vector<std::string> quoted;
  for (const std::string_view step : known) quoted.push_back(fmt::format("\"{}\"", step));
  complaints.about(path,
                   fmt::format("no strategy here has a step \"{}\": expected {}", printable(site),
                               one_of(Labels(quoted.begin(), quoted.end()))),
                   nearest_name(site, known));
}

/// Messages are no steps of a strategy: where they pass has one name each.
bool strikes_messages(FaultKind kind) {
  switch (kind) {
    case FaultKind::drop_request:
    case FaultKind::drop_response:
    case FaultKind::delay_request:
    case FaultKind::delay_response:
    case FaultKind::duplicate_request:
    case FaultKind::reorder_request:
      return true;
    default:
      return false;
  }
}

void check_faults(const Node& root, const Scenario& scenario, const Catalogue& catalogue,
                  Complaints& complaints) {
  const Node* plans = root.find("faults");
  if (plans == nullptr || plans->kind != Node::Kind::object) return;
  for (const Node& plan : plans->children) {
    for (std::size_t i = 0; i < plan.children.size(); ++i) {
      const Node& entry = plan.children[i];
      if (entry.kind != Node::Kind::object || entry.children.size() != 1) continue;
      const Node& fault = entry.children[0];
      const Node* at = fault.find("at");
      const Path path = {"faults", plan.key, std::to_string(i), fault.key, "at"};
      const Node* site = at == nullptr ? nullptr : at->find("site");
      const auto kind = fault_named(fault.key);
      if (site != nullptr && site->kind == Node::Kind::text && kind && !strikes_messages(*kind)) {
        Path there = path;
        there.emplace_back("site");
        check_site(site->text, scenario, catalogue, there, complaints);
      }
      const Node* process = at == nullptr ? nullptr : at->find("process");
      if (process == nullptr || process->kind != Node::Kind::text) continue;
      check_process(process->text, scenario.world.servers,
                    {"faults", plan.key, std::to_string(i), fault.key, "at", "process"},
                    complaints);
    }
  }
}

/// Labels in quotes, since a label may be a word like none.
std::string one_label_of(const Labels& labels) {
  std::vector<std::string> quoted;
  for (const std::string_view label : labels) quoted.push_back(fmt::format("\"{}\"", label));
  return one_of(Labels(quoted.begin(), quoted.end()));
}

/// Each label of an expectation must be one of the matrix.
void check_labels(const Node& entry, std::string_view member, const Labels& known, const Path& path,
                  Complaints& complaints) {
  const Node* when = entry.find("when");
  const Node* labels = when == nullptr ? nullptr : when->find(member);
  if (labels == nullptr || labels->kind != Node::Kind::list) return;
  for (std::size_t i = 0; i < labels->children.size(); ++i) {
    const Node& label = labels->children[i];
    if (label.kind != Node::Kind::text || complaints.full()) continue;
    if (std::find(known.begin(), known.end(), label.text) != known.end()) continue;
    Path place = path;
    place.insert(place.end(), {"when", std::string(member), std::to_string(i)});
    complaints.about(place,
                     fmt::format("the expectation matches nothing: no label \"{}\" in /{}: "
                                 "expected {}",
                                 printable(label.text), member, one_label_of(known)),
                     nearest_name(label.text, known));
  }
}

void check_expect(const Node& root, const Scenario& scenario, Complaints& complaints) {
  const Node* expect = root.find("expect");
  if (expect == nullptr || expect->kind != Node::Kind::list) return;
  Labels strategies;
  Labels plans;
  for (const StrategyVariant& variant : scenario.strategies) strategies.push_back(variant.label);
  for (const FaultPlan& plan : scenario.faults) plans.push_back(plan.label);
  for (std::size_t i = 0; i < expect->children.size(); ++i) {
    const Node& entry = expect->children[i];
    const Path path = {"expect", std::to_string(i)};
    check_labels(entry, "strategies", strategies, path, complaints);
    check_labels(entry, "faults", plans, path, complaints);
    const std::string_view property = text_at(entry, {"property"});
    const auto& judged = scenario.properties;
    const std::optional<Property> named = property_named(property);
    if (named && !judged.empty() &&
        std::find(judged.begin(), judged.end(), *named) == judged.end()) {
      complaints.about({"expect", std::to_string(i), "property"},
                       fmt::format("the expectation matches nothing: \"{}\" is not judged: "
                                   "expected it in /properties",
                                   property));
    }
    const std::string_view is = text_at(entry, {"is"});
    if (entry.find("because") != nullptr && enumerator_named<Expectation::Is>(is) &&
        is != to_string(Expectation::Is::violated)) {
      complaints.about({"expect", std::to_string(i), "because"},
                       fmt::format("a reason goes with a violation only: expected it with \"is\": "
                                   "\"violated\", found \"{}\"",
                                   is));
    }
  }
}

}  // namespace

void check_meaning(const Node& root, const Scenario& scenario, const Catalogue& catalogue,
                   Complaints& complaints) {
  check_explore(root, scenario, complaints);
  check_clients(root, scenario, complaints);
  check_strategies(root, scenario, catalogue, complaints);
  check_faults(root, scenario, catalogue, complaints);
  check_expect(root, scenario, complaints);
}

}  // namespace idemsim
