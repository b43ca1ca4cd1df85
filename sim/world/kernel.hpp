// The core of the simulator, without coroutines: pending steps, choices, virtual time, footprints.
#pragma once

#include "sim/base/footprint.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"
#include "sim/model/scenario.hpp"
#include "sim/model/schedule.hpp"
#include "sim/world/pool.hpp"
#include "sim/world/scheduler.hpp"
#include "sim/world/state_class.hpp"
#include "sim/world/step_heap.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace idemsim {

/// A piece of local code that runs before the next choice (a resumed coroutine).
struct Microtask {
  void (*run)(Microtask*) = nullptr;  ///< consumes the node
  Microtask* next = nullptr;
};

/// Something that waits for a resource to be written; it becomes a step again when it was.
struct Parked {
  Footprint watched;
  void (*wake)(Parked*) = nullptr;  ///< adds its step; it is no longer parked then
  std::uint64_t identity = 0;       ///< for the state hash
};

/// How a run ended.
enum class RunEnd : std::uint8_t {
  quiescent,    ///< no work is left
  stopped,      ///< the scheduler stopped it
  steps_limit,  ///< cut: nothing may be concluded
  interrupted   ///< somebody wants the search to end: the run says nothing
};

/// Asked now and then in the middle of a run: shall it end? A run that goes on does not depend on
/// it.
struct StopSignal {
  bool (*asked)(const void* self) = nullptr;  ///< null: nobody ever wants it to end
  const void* self = nullptr;
};

/// A line of the log from which instants are solved: what one step did to the pending set.
struct TimedStep {
  StepId fired;
  std::uint32_t killed_end = 0;   ///< end of its range in KernelLog::killed
  std::uint32_t created_end = 0;  ///< end of its range in KernelLog::created
  std::uint32_t shifted_end = 0;  ///< end of its range in KernelLog::shifted
  Duration shift;                 ///< pause: its length
};

/// What each step killed, created and shifted, in order; entry 0 is the start of the run.
struct KernelLog {
  std::vector<TimedStep> steps;
  std::vector<StepId> killed;
  std::vector<Created> created;
  std::vector<StepId> shifted;
  void clear();
};

/// Runs one world's steps in an order chosen by a scheduler. Pure: its only inputs are the steps
/// that are added, the scheduler and the seed.
class Kernel {
 public:
  struct Options {
    TimeModel time = TimeModel::bounded;
    std::uint64_t steps_max = 10'000;
    std::uint64_t seed = 1;
    bool draw = false;  ///< sampled time: draw in each window instead of taking its start
    bool log = false;   ///< keep the log from which instants are solved
    StopSignal stop;
  };

  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel();

  /// Begins a run: nothing is pending. The memory is kept.
  void begin(const Options& options, Scheduler& scheduler);
  /// Runs local code and steps until no work is left, the scheduler or the signal stops it, or the
  /// limit is hit.
  RunEnd run();
  /// From here on nobody chooses: fifo, benign, faults gone, retention never reached.
  void settle();
  /// After `settle`: fires everything but retentions until nothing of it is left.
  RunEnd flush();
  /// Destroys everything that is still pending, outside of any schedule.
  void abandon();
  /// Called at the end of each step (and of the start), while it may still add and remove.
  using StepEnd = void (*)(void* self);
  void on_step_end(StepEnd hook, void* self) {
    step_end_ = hook;
    step_end_self_ = self;
  }

  // ---- called by the world while a step (or the start) is running ----

  /// Makes a step pending; its window counts from the running step.
  void add(Step* step);
  /// Takes a pending step out because of the running step (crash, answer, release). The caller
  /// owns it afterwards.
  void remove(Step* step);
  /// As `remove`, for a step that was never more than an offer (a fault): taking it back is no
  /// access to what it would have touched.
  void withdraw(Step* step);
  /// Destroys a step that is not pending, once the running step has finished.
  void bury(Step* step);
  void park(Parked* parked);
  void unpark(Parked* parked);
  void post(Microtask* task);
  /// A pause: all pending steps of `process` happen `by` later.
  void shift(ProcessId process, Duration by);
  void touch(Resource resource, Access access) { touched_.add(resource, access); }
  [[nodiscard]] Footprint& touched() { return touched_; }
  /// Chooses among alternatives; 0 without asking if nothing else is allowed.
  std::size_t decide(Name site, std::span<const Alternative> alternatives);

  // ---- read by anybody ----

  [[nodiscard]] Instant now() const { return now_; }
  [[nodiscard]] StepId running() const { return running_; }
  [[nodiscard]] std::uint64_t fired() const { return fired_; }
  /// Number of the step that runs now, from 1; between steps that of the last one.
  [[nodiscard]] std::uint64_t running_ordinal() const { return fired_ + (firing_ ? 1 : 0); }
  [[nodiscard]] bool settling() const { return settling_; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const StateClass& state_class() const { return class_; }
  /// In fifo order; not for sampled time.
  [[nodiscard]] std::span<Step* const> pending() const { return pending_; }
  [[nodiscard]] Pool& pool() { return pool_; }
  [[nodiscard]] const KernelLog& log() const { return log_; }
  /// The choices of this run that differ from the quiet day.
  [[nodiscard]] const Schedule& recorded() const { return recorded_; }
  /// Pending and parked steps (without their windows), for the state hash.
  void hash_state(StateHasher& hasher) const;
  /// Random bits of one step, independent of every other step.
  [[nodiscard]] Prng stream_of(const StepId& id) const {
    return Prng(combine(combine(options_.seed, id.origin), id.place));
  }

 private:
  [[nodiscard]] std::span<Step* const> enabled();
  [[nodiscard]] bool stop_asked() const;
  void end_start();
  void end_step();
  Step* take_next();
  Step* take_settling();
  void fire(Step* step);
  void drain();
  void wake_parked();
  void advance_time(const StepId& fired);
  void log_step(const StepId& fired);
  void reap();
  void insert_sorted(Step* step);

  Options options_;
  Scheduler* scheduler_ = nullptr;
  Pool pool_;
  std::vector<Step*> pending_;  ///< in fifo order; empty in sampled time before `settle`
  StepHeap heap_;               ///< sampled time
  std::vector<Step*> enabled_;
  std::vector<Parked*> parked_;
  Microtask* first_ = nullptr;
  Microtask* last_ = nullptr;
  Step* graveyard_ = nullptr;
  std::uint64_t work_ = 0;  ///< pending steps of class work
  std::uint64_t fired_ = 0;
  Instant now_;
  StepId running_;
  Footprint touched_;
  bool settling_ = false;
  bool in_step_ = false;  ///< steps may be added now
  bool firing_ = false;
  StepEnd step_end_ = nullptr;
  void* step_end_self_ = nullptr;
  StateClass class_;
  std::vector<StepId> killed_;
  std::vector<Created> created_;
  std::vector<StepId> shifted_;
  Duration shift_by_;
  struct SiteCount {
    Name site;
    std::uint32_t count;
  };
  std::vector<SiteCount> decisions_;  ///< of the running step
  Schedule recorded_;
  KernelLog log_;
};

}  // namespace idemsim
