// One simulated world: clients, network, servers and stores on one kernel, reused from run to run.
#pragma once

#include "sim/engines/kv/engine.hpp"
#include "sim/engines/provider/engine.hpp"
#include "sim/engines/sql/engine.hpp"
#include "sim/engines/twin.hpp"
#include "sim/model/history.hpp"
#include "sim/model/scenario.hpp"
#include "sim/world/context.hpp"
#include "sim/world/executor.hpp"
#include "sim/world/hindsight.hpp"
#include "sim/world/kernel.hpp"
#include "sim/world/suspension.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace idemsim {

/// Everything that defines one cell's world. The pointers outlive the world.
struct WorldSetup {
  const Scenario* scenario = nullptr;
  const FaultPlan* faults = nullptr;
  Handler handle = nullptr;
  std::vector<sql::TableDefinition> tables;  ///< the strategy's own, beside the business tables
  Parameters parameters;
  bool seeds_intent = false;  ///< one pending row of `intent` per operation exists beforehand
};

/// One coroutine of the world: a client, the handler of a delivery, a background task.
struct TaskState {
  enum class Role : std::uint8_t { client, handler, background };
  Origin origin;
  std::uint32_t path = 0;
  std::uint32_t counter = 0;   ///< awaited steps so far
  std::uint32_t ordinals = 0;  ///< references and deadlines made since the last step
  ProcessId process;
  Role role = Role::handler;
  bool live = false;
  bool probe = false;
  std::uint8_t children = 0;
  std::uint64_t results = 0;  ///< hash of all results awaited so far
  Resource resource;          ///< written by each of its steps
  EventIndex last_event = -1;
  EventIndex cause = -1;          ///< the event that the next one follows from elsewhere
  Suspension* waiting = nullptr;  ///< what it is suspended on
  TaskState* parent = nullptr;
  World* world = nullptr;
  Request request;
  std::optional<Context> context;
};

/// A fault budget: how often the fault may still happen in this run.
struct Budget {
  const FaultSpec* spec = nullptr;
  std::uint32_t left = 0;
};

/// Crash points of a cell over all its runs: which exist, and at which a crash was tried.
class CrashCoverage {
 public:
  void exists(std::uint64_t point);
  void tried(std::uint64_t point);
  void merge(const CrashCoverage& other);
  [[nodiscard]] std::size_t existing() const { return points_.size(); }
  [[nodiscard]] std::size_t tried() const;

 private:
  struct Point {
    std::uint64_t id;
    bool tried;
  };
  std::vector<Point> points_;  ///< sorted by id
};

class World {
 public:
  explicit World(WorldSetup setup);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  struct RunOptions {
    std::uint64_t seed = 1;
    bool narrate = false;  ///< also make texts and the log of instants: only for reports
    StopSignal stop{};
  };

  /// One whole run under a scheduler: start, adversary, settle phase with probes, ledgers.
  RunEnd run(Scheduler& scheduler, const RunOptions& options);

  /// Listens, asks or replaces in all later runs; null: nobody does. It outlives those runs.
  void attach(Hindsight* hindsight) { hindsight_ = hindsight; }
  /// Executes beside the simulated stores in all later runs; null: nobody does. It outlives them.
  void mirror_to(Twin* twin) { twin_ = twin; }

  /// The finished (or stopped) run. Valid until the next run.
  [[nodiscard]] FinishedRun finished() const;
  [[nodiscard]] std::span<const Event> events() const { return events_; }
  /// Texts beside the events; empty unless narrated.
  [[nodiscard]] std::span<const std::string> texts() const { return texts_; }
  /// Events recorded before the settle phase.
  [[nodiscard]] std::size_t settle_event() const { return settle_event_; }
  /// Steps fired before the settle phase, and the nominal instant of its start.
  [[nodiscard]] std::uint64_t settle_step() const { return settle_step_; }
  [[nodiscard]] Instant settle_instant() const { return settle_instant_; }
  /// Ordinal of the step (1-based, 0 = start) that recorded each event; beside the events.
  [[nodiscard]] std::span<const std::uint32_t> event_steps() const { return event_steps_; }

