// Replaying sparse schedules on small literal sets of steps.
#include "sim/explore/replay.hpp"

#include "sim/world/kernel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace idemsim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A step by number: client 0, counter n.
StepId step(std::uint32_t n) { return StepId::of(Origin::of({0, 0}, 0, 0), 0, n); }

/// A world of hand-made steps: each is there from the start or made by another one, and may ask
/// one question at the site "fault".
class StepWorld {
 public:
  struct Made : Step {
    StepWorld* world = nullptr;
    std::optional<StepId> makes;
    bool asks = false;
    bool spent = false;  ///< its second alternative is masked
  };

  /// Its earliest instant is its counter in milliseconds.
  Made& add(std::uint32_t n) {
    Made& made = steps_.emplace_back();
    made.world = this;
    made.id = step(n);
    made.site = "work";
    made.window = {milliseconds(n), milliseconds(n)};
    made.fire = [](Step* s) { static_cast<Made*>(s)->world->fire(static_cast<Made&>(*s)); };
    made.discard = [](Step*) {};
    return made;
  }

  RunEnd run(Scheduler& scheduler) {
    Kernel::Options options;
    options.time = TimeModel::asynchronous;
    kernel_.begin(options, scheduler);
    for (Made& made : steps_) {
      if (!is_made(made.id)) kernel_.add(&made);
    }
    const RunEnd end = kernel_.run();
    recorded_ = kernel_.recorded();
    kernel_.abandon();
    return end;
  }

  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  [[nodiscard]] const Schedule& recorded() const { return recorded_; }

 private:
  [[nodiscard]] bool is_made(StepId id) const {
    for (const Made& made : steps_) {
      if (made.makes == id) return true;
    }
    return false;
  }
  void fire(Made& made) {
    order_.push_back(made.id.counter());
    if (made.asks) {
      std::array<Alternative, 3> alternatives;
      alternatives[0].name = "none";
      alternatives[1].name = "drop";
      alternatives[1].allowed = !made.spent;
      alternatives[2].name = "delay";
      if (kernel_.decide("fault", alternatives) == 2) order_.push_back(99);
    }
    if (!made.makes) return;
    for (Made& other : steps_) {
      if (other.id == *made.makes) kernel_.add(&other);
    }
  }

  std::deque<Made> steps_;
  Kernel kernel_;
  std::vector<std::uint32_t> order_;
  Schedule recorded_;
};

Schedule runs(std::vector<RunBefore> entries) { return {std::move(entries), {}}; }
Take take(std::uint32_t n, Name alternative) { return {step(n), "fault", 0, alternative}; }

TEST(Replay, EmptyScheduleIsTheQuietDay) {
  StepWorld world;
  world.add(3);
  world.add(1);
  world.add(2);
  ReplayScheduler replay(Schedule{});
  EXPECT_EQ(world.run(replay), RunEnd::quiescent);
  EXPECT_THAT(world.order(), ElementsAre(1, 2, 3));
  EXPECT_EQ(world.recorded(), Schedule{});
}

TEST(Replay, EntriesOfOneStepAreAQueue) {
  StepWorld world;
  for (std::uint32_t n = 1; n <= 4; ++n) world.add(n);
  const Schedule schedule = runs({{step(1), step(3)}, {step(1), step(2)}});
  ReplayScheduler replay(schedule);
  EXPECT_EQ(world.run(replay), RunEnd::quiescent);
  EXPECT_THAT(world.order(), ElementsAre(3, 2, 1, 4));
  EXPECT_EQ(replay.diverged(), "");
  EXPECT_EQ(replay.unused(), 0U);
  EXPECT_EQ(world.recorded(), schedule);
}

TEST(Replay, StepThatCannotRunDivergesAndStops) {
  StepWorld world;
  for (std::uint32_t n = 1; n <= 2; ++n) world.add(n);
  ReplayScheduler replay(runs({{step(1), step(7)}}));
  EXPECT_EQ(world.run(replay), RunEnd::stopped);
  EXPECT_EQ(replay.diverged(),
            "\"before c0n1 run c0n7\" does not apply: c0n7 cannot run there; what can run is "
            "c0n1 (work), c0n2 (work)");
}

