// The search tree: one node per choice, explored in fifo order, re-executed from the start.
#include "sim/explore/exhaustive.hpp"

#include "sim/base/assert.hpp"
#include "sim/world/kernel.hpp"

#include <algorithm>

namespace idemsim {

ExhaustiveScheduler::ExhaustiveScheduler(StateSource source, Reduction reduction)
    : source_(source), reduction_(reduction) {
  IDEMSIM_ASSERT(reduction != Reduction::automatic);
}

ExhaustiveScheduler::Node& ExhaustiveScheduler::push() {
  if (size_ == nodes_.size()) nodes_.emplace_back();
  Node& node = nodes_[size_++];
  node.enabled.clear();
  node.sleep.clear();
  node.touched.clear();
  node.touched_by_any.clear();
  return node;
}

bool ExhaustiveScheduler::asleep(const Node& node, std::uint32_t index) const {
  const StepId& id = node.enabled[index];
  return std::any_of(node.sleep.begin(), node.sleep.end(),
                     [&](const Sleeping& s) { return s.id == id; });
}

/// What slept before the last step still sleeps if the two are independent.
void ExhaustiveScheduler::inherit_sleep(Node& node) {
  if (reduction_ != Reduction::sleep_sets || !any_pick_) return;
  const Node& parent = nodes_[last_pick_];
  for (const Sleeping& s : parent.sleep) {
    if (!conflict(s.touched, parent.touched)) node.sleep.push_back(s);
  }
}

std::size_t ExhaustiveScheduler::first_awake(Node& node, std::uint32_t from) {
  for (std::uint32_t i = from; i < node.choices; ++i) {
    if (asleep(node, i)) continue;
    node.chosen = i;
    return i;
  }
  return kStop;
}

std::size_t ExhaustiveScheduler::pick(std::span<Step* const> enabled, const Kernel& kernel) {
  if (depth_ < size_) {
    Node& node = nodes_[depth_];
    // A different offer on the same path would be hidden nondeterminism.
    IDEMSIM_ASSERT(node.is_pick && enabled.size() == node.choices);
    IDEMSIM_ASSERT(enabled[node.chosen]->id == node.enabled[node.chosen]);
    last_pick_ = depth_++;
    any_pick_ = true;
    return node.chosen;
  }
  if (reduction_ == Reduction::visited) {
    const Hash128 state = source_.hash(source_.self);
    const bool bounded = kernel.options().time == TimeModel::bounded;
    const auto bounds = bounded ? kernel.state_class().bounds() : std::span<const std::int64_t>();
    if (!visited_.insert(state, bounds)) return kStop;
  }
  Node& node = push();
  node.is_pick = true;
  node.choices = static_cast<std::uint32_t>(enabled.size());
  for (const Step* step : enabled) node.enabled.push_back(step->id);
  inherit_sleep(node);
  const std::size_t index = first_awake(node, 0);
  if (index == kStop) {
    --size_;
    return kStop;
  }
  last_pick_ = depth_++;
  any_pick_ = true;
  return index;
}

std::size_t ExhaustiveScheduler::decide(const DecisionPoint&,
                                        std::span<const Alternative> alternatives) {
  if (depth_ < size_) {
    const Node& node = nodes_[depth_++];
    IDEMSIM_ASSERT(!node.is_pick && node.choices == alternatives.size());
    return node.chosen;
  }
  IDEMSIM_ASSERT(alternatives.size() <= 64);
  Node& node = push();
  node.is_pick = false;
  node.chosen = 0;
  node.choices = static_cast<std::uint32_t>(alternatives.size());
  node.allowed = 0;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (alternatives[i].allowed) node.allowed |= std::uint64_t{1} << i;
  }
  ++depth_;
  return 0;
}

void ExhaustiveScheduler::after(const StepDone& done) {
  if (reduction_ != Reduction::sleep_sets) return;
  Node& node = nodes_[last_pick_];
  node.touched = done.touched;
  node.touched_by_any.add(done.touched);
}

bool ExhaustiveScheduler::next() {
  depth_ = 0;
  any_pick_ = false;
  while (size_ > 0) {
    Node& node = nodes_[size_ - 1];
    if (!node.is_pick) {
      for (std::uint32_t i = node.chosen + 1; i < node.choices; ++i) {
        if ((node.allowed >> i & 1) == 0) continue;
        node.chosen = i;
        return true;
      }
      --size_;
      continue;
    }
    if (reduction_ == Reduction::sleep_sets) {
      node.sleep.push_back({node.enabled[node.chosen], node.touched_by_any});
      node.touched_by_any.clear();
    }
    if (first_awake(node, node.chosen + 1) != kStop) return true;
    --size_;
  }
  return false;
}

}  // namespace idemsim
