// The scenario file field by field, in the order in which the schema and the messages list them.
#include "scenarios/shape.hpp"

#include "sim/base/assert.hpp"
#include "sim/model/names.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace idemsim {

namespace {

using Kind = Shape::Kind;

constexpr std::uint64_t kDurationMax = static_cast<std::uint64_t>(kForever.ns) - 1;

/// Far above any matrix that can be run, far below what makes a check slow.
constexpr std::uint64_t kEntriesMax = 1000;

Shape of_kind(Kind kind, std::string about) {
  Shape shape;
  shape.kind = kind;
  shape.about = std::move(about);
  return shape;
}

Shape object(std::string noun, std::string about, std::vector<Field> fields) {
  Shape shape = of_kind(Kind::object, std::move(about));
  shape.noun = std::move(noun);
  shape.fields = std::move(fields);
  return shape;
}

struct Range {
  std::uint64_t least;
  std::uint64_t most;
};

Shape ranged(Kind kind, Range range, std::string about) {
  Shape shape = of_kind(kind, std::move(about));
  shape.least = range.least;
  shape.most = range.most;
  return shape;
}

Shape word(std::string noun, std::span<const std::string_view> words, std::string about) {
  Shape shape = of_kind(Kind::word, std::move(about));
  shape.noun = std::move(noun);
  shape.words.assign(words.begin(), words.end());
  return shape;
}

template <class Enum>
Shape word_of(std::string noun, std::string about) {
  return word(std::move(noun), words_of<Enum>(), std::move(about));
}

Shape holding(Kind kind, Shape inner, std::string about) {
  Shape shape = of_kind(kind, std::move(about));
  shape.inner.push_back(std::move(inner));
  shape.most = kEntriesMax;
  return shape;
}

Shape list_of(Shape inner, std::uint64_t least, std::string about) {
  Shape shape = holding(Kind::list, std::move(inner), std::move(about));
  shape.least = least;
  return shape;
}

Shape window(std::string about) {
  return ranged(Kind::window, {0, kDurationMax}, std::move(about));
}

Shape label(std::string about) { return ranged(Kind::line, {1, 64}, std::move(about)); }

Shape clients_shape() {
  Shape retry = object(
      "field", "what a client does when no final answer came",
      {{"timeout", ranged(Kind::duration, {1, kDurationMax}, "how long one attempt waits (1s)")},
       {"attempts", ranged(Kind::integer, {1, 16383}, "attempts, the first included (3)")},
       {"backoff", window("pause before the second attempt (100ms)")},
       {"factor", ranged(Kind::integer, {1, 100}, "growth of the pause per attempt (2)")}});
  return object("field", "who asks",
                {{"count", ranged(Kind::integer, {1, kClientsMax}, "number of clients (1)")},
                 {"operations", ranged(Kind::integer, {1, 65535}, "operations of each client (1)")},
                 {"arrival", word_of<Arrival>("arrival", "how an operation is invoked (single)")},
                 {"second_click", window("when a double click's second one comes (at once)")},
                 {"key", word_of<KeyPolicy>("key policy", "which key an attempt carries (stable)")},
                 {"retry", std::move(retry)}});
}

Shape world_shape() {
  Shape latency = object("link", "one way to a server, there and back to a store",
                         {{"client-server", window("each way (1ms..20ms)")},
                          {"server-db", window("there and back (1ms..5ms)")},
                          {"server-redis", window("there and back (1ms..5ms)")},
                          {"server-provider", window("there and back (1ms..5ms)")}});
  Shape database = object(
      "field", "the database",
      {{"dialect", word_of<Dialect>("dialect", "whose behaviour the database has (postgresql)")},
       {"isolation", word_of<Isolation>("isolation level",
                                        "what a transaction sees of others (read_committed)")}});
  Shape provider = object("field", "the payment provider",
                          {{"keys", of_kind(Kind::boolean, "does it honour keys (false)")}});
  return object("field", "where it happens",
                {{"servers", ranged(Kind::integer, {1, 1000}, "server instances (2)")},
                 {"latency", std::move(latency)},
                 {"database", std::move(database)},
                 {"provider", std::move(provider)},
                 {"intent_after", window("when the business rows appear (before the start)")}});
}

Shape parameter_shape(const ParameterInfo& parameter) {
  const Range range{static_cast<std::uint64_t>(parameter.least),
                    static_cast<std::uint64_t>(parameter.most)};
  IDEMSIM_ASSERT(parameter.least >= 0);
  switch (parameter.type) {
    case ParameterInfo::Type::safeguard:
    case ParameterInfo::Type::boolean:
      return of_kind(Kind::boolean, parameter.summary);
    case ParameterInfo::Type::duration:
      return ranged(Kind::duration, {range.least, std::min(range.most, kDurationMax)},
                    parameter.summary);
    case ParameterInfo::Type::integer:
      return ranged(Kind::integer, range, parameter.summary);
    case ParameterInfo::Type::choice: {
      const std::vector<std::string_view> words(parameter.choices.begin(), parameter.choices.end());
      return word(parameter.name, words, parameter.summary);
    }
  }
  return {};
}

Shape strategies_shape(const Catalogue& catalogue) {
  Shape entry = of_kind(Kind::strategy, "a strategy and its parameters");
  entry.noun = "strategy";
  for (const StrategyInfo& strategy : catalogue.strategies) {
    const std::array<std::string_view, 1> name = {strategy.name};
    Shape variant = object(strategy.name, strategy.summary,
                           {{"strategy", word("strategy", name, "its name (default: the label)")}});
    for (const ParameterInfo& parameter : strategy.parameters) {
      IDEMSIM_ASSERT(parameter.name != "strategy");
      variant.fields.push_back({parameter.name, parameter_shape(parameter)});
    }
    entry.inner.push_back(std::move(variant));
  }
  return holding(Kind::labels, std::move(entry), "the rows of the matrix, by label");
}

bool has_length(FaultKind kind) {
  return kind == FaultKind::delay_request || kind == FaultKind::delay_response ||
         kind == FaultKind::reorder_request || kind == FaultKind::pause;
}

bool hits_a_store(FaultKind kind) {
  return kind == FaultKind::lost_before || kind == FaultKind::lost_after ||
         kind == FaultKind::orphaned;
}

Shape fault_shape(FaultKind kind) {
  Shape place = object("field", "only there",
                       {{"site", label("only at steps of this name")},
                        {"process", label("only at this server, like server-1")}});
  if (hits_a_store(kind)) {
    place.fields.push_back({"store", word_of<Store>("store", "only connections to it (any)")});
  }
  Shape fault =
      object(std::string(to_string(kind)), std::string(summary_of(kind)),
             {{"at_most", ranged(Kind::integer, {1, 1'000'000}, "how often in one run (1)")},
              {"probability", of_kind(Kind::probability, "at each place, when sampled (1/10)")},
              {"at", std::move(place)}});
  if (kind == FaultKind::pause) {
    fault.fields.push_back({"by", ranged(Kind::duration, {1, kDurationMax}, "how long"), true});
  } else if (has_length(kind)) {
    fault.fields.push_back({"by", window("how much later"), true});
  }
  return fault;
}

Shape faults_shape() {
  Shape entry = of_kind(Kind::fault, "a fault by name, or {name: {field: value}}");
  entry.noun = "fault";
  for (const FaultKind kind : kFaultKinds) entry.inner.push_back(fault_shape(kind));
  return holding(Kind::labels, list_of(std::move(entry), 0, "faults that may happen together"),
                 "the columns of the matrix, by label ({\"none\": []})");
}

Shape explore_shape() {
  constexpr std::uint64_t kMost = 1'000'000'000'000;
  return object(
      "field", "how to search",
      {{"mode", word_of<Mode>("mode", "which schedules are tried (exhaustive)")},
       {"time", word_of<TimeModel>("time model", "what latencies mean (bounded)")},
       {"runs", ranged(Kind::integer, {0, kMost}, "runs per cell; exhaustive: 0 = no limit")},
       {"steps_max", ranged(Kind::integer, {1, kMost}, "steps of one run (10000)")},
       {"states_max", ranged(Kind::integer, {1, kMost}, "stored states per cell (20000000)")}});
}

Shape expect_shape() {
  Shape when = object("field", "for which cells (all)",
                      {{"strategies", list_of(label("a label"), 1, "labels of strategies")},
                       {"faults", list_of(label("a label"), 1, "labels of faults")}});
  Shape entry =
      object("field", "one expectation",
             {{"when", std::move(when)},
              {"property", word_of<Property>("property", "what is judged"), true},
              {"is", word_of<Expectation::Is>("verdict", "the verdict expected"), true},
              {"because", word_of<FindingKind>("kind of finding", "the reason expected")}});
  return list_of(std::move(entry), 0, "verdicts expected; later entries override earlier ones");
}

}  // namespace

