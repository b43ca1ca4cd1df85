// Kinds that rest on when something was there: read, record, lock, lease.
#include "sim/explain/classify.hpp"
#include "sim/explain/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace idemsim {
namespace {

/// Reads that change nothing: what they say is the state of the store.
bool only_reads(const Heard& heard) {
  if (!heard.told.in_database) {
    return heard.command.verb == kv::Verb::get || heard.command.verb == kv::Verb::exists;
  }
  return heard.statement.verb == sql::Verb::select &&
         heard.statement.row_lock == sql::RowLock::none;
}

/// The end of the delivery's work: its answer, its leaving, or a crash; the number of events if
/// there is none.
EventIndex end_of_work(const Case& c, Origin delivery, EventIndex after) {
  const EventIndex entered = c.first_of(EventType::enter, delivery);
  for (EventIndex i = after; i < static_cast<EventIndex>(c.events().size()); ++i) {
    const Event& e = c.event(i);
    if (e.type == EventType::answer && c.of_handler(i, delivery)) return i;
    if (e.type == EventType::leave && entered >= 0 && c.of_handler(i, delivery)) return i;
    const EventIndex received = c.first_of(EventType::receive, delivery);
    if (e.type == EventType::fault && e.fault == FaultKind::crash &&
        e.process == c.event(received).process) {
      return i;
    }
  }
  return static_cast<EventIndex>(c.events().size());
}

/// Who made the entry whose time has ended; the default if nobody known did.
Origin armed_by(const Case& c, const Event& expiry) {
  return expiry.cause < 0 ? Origin{} : c.event(expiry.cause).step.from();
}

/// The claim of `holder` that ended at event `x` against its will: its time was over, or somebody
/// else removed it; -1 if it is nothing like that.
EventIndex claim_ended_at(const Case& c, EventIndex x, Origin holder) {
  const Event& end = c.event(x);
  if (end.type == EventType::expire) {
    if (end.cause < 0 || armed_by(c, end) != holder) return -1;
    return c.of_handler(end.cause, holder) ? end.cause : -1;
  }
  if (!c.removes(x) || c.of_handler(x, holder) || end.read_from < 0) return -1;
  return c.of_handler(end.read_from, holder) ? end.read_from : -1;
}

/// "The time of that claim ended at #17", or who removed it.
std::string how_it_ended(const Case& c, EventIndex x, std::string_view name) {
  if (c.event(x).type == EventType::expire) {
    return fmt::format("The time of that claim ended at {} while {} was still at work.", at(c, x),
                       name);
  }
  return fmt::format("At {} {} removed it, although it was not its own, while {} was at work.",
                     at(c, x), delivery_name(c.world(), c.event(x).step.from()), name);
}

std::optional<Proof> lease_lost_by(Case& c, Origin holder, Origin other) {
  const Guilty& guilty = c.guilty();
  const EventIndex use = holder == guilty.a ? guilty.first : guilty.second;
  const EventIndex other_use = holder == guilty.a ? guilty.second : guilty.first;
  for (EventIndex x = 0; x < static_cast<EventIndex>(c.events().size()); ++x) {
    const EventIndex claim = claim_ended_at(c, x, holder);
    // What is written after the effect is a record, and before it a claim.
    if (claim < 0 || (claim >= use && c.event(use).type == EventType::effect)) continue;
    if (end_of_work(c, holder, claim) < x || other_use < x) continue;
    for (const EventIndex i : c.statements_of(other)) {
      const EventIndex from = c.event(i).read_from;
      if (i < x || i > other_use || (from != x && from != claim)) continue;
      Proof proof{FindingKind::lost_lease, {who_is_who(c)}, i, {}};
      const std::string_view name = holder == guilty.a ? "A" : "B";
      const std::string_view rival = holder == guilty.a ? "B" : "A";
      proof.text.push_back(fmt::format("{} claimed the key at {}.", name, at(c, claim)));
      proof.text.push_back(how_it_ended(c, x, name));
      proof.text.push_back(
          fmt::format("{} got in at {} and went on to {}.", rival, at(c, i), at(c, other_use)));
      return proof;
    }
  }
  return std::nullopt;
}

/// A record that was there and is not any more.
struct Ended {
  EventIndex end = -1;     ///< its expiry, or the purge that removed it
  EventIndex record = -1;  ///< the last statement of its owner before that
  Origin owner;
};

/// Who left the record that ends at event `x`: its time was armed after the effect, or by a
/// delivery that had answered since. What ends while its owner is at work is a lease.
std::optional<Origin> owner_of_record(const Case& c, EventIndex x) {
  const Event& end = c.event(x);
  if (end.type != EventType::expire || end.cause < 0) return std::nullopt;
  const Origin owner = armed_by(c, end);
  const EventIndex answered = c.first_of(EventType::answer, owner);
  const EventIndex effect = c.first_of(EventType::effect, owner);
  const bool finished = answered >= 0 && answered < x && is_final(c.event(answered).status);
  const bool after_effect = effect >= 0 && end.cause >= effect;
  if (!finished && !after_effect) return std::nullopt;
  return owner;
}

/// The end that made `check` say what it said: right after it the statement says the same, right
/// after the owner's last statement before it something else, and that `matters`.
std::optional<Ended> ended_record(Case& c, EventIndex check,
                                  bool (*matters)(Case&, EventIndex, EventIndex)) {
  std::optional<Origin> owner;
  for (EventIndex x = 0; x < check; ++x) {
    if (const std::optional<Origin> one = owner_of_record(c, x)) {
      owner = one;
    } else if (!owner || !c.purges(x)) {
      continue;
    }
    const std::optional<Told> after = c.told_after(check, x);
    if (!after || !after->same_as(c.statement(check)->told)) continue;
    std::vector<EventIndex> records = c.statements_of(*owner);
    std::reverse(records.begin(), records.end());
    for (const EventIndex record : records) {
      if (record < x && matters(c, check, record)) return Ended{x, record, *owner};
    }
  }
  return std::nullopt;
}

Proof expiry_proof(const Case& c, EventIndex check, const Ended& ended) {
  Proof proof{FindingKind::expired_record, {}, check, {}};
  if (c.guilty().pair()) proof.text.push_back(who_is_who(c));
  proof.text.push_back(fmt::format("{} had left its record at {}.",
                                   delivery_name(c.world(), ended.owner), at(c, ended.record)));
  proof.text.push_back(fmt::format(
      "That record {} at {}.",
      c.event(ended.end).type == EventType::expire ? "expired" : "was purged", at(c, ended.end)));
  const Origin asking = c.event(check).step.from();
  proof.text.push_back(fmt::format("{} asked at {} and {}.", delivery_name(c.world(), asking),
                                   at(c, check), was_told(c, check)));
  proof.text.push_back(c.guilty().pair()
                           ? fmt::format("So the effect was made again at {}; told of the record, "
                                         "B ends without it (re-run: confirmed).",
                                         at(c, c.guilty().second))
                           : std::string("Told of the record, it gets a final answer (re-run: "
                                         "confirmed)."));
  return proof;
}

void add_race_words(const Case& c, const RaceEvents& race, std::vector<std::string>& text) {
  const Race r = race_of(c, race);
  const Value key = c.event(race.check).key;
  const std::string what = key.kind == Value::Kind::key ? fmt::format(" K{}", key.bits) : "";
  text.push_back(
      fmt::format("B checked{} at {} and {}.", what, at(c, race.check), was_told(c, race.check)));
  if (race.other_check >= 0) {
    text.push_back(fmt::format(
        "A had checked at {}, but its record was there only from {} on: B's check fell into A's "
        "gap of {}.",
        at(c, race.other_check), at(c, race.record), format_ms(r.gap_ns)));
  } else {
    text.push_back(fmt::format("A's record was there only from {} on.", at(c, race.record)));
  }
  text.push_back(
      fmt::format("B used that answer at {}: for {} it relied on what nothing protected.",
                  at(c, race.use), format_ms(r.window_ns)));
  text.push_back(fmt::format("Told of the record, B alone ends without {} (re-run: confirmed).",
                             number(c, race.use)));
}

}  // namespace

