// Properties and verdicts: what is judged, and the three values that a judgement can have.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace idemsim {

/// The properties that oracles decide; names are file names, output names and scenario names.
enum class Property : std::uint8_t {
  at_most_once,
  no_lost_effect,
  no_false_failure,
  stable_response,
  no_stuck_key,
  mutual_exclusion,
  ledgers_agree,
  exercised,
};
inline constexpr std::array kProperties = {
    Property::at_most_once,    Property::no_lost_effect, Property::no_false_failure,
    Property::stable_response, Property::no_stuck_key,   Property::mutual_exclusion,
    Property::ledgers_agree,   Property::exercised,
};

[[nodiscard]] std::string_view to_string(Property property);
/// One sentence for `idemsim list properties`.
[[nodiscard]] std::string_view summary_of(Property property);
[[nodiscard]] std::optional<Property> property_named(std::string_view name);

/// `holds` only after the bounded space was exhausted; `not_seen` always comes with its N.
enum class Verdict : std::uint8_t { violated, holds, not_seen };
[[nodiscard]] std::string_view to_string(Verdict verdict);

/// Kinds of findings, in the fixed order in which they are tried (design section 9).
enum class FindingKind : std::uint8_t {
  new_key,
  no_check,
  wrong_scope,
  inner_layer,
  re_execution,
  lost_record,
  ambiguous_outcome,
  stale_read,
  expired_record,
  early_release,
  lost_lease,
  toctou,
  lost_effect,
  false_reply,
  unexplained,  ///< no kind could be proved: the trace is printed and says so
};
[[nodiscard]] std::string_view to_string(FindingKind kind);
[[nodiscard]] std::optional<FindingKind> finding_kind_named(std::string_view name);

}  // namespace idemsim
