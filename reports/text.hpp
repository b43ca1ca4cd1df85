// The report for a terminal: verdict first, the matrix, then one race in full.
#pragma once

#include "sim/model/result.hpp"

#include <cstdint>
#include <string>

namespace idemsim {

/// How a text report looks and how much of it is wanted.
struct TextStyle {
  bool colour = false;  ///< ANSI colours; the caller knows whether it writes to a terminal
  bool ascii = false;   ///< no character outside ASCII
  int width = 80;       ///< columns of the terminal; below 60 counts as 60
  enum class Part : std::uint8_t { everything, matrix, findings } part = Part::everything;
  std::string finding{};  ///< id of the finding to print in full; empty = the most telling one
};

/// The whole report. Ends with a newline; the same bytes for the same result and style.
[[nodiscard]] std::string render_text(const CampaignResult& result, const TextStyle& style);

/// One finding of the result with its trace, for `idemsim replay`. Without an explanation it is
/// the trace as a numbered list, and says so.
[[nodiscard]] std::string render_finding_text(const CampaignResult& result, const Finding& finding,
                                              const TextStyle& style);

}  // namespace idemsim