  [[nodiscard]] Kernel& kernel() { return kernel_; }
  [[nodiscard]] const Kernel& kernel() const { return kernel_; }
  [[nodiscard]] const Schedule& recorded() const { return kernel_.recorded(); }
  [[nodiscard]] const CrashCoverage& crash_coverage() const { return crash_coverage_; }
  /// Has a protection worked in this run so far (outside the settle phase)?
  [[nodiscard]] bool protection_worked() const { return protection_worked_; }
  /// Canonical identity of the present state, without the windows of pending steps.
  [[nodiscard]] Hash128 state_hash() const;
  [[nodiscard]] std::string process_name(ProcessId process) const;
  [[nodiscard]] const WorldSetup& setup() const { return setup_; }
  [[nodiscard]] std::size_t client_processes() const { return setup_.scenario->clients.count; }
  [[nodiscard]] std::size_t server_processes() const { return setup_.scenario->world.servers; }
  [[nodiscard]] ProcessId database_process() const { return store_process(0); }
  [[nodiscard]] ProcessId redis_process() const { return store_process(1); }
  [[nodiscard]] ProcessId provider_process() const { return store_process(2); }
  [[nodiscard]] ProcessId network_process() const { return store_process(3); }
  [[nodiscard]] const sql::Engine& database() const { return sql_; }
  [[nodiscard]] const kv::Engine& redis() const { return kv_; }

 private:
  [[nodiscard]] ProcessId store_process(std::size_t which) const {
    return {static_cast<std::uint16_t>(client_processes() + server_processes() + which)};
  }
  friend class Context;
  friend void* detail::allocate_suspension(TaskState&, std::size_t);
  friend void detail::release_memory(TaskState&, void*, std::size_t);
  struct Message;
  struct FaultStep;
  struct ExpiryStep;
  struct OrphanStep;
  struct DeadlineStep;
  struct CheckStep;
  struct Blocked;
  /// Who waits for the answer to an attempt, and the responses on their way to it.
  struct Mailbox {
    AnswerSuspension* waiting = nullptr;
    Message* responses = nullptr;  ///< linked list
  };

  // world.cpp: the course of a run
  void begin(Scheduler& scheduler, const RunOptions& options);
  RunEnd settle_and_probe();
  void collect_ledger();
  void abandon();

  // tasks.cpp: coroutines, their identity and their end
  TaskState& free_task();
  TaskState& new_task(Origin origin, std::uint32_t path, ProcessId process);
  void spawn(TaskState& task, Task<void> coroutine);
  void kill_task(TaskState& task);
  void finish_task(TaskState& task);
  void stop_children(TaskState& task);
  void start_child(TaskState& parent, Context::Job job);
  Task<void> run_child(TaskState& task, Context::Job job);
  [[nodiscard]] StepId next_step_id(TaskState& task);
  [[nodiscard]] StepId derived_id();
  void make_pending(Suspension& node);
  void begin_fire(Suspension& node);
  void resume_with(TaskState& task, std::uint64_t result);

  void enter_section(TaskState& task, Value key);
  void leave_section(TaskState& task, Value key);
  void leave_sections(const TaskState& task);

  // client.cpp: what a client does
  Task<void> run_client(TaskState& task, std::uint32_t client, std::uint32_t click);
  Task<void> run_probe(TaskState& task, OperationId operation);
  Task<void> run_checkout(TaskState& task, OperationId operation);
  [[nodiscard]] sql::Statement intent_row(OperationId operation) const;
  [[nodiscard]] bool intent_comes_later() const {
    return setup_.seeds_intent && setup_.scenario->world.intent_after.latest > Duration{};
  }
  Task<Answer> one_attempt(TaskState& task, OperationId operation, std::uint32_t attempt);
  [[nodiscard]] auto await_answer(TaskState& task, Origin attempt, Duration timeout);
  void start_answer_wait(AnswerSuspension& node);
  void complete_answer(AnswerSuspension& node, const Answer& answer);
  [[nodiscard]] static bool same_attempt(Origin a, Origin b) {
    return a.operation_id() == b.operation_id() && a.attempt() == b.attempt();
  }
  /// Whether anybody still waits for an answer to the attempt.
  [[nodiscard]] static Resource mailbox(Origin attempt) {
    return Resource::of(ResourceKind::connection, attempt.bits >> 14, 1);
  }
  [[nodiscard]] Request request_of(OperationId operation, std::uint32_t attempt) const;
  [[nodiscard]] Window backoff_after(std::uint32_t tries) const;
  void timed_out(AnswerSuspension& node);

