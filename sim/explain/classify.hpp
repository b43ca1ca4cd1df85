// Which kind of failure it is: each kind is proved from the history or by running it again.
#pragma once

#include "sim/explain/case.hpp"
#include "sim/explain/race.hpp"
#include "sim/model/verdict.hpp"

#include <optional>
#include <string>
#include <vector>

namespace idemsim {

/// A kind that was proved, the reasons in words, and the events that it rests on.
struct Proof {
  FindingKind kind = FindingKind::unexplained;
  std::vector<std::string> text;
  EventIndex check = -1;           ///< of B, for the fingerprint; -1 = there is none
  std::optional<RaceEvents> race;  ///< toctou only
};

/// All kinds that can be proved, in their fixed order; at least one (`unexplained`). The first one
/// is the kind of the finding.
[[nodiscard]] std::vector<Proof> classify(Case& c);

/// What to do about it, as a class of fixes.
[[nodiscard]] std::string fix_for(FindingKind kind);

/// What happened, in one line: "operation 1 charged twice: #7 and #9".
[[nodiscard]] std::string headline_of(const Case& c);

// ---- the proofs, by what they rest on; each is empty if the kind cannot be proved ----

using Prove = std::optional<Proof> (*)(Case&);

// classify_keys.cpp: who asked, and whether anything was asked at all
[[nodiscard]] std::optional<Proof> prove_new_key(Case& c);
[[nodiscard]] std::optional<Proof> prove_no_check(Case& c);
[[nodiscard]] std::optional<Proof> prove_wrong_scope(Case& c);
/// Only asked if nothing else could be proved: B was told of A's work, or would do the same if it
/// were told, so no check stands before its effect either.
[[nodiscard]] std::optional<Proof> prove_ignored_check(Case& c);
[[nodiscard]] std::optional<Proof> prove_re_execution(Case& c);

// classify_faults.cpp: a fault took something away
[[nodiscard]] std::optional<Proof> prove_lost_record(Case& c);
[[nodiscard]] std::optional<Proof> prove_ambiguous_outcome(Case& c);

// classify_times.cpp: something was there too short, or too late
[[nodiscard]] std::optional<Proof> prove_stale_read(Case& c);
[[nodiscard]] std::optional<Proof> prove_expired_record(Case& c);
[[nodiscard]] std::optional<Proof> prove_early_release(Case& c);
[[nodiscard]] std::optional<Proof> prove_lost_lease(Case& c);
[[nodiscard]] std::optional<Proof> prove_toctou(Case& c);

// classify.cpp: what the property itself says
[[nodiscard]] std::optional<Proof> prove_lost_effect(Case& c);
[[nodiscard]] std::optional<Proof> prove_false_reply(Case& c);

// ---- words that the proofs share ----

/// "#6 (8.0 ms)".
[[nodiscard]] std::string at(const Case& c, EventIndex event);
/// "#6".
[[nodiscard]] std::string number(const Case& c, EventIndex event);
/// "A is attempt 1 on server-1, B is attempt 2 on server-2."
[[nodiscard]] std::string who_is_who(const Case& c);
/// "was told that nothing was there", from the text of the statement.
[[nodiscard]] std::string was_told(const Case& c, EventIndex event);

}  // namespace idemsim
