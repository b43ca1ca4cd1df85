// The report for programs: the format idemsim.result/1.
#pragma once

#include "sim/model/result.hpp"

#include <string>

namespace idemsim {

struct JsonStyle {
  bool stable = false;  ///< leave out `meta`, the only part that differs between two equal runs
};

/// The whole result, indented, with a newline at the end. The order of the fields is fixed. Text
/// that is not UTF-8 is replaced character by character.
[[nodiscard]] std::string render_json(const CampaignResult& result, const JsonStyle& style);

}  // namespace idemsim