  // network.cpp: messages between clients and servers
  void send_request(Origin attempt, EventIndex cause, bool probe);
  void add_request(Origin delivery, Window window, EventIndex cause, bool probe);
  void deliver_request(Message& message);
  void send_response(TaskState& handler, const Answer& answer);
  void add_response(TaskState& handler, const Answer& answer, Window window, EventIndex cause);
  void deliver_response(Message& message);
  [[nodiscard]] Mailbox& mailbox_of(Origin attempt);
  /// Who waits for an answer to this attempt; null if nobody does any more.
  [[nodiscard]] AnswerSuspension* waiter_for(Origin delivery);
  void drop_responses(Mailbox& box);
  [[nodiscard]] std::size_t clients_at_once() const {
    return std::size_t{setup_.scenario->clients.count} * setup_.scenario->clients.at_once();
  }
  Task<void> serve(TaskState& task);
  [[nodiscard]] ProcessId server_for(Origin delivery) const;

  // statements.cpp: SQL statements as steps
  static void start_sql(World& world, SqlSuspension& node);
  void connect(TaskState& task);
  void fire_sql(SqlSuspension& node);
  sql::Reply run_sql(SqlSuspension& node);
  void finish_sql(SqlSuspension& node, const sql::Reply& reply);
  void complete_sql(SqlSuspension& node, const SqlReply& reply);
  void lose_sql(SqlSuspension& node, EventIndex event);
  EventIndex record_sql(const sql::Statement& statement, const sql::Reply& reply, Event event);
  void close_sessions(TaskState& task);
  void arm_deadlines(const sql::Statement& statement);
  [[nodiscard]] Name effect_table() const;
  [[nodiscard]] std::string describe(const sql::Statement& statement,
                                     const sql::Reply& reply) const;

  // waits.cpp: statements that wait in the database, orphans, deadlock checks
  void block(sql::SessionId session, SqlSuspension* node, OrphanStep* orphan);
  void wake_sessions();
  void fire_check(CheckStep& check);
  void drop_check(Blocked& blocked);
  void abandon_blocked(Suspension& node);
  OrphanStep& new_orphan(TaskState& task, Name site);
  void orphan_sql(SqlSuspension& node);
  void add_orphan(OrphanStep& orphan, Window window);
  void fire_orphan(OrphanStep& orphan);
  void fire_sql_orphan(OrphanStep& orphan);
  void finish_sql_orphan(OrphanStep& orphan, const sql::Reply& reply);

  // stores.cpp: key-value commands, charges, timers, polling, expiries
  static void start_kv(World& world, KvSuspension& node);
  static void start_charge(World& world, ChargeSuspension& node);
  static void start_sleep(World& world, SleepSuspension& node);
  void fire_kv(KvSuspension& node);
  kv::Reply run_command(const kv::Command& command, Event event);
  void orphan_command(KvSuspension& node);
  void orphan_charge(ChargeSuspension& node);
  void complete_kv(KvSuspension& node, const KvReply& reply);
  void fire_charge(ChargeSuspension& node);
  provider::Answer run_charge(const provider::Request& request, Event event);
  void complete_charge(ChargeSuspension& node, const ChargeReply& reply);
  void arm_ttl();
  void add_expiry(ExpiryStep& expiry, Duration after, StepClass klass);
  void fire_expiry(ExpiryStep& expiry);
  void start_polling(PollingSuspension& node, Duration deadline);
  void poll_again(PollingSuspension& node, Duration interval, Window link);
  void park(PollingSuspension& node);
  void stop_polling(PollingSuspension& node);
  void fire_deadline(DeadlineStep& deadline);
  [[nodiscard]] Event store_event(const TaskState& task, Name site) const;

