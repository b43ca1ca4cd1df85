// The fixed order of kinds, what follows from the property alone, and the words of all proofs.
#include "sim/explain/classify.hpp"

#include "sim/explain/words.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace idemsim {
namespace {

/// Kinds of which no proof exists yet are missing: they cannot occur in this version.
constexpr std::array<Prove, 12> kProofs = {
    prove_new_key,       prove_no_check,          prove_wrong_scope, prove_re_execution,
    prove_lost_record,   prove_ambiguous_outcome, prove_stale_read,  prove_expired_record,
    prove_early_release, prove_lost_lease,        prove_toctou,      prove_lost_effect,
};

std::string_view done_twice(OperationKind kind, bool provider) {
  switch (kind) {
    case OperationKind::create_order:
      return "created two orders";
    case OperationKind::charge:
      return provider ? "charged twice" : "booked twice";
    case OperationKind::payment_callback:
      break;
  }
  return "gave two coupons";
}

std::string answer_line(const Case& c, EventIndex i) {
  const EventWords words(c.world(), c.numbered().numbers);
  return fmt::format("{} {}", number(c, i), words.of(i));
}

}  // namespace

std::vector<Proof> classify(Case& c) {
  std::vector<Proof> proofs;
  for (const Prove prove : kProofs) {
    if (std::optional<Proof> proof = prove(c)) proofs.push_back(std::move(*proof));
  }
  if (std::optional<Proof> proof = prove_false_reply(c)) proofs.push_back(std::move(*proof));
  if (proofs.empty()) {
    if (std::optional<Proof> proof = prove_ignored_check(c)) proofs.push_back(std::move(*proof));
  }
  if (!proofs.empty()) return proofs;
  Proof unexplained;
  unexplained.text.push_back(
      "No explanation could be proved for this run; its trace shows what happened.");
  proofs.push_back(std::move(unexplained));
  return proofs;
}

/// The caller was told that it is done, and at the end there is nothing.
std::optional<Proof> prove_lost_effect(Case& c) {
  if (c.guilty().pair()) return std::nullopt;
  const Judgement judgement = judge_no_lost_effect(c.world().finished());
  if (!judgement.violated || judgement.operation != c.judgement().operation) return std::nullopt;
  Proof proof{FindingKind::lost_effect, {}, -1, {}};
  proof.text.push_back(
      fmt::format("The caller was told that it is done ({}).", at(c, judgement.first)));
  proof.text.push_back("At the end the ledger has no effect of this operation.");
  return proof;
}

/// An answer that a caller relies on says something that is not so.
std::optional<Proof> prove_false_reply(Case& c) {
  if (c.guilty().pair()) return std::nullopt;
  Proof proof{FindingKind::false_reply, {}, -1, {}};
  const Judgement& judgement = c.judgement();
  if (c.property() == Property::no_false_failure) {
    proof.text.push_back(
        fmt::format("The effect is in the ledger since {}.", at(c, judgement.first)));
    proof.text.push_back(
        fmt::format("The caller was told that it failed ({}).", at(c, judgement.second)));
    return proof;
  }
  if (c.property() == Property::stable_response) {
    proof.text.push_back(fmt::format("One final answer was {}.", answer_line(c, judgement.first)));
    proof.text.push_back(fmt::format("Another final answer to the same operation was {}.",
                                     answer_line(c, judgement.second)));
    return proof;
  }
  return std::nullopt;
}

