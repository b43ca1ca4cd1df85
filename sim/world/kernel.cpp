// The step loop. Nothing here allocates once the vectors have grown.
#include "sim/world/kernel.hpp"

#include "sim/base/assert.hpp"

#include <algorithm>

namespace idemsim {
namespace {

/// Steps between two questions whether to stop (a power of two); with more pending steps than
/// that in bounded time one step is work enough to ask each time.
constexpr std::uint64_t kAskEvery = 256;
constexpr std::size_t kPendingMany = 64;

Duration drawn(Window window, Prng stream) {
  const std::int64_t width = (window.latest - window.earliest).ns;
  if (width <= 0 || window.latest >= kForever) return window.earliest;
  return window.earliest +
         Duration{static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(width) + 1))};
}

}  // namespace

void KernelLog::clear() {
  steps.clear();
  killed.clear();
  created.clear();
  shifted.clear();
}

Kernel::~Kernel() { abandon(); }

void Kernel::begin(const Options& options, Scheduler& scheduler) {
  IDEMSIM_ASSERT(pending_.empty() && parked_.empty());
  options_ = options;
  scheduler_ = &scheduler;
  work_ = 0;
  fired_ = 0;
  now_ = {};
  running_ = {};
  touched_.clear();
  settling_ = false;
  firing_ = false;
  class_.reset();
  killed_.clear();
  created_.clear();
  shifted_.clear();
  decisions_.clear();
  recorded_.runs.clear();
  recorded_.takes.clear();
  log_.clear();
  in_step_ = true;  // the start of the run counts as a step: it creates, it may decide
}

void Kernel::end_start() {
  if (!in_step_) return;
  end_step();
  if (options_.time == TimeModel::bounded && !settling_) class_.create(created_);
  if (options_.log) log_step(StepId{});
  created_.clear();
  killed_.clear();
  in_step_ = false;
}

void Kernel::end_step() {
  drain();
  wake_parked();
  if (step_end_ != nullptr && !settling_) step_end_(step_end_self_);
}

bool Kernel::stop_asked() const {
  const bool due = (fired_ + 1) % kAskEvery == 0 || pending_.size() > kPendingMany;
  return due && options_.stop.asked != nullptr && options_.stop.asked(options_.stop.self);
}

RunEnd Kernel::run() {
  end_start();
  while (work_ > 0) {
    if (fired_ >= options_.steps_max) return RunEnd::steps_limit;
    if (stop_asked()) return RunEnd::interrupted;
    Step* step = take_next();
    if (step == nullptr) return RunEnd::stopped;
    fire(step);
  }
  return RunEnd::quiescent;
}

RunEnd Kernel::flush() {
  IDEMSIM_ASSERT(settling_);
  end_start();
  for (;;) {
    if (stop_asked()) return RunEnd::interrupted;
    Step* step = take_settling();
    if (step == nullptr) return RunEnd::quiescent;
    if (fired_ >= options_.steps_max) {
      bury(step);
      return RunEnd::steps_limit;
    }
    fire(step);
  }
}

std::span<Step* const> Kernel::enabled() {
  if (options_.time != TimeModel::bounded) return pending_;
  enabled_.clear();
  for (Step* step : pending_) {
    if (class_.feasible(step->id)) enabled_.push_back(step);
  }
  IDEMSIM_ASSERT(!enabled_.empty());
  return enabled_;
}

Step* Kernel::take_next() {
  Step* step = nullptr;
  if (options_.time == TimeModel::sampled) {
    step = heap_.first();
    heap_.remove(step);
  } else {
    const std::span<Step* const> choices = enabled();
    const std::size_t index = scheduler_->pick(choices, *this);
    if (index == Scheduler::kStop) return nullptr;
    IDEMSIM_ASSERT(index < choices.size());
    step = choices[index];
    if (index != 0) recorded_.runs.push_back({choices[0]->id, step->id});
    pending_.erase(std::find(pending_.begin(), pending_.end(), step));
  }
  step->pending = false;
  if (step->klass == StepClass::work) --work_;
  return step;
}

