// Which oracle decides which property, one by one for reports and all at once for explorers.
#include "sim/oracles/oracles.hpp"

namespace idemsim {
namespace {

/// The event types that occur in a history, one bit each.
std::uint32_t types_in(const FinishedRun& run) {
  std::uint32_t types = 0;
  for (const Event& event : run.events) {
    types |= std::uint32_t{1} << static_cast<std::uint8_t>(event.type);
  }
  return types;
}

constexpr std::uint32_t bit_of(EventType type) {
  return std::uint32_t{1} << static_cast<std::uint8_t>(type);
}

}  // namespace

Judgement judge(Property property, const FinishedRun& run) {
  switch (property) {
    case Property::at_most_once:
      return judge_at_most_once(run);
    case Property::no_lost_effect:
      return judge_no_lost_effect(run);
    case Property::no_false_failure:
      return judge_no_false_failure(run);
    case Property::stable_response:
      return judge_stable_response(run);
    case Property::no_stuck_key:
      return judge_no_stuck_key(run);
    case Property::mutual_exclusion:
      return judge_mutual_exclusion(run);
    case Property::ledgers_agree:
      return judge_ledgers_agree(run);
    case Property::exercised:
      return {};
  }
  return {};
}

std::uint32_t violated_set(const FinishedRun& run) {
  if (!run.completed) return 0;
  const std::uint32_t types = types_in(run);
  std::uint32_t set = 0;
  const auto ask = [&](Property property) {
    if (judge(property, run).violated) set |= bit_of(property);
  };
  ask(Property::at_most_once);
  if ((types & bit_of(EventType::ok)) != 0) {
    ask(Property::no_lost_effect);
    ask(Property::stable_response);
  }
  if ((types & bit_of(EventType::fail)) != 0) ask(Property::no_false_failure);
  ask(Property::no_stuck_key);
  if ((types & bit_of(EventType::enter)) != 0) ask(Property::mutual_exclusion);
  ask(Property::ledgers_agree);
  return set;
}

}  // namespace idemsim
