// The oracles: each decides one property from the finished history and the ledgers alone.
#pragma once

#include "sim/base/ids.hpp"
#include "sim/model/history.hpp"
#include "sim/model/verdict.hpp"

#include <cstdint>

namespace idemsim {

/// What an oracle found in one run. Not violated in a run that was not completed means nothing:
/// callers must not count such a run.
struct Judgement {
  bool violated = false;
  OperationId operation;   ///< whose property broke; default if not violated
  EventIndex first = -1;   ///< the guilty events, in the order in which the oracle names them;
  EventIndex second = -1;  ///< -1 = there is none to point at
  friend bool operator==(const Judgement&, const Judgement&) = default;
};

/// At most one effect per operation and ledger. Guilty: the first two effects.
[[nodiscard]] Judgement judge_at_most_once(const FinishedRun& run);
/// A caller who was told "done" or "stored" has an effect. Guilty: that answer.
[[nodiscard]] Judgement judge_no_lost_effect(const FinishedRun& run);
/// A caller who was told "failed" has no effect. Guilty: the effect, that answer.
[[nodiscard]] Judgement judge_no_false_failure(const FinishedRun& run);
/// The final answers to one operation agree. Guilty: the first two that do not.
[[nodiscard]] Judgement judge_stable_response(const FinishedRun& run);
/// The probe after the faults gets a final answer. Guilty: the probe's last answer.
[[nodiscard]] Judgement judge_no_stuck_key(const FinishedRun& run);
/// Critical sections of one key do not overlap. Guilty: the two entries.
[[nodiscard]] Judgement judge_mutual_exclusion(const FinishedRun& run);
/// Local rows and provider charges are the same. Guilty: the effect without counterpart.
[[nodiscard]] Judgement judge_ledgers_agree(const FinishedRun& run);

/// True if the protection worked outside the probes. A verdict over runs in which it never did is
/// vacuous, so `exercised` is decided over all runs of a strategy, not by `judge`.
[[nodiscard]] bool exercised_in(const FinishedRun& run);

/// The oracle of that name. `exercised` is never violated here, see `exercised_in`.
[[nodiscard]] Judgement judge(Property property, const FinishedRun& run);

/// The bit of a property in `violated_set`.
[[nodiscard]] constexpr std::uint32_t bit_of(Property property) {
  return std::uint32_t{1} << static_cast<std::uint8_t>(property);
}

/// All violated properties of a run at once, for the exploring path: it allocates nothing and skips
/// the oracles that this history cannot violate. Same answers as `judge`.
[[nodiscard]] std::uint32_t violated_set(const FinishedRun& run);

}  // namespace idemsim
