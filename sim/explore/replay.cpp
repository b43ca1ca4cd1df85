// Following a sparse schedule: an entry acts where its step comes up, everything else is quiet.
#include "sim/explore/replay.hpp"

#include "sim/base/assert.hpp"
#include "sim/model/token.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace idemsim {
namespace {

/// More names than that do not help anybody.
constexpr std::size_t kNamesMax = 8;

std::string text_of(const RunBefore& entry) {
  return fmt::format("before {} run {}", to_string(entry.before), to_string(entry.run));
}

std::string text_of(const Take& entry) {
  return fmt::format("at {} take \"{}\" at decision {} of \"{}\"", to_string(entry.step),
                     entry.alternative.view(), entry.ordinal, entry.site.view());
}

std::string names_of(std::span<Step* const> enabled) {
  std::string text;
  for (std::size_t i = 0; i < enabled.size() && i < kNamesMax; ++i) {
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", to_string(enabled[i]->id),
                        enabled[i]->site.view());
  }
  if (enabled.size() > kNamesMax) text += fmt::format(" and {} more", enabled.size() - kNamesMax);
  return text;
}

std::string names_of(std::span<const Alternative> alternatives) {
  std::string text;
  for (const Alternative& a : alternatives) {
    if (a.allowed) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", a.name.view());
  }
  return text;
}

}  // namespace

ReplayScheduler::ReplayScheduler(const Schedule& schedule, OnDivergence mode) : mode_(mode) {
  reset(schedule);
}

void ReplayScheduler::reset(const Schedule& schedule) {
  schedule_ = schedule;
  run_used_.assign(schedule_.runs.size(), false);
  take_used_.assign(schedule_.takes.size(), false);
  diverged_.clear();
}

void ReplayScheduler::diverge(std::string why) {
  if (diverged_.empty()) diverged_ = std::move(why);
}

std::size_t ReplayScheduler::pick(std::span<Step* const> enabled, const Kernel&) {
  IDEMSIM_ASSERT(!enabled.empty());
  if (!diverged_.empty()) return kStop;
  const StepId first = enabled[0]->id;
  for (std::size_t i = 0; i < schedule_.runs.size(); ++i) {
    const RunBefore& entry = schedule_.runs[i];
    if (run_used_[i] || entry.before != first) continue;
    run_used_[i] = true;
    for (std::size_t k = 1; k < enabled.size(); ++k) {
      if (enabled[k]->id == entry.run) return k;
    }
    // What does not apply is as good as left out: the next entry of the queue has its turn.
    if (mode_ == OnDivergence::ignore) continue;
    diverge(fmt::format("\"{}\" does not apply: {} cannot run there; what can run is {}",
                        text_of(entry), to_string(entry.run), names_of(enabled)));
    return kStop;
  }
  return 0;
}

std::size_t ReplayScheduler::decide(const DecisionPoint& where,
                                    std::span<const Alternative> alternatives) {
  if (!diverged_.empty()) return 0;  // nothing but `pick` can stop a run
  for (std::size_t i = 0; i < schedule_.takes.size(); ++i) {
    const Take& entry = schedule_.takes[i];
    if (take_used_[i] || entry.step != where.step || entry.site != where.site ||
        entry.ordinal != where.ordinal) {
      continue;
    }
    take_used_[i] = true;
    bool known = false;
    for (std::size_t k = 0; k < alternatives.size(); ++k) {
      if (alternatives[k].name != entry.alternative) continue;
      known = true;
      if (k != 0 && alternatives[k].allowed) return k;
    }
    if (mode_ == OnDivergence::ignore) continue;
    const bool happens_anyway = alternatives[0].name == entry.alternative;
    diverge(fmt::format("\"{}\" does not apply: {}; what can be taken is {}", text_of(entry),
                        happens_anyway ? "it is no choice, it happens anyway"
                        : known        ? "its budget is spent"
                                       : "there is no such alternative",
                        names_of(alternatives)));
    return 0;
  }
  return 0;
}

std::size_t ReplayScheduler::unused() const {
  return static_cast<std::size_t>(std::count(run_used_.begin(), run_used_.end(), false) +
                                  std::count(take_used_.begin(), take_used_.end(), false));
}

std::string ReplayScheduler::first_unused() const {
  for (std::size_t i = 0; i < run_used_.size(); ++i) {
    if (run_used_[i]) continue;
    return fmt::format("\"{}\" was never reached: {} was never first", text_of(schedule_.runs[i]),
                       to_string(schedule_.runs[i].before));
  }
  for (std::size_t i = 0; i < take_used_.size(); ++i) {
    if (take_used_[i]) continue;
    return fmt::format("\"{}\" was never reached: there was no such decision",
                       text_of(schedule_.takes[i]));
  }
  return "";
}

}  // namespace idemsim
