// Runs the witness once more, listening, and answers questions about it.
#include "sim/explain/case.hpp"

#include "sim/explore/replay.hpp"
#include "sim/oracles/facts.hpp"

#include <algorithm>
#include <array>

namespace idemsim {
namespace {

/// Follows a schedule and writes down the steps.
class Recorder final : public Scheduler {
 public:
  Recorder(const Schedule& schedule, std::vector<StepTaken>& steps)
      : replay_(schedule, OnDivergence::ignore), steps_(&steps) {}
  std::size_t pick(std::span<Step* const> enabled, const Kernel& kernel) override {
    return replay_.pick(enabled, kernel);
  }
  std::size_t decide(const DecisionPoint& where,
                     std::span<const Alternative> alternatives) override {
    return replay_.decide(where, alternatives);
  }
  void after(const StepDone& done) override { steps_->push_back({done.id, done.creator}); }

 private:
  ReplayScheduler replay_;
  std::vector<StepTaken>* steps_;
};

Scenario in_free_order(Scenario scenario) {
  if (scenario.explore.time == TimeModel::sampled) {
    scenario.explore.time = TimeModel::asynchronous;
    scenario.explore.mode = Mode::exhaustive;
  }
  return scenario;
}

Cell with_scenario(Cell cell, const Scenario& scenario) {
  cell.scenario = &scenario;
  return cell;
}

bool executed(const Event& event) {
  return event.type == EventType::step || event.type == EventType::effect;
}

bool changes_rows(sql::Verb verb) {
  return verb == sql::Verb::insert || verb == sql::Verb::update || verb == sql::Verb::erase;
}

bool changes_keys(const Heard& heard) {
  const kv::Reply& reply = heard.told.kv.reply;
  if (reply.is_error()) return false;
  switch (heard.command.verb) {
    case kv::Verb::get:
    case kv::Verb::exists:
    case kv::Verb::pttl:
    case kv::Verb::ttl:
      return false;
    case kv::Verb::set:
      return reply.is_ok() || heard.command.returns_old;
    case kv::Verb::setnx:
    case kv::Verb::del:
    case kv::Verb::pexpire:
    case kv::Verb::pexpireat:
    case kv::Verb::persist:
    case kv::Verb::compare_and_delete:
    case kv::Verb::compare_and_extend:
    case kv::Verb::compare_and_set:
      return reply.as_integer() != 0;
    case kv::Verb::getdel:
    case kv::Verb::getset:
    case kv::Verb::getex:
    case kv::Verb::incr:
    case kv::Verb::begin_or_get:
      break;
  }
  return true;
}

}  // namespace

Case::Case(const Cell& cell, const Shrunk& shrunk, Property property)
    : property_(property),
      seed_(shrunk.seed),
      scenario_(with_workload(*cell.scenario, shrunk.workload)),
      free_scenario_(in_free_order(scenario_)),
      cell_(with_scenario(cell, scenario_)),
      free_cell_(with_scenario(cell, free_scenario_)),
      witness_(setup_of(cell_)),
      again_(setup_of(cell_)),
      laboratory_(setup_of(free_cell_)) {
  Recorder recorder(shrunk.schedule, steps_);
  witness_.attach(&listener_);
  witness_.run(recorder, {seed_, true});
  witness_.attach(nullptr);
  judgement_ = judge(property_, witness_.finished());
  numbered_ = numbered_trace(witness_);
  find_guilty();
}

/// The two effects of the operation, if there are two; else the one that the property is about.
void Case::find_guilty() {
  if (!judgement_.violated) return;
  if (property_ == Property::mutual_exclusion) {
    set_pair(judgement_.first, judgement_.second);
    return;
  }
  const FinishedRun run = witness_.finished();
  // Money counts where it moves: two charges say more than the two rows about them.
  const bool charges = run.kind == OperationKind::charge;
  const std::array ledgers = charges ? std::array{Ledger::provider, Ledger::local}
                                     : std::array{Ledger::local, Ledger::provider};
  for (const Ledger ledger : ledgers) {
    const std::vector<EventIndex> effects = effects_in(ledger);
    if (effects.size() < 2) continue;
    set_pair(effects[0], effects[1]);
    return;
  }
  for (const Ledger ledger : ledgers) {
    const std::vector<EventIndex> effects = effects_in(ledger);
    if (effects.empty()) continue;
    guilty_.first = effects[0];
    guilty_.a = event(guilty_.first).step.from();
    return;
  }
}

/// The effects of the operation in one ledger, in the order of the history.
std::vector<EventIndex> Case::effects_in(Ledger ledger) const {
  const FinishedRun run = witness_.finished();
  std::vector<EventIndex> effects;
  for (const LedgerEntry& entry : run.ledger) {
    if (entry.ledger != ledger || entry.operation != judgement_.operation) continue;
    const EventIndex after = effects.empty() || event(effects.back()).step != entry.step
                                 ? EventIndex{-1}
                                 : effects.back();
    const EventIndex effect = effect_event(run, entry.step, after);
    if (effect >= 0) effects.push_back(effect);
  }
  std::sort(effects.begin(), effects.end());
  return effects;
}

void Case::set_pair(EventIndex one, EventIndex other) {
  if (one < 0 || other < 0) return;
  guilty_.first = std::min(one, other);
  guilty_.second = std::max(one, other);
  guilty_.a = event(guilty_.first).step.from();
  guilty_.b = event(guilty_.second).step.from();
}

bool Case::of_handler(EventIndex i, Origin delivery) const {
  const Event& e = event(i);
  if (e.step.from() != delivery) return false;
  return e.process.index >= witness_.client_processes();
}

EventIndex Case::first_of(EventType type, Origin delivery) const {
  for (EventIndex i = 0; i < static_cast<EventIndex>(events().size()); ++i) {
    if (event(i).type == type && of_handler(i, delivery)) return i;
  }
  return -1;
}

EventIndex Case::invoke_of(Origin delivery) const {
  EventIndex i = first_of(EventType::receive, delivery);
  while (i >= 0 && event(i).type != EventType::invoke) i = event(i).cause;
  return i;
}

std::vector<EventIndex> Case::statements_of(Origin delivery) const {
  std::vector<EventIndex> statements;
  for (EventIndex i = 0; i < static_cast<EventIndex>(events().size()); ++i) {
    if (executed(event(i)) && of_handler(i, delivery)) statements.push_back(i);
  }
  return statements;
}

const Heard* Case::statement(EventIndex i) const { return listener_.statement_of(event(i).step); }

bool Case::can_tell(EventIndex i) const {
  const Heard* heard = statement(i);
  if (heard == nullptr) return false;
  if (!heard->told.in_database) return true;
  switch (heard->statement.verb) {
    case sql::Verb::select:
    case sql::Verb::update:
    case sql::Verb::erase:
    case sql::Verb::advisory_lock:
    case sql::Verb::advisory_try_lock:
      return true;
    case sql::Verb::insert:
      return !witness_.database().schema().table(heard->statement.table).indexes.empty();
    default:
      return false;
  }
}

bool Case::leaves_trace(EventIndex i) const {
  const Heard* heard = statement(i);
  if (heard == nullptr) return false;
  if (!heard->told.in_database) return changes_keys(*heard);
  const sql::Reply& reply = heard->told.sql.reply;
  if (!reply.ok() || reply.affected == 0 || !changes_rows(heard->statement.verb)) return false;
  if (reply.transaction != sql::TransactionState::in_tx) return true;
  const std::vector<EventIndex> all = statements_of(event(i).step.from());
  return std::any_of(all.begin(), all.end(), [&](EventIndex later) {
    if (later <= i || statement(later) == nullptr) return false;
    const Heard& end = *statement(later);
    return end.told.in_database && end.statement.verb == sql::Verb::commit &&
           end.told.sql.reply.verb == sql::Verb::commit;
  });
}

bool Case::takes_away(EventIndex i) const {
  const Heard* heard = statement(i);
  if (heard == nullptr) return false;
  if (heard->told.in_database) return heard->statement.verb == sql::Verb::erase;
  switch (heard->command.verb) {
    case kv::Verb::del:
    case kv::Verb::getdel:
    case kv::Verb::compare_and_delete:
      return true;
    default:
      return false;
  }
}

bool Case::removes(EventIndex i) const {
  if (!takes_away(i)) return false;
  const Told& told = statement(i)->told;
  if (told.in_database) return told.sql.reply.affected > 0 && leaves_trace(i);
  const kv::Reply& reply = told.kv.reply;
  return !reply.is_nil() && !(reply.value == Value::integer(0));
}

bool Case::purges(EventIndex i) const {
  const Heard* heard = statement(i);
  if (heard == nullptr || !heard->told.in_database || !takes_away(i) || !leaves_trace(i)) {
    return false;
  }
  const auto& terms = heard->statement.terms;
  return std::any_of(terms.begin(), terms.end(), [](const sql::Term& term) {
    return term.comparison == sql::Comparison::expired ||
           term.comparison == sql::Comparison::expired_strictly;
  });
}

std::vector<EventIndex> Case::faults_of(Origin delivery) const {
  const EventIndex received = first_of(EventType::receive, delivery);
  const EventIndex answered = first_of(EventType::answer, delivery);
  std::vector<EventIndex> faults;
  if (received < 0) return faults;
  for (EventIndex i = received; i < static_cast<EventIndex>(events().size()); ++i) {
    const Event& e = event(i);
    if (e.type != EventType::fault) continue;
    const bool at_work = answered < 0 || answered > i;
    if (e.fault == FaultKind::crash) {
      if (at_work && e.process == event(received).process) faults.push_back(i);
      continue;
    }
    const bool connection = e.fault == FaultKind::lost_before || e.fault == FaultKind::lost_after ||
                            e.fault == FaultKind::orphaned;
    if (connection && e.step.from() == delivery) faults.push_back(i);
  }
  return faults;
}

std::vector<EventIndex> Case::checks() const {
  std::vector<EventIndex> checks;
  if (!guilty_.pair()) return checks;
  for (const EventIndex i : statements_of(guilty_.b)) {
    if (i < guilty_.second && event(i).type == EventType::step && can_tell(i)) checks.push_back(i);
  }
  return checks;
}

std::optional<Told> Case::told_after(EventIndex statement_event, EventIndex moment) {
  const Heard* heard = statement(statement_event);
  if (heard == nullptr) return std::nullopt;
  Hindsight hindsight;
  hindsight.question = *heard;
  hindsight.moment = event(moment).step;
  ReplayScheduler replay(schedule(), OnDivergence::ignore);
  again_.attach(&hindsight);
  again_.run(replay, {seed_, false});
  again_.attach(nullptr);
  return hindsight.answer;
}

}  // namespace idemsim