TEST(Replay, IgnoringDropsTheEntryAndGoesOnWithItsQueue) {
  StepWorld world;
  for (std::uint32_t n = 1; n <= 3; ++n) world.add(n);
  ReplayScheduler replay(runs({{step(1), step(7)}, {step(1), step(3)}}), OnDivergence::ignore);
  EXPECT_EQ(world.run(replay), RunEnd::quiescent);
  EXPECT_THAT(world.order(), ElementsAre(3, 1, 2));
  EXPECT_EQ(world.recorded(), runs({{step(1), step(3)}}));
}

TEST(Replay, EntryOfAStepThatIsNeverFirstStaysUnused) {
  StepWorld world;
  for (std::uint32_t n = 1; n <= 2; ++n) world.add(n);
  ReplayScheduler replay(runs({{step(9), step(2)}}));
  EXPECT_EQ(world.run(replay), RunEnd::quiescent);
  EXPECT_EQ(replay.diverged(), "");
  EXPECT_EQ(replay.unused(), 1U);
  EXPECT_EQ(replay.first_unused(),
            "\"before c0n9 run c0n2\" was never reached: c0n9 was never first");
}

TEST(Replay, TakesAlternativeByName) {
  StepWorld world;
  world.add(1).asks = true;
  const Schedule schedule{{}, {take(1, "delay")}};
  ReplayScheduler replay(schedule);
  EXPECT_EQ(world.run(replay), RunEnd::quiescent);
  EXPECT_THAT(world.order(), ElementsAre(1, 99));
  EXPECT_EQ(world.recorded(), schedule);
}

TEST(Replay, MaskedAlternativeDiverges) {
  StepWorld world;
  StepWorld::Made& made = world.add(1);
  made.asks = true;
  made.spent = true;
  world.add(2);
  ReplayScheduler replay({{}, {take(1, "drop")}});
  EXPECT_EQ(world.run(replay), RunEnd::stopped);
  EXPECT_EQ(replay.diverged(),
            "\"at c0n1 take \"drop\" at decision 0 of \"fault\"\" does not apply: its budget is "
            "spent; what can be taken is \"none\", \"delay\"");
}

TEST(Replay, UnknownAlternativeDiverges) {
  StepWorld world;
  world.add(1).asks = true;
  world.add(2);
  ReplayScheduler replay({{}, {take(1, "explode")}});
  EXPECT_EQ(world.run(replay), RunEnd::stopped);
  EXPECT_THAT(replay.diverged(), HasSubstr("there is no such alternative"));
}

TEST(Replay, IgnoredTakeIsTheBenignAlternative) {
  StepWorld world;
  world.add(1).asks = true;
  ReplayScheduler replay({{}, {take(1, "explode")}}, OnDivergence::ignore);
  EXPECT_EQ(world.run(replay), RunEnd::quiescent);
  EXPECT_THAT(world.order(), ElementsAre(1));
  EXPECT_EQ(world.recorded(), Schedule{});
}

/// Takes the last of everything.
class Contrary final : public Scheduler {
 public:
  std::size_t pick(std::span<Step* const> enabled, const Kernel&) override {
    return enabled.size() - 1;
  }
  std::size_t decide(const DecisionPoint&, std::span<const Alternative> alternatives) override {
    return alternatives.size() - 1;
  }
};

TEST(Replay, RecordedRunReplaysToTheSameRun) {
  const auto fill = [](StepWorld& world) {
    world.add(1).makes = step(5);
    world.add(2).asks = true;
    world.add(3).makes = step(4);
    world.add(4).asks = true;
    world.add(5);
  };
  StepWorld first;
  fill(first);
  Contrary contrary;
  first.run(contrary);
  EXPECT_THAT(first.order(), ElementsAre(3, 4, 99, 2, 99, 1, 5));

  StepWorld second;
  fill(second);
  ReplayScheduler replay(first.recorded());
  EXPECT_EQ(second.run(replay), RunEnd::quiescent);
  EXPECT_EQ(replay.diverged() + replay.first_unused(), "");
  EXPECT_EQ(second.order(), first.order());
  EXPECT_EQ(second.recorded(), first.recorded());
}

}  // namespace
}  // namespace idemsim