Shape scenario_shape(const Catalogue& catalogue) {
  const std::array<std::string_view, 1> format = {kScenarioFormat};
  const std::array<std::string_view, 1> no_protocol = {"none"};
  return object("field", "a scenario of idemsim",
                {{"$schema", of_kind(Kind::text, "where this schema is, for editors")},
                 {"format", word("format", format, "the format of this file"), true},
                 {"name", ranged(Kind::line, {1, 100}, "the name of the scenario"), true},
                 {"about", of_kind(Kind::text, "what the scenario shows")},
                 {"seed", ranged(Kind::integer, {0, UINT64_MAX}, "the seed of sampled modes (1)")},
                 {"operation", word_of<OperationKind>("operation", "what is executed"), true},
                 {"protocol", word("protocol", no_protocol, "this version knows no protocol yet")},
                 {"clients", clients_shape()},
                 {"world", world_shape()},
                 {"strategies", strategies_shape(catalogue), true},
                 {"faults", faults_shape()},
                 {"properties",
                  list_of(word_of<Property>("property", "a property"), 1, "what is judged (all)")},
                 {"explore", explore_shape()},
                 {"expect", expect_shape()}});
}

const Field* Shape::find(std::string_view field) const {
  for (const Field& f : fields) {
    if (f.name == field) return &f;
  }
  return nullptr;
}

const Shape* Shape::variant(std::string_view name) const {
  for (const Shape& shape : inner) {
    if (shape.noun == name) return &shape;
  }
  return nullptr;
}

std::vector<std::string_view> Shape::names() const {
  std::vector<std::string_view> names(words.begin(), words.end());
  for (const Field& field : fields) names.emplace_back(field.name);
  if (kind == Kind::strategy || kind == Kind::fault) {
    for (const Shape& shape : inner) names.emplace_back(shape.noun);
  }
  return names;
}

bool Shape::has_required() const {
  for (const Field& field : fields) {
    if (field.required) return true;
  }
  return false;
}

}  // namespace idemsim
