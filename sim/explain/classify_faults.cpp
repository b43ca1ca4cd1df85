// Kinds that rest on a fault: the record that was never written, the answer that was never heard.
#include "sim/explain/classify.hpp"
#include "sim/explain/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace idemsim {
namespace {

bool hides_outcome(FaultKind kind) {
  return kind == FaultKind::lost_after || kind == FaultKind::orphaned;
}

/// Did the fault hide from A whether its effect happened? Then A did not know; else A knew and was
/// stopped on its way to the record.
bool hides_effect(const Case& c, EventIndex fault, EventIndex effect) {
  const Event& f = c.event(fault);
  if (!hides_outcome(f.fault)) return false;
  if (f.step == c.event(effect).step || c.event(effect).cause == fault) return true;
  // The statement that was hidden may be the COMMIT that made the effect final.
  const auto committed = [&](EventIndex i) {
    const Heard* heard = c.statement(i);
    return (c.event(i).step == f.step || c.event(i).cause == fault) && heard != nullptr &&
           heard->told.in_database && heard->statement.verb == sql::Verb::commit;
  };
  const std::vector<EventIndex> all = c.statements_of(f.step.from());
  return fault > effect && std::any_of(all.begin(), all.end(), committed);
}

/// Did the fault strike A when its effect had happened, or was on its way?
bool strikes_after(const Case& c, EventIndex fault, EventIndex effect) {
  return fault > effect || c.event(effect).cause == fault;
}

/// Nothing that A wrote after its effect stayed.
bool never_recorded(const Case& c, Origin a, EventIndex effect) {
  const std::vector<EventIndex> all = c.statements_of(a);
  return std::none_of(all.begin(), all.end(),
                      [&](EventIndex i) { return i > effect && c.leaves_trace(i); });
}

/// Did the event leave something that can be found? An expiry or a release leaves nothing.
bool leaves_something(const Case& c, EventIndex i) {
  return c.event(i).type != EventType::expire && !c.takes_away(i);
}

/// Whatever B asked after the fault, it found nothing that A wrote after its effect.
bool nothing_was_found(const Case& c, EventIndex fault) {
  const Guilty& guilty = c.guilty();
  bool asked = false;
  for (const EventIndex check : c.checks()) {
    if (check < fault) continue;
    asked = true;
    const EventIndex from = c.event(check).read_from;
    if (from <= guilty.first || c.event(from).step.from() != guilty.a) continue;
    if (leaves_something(c, from)) return false;
  }
  return asked;
}

std::string fault_line(const Case& c, EventIndex fault) {
  const EventWords words(c.world(), c.numbered().numbers);
  return fmt::format("At {} {}", at(c, fault), words.of(fault));
}

/// The delivery whose claim the probe met: it wrote what the probe read, and a fault stopped it.
std::optional<Proof> stuck_after_fault(Case& c) {
  for (EventIndex i = 0; i < static_cast<EventIndex>(c.events().size()); ++i) {
    const Event& probe = c.event(i);
    if (!probe.probe || probe.read_from < 0) continue;
    if (probe.step.from().operation_id() != c.judgement().operation) continue;
    const Origin owner = c.event(probe.read_from).step.from();
    const std::vector<EventIndex> faults = c.faults_of(owner);
    if (faults.empty() || c.event(probe.read_from).probe) continue;
    const EventIndex fault = faults.front();
    if (!strikes_after(c, fault, probe.read_from)) continue;
    Proof proof{FindingKind::lost_record, {}, i, {}};
    proof.text.push_back(fmt::format("{} claimed the key at {}.", delivery_name(c.world(), owner),
                                     at(c, probe.read_from)));
    proof.text.push_back(fault_line(c, fault) + ": its final record was never written.");
    proof.text.push_back(fmt::format(
        "After all faults the key was asked for again, found that claim at {} and got no further.",
        at(c, i)));
    return proof;
  }
  return std::nullopt;
}

/// The delivery whose last word the probe met: it wrote that without knowing what had happened.
std::optional<Proof> stuck_after_lost_answer(Case& c) {
  for (EventIndex i = 0; i < static_cast<EventIndex>(c.events().size()); ++i) {
    const Event& probe = c.event(i);
    if (!probe.probe || probe.read_from < 0 || c.event(probe.read_from).probe) continue;
    if (probe.step.from().operation_id() != c.judgement().operation) continue;
    const Origin owner = c.event(probe.read_from).step.from();
    for (const EventIndex fault : c.faults_of(owner)) {
      if (fault > probe.read_from || c.event(fault).fault == FaultKind::crash) continue;
      Proof proof{FindingKind::ambiguous_outcome, {}, i, {}};
      proof.text.push_back(fault_line(c, fault) + fmt::format(": {} could not know the outcome.",
                                                              delivery_name(c.world(), owner)));
      proof.text.push_back(
          fmt::format("What it then wrote at {} is all that is known.", at(c, probe.read_from)));
      proof.text.push_back(fmt::format(
          "After all faults the key was asked for again, found that at {} and got no further.",
          at(c, i)));
      return proof;
    }
  }
  return std::nullopt;
}

/// One effect without what belongs to it, because a fault came between.
std::optional<Proof> effect_without_record(Case& c) {
  const Guilty& guilty = c.guilty();
  if (guilty.first < 0) return std::nullopt;
  for (const EventIndex fault : c.faults_of(guilty.a)) {
    if (!strikes_after(c, fault, guilty.first) || hides_effect(c, fault, guilty.first)) continue;
    if (!never_recorded(c, guilty.a, guilty.first)) continue;
    Proof proof{FindingKind::lost_record, {who_is_who(c)}, -1, {}};
    proof.text.push_back(fmt::format("A made its effect at {}.", at(c, guilty.first)));
    proof.text.push_back(fault_line(c, fault) + ", before A had written anything about it.");
    return proof;
  }
  return std::nullopt;
}

}  // namespace

