// Kinds that rest on who asked for what: another key, no question, a foreign record, a repetition.
#include "sim/explain/classify.hpp"
#include "sim/explain/words.hpp"
#include "sim/oracles/facts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace idemsim {

/// The two effects of one operation ran under different keys: it is in the requests as received.
std::optional<Proof> prove_new_key(Case& c) {
  const Guilty& guilty = c.guilty();
  if (!guilty.pair() || guilty.a == guilty.b) return std::nullopt;
  const EventIndex a = c.first_of(EventType::receive, guilty.a);
  const EventIndex b = c.first_of(EventType::receive, guilty.b);
  if (a < 0 || b < 0) return std::nullopt;
  const Value one = c.event(a).key;
  const Value other = c.event(b).key;
  if (one.is_null() || other.is_null() || one == other) return std::nullopt;
  Proof proof{FindingKind::new_key, {who_is_who(c)}, -1, {}};
  proof.text.push_back(fmt::format("A came with the key K{} at {}, B with K{} at {}.", one.bits,
                                   at(c, a), other.bits, at(c, b)));
  proof.text.push_back(fmt::format("Nothing that goes by the key can know that both are {}.",
                                   operation_name(c.world(), guilty.a.operation_id())));
  return proof;
}

/// B executed nothing before its use whose result could have depended on what A does.
std::optional<Proof> prove_no_check(Case& c) {
  const Guilty& guilty = c.guilty();
  if (!guilty.pair() || guilty.a == guilty.b || !c.checks().empty()) return std::nullopt;
  if (c.first_of(EventType::receive, guilty.b) < 0) return std::nullopt;
  Proof proof{FindingKind::no_check, {who_is_who(c)}, -1, {}};
  proof.text.push_back(
      fmt::format("B asked no store anything before {}: it could not know of A's {}.",
                  at(c, guilty.second), at(c, guilty.first)));
  return proof;
}

/// B was told something that A had left, or would be told so right after one of A's statements, and
/// made its effect all the same: proved by its own run, or by running it again.
std::optional<Proof> prove_ignored_check(Case& c) {
  const Guilty& guilty = c.guilty();
  if (!guilty.pair() || guilty.a == guilty.b) return std::nullopt;
  Proof proof{FindingKind::no_check, {who_is_who(c)}, -1, {}};
  const auto gone = [&](EventIndex i) {
    return i >= 0 && (c.takes_away(i) || c.event(i).type == EventType::expire);
  };
  const std::vector<EventIndex> checks = c.checks();
  for (const EventIndex check : checks) {
    // What it saw was gone when it asked again.
    const bool asked_again = std::ranges::any_of(
        checks, [&](EventIndex later) { return later > check && gone(c.event(later).read_from); });
    if (asked_again) continue;
    const EventIndex from = c.event(check).read_from;
    if (from < guilty.first || c.event(from).step.from() != guilty.a) continue;
    if (gone(from)) continue;
    proof.check = check;
    proof.text.push_back(fmt::format(
        "B saw at {} what A had left at {} after its effect, and made its own at {} all the same.",
        at(c, check), at(c, from), at(c, guilty.second)));
    return proof;
  }
  const std::vector<EventIndex> told_by = c.statements_of(guilty.a);
  for (const EventIndex check : c.checks()) {
    for (const EventIndex moment : told_by) {
      if (moment < guilty.first || !ignored(c, check, moment)) continue;
      proof.check = check;
      proof.text.push_back(fmt::format("B asked at {} and {}.", at(c, check), was_told(c, check)));
      proof.text.push_back(fmt::format(
          "Told what the same statement says after A's {}, it makes its effect all the same "
          "(re-run: confirmed).",
          at(c, moment)));
      return proof;
    }
  }
  return std::nullopt;
}

/// An answer "stored" that was read from the record of another operation.
std::optional<Proof> prove_wrong_scope(Case& c) {
  if (c.guilty().pair() || c.judgement().first < 0) return std::nullopt;
  const Event& told = c.event(c.judgement().first);
  if (!claims_effect(told) || told.cause < 0) return std::nullopt;
  const Origin delivery = told.step.from();
  for (const EventIndex i : c.statements_of(delivery)) {
    const EventIndex from = c.event(i).read_from;
    if (from < 0 || c.event(from).step.from().operation_id() == delivery.operation_id()) continue;
    if (c.event(from).step.is_fault()) continue;
    Proof proof{FindingKind::wrong_scope, {}, i, {}};
    proof.text.push_back(fmt::format(
        "{} read at {} the record that {} wrote at {}.", delivery_name(c.world(), delivery),
        at(c, i), operation_name(c.world(), c.event(from).step.from().operation_id()),
        at(c, from)));
    proof.text.push_back(fmt::format("Its caller was told \"{}\" at {}; the effect was never made.",
                                     to_string(told.status), at(c, c.judgement().first)));
    return proof;
  }
  return std::nullopt;
}

/// One delivery made both effects.
std::optional<Proof> prove_re_execution(Case& c) {
  const Guilty& guilty = c.guilty();
  if (!guilty.pair() || guilty.a != guilty.b) return std::nullopt;
  Proof proof{FindingKind::re_execution, {}, -1, {}};
  proof.text.push_back(
      fmt::format("One and the same delivery ({}) made the effect at {} and at {}.",
                  delivery_name(c.world(), guilty.a), at(c, guilty.first), at(c, guilty.second)));
  return proof;
}

}  // namespace idemsim
