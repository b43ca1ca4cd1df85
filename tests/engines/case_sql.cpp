// Compares a replay of the SQL engine with what PostgreSQL did, in every wake order if it raced.
#include "tests/engines/case.hpp"
#include "tests/engines/case_sql_replay.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace idemsim::tests {

using nlohmann::json;

namespace {

constexpr std::size_t kOrdersMax = 256;
/// Recorded for people; not compared.
constexpr std::array<std::string_view, 6> kIgnored = {"completed", "message",          "detail",
                                                      "wait",      "waited_ms_approx", "notices"};

json without_ignored(const json& value) {
  if (!value.is_structured()) return value;
  json out = value.is_array() ? json::array() : json::object();
  for (const auto& [key, member] : value.items()) {
    if (value.is_array()) {
      out.push_back(without_ignored(member));
    } else if (std::find(kIgnored.begin(), kIgnored.end(), key) == kIgnored.end()) {
      out[key] = without_ignored(member);
    }
  }
  return out;
}

/// What a recording says, in the form that a replay produces.
struct Expected {
  std::vector<json> outcomes;
  std::vector<json> final_rows;
};

Expected expected_of(const json& outcomes, const json& final_queries) {
  Expected out;
  for (const json& outcome : outcomes) out.outcomes.push_back(without_ignored(outcome));
  for (const json& query : final_queries) out.final_rows.push_back(query.at("rows"));
  return out;
}

std::vector<Expected> all_expected(const json& recorded) {
  std::vector<Expected> out;
  for (const json& variant : recorded.value("variants", json::array())) {
    out.push_back(expected_of(variant.at("outcomes"), variant.at("final")));
  }
  if (!out.empty()) return out;
  json outcomes = json::array();
  for (const json& step : recorded.at("steps")) outcomes.push_back(step.at("outcome"));
  out.push_back(expected_of(outcomes, recorded.at("final")));
  return out;
}

std::string difference(const Expected& expected, const Expected& got) {
  for (std::size_t i = 0; i < expected.outcomes.size(); ++i) {
    if (expected.outcomes[i] == got.outcomes[i]) continue;
    return "step " + std::to_string(i) + ": expected " + expected.outcomes[i].dump() + " got " +
           got.outcomes[i].dump();
  }
  for (std::size_t i = 0; i < expected.final_rows.size(); ++i) {
    if (expected.final_rows[i] == got.final_rows[i]) continue;
    return "final query " + std::to_string(i) + ": expected " + expected.final_rows[i].dump() +
           " got " + got.final_rows[i].dump();
  }
  return "";
}

/// The next list of choices in depth-first order; empty when all have been tried.
std::vector<std::size_t> next_choices(std::vector<std::size_t> choices,
                                      const std::vector<std::size_t>& widths) {
  choices.resize(widths.size(), 0);
  while (!choices.empty() && ++choices.back() == widths[choices.size() - 1]) choices.pop_back();
  return choices;
}

}  // namespace

CaseOutcome run_sql_case(const json& recorded) {
  const std::string reason = Translator::not_covered(recorded);
  if (!reason.empty()) return {CaseOutcome::Status::not_covered, reason};
  const std::vector<Expected> accepted = all_expected(recorded);
  const bool stable = recorded.value("stable", true);
  std::string first_difference;
  std::vector<std::size_t> choices;
  for (std::size_t order = 0; order < kOrdersMax; ++order) {
    Replay replay(recorded, choices);
    Expected got;
    got.outcomes = replay.run();
    got.final_rows = replay.final_rows();
    for (const Expected& expected : accepted) {
      const std::string found = difference(expected, got);
      if (found.empty()) return {CaseOutcome::Status::passed, ""};
      if (first_difference.empty()) first_difference = found;
    }
    choices = next_choices(choices, replay.widths());
    if (stable || choices.empty()) break;
  }
  return {CaseOutcome::Status::differs, first_difference};
}

}  // namespace idemsim::tests