/// B's check did not say what the newest committed state says: the statement is evaluated again at
/// its own moment.
std::optional<Proof> prove_stale_read(Case& c) {
  for (const EventIndex check : c.checks()) {
    const Heard* heard = c.statement(check);
    if (!only_reads(*heard)) continue;
    const std::optional<Told> newest = c.told_after(check, check);
    if (!newest || newest->same_as(heard->told)) continue;
    Proof proof{FindingKind::stale_read, {who_is_who(c)}, check, {}};
    proof.text.push_back(fmt::format("B checked at {} and {}.", at(c, check), was_told(c, check)));
    proof.text.push_back("The newest committed state said something else at that moment.");
    return proof;
  }
  return std::nullopt;
}

/// The time of what A left as a record ended, and the one who asked after that was told otherwise;
/// told of the record, it does the right thing.
std::optional<Proof> prove_expired_record(Case& c) {
  if (c.property() == Property::no_stuck_key) {
    for (EventIndex i = 0; i < static_cast<EventIndex>(c.events().size()); ++i) {
      const Event& probe = c.event(i);
      if (!probe.probe || probe.type != EventType::step || !c.can_tell(i)) continue;
      if (probe.step.from().operation_id() != c.judgement().operation) continue;
      const std::optional<Ended> ended = ended_record(c, i, unstuck);
      if (ended) return expiry_proof(c, i, *ended);
    }
    return std::nullopt;
  }
  const Guilty& guilty = c.guilty();
  if (!guilty.pair() || guilty.a == guilty.b) return std::nullopt;
  for (const EventIndex check : c.checks()) {
    const std::optional<Ended> ended = ended_record(c, check, guarded);
    if (ended && ended->owner == guilty.a) return expiry_proof(c, check, *ended);
  }
  return std::nullopt;
}