Step* Kernel::take_settling() {
  const auto first = std::find_if(pending_.begin(), pending_.end(),
                                  [](const Step* s) { return s->klass != StepClass::retention; });
  if (first == pending_.end()) return nullptr;
  Step* step = *first;
  pending_.erase(first);
  step->pending = false;
  if (step->klass == StepClass::work) --work_;
  return step;
}

void Kernel::fire(Step* step) {
  const StepId id = step->id;
  const StepId creator = step->creator;
  const ProcessId process = step->process;
  const StepClass klass = step->klass;
  in_step_ = true;
  firing_ = true;
  running_ = id;
  now_ = std::max(now_, step->earliest);
  touched_.clear();
  killed_.clear();
  created_.clear();
  shifted_.clear();
  decisions_.clear();
  touched_.add(Resource::of(ResourceKind::process, process.index), Access::read);
  step->fire(step);
  end_step();
  firing_ = false;
  ++fired_;
  if (options_.time == TimeModel::bounded && !settling_) advance_time(id);
  if (options_.log) log_step(id);
  in_step_ = false;
  if (!settling_) scheduler_->after({id, creator, touched_, process, klass});
  reap();
}

void Kernel::advance_time(const StepId& fired) {
  class_.fire(fired, killed_, created_);
  if (!shifted_.empty()) class_.shift(shifted_, shift_by_);
}

void Kernel::log_step(const StepId& fired) {
  log_.killed.insert(log_.killed.end(), killed_.begin(), killed_.end());
  log_.created.insert(log_.created.end(), created_.begin(), created_.end());
  log_.shifted.insert(log_.shifted.end(), shifted_.begin(), shifted_.end());
  log_.steps.push_back({fired, static_cast<std::uint32_t>(log_.killed.size()),
                        static_cast<std::uint32_t>(log_.created.size()),
                        static_cast<std::uint32_t>(log_.shifted.size()), shift_by_});
}

void Kernel::drain() {
  while (first_ != nullptr) {
    Microtask* task = first_;
    first_ = task->next;
    if (first_ == nullptr) last_ = nullptr;
    task->run(task);
  }
}

void Kernel::wake_parked() {
  for (std::size_t i = 0; i < parked_.size();) {
    Parked* parked = parked_[i];
    if (!conflict(touched_, parked->watched)) {
      ++i;
      continue;
    }
    parked_.erase(parked_.begin() + static_cast<std::ptrdiff_t>(i));
    parked->wake(parked);
  }
}

void Kernel::add(Step* step) {
  IDEMSIM_ASSERT(in_step_);
  IDEMSIM_ASSERT(!step->pending);
  step->pending = true;
  step->creator = running_;
  const bool sampled = options_.time == TimeModel::sampled;
  const Duration delay =
      sampled && options_.draw ? drawn(step->window, stream_of(step->id)) : step->window.earliest;
  step->earliest = now_ + delay;
  if (step->klass == StepClass::work) ++work_;
  created_.push_back({step->id, step->window});
  if (sampled && !settling_) {
    heap_.push(step);
    return;
  }
  insert_sorted(step);
}

void Kernel::insert_sorted(Step* step) {
  pending_.insert(std::upper_bound(pending_.begin(), pending_.end(), step, fifo_before), step);
}

void Kernel::remove(Step* step) {
  touched_.add(step->declared);
  withdraw(step);
}

void Kernel::withdraw(Step* step) {
  IDEMSIM_ASSERT(in_step_);
  IDEMSIM_ASSERT(step->pending);
  if (options_.time == TimeModel::sampled && !settling_) {
    heap_.remove(step);
  } else {
    const auto at = std::find(pending_.begin(), pending_.end(), step);
    IDEMSIM_ASSERT(at != pending_.end());
    pending_.erase(at);
  }
  step->pending = false;
  if (step->klass == StepClass::work) --work_;
  // A step that the running one has itself made pending never existed for the others.
  const auto made = std::find_if(created_.begin(), created_.end(),
                                 [step](const Created& c) { return c.id == step->id; });
  if (made != created_.end()) {
    created_.erase(made);
  } else {
    killed_.push_back(step->id);
  }
}

