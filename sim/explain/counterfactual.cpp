// Building the other order and judging it.
#include "sim/explain/counterfactual.hpp"

#include "sim/explain/orders.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace idemsim {
namespace {

std::size_t place_of(const std::vector<StepTaken>& steps, StepId id) {
  const auto at =
      std::find_if(steps.begin(), steps.end(), [id](const StepTaken& s) { return s.id == id; });
  return static_cast<std::size_t>(at - steps.begin());
}

/// Marks the steps that had to come before `last`: those that made it possible, and those whose
/// writes it or they have read.
std::vector<bool> causal_past(const Case& c, std::size_t last) {
  const std::vector<StepTaken>& steps = c.steps();
  std::vector<bool> past(steps.size());
  past[last] = true;
  const auto mark = [&](StepId id) {
    const std::size_t at = place_of(steps, id);
    if (at < steps.size()) past[at] = true;
  };
  for (std::size_t i = last + 1; i-- > 0;) {
    if (!past[i]) continue;
    mark(steps[i].creator);
    for (const Event& e : c.events()) {
      if (e.step != steps[i].id) continue;
      for (const EventIndex sooner : {e.before, e.cause, e.read_from}) {
        if (sooner >= 0) mark(c.event(sooner).step);
      }
    }
  }
  return past;
}

struct Orders {
  std::vector<StepId> strict;
  std::vector<StepId> loose;
};

std::optional<Orders> reordered(const Case& c, const RaceEvents& race) {
  const std::vector<StepTaken>& steps = c.steps();
  const std::size_t check = place_of(steps, c.event(race.check).step);
  const std::size_t record = place_of(steps, c.event(race.record).step);
  if (check >= steps.size() || record >= steps.size() || record <= check) return std::nullopt;
  const std::vector<bool> past = causal_past(c, record);
  Orders orders;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool first = i < check || (i <= record && past[i]);
    // The record rests on something that B did after its check: it cannot come first.
    if (first && i >= check && steps[i].id.from() == c.guilty().b) return std::nullopt;
    (first ? orders.strict : orders.loose).push_back(steps[i].id);
  }
  return orders;
}

/// Who sent what, probes left out, and which faults happened.
std::vector<std::pair<std::uint64_t, std::uint64_t>> outside_of(std::span<const Event> events) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> outside;
  for (const Event& e : events) {
    if (e.type == EventType::invoke && !e.probe) {
      outside.emplace_back(e.process.index, combine(e.key.fold(), e.body.fold()));
    }
    if (e.type == EventType::fault) {
      outside.emplace_back(~std::uint64_t{0}, static_cast<std::uint64_t>(e.fault));
    }
  }
  std::sort(outside.begin(), outside.end());
  return outside;
}

}  // namespace

std::optional<OtherOrder> other_order(Case& c, const RaceEvents& race) {
  // A schedule of a sampled run has no order of its own to be changed.
  if (c.scenario().explore.time == TimeModel::sampled) return std::nullopt;
  std::optional<Orders> orders = reordered(c, race);
  if (!orders) return std::nullopt;
  OrderScheduler scheduler(std::move(orders->strict), std::move(orders->loose), c.schedule());
  World& world = c.laboratory();
  if (world.run(scheduler, {c.seed(), true}) != RunEnd::quiescent) return std::nullopt;
  const FinishedRun run = world.finished();
  if (violated_set(run) != 0 || outside_of(run.events) != outside_of(c.events())) {
    return std::nullopt;
  }
  for (const Event& e : run.events) {
    if (e.type != EventType::answer || e.step.from() != c.guilty().b) continue;
    if (!is_final(e.status)) return std::nullopt;
    return OtherOrder{e.status, world.recorded(), hash_of(run.events)};
  }
  return std::nullopt;
}

}  // namespace idemsim
