// Writes the result field by field; a field without a value is null, so that every record is alike.
#include "reports/json.hpp"

#include "reports/numbers.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace idemsim {
namespace {

using Json = nlohmann::ordered_json;

/// The text, or null where the model says "empty = none".
Json text_or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

template <class Enum>
Json word_or_null(const std::optional<Enum>& value) {
  return value.has_value() ? Json(to_string(*value)) : Json();
}

Json number_or_null(std::uint32_t event) { return event == 0 ? Json() : Json(event); }

Json outcome_json(const PropertyOutcome& outcome) {
  Json json;
  json["verdict"] = to_string(outcome.verdict);
  json["violations"] = outcome.violations;
  json["upper95"] = outcome.upper95.has_value() ? Json(six_digits(*outcome.upper95)) : Json();
  json["expect"] = word_or_null(outcome.expect);
  json["because"] = word_or_null(outcome.expect_because);
  json["met"] = outcome.met.has_value() ? Json(*outcome.met) : Json();
  json["vacuous"] = outcome.vacuous;
  json["finding"] = text_or_null(outcome.finding);
  return json;
}

Json cell_json(const CellResult& cell) {
  Json json;
  json["id"] = cell.id;
  json["strategy"] = cell.strategy;
  json["strategy_name"] = cell.strategy_name;
  json["faults"] = cell.faults;
  json["params"] = Json::object();
  for (const auto& [name, value] : cell.params) json["params"][name] = value;
  json["mode"] = to_string(cell.mode);
  json["time"] = to_string(cell.time);
  json["explored"] = cell.exhausted ? "all" : "sampled";
  json["cut"] = cell.cut == Cut::none ? Json() : Json(to_string(cell.cut));
  json["executions"] = cell.executions;
  json["pruned"] = cell.pruned;
  json["states"] = cell.states;
  json["steps"] = cell.steps;
  json["crash_points"] = {{"existing", cell.crash_points_existing},
                          {"tried", cell.crash_points_tried}};
  json["properties"] = Json::object();
  for (const PropertyOutcome& outcome : cell.properties) {
    json["properties"][std::string(to_string(outcome.property))] = outcome_json(outcome);
  }
  return json;
}

Json race_json(const std::optional<Race>& race) {
  if (!race.has_value()) return {};
  Json json;
  json["check"] = race->check;
  json["record"] = race->record;
  json["use"] = race->use;
  json["gap_ns"] = race->gap_ns;
  json["window_ns"] = race->window_ns;
  json["other_check"] = number_or_null(race->other_check);
  json["other_use"] = number_or_null(race->other_use);
  json["process_a"] = race->process_a;
  json["process_b"] = race->process_b;
  return json;
}

Json counterfactual_json(const std::optional<Counterfactual>& it) {
  if (!it.has_value()) return {};
  Json json;
  json["change"] = it->change;
  json["result"] = it->result;
  json["token"] = it->token;
  return json;
}

Json finding_json(const Finding& finding) {
  Json json;
  json["id"] = finding.id;
  json["fingerprint"] = finding.fingerprint;
  json["property"] = to_string(finding.property);
  json["kind"] = to_string(finding.kind);
  json["also"] = Json::array();
  for (const FindingKind kind : finding.also) json["also"].push_back(to_string(kind));
  json["cell"] = finding.cell;
  json["expected"] = finding.expected;
  json["executions"] = finding.executions;
  json["token"] = finding.token;
  json["choices"] = finding.choices;
  json["faults"] = finding.faults;
  json["preemptions"] = finding.preemptions;
  json["shrunk"] = {{"from", finding.shrunk.from},
                    {"to", finding.shrunk.to},
                    {"runs", finding.shrunk.runs},
                    {"minimal", finding.shrunk.minimal}};
  json["headline"] = finding.headline;
  json["race"] = race_json(finding.race);
  json["text"] = finding.text;
  json["fix"] = text_or_null(finding.fix);
  json["counterfactual"] = counterfactual_json(finding.counterfactual);
  json["trace"] = text_or_null(finding.trace);
  return json;
}

Json event_json(const TraceEvent& event) {
  Json json;
  json["n"] = event.n;
  json["at_ns"] = event.at_ns;
  json["process"] = event.process;
  json["type"] = to_string(event.type);
  json["site"] = event.site;
  json["text"] = event.text;
  json["hb"] = event.hb;
  json["message_from"] = number_or_null(event.message_from);
  json["read_from"] = number_or_null(event.read_from);
  json["guilty"] = event.guilty;
  json["fault"] = event.fault;
  return json;
}

Json trace_json(const Trace& trace) {
  Json json;
  json["processes"] = trace.processes;
  json["hash"] = trace.hash;
  json["instants_solved"] = trace.instants_solved;
  json["events"] = Json::array();
  for (const TraceEvent& event : trace.events) json["events"].push_back(event_json(event));
  return json;
}

}  // namespace

std::string render_json(const CampaignResult& result, const JsonStyle& style) {
  Json json;
  json["format"] = "idemsim.result/1";
  json["tool"] = {{"name", "idemsim"}, {"version", result.tool_version}};
  json["scenario"] = {{"name", result.scenario_name},
                      {"about", result.scenario_about},
                      {"path", result.scenario_path},
                      {"sha256", result.scenario_sha256}};
  json["seed"] = result.seed;
  json["verdict"] = to_string(result.verdict);
  json["exit_code"] = result.exit_code;
  json["interrupted"] = result.interrupted;
  json["expectations"] = {{"met", result.expectations_met},
                          {"refuted", result.expectations_refuted},
                          {"open", result.expectations_open}};
  json["cells"] = Json::array();
  for (const CellResult& cell : result.cells) json["cells"].push_back(cell_json(cell));
  json["findings"] = Json::array();
  for (const Finding& finding : result.findings) json["findings"].push_back(finding_json(finding));
  json["traces"] = Json::object();
  for (const Trace& trace : result.traces) json["traces"][trace.id] = trace_json(trace);
  if (!style.stable) {
    json["meta"] = {{"started", result.meta.started},
                    {"elapsed_ms", result.meta.elapsed_ms},
                    {"jobs", result.meta.jobs}};
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace idemsim