  // hindsight.cpp: explanations only
  void look_back(const Event& event);
  SqlReply told(const SqlSuspension& node, const SqlReply& reply);
  KvReply told(const KvSuspension& node, const KvReply& reply);

  // twin.cpp: `confirm` only
  void mirror(const SqlCall& call);
  kv::Reply mirror(const kv::Command& command, Name site, const kv::Reply& reply);
  [[nodiscard]] SqlReply answer_to(const sql::Reply& reply) const;
  void drop_session(sql::SessionId session);
  void drop_kv(const TaskState& task);

  // nemesis.cpp: faults, budgets
  void refresh_faults();
  void fire_fault(FaultStep& step);
  void offer_fault(std::size_t budget, ProcessId process);
  void add_fault_step(std::size_t budget, ProcessId process);
  void crash(ProcessId process, EventIndex struck);
  void leave_on_wire(TaskState& task);
  [[nodiscard]] bool aims_at(const FaultSpec& spec, Name site, ProcessId process) const;
  bool sampled_fault(Suspension& node);
  const FaultSpec* decide_connection(Store store, const Suspension& node);
  const FaultSpec* decide_message(Name site, std::span<const FaultKind> kinds, ProcessId server);
  const FaultSpec* decide_fault(Name site, std::span<const std::size_t> candidates);
  void strike(std::size_t budget, ProcessId process);
  [[nodiscard]] std::uint64_t crash_point(const TaskState& task) const;

  // record.cpp: events and texts
  EventIndex record(Event event);
  EventIndex record_for(TaskState& task, Event event);
  EventIndex record_fault(const FaultSpec& spec, EventIndex cause);
  void say(EventIndex event, std::string text);
  [[nodiscard]] EventIndex event_of(StepId step) const;
  [[nodiscard]] EventIndex writer_event(std::span<const StepId> writers) const;

  WorldSetup setup_;
  Kernel kernel_;
  ExecutorContext executor_context_{kernel_};
  sql::Engine sql_;
  kv::Engine kv_;
  provider::Engine provider_;

  Ports ports_;
  std::deque<TaskState> tasks_;  ///< only the first `task_count_` are in use
  std::size_t task_count_ = 0;
  std::vector<Mailbox> mailboxes_;      ///< one per client and click
  std::vector<std::uint32_t> invoked_;  ///< operations invoked so far, per client
  std::vector<TaskState*> free_tasks_;  ///< finished handlers, to be used again
  std::vector<Blocked> blocked_;
  std::vector<ExpiryStep*> expiries_;
  struct Deadline {
    std::uint64_t bits;
    Duration after;
    Expiry expiry;
    bool armed;
  };
  std::vector<Deadline> deadlines_;
  std::vector<Budget> budgets_;
  std::vector<FaultStep*> fault_steps_;  ///< pending ones
  std::uint32_t derived_count_ = 0;
  StepId derived_of_;
  bool has_fault_steps_ = false;

  struct Section {
    Value key;
    Origin holder;
  };
  std::vector<Section> sections_;  ///< monitor of mutual exclusion: who is inside
  bool overlapped_ = false;        ///< and whether two were, ever
  std::vector<OperationId> operations_;
  std::vector<LedgerEntry> ledger_;
  std::vector<Event> events_;
  std::vector<std::uint32_t> event_steps_;
  std::vector<std::string> texts_;
  Hindsight* hindsight_ = nullptr;
  Twin* twin_ = nullptr;
  SqlAnswer twin_answer_;  ///< to the statement that has just executed
  bool narrate_ = false;
  bool completed_ = false;
  bool protection_worked_ = false;
  EventIndex last_store_event_ = -1;
  std::size_t settle_event_ = 0;
  std::uint64_t settle_step_ = 0;
  Instant settle_instant_;
  CrashCoverage crash_coverage_;
};

}  // namespace idemsim
