// One function per part of the file; each setting is taken only if it has the right form.
#include "scenarios/read.hpp"

#include "scenarios/shape.hpp"
#include "sim/base/text.hpp"
#include "sim/model/names.hpp"

#include <algorithm>
#include <optional>

namespace idemsim {

namespace {

/// The members of one object, each with the value that it has if the file does not say.
class Fields {
 public:
  explicit Fields(const Node* node) : node_(node) {}

  [[nodiscard]] const Node* node(std::string_view name) const {
    return node_ == nullptr ? nullptr : node_->find(name);
  }
  [[nodiscard]] Fields object(std::string_view name) const { return Fields(node(name)); }

  [[nodiscard]] std::string text(std::string_view name) const {
    const Node* found = typed(name, Node::Kind::text);
    return found == nullptr ? "" : found->text;
  }
  [[nodiscard]] std::uint64_t number(std::string_view name, std::uint64_t otherwise) const {
    const Node* found = typed(name, Node::Kind::integer);
    return found == nullptr || found->negative ? otherwise : found->magnitude;
  }
  [[nodiscard]] std::uint32_t count(std::string_view name, std::uint32_t otherwise) const {
    return static_cast<std::uint32_t>(number(name, otherwise));
  }
  [[nodiscard]] bool truth(std::string_view name, bool otherwise) const {
    const Node* found = typed(name, Node::Kind::boolean);
    return found == nullptr ? otherwise : found->truth;
  }
  [[nodiscard]] Window window(std::string_view name, Window otherwise) const {
    const Node* found = typed(name, Node::Kind::text);
    if (found == nullptr) return otherwise;
    const Result<Window> window = parse_window(found->text);
    return window ? *window : otherwise;
  }
  template <class Enum>
  [[nodiscard]] Enum word(std::string_view name, Enum otherwise) const {
    return enumerator_named<Enum>(text(name)).value_or(otherwise);
  }

