// Collects what the quiet day would have allowed.
#include "sim/explore/singles.hpp"

namespace idemsim {
namespace {

/// A large world offers more choices than anybody tries.
constexpr std::size_t kSinglesMax = 100'000;

class Collector final : public Scheduler {
 public:
  std::size_t pick(std::span<Step* const> enabled, const Kernel&) override {
    for (std::size_t i = 1; i < enabled.size() && offers_.size() < kSinglesMax; ++i) {
      offers_.push_back({{{enabled[0]->id, enabled[i]->id}}, {}});
    }
    return 0;
  }
  std::size_t decide(const DecisionPoint& where,
                     std::span<const Alternative> alternatives) override {
    for (std::size_t i = 1; i < alternatives.size(); ++i) {
      if (!alternatives[i].allowed) continue;
      offers_.push_back({{}, {{where.step, where.site, where.ordinal, alternatives[i].name}}});
    }
    return 0;
  }
  std::vector<Schedule> offers() && { return std::move(offers_); }

 private:
  std::vector<Schedule> offers_;
};

}  // namespace

std::vector<Schedule> singles_of(World& world, std::uint64_t seed, const StopSignal& stop) {
  Collector collector;
  world.run(collector, {seed, false, stop});
  return std::move(collector).offers();
}

}  // namespace idemsim