/// A fault between A's effect and A's record, and A never recorded.
std::optional<Proof> prove_lost_record(Case& c) {
  const Guilty& guilty = c.guilty();
  if (c.property() == Property::no_stuck_key) return stuck_after_fault(c);
  if (!guilty.pair()) return effect_without_record(c);
  if (guilty.a == guilty.b) return std::nullopt;
  for (const EventIndex fault : c.faults_of(guilty.a)) {
    if (!strikes_after(c, fault, guilty.first) || hides_effect(c, fault, guilty.first)) continue;
    if (fault > guilty.second) continue;
    if (!never_recorded(c, guilty.a, guilty.first) && !nothing_was_found(c, fault)) continue;
    Proof proof{FindingKind::lost_record, {who_is_who(c)}, -1, {}};
    proof.text.push_back(fmt::format("A made its effect at {}.", at(c, guilty.first)));
    proof.text.push_back(fault_line(c, fault) + ": A never wrote its record.");
    const std::vector<EventIndex> checks = c.checks();
    if (!checks.empty()) {
      proof.check = checks.back();
      proof.text.push_back(
          fmt::format("B checked at {} and {}.", at(c, proof.check), was_told(c, proof.check)));
    }
    proof.text.push_back(fmt::format("So B made the effect again at {}.", at(c, guilty.second)));
    return proof;
  }
  return std::nullopt;
}

/// A's effect happened, A was not told, and somebody asked again.
std::optional<Proof> prove_ambiguous_outcome(Case& c) {
  const Guilty& guilty = c.guilty();
  if (guilty.first < 0) {
    return c.property() == Property::no_stuck_key ? stuck_after_lost_answer(c) : std::nullopt;
  }
  for (const EventIndex fault : c.faults_of(guilty.a)) {
    if (!hides_effect(c, fault, guilty.first)) continue;
    Proof proof{FindingKind::ambiguous_outcome, {who_is_who(c)}, -1, {}};
    proof.text.push_back(fmt::format("A's effect happened at {}, but {} hid it from A.",
                                     at(c, guilty.first), number(c, fault)));
    if (!guilty.pair()) return proof;
    if (guilty.a == guilty.b) {
      proof.text.push_back(fmt::format("A did it again at {}.", at(c, guilty.second)));
      return proof;
    }
    const EventIndex again = c.invoke_of(guilty.b);
    if (again < fault || guilty.b.attempt() == guilty.a.attempt()) continue;
    const std::vector<EventIndex> checks = c.checks();
    if (!checks.empty()) proof.check = checks.back();
    proof.text.push_back(fmt::format("The caller asked again at {}, and B made the effect at {}.",
                                     at(c, again), at(c, guilty.second)));
    return proof;
  }
  return std::nullopt;
}

}  // namespace idemsim
