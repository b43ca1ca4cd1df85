// A history is copied with the text of its events; the same schedule must give it again.
#include "sim/explore/double_run.hpp"

#include "sim/explore/explorer.hpp"
#include "sim/explore/replay.hpp"
#include "sim/explore/schedulers.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace idemsim {
namespace {

/// A finished run, kept while others run in its world.
struct Copy {
  std::vector<Event> events;
  std::vector<std::string> lines;  ///< the events as text
};

std::string line_of(const World& world, std::size_t index) {
  const Event& event = world.events()[index];
  std::string line = world.process_name(event.process) + " " + std::string(to_string(event.type));
  if (!event.site.view().empty()) line += " '" + std::string(event.site.view()) + "'";
  const std::string text = index < world.texts().size() ? world.texts()[index] : std::string();
  if (!text.empty()) line += ": " + text;
  return line + " (step " + to_string(event.step) + ")";
}

Copy copy_of(const World& world) {
  Copy copy;
  copy.events.assign(world.events().begin(), world.events().end());
  for (std::size_t i = 0; i < copy.events.size(); ++i) copy.lines.push_back(line_of(world, i));
  return copy;
}

/// Number of the first event that differs; nothing if both histories are the same.
std::optional<std::string> difference(const Copy& once, const Copy& again) {
  const std::size_t both = std::min(once.events.size(), again.events.size());
  for (std::size_t i = 0; i < both; ++i) {
    const Hash128 first = hash_of(std::span(once.events).subspan(i, 1));
    const Hash128 second = hash_of(std::span(again.events).subspan(i, 1));
    if (first == second) continue;
    std::string text = "event #" + std::to_string(i + 1) + " differs\n  once:  " + once.lines[i];
    text += "\n  again: " + again.lines[i];
    if (once.lines[i] == again.lines[i]) text += "\n  (in a value that the text does not show)";
    return text;
  }
  if (once.events.size() == again.events.size()) return std::nullopt;
  const bool longer = once.events.size() > both;
  return "event #" + std::to_string(both + 1) + " is there only " +
         (longer ? "once\n  once:  " + once.lines[both] : "again\n  again: " + again.lines[both]);
}

class Check {
 public:
  explicit Check(const Cell& cell) : cell_(cell), reused_(setup_of(cell)), random_(*cell.faults) {}

  /// Schedule 0 is the quiet day.
  std::optional<std::string> check(std::uint64_t index) {
    const Copy once = run(reused_, index);
    const Schedule recorded = reused_.recorded();
    World fresh(setup_of(cell_));
    const Copy again = run(fresh, index);
    if (const auto text = difference(once, again)) return say(index, "in a fresh world", *text);
    if (!(recorded == fresh.recorded())) return say(index, "in a fresh world", "choices differ");
    (void)run(reused_, index + 1);
    ReplayScheduler replay(recorded);
    const RunEnd end = reused_.run(replay, {seed_of(index), true});
    if (end == RunEnd::stopped) {
      return say(index, "as a replay", "a choice cannot be repeated: " + replay.diverged());
    }
    if (const auto text = difference(once, copy_of(reused_))) {
      return say(index, "as a replay after another schedule", *text);
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::uint64_t seed_of(std::uint64_t index) const {
    return seed_of_run(cell_.scenario->seed, index);
  }

  Copy run(World& world, std::uint64_t index) {
    if (index == 0) {
      FifoScheduler fifo;
      (void)world.run(fifo, {seed_of(index), true});
    } else {
      random_.reset(seed_of(index));
      (void)world.run(random_, {seed_of(index), true});
    }
    return copy_of(world);
  }

  [[nodiscard]] std::string say(std::uint64_t index, const std::string& how,
                                const std::string& what) const {
    return cell_.id() + ", schedule " + std::to_string(index) + " run again " + how + ": " + what;
  }

  const Cell& cell_;
  World reused_;
  RandomScheduler random_;
};

}  // namespace

std::optional<std::string> check_determinism(const Cell& cell, std::uint64_t schedules,
                                             const std::atomic<bool>* interrupted) {
  Check check(cell);
  for (std::uint64_t i = 0; i <= schedules; ++i) {
    if (interrupted != nullptr && interrupted->load()) break;
    if (auto difference = check.check(i)) return difference;
  }
  return std::nullopt;
}

}  // namespace idemsim
