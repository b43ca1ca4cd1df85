// Exploring one cell and keeping what was found: counts, verdicts per property, first witnesses.
#include "sim/explore/explorer.hpp"

#include "sim/base/hash.hpp"
#include "sim/explore/exhaustive.hpp"
#include "sim/explore/schedulers.hpp"
#include "sim/oracles/oracles.hpp"

#include <algorithm>

namespace idemsim {
namespace {

/// How often a search looks at the clock and at Ctrl-C.
constexpr std::uint64_t kCheckEvery = 256;

/// Effect sites and fault kinds of a run: which bucket its violations fall into.
std::uint64_t shape_of(std::span<const Event> events) {
  std::uint64_t effects = 0;
  std::uint64_t faults = 0;
  for (const Event& e : events) {
    if (e.type == EventType::effect) effects += mix64(e.site.hash);
    if (e.type == EventType::fault) faults |= std::uint64_t{1} << static_cast<unsigned>(e.fault);
  }
  return combine(mix64(effects), faults);
}

/// What ends a search from outside: nothing of the run under way counts.
std::optional<Cut> cut_from_outside(const Limits& limits) {
  if (limits.interrupted != nullptr && limits.interrupted->load(std::memory_order_relaxed)) {
    return Cut::interrupted;
  }
  if (limits.stopwatch.elapsed_ns() >= limits.deadline_ns) return Cut::budget;
  return std::nullopt;
}

/// The same, for a run that takes long.
StopSignal signal_of(const Limits& limits) {
  return {[](const void* self) {
            return cut_from_outside(*static_cast<const Limits*>(self)).has_value();
          },
          &limits};
}

std::optional<Cut> cut_now(const Limits& limits, const Exploration& exploration) {
  const std::uint64_t runs = exploration.executions + exploration.pruned;
  if (limits.runs != 0 && runs >= limits.runs) return Cut::runs;
  if (limits.states != 0 && exploration.states >= limits.states) return Cut::states;
  if (runs % kCheckEvery != 0) return std::nullopt;
  if (limits.runs_seen != nullptr) limits.runs_seen->fetch_add(kCheckEvery);
  return cut_from_outside(limits);
}

}  // namespace

void file_run(const World& world, std::uint64_t run_index, std::uint64_t seed,
              Exploration& exploration) {
  const FinishedRun run = world.finished();
  const std::uint32_t violated = violated_set(run);
  ++exploration.executions;
  if (violated == 0) return;
  const std::uint64_t shape = shape_of(run.events);
  for (const Property property : kProperties) {
    if ((violated & bit_of(property)) == 0) continue;
    ++exploration.violations[static_cast<std::size_t>(property)];
    const std::uint64_t bucket = combine(shape, static_cast<std::uint64_t>(property));
    const auto known = std::find_if(exploration.witnesses.begin(), exploration.witnesses.end(),
                                    [&](const Witness& w) { return w.bucket == bucket; });
    if (known != exploration.witnesses.end()) {
      ++known->count;
      continue;
    }
    exploration.witnesses.push_back({property, bucket, run_index, seed, world.recorded(), 1});
  }
}

std::uint64_t seed_of_run(std::uint64_t scenario_seed, std::uint64_t run_index) {
  return combine(mix64(scenario_seed), run_index);
}

Exploration explore_fifo(World& world, const Limits& limits) {
  Exploration exploration;
  FifoScheduler scheduler;
  const std::uint64_t seed = world.setup().scenario->seed;
  const RunEnd end = world.run(scheduler, {seed, false, signal_of(limits)});
  exploration.steps = world.kernel().fired();
  exploration.exercised = world.protection_worked();
  if (end == RunEnd::quiescent) {
    file_run(world, 0, seed, exploration);
  } else if (end == RunEnd::interrupted) {
    exploration.cut = cut_from_outside(limits).value_or(Cut::budget);
  } else {
    exploration.cut = Cut::steps;
    exploration.undecided = 1;
  }
  exploration.crashes = world.crash_coverage();
  return exploration;
}

Exploration explore_random(World& world, std::uint64_t first, std::uint64_t count,
                           const Limits& limits) {
  Exploration exploration;
  RandomScheduler scheduler(*world.setup().faults);
  for (std::uint64_t i = first; i < first + count; ++i) {
    if (i % kCheckEvery == 0) {
      Limits soft = limits;
      soft.runs = 0;
      Exploration none;
      if (const std::optional<Cut> cut = cut_now(soft, none)) {
        exploration.cut = *cut;
        break;
      }
    }
    const std::uint64_t seed = seed_of_run(world.setup().scenario->seed, i);
    scheduler.reset(seed);
    const RunEnd end = world.run(scheduler, {seed, false, signal_of(limits)});
    if (end == RunEnd::interrupted) {
      exploration.cut = cut_from_outside(limits).value_or(Cut::budget);
      break;
    }
    exploration.steps += world.kernel().fired();
    exploration.exercised = exploration.exercised || world.protection_worked();
    if (end == RunEnd::quiescent) {
      file_run(world, i, seed, exploration);
    } else {
      exploration.cut = Cut::steps;
      ++exploration.undecided;
    }
  }
  exploration.crashes = world.crash_coverage();
  return exploration;
}

Exploration explore_exhaustive(World& world, const Limits& limits, Reduction reduction) {
  Exploration exploration;
  if (reduction == Reduction::automatic) {
    const bool bounded = world.setup().scenario->explore.time == TimeModel::bounded;
    reduction = bounded ? Reduction::visited : Reduction::sleep_sets;
  }
  const StateSource source{
      &world, [](const void* self) { return static_cast<const World*>(self)->state_hash(); }};
  ExhaustiveScheduler scheduler(source, reduction);
  const std::uint64_t seed = world.setup().scenario->seed;
  for (std::uint64_t i = 0;; ++i) {
    const RunEnd end = world.run(scheduler, {seed, false, signal_of(limits)});
    exploration.states = scheduler.states();
    if (end == RunEnd::interrupted) {
      exploration.cut = cut_from_outside(limits).value_or(Cut::budget);
      break;
    }
    exploration.steps += world.kernel().fired();
    exploration.exercised = exploration.exercised || world.protection_worked();
    switch (end) {
      case RunEnd::quiescent:
        file_run(world, i, seed, exploration);
        break;
      case RunEnd::stopped:
        ++exploration.pruned;
        break;
      case RunEnd::steps_limit:
        exploration.cut = Cut::steps;  // this run says nothing; the rest still may find something
        ++exploration.pruned;
        ++exploration.undecided;
        break;
      case RunEnd::interrupted:
        break;
    }
    if (!scheduler.next()) break;
    if (const std::optional<Cut> cut = cut_now(limits, exploration)) {
      exploration.cut = *cut;
      break;
    }
  }
  exploration.exhausted = exploration.cut == Cut::none;
  exploration.crashes = world.crash_coverage();
  return exploration;
}

Exploration explore(World& world, const Limits& limits) {
  const ExploreSpec& spec = world.setup().scenario->explore;
  switch (spec.mode) {
    case Mode::fifo:
      return explore_fifo(world, limits);
    case Mode::random:
      return explore_random(world, 0, spec.runs, limits);
    case Mode::exhaustive:
      break;
  }
  return explore_exhaustive(world, limits);
}

}  // namespace idemsim
