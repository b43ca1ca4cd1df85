// What `confirm` has found out, and how it is told.
#pragma once

#include "sim/adapters/lockstep.hpp"
#include "sim/model/verdict.hpp"
#include "sim/world/world.hpp"

#include <string>
#include <vector>

namespace idemsim {

/// One line of the story: what a store, the provider, a fault or a client's answer was.
struct StoryLine {
  std::string step;
  std::string site;
  std::string text;
};

/// All of a run that has just ended, in its order: the steps of the real stores among the rest.
[[nodiscard]] std::vector<StoryLine> story_of(const World& world, const adapters::LockStep& steps);

struct Confirmation {
  std::string cell;
  std::string scenario;
  std::vector<std::string> stores;  ///< what they are, with their versions
  const adapters::LockStep* steps = nullptr;
  std::vector<StoryLine> story;
  std::vector<adapters::TableEnd> tables;
  bool same_history = false;  ///< the run with real answers went as the simulated one
  std::size_t charges = 0;    ///< at the provider, which is a ledger in either case
  std::vector<Property> violated;

  [[nodiscard]] bool same() const;
};

[[nodiscard]] std::string render_confirmation(const Confirmation& confirmation);

}  // namespace idemsim
