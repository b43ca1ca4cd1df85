// The events of the confirmed run beside what the real stores said at each step.
#include "cli/confirm.hpp"
#include "sim/model/names.hpp"
#include "sim/model/schedule.hpp"

#include <fmt/format.h>

namespace idemsim {
namespace {

/// Puts events and lines side by side: both are in the order of the run.
class Story {
 public:
  Story(const World& world, const adapters::LockStep& steps) : world_(world), steps_(steps) {}

  [[nodiscard]] std::vector<StoryLine> tell() {
    for (std::size_t e = 0; e < world_.events().size(); ++e) add(e);
    while (next_ < steps_.lines().size()) add_line();
    return std::move(story_);
  }

 private:
  void add(std::size_t index) {
    const Event& event = world_.events()[index];
    switch (event.type) {
      case EventType::step:
      case EventType::effect:
      case EventType::blocked:
        return add_store(index);
      case EventType::ok:
      case EventType::fail:
      case EventType::info:
        return say(event, event.probe ? "probe answered" : "client told", to_string(event.status));
      case EventType::fault:
        return say(event, "fault", to_string(event.fault));
      case EventType::expire:
        return say(event, event.site.view(), "now");
      case EventType::settle:
        story_.push_back({"", "settle", "no more faults, then one probe for each operation"});
        return;
      case EventType::invoke:
      case EventType::receive:
      case EventType::answer:
      case EventType::enter:
      case EventType::leave:
        return;
    }
  }
  /// A step at a real store, or at the provider.
  void add_store(std::size_t index) {
    const Event& event = world_.events()[index];
    const bool real = next_ < steps_.lines().size() && steps_.lines()[next_].step == event.step;
    if (real) return add_line();
    const bool narrated = index < world_.texts().size();
    say(event, event.site.view(), narrated ? world_.texts()[index] : "");
  }
  void add_line() {
    const adapters::Line& line = steps_.lines()[next_++];
    const std::string id = to_string(line.step);
    story_.push_back({id, std::string(line.site.view()), line.text + " -> " + line.real});
    if (!line.same) story_.push_back({"", "", "^ simulated: " + line.simulated});
  }
  void say(const Event& event, std::string_view site, std::string_view text) {
    story_.push_back({to_string(event.step), std::string(site), std::string(text)});
  }

  const World& world_;
  const adapters::LockStep& steps_;
  std::vector<StoryLine> story_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<StoryLine> story_of(const World& world, const adapters::LockStep& steps) {
  return Story(world, steps).tell();
}

}  // namespace idemsim
