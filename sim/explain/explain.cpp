// The pipeline: shrink, run again, classify, put into words, try the other order.
#include "sim/explain/explain.hpp"

#include "sim/explain/case.hpp"
#include "sim/explain/classify.hpp"
#include "sim/explain/counterfactual.hpp"

#include <fmt/format.h>

#include <utility>

namespace idemsim {
namespace {

std::string site_of(const Case& c, EventIndex event) {
  return event < 0 ? "-" : std::string(c.event(event).site.view());
}

/// Property, kind, where was checked, where it was used: findings with the same are one.
std::string fingerprint_of(const Case& c, const Proof& proof) {
  const EventIndex use = c.guilty().pair()          ? c.guilty().second
                         : c.judgement().first >= 0 ? c.judgement().first
                                                    : c.guilty().first;
  return fmt::format("{}/{}/{}/{}", to_string(c.property()), to_string(proof.kind),
                     site_of(c, proof.check), site_of(c, use));
}

std::string_view what_b_says(Status status) {
  switch (status) {
    case Status::stored:
      return "B would have answered with the stored response";
    case Status::done:
      return "B would have answered \"done\" without a second effect";
    case Status::rejected:
      return "B would have been refused";
    case Status::failed:
      return "B would have failed without an effect";
    case Status::in_progress:
    case Status::unknown:
      break;
  }
  return "B would not have made a second effect";
}

void add_counterfactual(const Cell& cell, const Shrunk& shrunk, Case& c, const RaceEvents& race,
                        Finding& finding) {
  const std::optional<OtherOrder> other = other_order(c, race);
  if (!other) return;
  Counterfactual counterfactual;
  counterfactual.change =
      fmt::format("had {} come before {}", number(c, race.record), number(c, race.check));
  counterfactual.result = what_b_says(other->answer);
  counterfactual.token =
      to_string(token_of(cell, shrunk.workload, other->schedule, shrunk.seed, other->hash));
  finding.counterfactual = std::move(counterfactual);
}

void mark_guilty(Case& c) {
  const bool twice = c.property() == Property::at_most_once && c.guilty().pair();
  const EventIndex first = twice ? c.guilty().first : c.judgement().first;
  const EventIndex second = twice ? c.guilty().second : c.judgement().second;
  for (const EventIndex i : {first, second}) {
    if (i >= 0) c.numbered().of(i).guilty = true;
  }
}

}  // namespace

Explained explain(const Cell& cell, const Witness& witness, const ShrinkLimits& limits) {
  const Shrunk shrunk = shrink(cell, witness, limits);
  Case c(cell, shrunk, witness.property);
  Explained result;
  Finding& finding = result.finding;
  finding.property = witness.property;
  finding.cell = cell.id();
  finding.choices = static_cast<std::uint32_t>(shrunk.schedule.size());
  finding.faults = faults_of(shrunk.schedule);
  finding.preemptions = preemptions_of(shrunk.schedule);
  finding.shrunk = {shrunk.from, shrunk.to, shrunk.runs, shrunk.minimal};
  finding.executions = witness.count;
  finding.token =
      to_string(token_of(cell, shrunk.workload, shrunk.schedule, shrunk.seed, hash_of(c.events())));
  mark_guilty(c);
  std::vector<Proof> proofs = classify(c);
  for (std::size_t i = 0; i < proofs.size(); ++i) {
    if (i > 0) finding.also.push_back(proofs[i].kind);
    if (!proofs[i].race || finding.race) continue;
    finding.race = race_of(c, *proofs[i].race);
    add_counterfactual(cell, shrunk, c, *proofs[i].race, finding);
  }
  finding.kind = proofs.front().kind;
  finding.fingerprint = fingerprint_of(c, proofs.front());
  finding.text = std::move(proofs.front().text);
  finding.headline = headline_of(c);
  finding.fix = fix_for(finding.kind);
  result.trace = std::move(c.numbered().trace);
  return result;
}

Token token_of(const Cell& cell, const Workload& workload, const Schedule& schedule,
               std::uint64_t seed, std::optional<Hash128> hash) {
  Token token;
  token.scenario_hash = cell.scenario->canonical_hash;
  token.strategy = cell.variant->label;
  token.faults = cell.faults->label;
  token.overrides = overrides_of(*cell.scenario, workload);
  token.seed = seed;
  token.schedule = schedule;
  token.hash = hash;
  return token;
}

}  // namespace idemsim
