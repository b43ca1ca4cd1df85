// Finding the race by running its parts again.
#include "sim/explain/race.hpp"

#include "sim/base/assert.hpp"
#include "sim/explain/orders.hpp"
#include "sim/explore/replay.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace idemsim {
namespace {

/// Steps up to that of the event, itself included; empty if it is in the settle phase.
std::vector<StepId> prefix_to(const Case& c, EventIndex check) {
  std::vector<StepId> prefix;
  for (const StepTaken& step : c.steps()) {
    prefix.push_back(step.id);
    if (step.id == c.event(check).step) return prefix;
  }
  return {};
}

using Outcome = AloneScheduler::Outcome;

/// A probe is alone by nature: the whole run is repeated, only its check is told something else.
Outcome run_of_probe(Case& c) {
  World& world = c.laboratory();
  ReplayScheduler replay(c.schedule(), OnDivergence::ignore);
  if (world.run(replay, {c.seed(), false}) != RunEnd::quiescent) return Outcome::undecided;
  const auto used = [&](const Event& e) {
    return e.type == c.event(c.guilty().second).type && e.step.from() == c.guilty().b;
  };
  const bool any = std::any_of(world.events().begin(), world.events().end(), used);
  return any ? Outcome::used : Outcome::ended;
}

Outcome run_alone(Case& c, EventIndex check) {
  std::vector<StepId> prefix = prefix_to(c, check);
  if (prefix.empty()) return run_of_probe(c);
  World& world = c.laboratory();
  AloneScheduler alone({std::move(prefix), c.guilty().b, c.event(c.guilty().second).type},
                       c.schedule(), world);
  world.run(alone, {c.seed(), false});
  return alone.outcome();
}

/// What to tell instead; nothing if it would be the same, because then nothing would change.
std::optional<Hindsight> other_result(Case& c, EventIndex check, EventIndex moment) {
  const Heard* heard = c.statement(check);
  const std::optional<Told> told = c.told_after(check, moment);
  if (heard == nullptr || !told || told->same_as(heard->told)) return std::nullopt;
  Hindsight hindsight;
  hindsight.instead = heard->step;
  hindsight.replacement = *told;
  return hindsight;
}

Outcome outcome_if_told(Case& c, EventIndex check, EventIndex moment) {
  IDEMSIM_ASSERT(c.guilty().pair());
  std::optional<Hindsight> hindsight = other_result(c, check, moment);
  if (!hindsight) return Outcome::undecided;
  c.laboratory().attach(&*hindsight);
  const Outcome outcome = run_alone(c, check);
  c.laboratory().attach(nullptr);
  return hindsight->replaced ? outcome : Outcome::undecided;
}

}  // namespace

bool guarded(Case& c, EventIndex check, EventIndex moment) {
  return outcome_if_told(c, check, moment) == Outcome::ended;
}

bool ignored(Case& c, EventIndex check, EventIndex moment) {
  return outcome_if_told(c, check, moment) == Outcome::used;
}

bool unstuck(Case& c, EventIndex check, EventIndex moment) {
  std::optional<Hindsight> hindsight = other_result(c, check, moment);
  if (!hindsight) return false;
  World& world = c.laboratory();
  ReplayScheduler replay(c.schedule(), OnDivergence::ignore);
  world.attach(&*hindsight);
  const RunEnd end = world.run(replay, {c.seed(), false});
  world.attach(nullptr);
  return end == RunEnd::quiescent && hindsight->replaced &&
         !judge_no_stuck_key(world.finished()).violated;
}

std::optional<RaceEvents> find_race(Case& c) {
  const Guilty& guilty = c.guilty();
  if (!guilty.pair() || guilty.a == guilty.b) return std::nullopt;
  const std::vector<EventIndex> records = c.statements_of(guilty.a);
  std::vector<EventIndex> checks = c.checks();
  std::reverse(checks.begin(), checks.end());
  for (const EventIndex check : checks) {
    for (const EventIndex record : records) {
      if (record < check || !guarded(c, check, record)) continue;
      RaceEvents race{check, record, guilty.second, -1, guilty.first};
      for (const EventIndex i : records) {
        if (i < record && c.event(i).site == c.event(check).site) race.other_check = i;
      }
      return race;
    }
  }
  return std::nullopt;
}

Race race_of(const Case& c, const RaceEvents& race) {
  const NumberedTrace& numbered = c.numbered();
  const auto number = [&](EventIndex i) { return i < 0 ? 0 : numbered.of(i).n; };
  const auto at = [&](EventIndex i) { return numbered.of(i).at_ns; };
  Race result;
  result.check = number(race.check);
  result.record = number(race.record);
  result.use = number(race.use);
  result.other_check = number(race.other_check);
  result.other_use = number(race.other_use);
  if (race.other_check >= 0) result.gap_ns = at(race.record) - at(race.other_check);
  result.window_ns = at(race.use) - at(race.check);
  const EventIndex a = c.first_of(EventType::receive, c.guilty().a);
  const EventIndex b = c.first_of(EventType::receive, c.guilty().b);
  if (a >= 0) result.process_a = c.world().process_name(c.event(a).process) + " (A)";
  if (b >= 0) result.process_b = c.world().process_name(c.event(b).process) + " (B)";
  return result;
}

}  // namespace idemsim
