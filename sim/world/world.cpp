// The course of a run: clients start, the adversary chooses, probes settle, ledgers close.
#include "sim/world/world.hpp"

#include "sim/base/assert.hpp"
#include "sim/world/world_steps.hpp"

#include <algorithm>

namespace idemsim {
namespace {

sql::TableDefinition ledger_table(Name name) {
  sql::TableDefinition table(name);
  table.column("id").column("amount").column("reference");
  return table;
}

sql::Schema schema_of(const WorldSetup& setup) {
  sql::Schema schema;
  schema.tables.push_back(ledger_table(kOrders));
  schema.tables.push_back(ledger_table(kPayments));
  schema.tables.push_back(ledger_table(kCoupons));
  sql::TableDefinition intent(kIntent);
  intent.column("id").column("status").column("version").column("reference");
  intent.unique("intent_pkey", {"id"});
  schema.tables.push_back(intent);
  for (const sql::TableDefinition& table : setup.tables) schema.tables.push_back(table);
  return schema;
}

provider::KeyRules rules_of(const WorldSetup& setup) {
  provider::KeyRules rules;
  rules.enabled = setup.scenario->world.provider_keys;
  return rules;
}

}  // namespace

World::World(WorldSetup setup)
    : setup_(std::move(setup)), sql_(schema_of(setup_)), provider_(rules_of(setup_)) {
  ports_ = {&World::start_sql, &World::start_kv, &World::start_charge, &World::start_sleep};
  kernel_.on_step_end([](void* self) { static_cast<World*>(self)->refresh_faults(); }, this);
  if (!setup_.seeds_intent || intent_comes_later()) return;
  const ClientSpec& clients = setup_.scenario->clients;
  for (std::uint32_t c = 0; c < clients.count; ++c) {
    for (std::uint32_t number = 0; number < clients.operations; ++number) {
      sql_.seed_row(intent_row({c, number}));
    }
  }
}

sql::Statement World::intent_row(OperationId operation) const {
  sql::Statement row = sql::insert_into(kIntent);
  row.set("id", request_of(operation, 0).business_id).set("status", Value::word("pending"));
  return row.set("version", Value::integer(0));
}

World::~World() { abandon(); }

void World::begin(Scheduler& scheduler, const RunOptions& options) {
  sql_.reset();
  kv_.reset();
  provider_.reset();
  task_count_ = 0;
  deadlines_.clear();
  sections_.clear();
  operations_.clear();
  mailboxes_.assign(clients_at_once(), {});
  invoked_.assign(setup_.scenario->clients.count, 0);
  free_tasks_.clear();
  ledger_.clear();
  events_.clear();
  event_steps_.clear();
  texts_.clear();
  overlapped_ = false;
  completed_ = false;
  protection_worked_ = false;
  derived_of_ = {};
  derived_count_ = 0;
  last_store_event_ = -1;
  narrate_ = options.narrate;
  if (hindsight_ != nullptr) hindsight_->begin();
  budgets_.clear();
  has_fault_steps_ = false;
  for (const FaultSpec& spec : setup_.faults->faults) {
    budgets_.push_back({&spec, spec.at_most});
    has_fault_steps_ =
        has_fault_steps_ || spec.kind == FaultKind::crash || spec.kind == FaultKind::pause;
  }
  const ExploreSpec& explore = setup_.scenario->explore;
  Kernel::Options kernel_options;
  kernel_options.time = explore.time;
  kernel_options.steps_max = explore.steps_max;
  kernel_options.seed = options.seed;
  kernel_options.draw = explore.mode == Mode::random;
  kernel_options.log = options.narrate;
  kernel_options.stop = options.stop;
  kernel_.begin(kernel_options, scheduler);
}

RunEnd World::run(Scheduler& scheduler, const RunOptions& options) {
  begin(scheduler, options);
  const ClientSpec& clients = setup_.scenario->clients;
  const std::uint32_t clicks = clients.at_once();
  for (std::uint32_t c = 0; c < clients.count; ++c) {
    for (std::uint32_t click = 0; click < clicks; ++click) {
      TaskState& task =
          new_task(Origin::of({c, 0}, click, 0), 0xc, {static_cast<std::uint16_t>(c)});
      task.role = TaskState::Role::client;
      spawn(task, run_client(task, c, click));
    }
    for (std::uint32_t n = 0; n < clients.operations && intent_comes_later(); ++n) {
      TaskState& task = new_task(Origin::of({c, n}, 0, 0), 0xb, {static_cast<std::uint16_t>(c)});
      task.role = TaskState::Role::client;
      spawn(task, run_checkout(task, {c, n}));
    }
  }
  RunEnd end = kernel_.run();
  settle_event_ = events_.size();
  settle_step_ = kernel_.fired();
  settle_instant_ = kernel_.now();
  if (end == RunEnd::quiescent) end = settle_and_probe();
  completed_ = end == RunEnd::quiescent;
  collect_ledger();
  abandon();
  return end;
}

RunEnd World::settle_and_probe() {
  Event event;
  event.type = EventType::settle;
  event.site = "settle";
  event.process = network_process();
  kernel_.settle();
  record(event);
  for (FaultStep* step : fault_steps_) {
    kernel_.withdraw(step);
    kernel_.bury(step);
  }
  fault_steps_.clear();
  RunEnd end = kernel_.flush();
  const std::size_t count = operations_.size();
  for (std::size_t i = 0; i < count && end == RunEnd::quiescent; ++i) {
    const OperationId operation = operations_[i];
    kernel_.settle();
    TaskState& task =
        new_task(Origin::of(operation, 0, 0), 0xd, {static_cast<std::uint16_t>(operation.client)});
    task.role = TaskState::Role::client;
    task.probe = true;
    spawn(task, run_probe(task, operation));
    end = kernel_.flush();
  }
  return end;
}

void World::collect_ledger() {
  const auto take = [&](const sql::Row& row, StepId writer) {
    ledger_.push_back(
        {Ledger::local, writer.from().operation_id(), writer, row[2], row[1].as_integer()});
  };
  sql_.for_each_row(effect_table(), take);
  for (const provider::Entry& entry : provider_.ledger()) {
    ledger_.push_back({Ledger::provider, entry.operation, entry.by, entry.reference, entry.amount});
  }
}

void World::abandon() {
  for (std::size_t i = 0; i < task_count_; ++i) {
    TaskState& task = tasks_[i];
    Suspension* node = task.waiting;
    task.live = false;
    task.waiting = nullptr;
    if (node == nullptr || node->place == Suspension::Place::pending) continue;
    if (node->polling != nullptr) node->polling->deadline = nullptr;
    node->discard(node);
  }
  for (Blocked& blocked : blocked_) {
    if (blocked.orphan != nullptr) blocked.orphan->discard(blocked.orphan);
  }
  blocked_.clear();
  kernel_.abandon();
  mailboxes_.clear();
  expiries_.clear();
  fault_steps_.clear();
}

FinishedRun World::finished() const {
  FinishedRun run;
  run.events = events_;
  run.ledger = ledger_;
  run.operations = operations_;
  run.kind = setup_.scenario->operation;
  run.completed = completed_;
  return run;
}

Hash128 World::state_hash() const {
  StateHasher hasher;
  sql_.hash_state(hasher);
  kv_.hash_state(hasher);
  provider_.hash_state(hasher);
  // Tasks count as a set: where they lie in memory depends on the order of arrival.
  std::uint64_t tasks_a = 0;
  std::uint64_t tasks_b = 0;
  for (std::size_t i = 0; i < task_count_; ++i) {
    const TaskState& task = tasks_[i];
    // A finished handler has left its traces elsewhere; what a client was told still counts.
    if (!task.live && task.role != TaskState::Role::client) continue;
    const std::uint64_t h =
        combine(combine(task.resource.bits, task.results),
                combine(task.counter + (task.live ? std::uint64_t{1} << 40 : 0), task.origin.bits));
    tasks_a += h;
    tasks_b += mix64(h + 1);
  }
  hasher.add(tasks_a);
  hasher.add(tasks_b);
  for (const Budget& budget : budgets_) hasher.add(budget.left);
  std::uint64_t sections = 0;
  for (const Section& s : sections_) sections += mix64(combine(s.key.fold(), s.holder.bits));
  hasher.add(sections);
  hasher.add(overlapped_ ? 1 : 0);
  kernel_.hash_state(hasher);
  return hasher.value();
}

}  // namespace idemsim
