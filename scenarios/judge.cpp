// The second opinion: Valijson decides by the schema text alone and knows nothing of the shape.
#include "scenarios/schema.hpp"
#include "sim/base/text.hpp"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace idemsim {

namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

/// "[clients][retry]" as "/clients/retry".
std::string pointer_from(const std::string& context) {
  std::string pointer;
  for (const char c : context) {
    if (c == '[') pointer += '/';
    if (c != '[' && c != ']') pointer += c;
  }
  return pointer.starts_with("<root>") ? pointer.substr(6) : pointer;
}

std::vector<std::string> opinions(const nlohmann::json& document, const nlohmann::json& schema) {
  valijson::Schema rules;
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.populateSchema(Adapter(schema), rules);
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  if (validator.validate(rules, Adapter(document), &results)) return {};
  std::vector<std::string> sentences;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    std::string context;
    for (const std::string& part : error.context) context += part;
    sentences.push_back(pointer_from(context) + ": " + printable(error.description, 200));
  }
  if (sentences.empty()) sentences.emplace_back(": the schema refuses it");
  return sentences;
}

}  // namespace

std::vector<std::string> judge(std::string_view document, std::string_view schema) {
  // nlohmann_json and Valijson report by exceptions; none leaves this function.
  try {
    return opinions(nlohmann::json::parse(document), nlohmann::json::parse(schema));
  } catch (const std::exception& error) {
    return {": " + printable(error.what(), 200)};
  }
}

}  // namespace idemsim
