// Pending steps of sampled time: a 4-ary heap that knows where each step is, so that any can leave.
#pragma once

#include "sim/world/scheduler.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace idemsim {

/// Fifo order: work before faults, then (earliest, step id).
[[nodiscard]] inline bool fifo_before(const Step* a, const Step* b) {
  const bool a_fault = a->klass == StepClass::fault;
  const bool b_fault = b->klass == StepClass::fault;
  if (a_fault != b_fault) return b_fault;
  if (a->earliest != b->earliest) return a->earliest < b->earliest;
  return a->id < b->id;
}

class StepHeap {
 public:
  [[nodiscard]] bool empty() const { return steps_.empty(); }
  [[nodiscard]] std::span<Step* const> steps() const { return steps_; }
  void clear() { steps_.clear(); }

  void push(Step* step) {
    steps_.push_back(step);
    sift_up(steps_.size() - 1);
  }
  [[nodiscard]] Step* first() const { return steps_.front(); }
  void remove(Step* step) {
    const std::size_t hole = step->heap_index;
    Step* last = steps_.back();
    steps_.pop_back();
    if (last == step) return;
    steps_[hole] = last;
    last->heap_index = hole;
    sift_down(hole);
    sift_up(last->heap_index);
  }
  /// After many keys changed (a pause).
  void rebuild() {
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i]->heap_index = i;
    for (std::size_t i = steps_.size(); i-- > 0;) sift_down(i);
  }

 private:
  static constexpr std::size_t kWays = 4;
  void place(Step* step, std::size_t at) {
    steps_[at] = step;
    step->heap_index = at;
  }
  void sift_up(std::size_t at) {
    Step* step = steps_[at];
    while (at > 0) {
      const std::size_t parent = (at - 1) / kWays;
      if (!fifo_before(step, steps_[parent])) break;
      place(steps_[parent], at);
      at = parent;
    }
    place(step, at);
  }
  void sift_down(std::size_t at) {
    Step* step = steps_[at];
    for (;;) {
      const std::size_t from = at * kWays + 1;
      if (from >= steps_.size()) break;
      const std::size_t to = from + kWays < steps_.size() ? from + kWays : steps_.size();
      std::size_t best = from;
      for (std::size_t child = from + 1; child < to; ++child) {
        if (fifo_before(steps_[child], steps_[best])) best = child;
      }
      if (!fifo_before(steps_[best], step)) break;
      place(steps_[best], at);
      at = best;
    }
    place(step, at);
  }
  std::vector<Step*> steps_;
};

}  // namespace idemsim
