// The race itself: B's check, A's record, B's use, and the proof that the check guards the use.
#pragma once

#include "sim/explain/case.hpp"

#include <optional>

namespace idemsim {

/// B's use is guarded by its check: told what the same statement says right after `moment`, B alone
/// ends without the use. Decided by a real continuation, never by the names of things:
/// 1. the run is repeated, and right after `moment` the statement is evaluated on a copy of the
///    store (World's Hindsight); if it says the same as it did, it guards nothing;
/// 2. the prefix up to the check is repeated, the check executes as ever, but B is told the other
///    result; from there B runs alone, fifo and benign, others only while it cannot.
/// Undecided within the limit of steps means not guarded.
[[nodiscard]] bool guarded(Case& c, EventIndex check, EventIndex moment);

/// The same question for a key that is stuck: told by its statement `check` what the statement says
/// right after `moment`, does the probe get a final answer?
[[nodiscard]] bool unstuck(Case& c, EventIndex check, EventIndex moment);

/// What a delivery was told by `check` may not matter at all. True if B, told what the statement
/// says right after `moment`, really does it again; false if that is undecided.
[[nodiscard]] bool ignored(Case& c, EventIndex check, EventIndex moment);

/// The events of a race by which TOCTOU is defined (design of findings).
struct RaceEvents {
  EventIndex check = -1;        ///< of B; read the newest committed version
  EventIndex record = -1;       ///< of A; later than the check
  EventIndex use = -1;          ///< of B; guarded by the check
  EventIndex other_check = -1;  ///< of A, at the same site; -1 = none found
  EventIndex other_use = -1;    ///< of A
};

/// The check nearest to the use that is guarded, with the first record that would have stopped it.
[[nodiscard]] std::optional<RaceEvents> find_race(Case& c);

/// The race as reports show it.
[[nodiscard]] Race race_of(const Case& c, const RaceEvents& race);

}  // namespace idemsim