 private:
  [[nodiscard]] const Node* typed(std::string_view name, Node::Kind kind) const {
    const Node* found = node(name);
    return found != nullptr && found->kind == kind ? found : nullptr;
  }
  const Node* node_;
};

/// The elements of a list that are text.
std::vector<std::string> texts_of(const Node* list) {
  std::vector<std::string> texts;
  if (list == nullptr || list->kind != Node::Kind::list) return texts;
  for (const Node& child : list->children) {
    if (child.kind == Node::Kind::text) texts.push_back(child.text);
  }
  return texts;
}

ClientSpec read_clients(Fields from) {
  ClientSpec clients;
  clients.count = from.count("count", clients.count);
  clients.operations = from.count("operations", clients.operations);
  clients.arrival = from.word("arrival", clients.arrival);
  clients.second_click = from.window("second_click", clients.second_click);
  clients.key = from.word("key", clients.key);
  const Fields retry = from.object("retry");
  RetryPolicy& policy = clients.retry;
  policy.timeout = retry.window("timeout", {policy.timeout, policy.timeout}).earliest;
  policy.attempts = retry.count("attempts", policy.attempts);
  policy.backoff = retry.window("backoff", policy.backoff);
  policy.backoff_factor = retry.count("factor", policy.backoff_factor);
  return clients;
}

WorldSpec read_world(Fields from) {
  WorldSpec world;
  world.servers = from.count("servers", world.servers);
  const Fields latency = from.object("latency");
  LatencySpec& links = world.latency;
  links.client_server = latency.window("client-server", links.client_server);
  links.server_db = latency.window("server-db", links.server_db);
  links.server_redis = latency.window("server-redis", links.server_redis);
  links.server_provider = latency.window("server-provider", links.server_provider);
  world.dialect = from.object("database").word("dialect", world.dialect);
  world.isolation = from.object("database").word("isolation", world.isolation);
  world.provider_keys = from.object("provider").truth("keys", world.provider_keys);
  world.intent_after = from.window("intent_after", world.intent_after);
  return world;
}

std::optional<std::int64_t> read_parameter(const Node& node, const ParameterInfo& parameter) {
  switch (parameter.type) {
    case ParameterInfo::Type::safeguard:
    case ParameterInfo::Type::boolean:
      if (node.kind == Node::Kind::boolean) return node.truth ? 1 : 0;
      return std::nullopt;
    case ParameterInfo::Type::duration: {
      if (node.kind != Node::Kind::text) return std::nullopt;
      const Result<Duration> duration = parse_duration(node.text);
      return duration ? std::optional(duration->ns) : std::nullopt;
    }
    case ParameterInfo::Type::integer:
      if (node.kind != Node::Kind::integer || node.negative) return std::nullopt;
      return static_cast<std::int64_t>(node.magnitude);
    case ParameterInfo::Type::choice: {
      const auto& choices = parameter.choices;
      const auto choice = std::find(choices.begin(), choices.end(), node.text);
      if (node.kind != Node::Kind::text || choice == choices.end()) return std::nullopt;
      return choice - choices.begin();
    }
  }
  return std::nullopt;
}

StrategyVariant read_strategy(const Node& node, const Catalogue& catalogue) {
  StrategyVariant variant;
  variant.label = node.key;
  const std::string name = Fields(&node).text("strategy");
  variant.strategy = name.empty() ? node.key : name;
  const StrategyInfo* info = catalogue.find(variant.strategy);
  if (info == nullptr) return variant;
  for (const Node& child : node.children) {
    const ParameterInfo* parameter = info->find(child.key);
    if (parameter == nullptr) continue;
    const std::optional<std::int64_t> value = read_parameter(child, *parameter);
    if (value) variant.parameters.emplace_back(child.key, *value);
  }
  std::sort(variant.parameters.begin(), variant.parameters.end());
  return variant;
}

std::optional<FaultSpec> read_fault(const Node& node) {
  FaultSpec fault;
  const bool detailed = node.kind == Node::Kind::object && node.children.size() == 1;
  const std::optional<FaultKind> kind = fault_named(detailed ? node.children[0].key : node.text);
  if (!kind) return std::nullopt;
  fault.kind = *kind;
  if (!detailed) return fault;
  const Fields from(&node.children[0]);
  fault.at_most = from.count("at_most", fault.at_most);
  if (const Node* probability = from.node("probability")) {
    const Result<Ratio> ratio = parse_probability(probability->text);
    if (ratio) fault.probability = *ratio;
  }
  fault.by = from.window("by", fault.by);
  const Fields at = from.object("at");
  fault.site = at.text("site");
  fault.process = at.text("process");
  fault.store = at.word("store", fault.store);
  return fault;
}

FaultPlan read_plan(const Node& node) {
  FaultPlan plan;
  plan.label = node.key;
  for (const Node& child : node.children) {
    const std::optional<FaultSpec> fault = read_fault(child);
    if (fault) plan.faults.push_back(*fault);
  }
  return plan;
}

/// Those listed, in the order of the enumeration; all if there is no list.
std::vector<Property> read_properties(const Node* node) {
  if (node == nullptr) return {kProperties.begin(), kProperties.end()};
  const std::vector<std::string> names = texts_of(node);
  std::vector<Property> properties;
  for (const Property property : kProperties) {
    if (std::find(names.begin(), names.end(), to_string(property)) != names.end()) {
      properties.push_back(property);
    }
  }
  return properties;
}

ExploreSpec read_explore(Fields from) {
  ExploreSpec explore;
  explore.mode = from.word("mode", explore.mode);
  explore.time = from.word("time", explore.time);
  explore.runs = from.number("runs", explore.mode == Mode::exhaustive ? 0 : explore.runs);
  explore.steps_max = from.number("steps_max", explore.steps_max);
  explore.states_max = from.number("states_max", explore.states_max);
  return explore;
}

Expectation read_expectation(const Node& node, std::string pointer) {
  const Fields from(&node);
  Expectation expectation;
  expectation.strategies = texts_of(from.object("when").node("strategies"));
  expectation.faults = texts_of(from.object("when").node("faults"));
  expectation.property = from.word("property", expectation.property);
  expectation.is = from.word("is", expectation.is);
  expectation.because = finding_kind_named(from.text("because"));
  expectation.pointer = std::move(pointer);
  return expectation;
}

}  // namespace

Scenario read_scenario(const Node& root, const Catalogue& catalogue) {
  const Fields from(&root);
  Scenario scenario;
  scenario.name = from.text("name");
  scenario.about = from.text("about");
  scenario.seed = from.number("seed", scenario.seed);
  scenario.operation = from.word("operation", scenario.operation);
  scenario.clients = read_clients(from.object("clients"));
  scenario.world = read_world(from.object("world"));
  if (const Node* strategies = from.node("strategies")) {
    for (const Node& child : strategies->children) {
      scenario.strategies.push_back(read_strategy(child, catalogue));
    }
  }
  if (const Node* faults = from.node("faults")) {
    for (const Node& child : faults->children) scenario.faults.push_back(read_plan(child));
  } else {
    scenario.faults.push_back({"none", {}});
  }
  scenario.properties = read_properties(from.node("properties"));
  scenario.explore = read_explore(from.object("explore"));
  if (const Node* expect = from.node("expect")) {
    for (const Node& child : expect->children) {
      const std::size_t index = scenario.expect.size();
      scenario.expect.push_back(read_expectation(child, "/expect/" + std::to_string(index)));
    }
  }
  return scenario;
}

}  // namespace idemsim