std::string fix_for(FindingKind kind) {
  switch (kind) {
    case FindingKind::new_key:
      return "make the key before the first attempt and send the same one with every retry";
    case FindingKind::no_check:
      return "look the key up before the effect, in one step with claiming it";
    case FindingKind::wrong_scope:
      return "put caller, route and a fingerprint of the payload into the scope of a key";
    case FindingKind::inner_layer:
      return "hand the same key to the layer below";
    case FindingKind::re_execution:
      return "keep the effect out of what is repeated, or give it a key of its own";
    case FindingKind::lost_record:
      return "make effect and record one transaction; for an effect elsewhere claim the key "
             "first and hand a stable key to the other side";
    case FindingKind::ambiguous_outcome:
      return "treat a lost answer as unknown: ask what happened by a stable key before repeating";
    case FindingKind::stale_read:
      return "read what decides from the newest committed state";
    case FindingKind::expired_record:
      return "keep records longer than any caller may retry";
    case FindingKind::early_release:
      return "release the lock only after the record is committed";
    case FindingKind::lost_lease:
      return "let the resource refuse a stale owner: fencing token, or a unique index behind the "
             "lock";
    case FindingKind::toctou:
      return "make check and claim one atomic step, as a unique index does";
    case FindingKind::lost_effect:
      return "answer \"done\" only after the effect is committed";
    case FindingKind::false_reply:
      return "answer a failure only if it is certain that nothing happened; else say that it is "
             "not known";
    case FindingKind::unexplained:
      break;
  }
  return "";
}

std::string headline_of(const Case& c) {
  const Judgement& judgement = c.judgement();
  std::string operation = operation_name(c.world(), judgement.operation);
  const auto n = [&](EventIndex i) { return i < 0 ? std::string("nothing") : number(c, i); };
  const OperationKind kind = c.world().setup().scenario->operation;
  switch (c.property()) {
    case Property::at_most_once: {
      const bool provider = c.guilty().first >= 0 && c.statement(c.guilty().first) == nullptr;
      return fmt::format("{} {}: {} and {}", operation, done_twice(kind, provider),
                         n(c.guilty().first), n(c.guilty().second));
    }
    case Property::no_lost_effect:
      return fmt::format("{} was answered as done without an effect: {}", operation,
                         n(judgement.first));
    case Property::no_false_failure:
      return fmt::format("{} was answered as failed at {} but took effect at {}", operation,
                         n(judgement.second), n(judgement.first));
    case Property::stable_response:
      return fmt::format("{} got two different answers: {} and {}", operation, n(judgement.first),
                         n(judgement.second));
    case Property::no_stuck_key:
      return judgement.first < 0
                 ? fmt::format("{} is stuck: it never gets a final answer again", operation)
                 : fmt::format("{} is stuck: asked again it gets no final answer ({})", operation,
                               n(judgement.first));
    case Property::mutual_exclusion:
      return fmt::format("two handlers worked on {} at once: {} and {}", operation,
                         n(judgement.first), n(judgement.second));
    case Property::ledgers_agree:
      return fmt::format("{} is in one ledger only: {}", operation, n(judgement.first));
    case Property::exercised:
      break;
  }
  return operation;
}

std::string number(const Case& c, EventIndex event) {
  const std::uint32_t n = c.numbered().numbers[static_cast<std::size_t>(event)];
  return n == 0 ? "an event of the settle phase" : fmt::format("#{}", n);
}

std::string at(const Case& c, EventIndex event) {
  if (c.numbered().numbers[static_cast<std::size_t>(event)] == 0) return number(c, event);
  return fmt::format("{} ({})", number(c, event), format_ms(c.numbered().of(event).at_ns));
}

std::string who_is_who(const Case& c) {
  const auto who = [&](Origin delivery) {
    const EventIndex i = c.first_of(EventType::receive, delivery);
    const std::string name = delivery_name(c.world(), delivery);
    return i < 0 ? name : fmt::format("{} on {}", name, c.world().process_name(c.event(i).process));
  };
  if (!c.guilty().pair()) return fmt::format("A is {}.", who(c.guilty().a));
  return fmt::format("A is {}, B is {}.", who(c.guilty().a), who(c.guilty().b));
}

std::string was_told(const Case& c, EventIndex event) {
  const std::string told = told_at(c.world(), event);
  if (told == "nothing" || told == "nil") return "was told that nothing was there";
  return fmt::format("was told \"{}\"", told);
}

}  // namespace idemsim