void Kernel::bury(Step* step) {
  IDEMSIM_ASSERT(!step->pending);
  step->next = graveyard_;
  graveyard_ = step;
}

void Kernel::reap() {
  while (graveyard_ != nullptr) {
    Step* step = graveyard_;
    graveyard_ = step->next;
    step->discard(step);
    drain();  // clean-up that a dropped coroutine posts
  }
}

void Kernel::park(Parked* parked) { parked_.push_back(parked); }

void Kernel::unpark(Parked* parked) {
  const auto at = std::find(parked_.begin(), parked_.end(), parked);
  IDEMSIM_ASSERT(at != parked_.end());
  parked_.erase(at);
}

void Kernel::post(Microtask* task) {
  task->next = nullptr;
  if (last_ != nullptr) {
    last_->next = task;
  } else {
    first_ = task;
  }
  last_ = task;
}

void Kernel::shift(ProcessId process, Duration by) {
  shift_by_ = by;
  const bool sampled = options_.time == TimeModel::sampled;
  for (Step* step : sampled ? heap_.steps() : std::span<Step* const>(pending_)) {
    if (step->process != process || step->klass == StepClass::fault) continue;
    step->earliest = step->earliest + by;
    shifted_.push_back(step->id);
  }
  if (sampled) {
    heap_.rebuild();
  } else {
    std::sort(pending_.begin(), pending_.end(), fifo_before);
  }
}

std::size_t Kernel::decide(Name site, std::span<const Alternative> alternatives) {
  IDEMSIM_ASSERT(!alternatives.empty() && alternatives[0].allowed);
  if (settling_) return 0;
  std::size_t allowed = 0;
  for (const Alternative& a : alternatives) allowed += a.allowed ? 1 : 0;
  if (allowed < 2) return 0;
  std::uint32_t ordinal = 0;
  for (SiteCount& known : decisions_) {
    if (known.site == site) ordinal = ++known.count;
  }
  if (ordinal == 0) decisions_.push_back({site, 0});
  const std::size_t taken = scheduler_->decide({running_, site, ordinal}, alternatives);
  IDEMSIM_ASSERT(taken < alternatives.size() && alternatives[taken].allowed);
  if (taken != 0) recorded_.takes.push_back({running_, site, ordinal, alternatives[taken].name});
  return taken;
}

void Kernel::settle() {
  IDEMSIM_ASSERT(!in_step_);
  settling_ = true;
  running_ = {};
  in_step_ = true;  // what the world adds now is created by the settle phase itself
  killed_.clear();
  created_.clear();
  shifted_.clear();
  // From here on the list is walked in order, in every time model.
  pending_.insert(pending_.end(), heap_.steps().begin(), heap_.steps().end());
  heap_.clear();
  std::sort(pending_.begin(), pending_.end(), fifo_before);
}

void Kernel::abandon() {
  drain();
  pending_.insert(pending_.end(), heap_.steps().begin(), heap_.steps().end());
  heap_.clear();
  while (!pending_.empty()) {
    Step* step = pending_.back();
    pending_.pop_back();
    step->pending = false;
    step->discard(step);
    drain();
  }
  parked_.clear();
  reap();
  work_ = 0;
}

void Kernel::hash_state(StateHasher& hasher) const {
  // The fifo order depends on nominal instants; the set of pending steps must not.
  std::uint64_t sum_a = 0;
  std::uint64_t sum_b = 0;
  for (const Step* step : pending_) {
    const std::uint64_t h = combine(combine(mix64(step->id.origin), step->id.place), step->content);
    sum_a += h;
    sum_b += mix64(h);
  }
  hasher.add(sum_a);
  hasher.add(sum_b);
  std::uint64_t parked = 0;
  for (const Parked* p : parked_) parked += mix64(p->identity);
  hasher.add(parked);
}

}  // namespace idemsim
