// stable_response: whoever asks again gets the same final answer.
#include "sim/oracles/facts.hpp"
#include "sim/oracles/oracles.hpp"

namespace idemsim {
namespace {

/// Two refusals agree whatever they say; an answer "done" agrees only with the same body.
bool agree(const Event& one, const Event& other) {
  if (claims_effect(one) != claims_effect(other)) return false;
  return !claims_effect(one) || one.body == other.body;
}

}  // namespace

Judgement judge_stable_response(const FinishedRun& run) {
  if (!run.completed) return {};
  for (std::size_t j = 0; j < run.events.size(); ++j) {
    const Event& later = run.events[j];
    if (!is_final_answer(later)) continue;
    for (std::size_t i = 0; i < j; ++i) {
      const Event& earlier = run.events[i];
      if (!is_final_answer(earlier) || operation_of(earlier) != operation_of(later)) continue;
      if (!agree(earlier, later)) {
        return {true, operation_of(later), static_cast<EventIndex>(i), static_cast<EventIndex>(j)};
      }
      break;  // agreeing is transitive: the first answer speaks for all before this one
    }
  }
  return {};
}

}  // namespace idemsim
