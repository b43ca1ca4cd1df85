// Splits a campaign into units of work, and puts their results together in the order of the runs.
#include "sim/explore/campaign.hpp"

#include "sim/explore/parallel.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace idemsim {
namespace {

/// A piece of a cell that one thread does: all of it, or a range of sampled runs.
struct Unit {
  std::size_t cell = 0;
  std::uint64_t part = 0;  ///< the how-manieth of its cell
};

std::uint64_t parts_of(const Cell& cell) {
  const ExploreSpec& spec = cell.scenario->explore;
  return spec.mode == Mode::random ? (spec.runs + kChunkRuns - 1) / kChunkRuns : 1;
}

bool ended_from_outside(Cut cut) { return cut == Cut::budget || cut == Cut::interrupted; }

/// What is known of one cell: the parts put together, and those that wait for an earlier one.
struct Ledge {
  Exploration all;
  std::uint64_t parts = 0;      ///< of the cell
  std::uint64_t committed = 0;  ///< of them put together, from the first on
  std::map<std::uint64_t, Exploration> waiting;
};

class Campaign {
 public:
  Campaign(const std::vector<Cell>& cells, const CampaignOptions& options)
      : cells_(cells), options_(options), ledges_(cells.size()) {
    for (std::size_t i = 0; i < cells.size(); ++i) ledges_[i].parts = parts_of(cells[i]);
    for (const Ledge& ledge : ledges_) parts_max_ = std::max(parts_max_, ledge.parts);
  }

  std::vector<Exploration> run() {
    in_parallel(options_.jobs, unit_count(), [&](std::size_t i) {
      const Unit unit = unit_at(i);
      if (unit.part < ledges_[unit.cell].parts) commit(unit, explore_unit(i));
    });
    std::vector<Exploration> explorations;
    for (Ledge& ledge : ledges_) explorations.push_back(std::move(ledge.all));
    return explorations;
  }

 private:
  [[nodiscard]] std::size_t unit_count() const { return cells_.size() * parts_max_; }
  /// The first part of every cell, then the second of every cell: a campaign that is cut has
  /// sampled all of them alike.
  [[nodiscard]] Unit unit_at(std::size_t index) const {
    return {index % cells_.size(), index / cells_.size()};
  }

  /// Cells that have not begun share the time that is left; several run at once. A part of a
  /// sampled cell is small and needs no share.
  [[nodiscard]] std::int64_t deadline_for(std::size_t unit, Mode mode) const {
    if (options_.budget == kForever) return INT64_MAX;
    if (mode == Mode::random) return options_.budget.ns;
    const std::int64_t now = options_.stopwatch.elapsed_ns();
    const std::int64_t rest = std::max<std::int64_t>(options_.budget.ns - now, 0);
    const std::size_t jobs = std::max<std::size_t>(options_.jobs, 1);
    const std::size_t rounds = (unit_count() - unit + jobs - 1) / jobs;
    return now + rest / static_cast<std::int64_t>(rounds);
  }

  /// What keeps a unit from starting at all, if anything.
  [[nodiscard]] Cut cut_before(const Limits& limits) const {
    if (limits.interrupted != nullptr && limits.interrupted->load()) return Cut::interrupted;
    return limits.stopwatch.elapsed_ns() >= limits.deadline_ns ? Cut::budget : Cut::none;
  }

  [[nodiscard]] Exploration explore_unit(std::size_t index) const {
    const Unit unit = unit_at(index);
    const Cell& cell = cells_[unit.cell];
    const ExploreSpec& spec = cell.scenario->explore;
    Limits limits;
    limits.interrupted = options_.interrupted;
    limits.deadline_ns = deadline_for(index, spec.mode);
    limits.stopwatch = options_.stopwatch;
    if (options_.progress != nullptr) limits.runs_seen = &options_.progress->runs;
    Exploration nothing;
    nothing.cut = cut_before(limits);
    if (nothing.cut != Cut::none) return nothing;
    World world(setup_of(cell));
    switch (spec.mode) {
      case Mode::fifo:
        return explore_fifo(world, limits);
      case Mode::random:
        return explore_random(world, unit.part * kChunkRuns,
                              std::min(kChunkRuns, spec.runs - unit.part * kChunkRuns), limits);
      case Mode::exhaustive:
        break;
    }
    limits.runs = spec.runs;
    limits.states = spec.states_max;
    return explore_exhaustive(world, limits);
  }

  /// Later parts wait for the earlier ones, and count for nothing once one of those was cut.
  void commit(const Unit& unit, Exploration&& exploration) {
    const std::lock_guard lock(mutex_);
    Ledge& ledge = ledges_[unit.cell];
    ledge.waiting.emplace(unit.part, std::move(exploration));
    while (!ledge.waiting.empty() && ledge.waiting.begin()->first == ledge.committed) {
      Exploration& next = ledge.waiting.begin()->second;
      if (ledge.committed == 0) {
        ledge.all = std::move(next);
      } else if (!ended_from_outside(ledge.all.cut)) {
        append(ledge.all, next);
      }
      ledge.waiting.erase(ledge.waiting.begin());
      ++ledge.committed;
    }
    show(unit.cell);
  }

  void show(std::size_t cell) {
    if (options_.progress == nullptr) return;
    std::uint32_t violated = 0;
    for (std::size_t i = 0; i < kProperties.size(); ++i) {
      if (ledges_[cell].all.violations[i] > 0) violated |= std::uint32_t{1} << i;
    }
    options_.progress->violated[cell] = violated;
    if (ledges_[cell].committed == ledges_[cell].parts) ++options_.progress->cells_done;
  }

  const std::vector<Cell>& cells_;
  const CampaignOptions& options_;
  std::vector<Ledge> ledges_;
  std::uint64_t parts_max_ = 0;
  std::mutex mutex_;
};

}  // namespace

void append(Exploration& all, const Exploration& next) {
  all.exhausted = all.exhausted && next.exhausted;
  if (all.cut == Cut::none || ended_from_outside(next.cut)) all.cut = next.cut;
  all.executions += next.executions;
  all.undecided += next.undecided;
  all.pruned += next.pruned;
  all.states += next.states;
  all.steps += next.steps;
  for (std::size_t i = 0; i < all.violations.size(); ++i) all.violations[i] += next.violations[i];
  for (const Witness& witness : next.witnesses) {
    const auto known = std::find_if(all.witnesses.begin(), all.witnesses.end(),
                                    [&](const Witness& w) { return w.bucket == witness.bucket; });
    if (known == all.witnesses.end()) {
      all.witnesses.push_back(witness);
    } else {
      known->count += witness.count;
    }
  }
  all.exercised = all.exercised || next.exercised;
  all.crashes.merge(next.crashes);
}

std::vector<Exploration> explore_cells(const std::vector<Cell>& cells,
                                       const CampaignOptions& options) {
  return Campaign(cells, options).run();
}

}  // namespace idemsim
