// Exploring one cell: fifo, random or exhaustive; what was covered, and a witness for each bucket.
#pragma once

#include "sim/model/result.hpp"
#include "sim/model/schedule.hpp"
#include "sim/model/verdict.hpp"
#include "sim/run/cell.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace idemsim {

/// The first violating run of a bucket (property, effect sites, fault kinds), by run index.
struct Witness {
  Property property = Property::at_most_once;
  std::uint64_t bucket = 0;
  std::uint64_t run_index = 0;
  std::uint64_t seed = 0;  ///< of the draws in sampled time
  Schedule schedule;
  std::uint64_t count = 0;  ///< violating runs of the bucket
};

/// A clock that is lent to a search: only cli has one.
struct Stopwatch {
  std::int64_t (*read)(const void* self) = nullptr;  ///< nanoseconds since some moment
  const void* self = nullptr;
  [[nodiscard]] std::int64_t elapsed_ns() const { return read == nullptr ? 0 : read(self); }
};

/// What may end an exploration early. A search that was ended is never `holds`.
struct Limits {
  std::uint64_t runs = 0;    ///< 0 = no limit (exhaustive)
  std::uint64_t states = 0;  ///< 0 = no limit
  const std::atomic<bool>* interrupted = nullptr;
  std::int64_t deadline_ns = INT64_MAX;  ///< on the stopwatch, which is read now and then
  Stopwatch stopwatch;
  std::atomic<std::uint64_t>* runs_seen = nullptr;  ///< counts up meanwhile, for progress
};

struct Exploration {
  bool exhausted = false;
  Cut cut = Cut::none;
  std::uint64_t executions = 0;  ///< complete runs
  std::uint64_t undecided = 0;   ///< runs that reached the limit of steps: they say nothing
  std::uint64_t pruned = 0;      ///< runs that ended in a state or order already covered
  std::uint64_t states = 0;
  std::uint64_t steps = 0;
  std::array<std::uint64_t, kProperties.size()> violations{};
  std::vector<Witness> witnesses;  ///< in order of discovery
  bool exercised = false;          ///< a protection worked in some run
  CrashCoverage crashes;
};

/// Judges the finished run of `world` and files it under `exploration`.
void file_run(const World& world, std::uint64_t run_index, std::uint64_t seed,
              Exploration& exploration);

/// The quiet day, once.
[[nodiscard]] Exploration explore_fifo(World& world, const Limits& limits = {});
/// Runs [first, first + count) of a sampled campaign; independent of every other range.
[[nodiscard]] Exploration explore_random(World& world, std::uint64_t first, std::uint64_t count,
                                         const Limits& limits);
/// All executions within the bounds, up to equivalence. In bounded time a visited set with
/// inclusion, otherwise sleep sets; `plain` turns every reduction off.
enum class Reduction : std::uint8_t { automatic, plain, sleep_sets, visited };
[[nodiscard]] Exploration explore_exhaustive(World& world, const Limits& limits,
                                             Reduction reduction = Reduction::automatic);
/// What the scenario asks for, serially.
[[nodiscard]] Exploration explore(World& world, const Limits& limits);

/// Seed of one run of a sampled campaign.
[[nodiscard]] std::uint64_t seed_of_run(std::uint64_t scenario_seed, std::uint64_t run_index);

}  // namespace idemsim
