// "Had it come in the other order": a run that shows it, or nothing.
#pragma once

#include "sim/explain/race.hpp"

#include <optional>

namespace idemsim {

/// The same run with A's record before B's check.
struct OtherOrder {
  Status answer = Status::unknown;  ///< what B answered then
  Schedule schedule;
  Hash128 hash;
};

/// Replays up to B's check, holds B, runs A's record with its causal past, then the original order;
/// new decisions are benign. Nothing, unless that run had the same attempts and faults, B got a
/// final answer and all properties held.
[[nodiscard]] std::optional<OtherOrder> other_order(Case& c, const RaceEvents& race);

}  // namespace idemsim
