// What a cell of the matrix says in one sign, and how many cells say it: shared by all reports.
#pragma once

#include "sim/model/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace idemsim {

/// The outcome of a property or of a cell, worst first.
enum class Sign : std::uint8_t {
  unexpected,   ///< violated, and the scenario does not expect it, or for another reason
  refuted,      ///< holds, although the scenario expects a violation
  unmentioned,  ///< violated, and the scenario expects things, but nothing about this
  expected,     ///< violated, as the scenario expects
  cut,          ///< not violated so far, and the search ended early: says nothing
  vacuous,      ///< not violated, but the protection never had to work
  not_seen,     ///< not violated in a sample, with an upper bound
  holds,        ///< the bounded space was exhausted
};

[[nodiscard]] Sign sign_of(const CellResult& cell, const PropertyOutcome& outcome);
/// The worst sign among the properties of the cell.
[[nodiscard]] Sign sign_of(const CellResult& cell);

/// Cells by outcome. `inconclusive` are those that are cut or vacuous, or in which an expectation
/// could not be decided.
struct CellCounts {
  std::size_t unexpected = 0;
  std::size_t unmentioned = 0;
  std::size_t expected = 0;
  std::size_t inconclusive = 0;
  std::size_t total = 0;
};
[[nodiscard]] CellCounts counts_of(const CampaignResult& result);

/// Why a search ended early, in words: "time budget".
[[nodiscard]] std::string_view reason_of(Cut cut);
/// What kind of violation the property names: "DUPLICATE EFFECT".
[[nodiscard]] std::string_view title_of(Property property);
/// The property as a word of a table: `no_lost_effect` -> "lost_effect".
[[nodiscard]] std::string_view violation_of(Property property);
/// "exhaustive, bounded time".
[[nodiscard]] std::string basis_of(const CellResult& cell);

/// The trace of a finding, its cell, a finding by id; null if the result does not have it.
[[nodiscard]] const Trace* trace_of(const CampaignResult& result, const Finding& finding);
[[nodiscard]] const CellResult* cell_of(const CampaignResult& result, const Finding& finding);
[[nodiscard]] const Finding* finding_of(const CampaignResult& result, std::string_view id);
/// The event with that number; null if there is none.
[[nodiscard]] const TraceEvent* event_of(const Trace& trace, std::uint32_t n);

}  // namespace idemsim