/// A left its section before its record, B entered in between and checked before the record.
std::optional<Proof> prove_early_release(Case& c) {
  const Guilty& guilty = c.guilty();
  if (!guilty.pair() || guilty.a == guilty.b) return std::nullopt;
  const EventIndex left = c.first_of(EventType::leave, guilty.a);
  const EventIndex entered = c.first_of(EventType::enter, guilty.b);
  if (left < 0 || entered < left) return std::nullopt;
  for (const EventIndex record : c.statements_of(guilty.a)) {
    if (record < left) continue;
    for (const EventIndex check : c.checks()) {
      if (check < left || check > record || !guarded(c, check, record)) continue;
      Proof proof{FindingKind::early_release, {who_is_who(c)}, check, {}};
      proof.text.push_back(fmt::format("A left its section at {}, before its record at {}.",
                                       at(c, left), at(c, record)));
      proof.text.push_back(fmt::format("B entered at {}, checked at {} and {}.", at(c, entered),
                                       at(c, check), was_told(c, check)));
      proof.text.push_back(fmt::format("So B made the effect again at {}.", at(c, guilty.second)));
      return proof;
    }
  }
  return std::nullopt;
}

/// The time of a claim ended while its holder was inside, and the other one got in by that.
std::optional<Proof> prove_lost_lease(Case& c) {
  const Guilty& guilty = c.guilty();
  if (!guilty.pair() || guilty.a == guilty.b) return std::nullopt;
  if (std::optional<Proof> proof = lease_lost_by(c, guilty.a, guilty.b)) return proof;
  return lease_lost_by(c, guilty.b, guilty.a);
}

std::optional<Proof> prove_toctou(Case& c) {
  const std::optional<RaceEvents> race = find_race(c);
  if (!race) return std::nullopt;
  Proof proof{FindingKind::toctou, {who_is_who(c)}, race->check, race};
  add_race_words(c, *race, proof.text);
  return proof;
}

}  // namespace idemsim
