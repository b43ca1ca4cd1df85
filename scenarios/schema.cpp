// Each kind of shape has one counterpart in JSON Schema; strategies and faults are definitions.
#include "scenarios/schema.hpp"

#include "sim/model/names.hpp"

#include <nlohmann/json.hpp>

namespace idemsim {

namespace {

using Json = nlohmann::ordered_json;
using Kind = Shape::Kind;

Json schema_of(const Shape& shape);

Json reference(std::string_view kind, std::string_view name) {
  return {{"$ref", "#/definitions/" + std::string(kind) + "_" + std::string(name)}};
}

/// The part of an object schema that lists its fields and closes it.
Json closed_fields(const Shape& shape) {
  Json fields = Json::object();
  Json required = Json::array();
  for (const Field& field : shape.fields) {
    fields[field.name] = schema_of(field.shape);
    if (field.required) required.push_back(field.name);
  }
  Json schema = {{"type", "object"}, {"properties", fields}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

/// A word with its names, in a form that gives an editor no reason to complain about others.
Json names_of(const Shape& shape) {
  Json names = Json::array();
  for (const std::string_view name : shape.names()) names.push_back(name);
  return names;
}

/// An entry that names its strategy: the fields are those of that strategy.
Json named_strategy(const Shape& shape) {
  Json cases = Json::array();
  for (const Shape& variant : shape.inner) {
    const Json is_named = {{"properties", {{"strategy", {{"const", variant.noun}}}}},
                           {"required", {"strategy"}}};
    cases.push_back({{"if", is_named}, {"then", reference("strategy", variant.noun)}});
  }
  Json schema = {{"type", "object"},
                 {"properties", {{"strategy", {{"type", "string"}, {"enum", names_of(shape)}}}}},
                 {"required", {"strategy"}}};
  if (!cases.empty()) schema["allOf"] = cases;
  return schema;
}

/// Labels of strategies: a label that is the name of a strategy need not name it.
Json strategies_schema(const Shape& shape) {
  const Shape& entry = shape.inner[0];
  Json known = Json::object();
  for (const Shape& variant : entry.inner) {
    known[variant.noun] = {{"type", "object"},
                           {"if", {{"required", {"strategy"}}}},
                           {"then", {{"$ref", "#/definitions/named_strategy"}}},
                           {"else", reference("strategy", variant.noun)}};
  }
  return {{"type", "object"},
          {"minProperties", 1},
          {"maxProperties", shape.most},
          {"properties", known},
          {"additionalProperties", {{"$ref", "#/definitions/named_strategy"}}}};
}

Json fault_schema(const Shape& shape) {
  Json bare = Json::array();
  Json known = Json::object();
  for (const Shape& variant : shape.inner) {
    if (!variant.has_required()) bare.push_back(variant.noun);
    known[variant.noun] = reference("fault", variant.noun);
  }
  return {{"type", {"string", "object"}},
          {"if", {{"type", "string"}}},
          {"then", {{"enum", bare}}},
          {"else",
           {{"properties", known},
            {"additionalProperties", false},
            {"minProperties", 1},
            {"maxProperties", 1}}}};
}

Json labels_schema(const Shape& shape) {
  if (shape.inner[0].kind == Kind::strategy) return strategies_schema(shape);
  return {{"type", "object"},
          {"minProperties", 1},
          {"maxProperties", shape.most},
          {"additionalProperties", schema_of(shape.inner[0])}};
}

Json list_schema(const Shape& shape) {
  Json schema = {{"type", "array"}, {"items", schema_of(shape.inner[0])}};
  if (shape.least > 0) schema["minItems"] = shape.least;
  schema["maxItems"] = shape.most;
  const Kind inner = shape.inner[0].kind;
  if (inner == Kind::word || inner == Kind::line) schema["uniqueItems"] = true;
  return schema;
}

Json bare_schema(const Shape& shape) {
  switch (shape.kind) {
    case Kind::object:
      return closed_fields(shape);
    case Kind::labels:
      return labels_schema(shape);
    case Kind::list:
      return list_schema(shape);
    case Kind::line:
      return {{"type", "string"}, {"minLength", shape.least}, {"maxLength", shape.most}};
    case Kind::text:
    case Kind::duration:
    case Kind::window:
      return {{"type", "string"}};
    case Kind::word:
      return {{"type", "string"}, {"enum", names_of(shape)}};
    case Kind::integer: {
      Json schema = {{"type", "integer"}, {"minimum", shape.least}};
      // Valijson compares as int64; the loader's own check knows the full range.
      if (shape.most < INT64_MAX) schema["maximum"] = shape.most;
      return schema;
    }
    case Kind::boolean:
      return {{"type", "boolean"}};
    case Kind::probability:
      return {{"type", {"number", "string"}}, {"minimum", 0}, {"maximum", 1}};
    case Kind::strategy:
      return {{"$ref", "#/definitions/named_strategy"}};
    case Kind::fault:
      return fault_schema(shape);
  }
  return {};
}

Json schema_of(const Shape& shape) {
  Json schema = Json::object();
  if (!shape.about.empty()) schema["description"] = shape.about;
  schema.update(bare_schema(shape));
  return schema;
}

}  // namespace

std::string schema_text(const Shape& scenario) {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", std::string(kScenarioFormat)}};
  schema.update(schema_of(scenario));
  const Shape& strategy = scenario.find("strategies")->shape.inner[0];
  const Shape& fault = scenario.find("faults")->shape.inner[0].inner[0];
  Json definitions = {{"named_strategy", named_strategy(strategy)}};
  for (const Shape& variant : strategy.inner) {
    definitions["strategy_" + variant.noun] = schema_of(variant);
  }
  for (const Shape& variant : fault.inner) {
    definitions["fault_" + variant.noun] = schema_of(variant);
  }
  schema["definitions"] = definitions;
  return schema.dump(2) + "\n";
}

std::string schema_text(const Catalogue& catalogue) {
  return schema_text(scenario_shape(catalogue));
}

}  // namespace idemsim
