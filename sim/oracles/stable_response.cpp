// stable_response: whoever asks again gets the same final answer.
#include "sim/oracles/facts.hpp"
#include "sim/oracles/oracles.hpp"

#include <array>

namespace idemsim {
namespace {

/// Two refusals agree whatever they say; an answer "done" agrees only with the same body.
bool agree(const Event& one, const Event& other) {
  if (claims_effect(one) != claims_effect(other)) return false;
  return !claims_effect(one) || one.body == other.body;
}

/// The first final answer of each operation, in a table of fixed size: with more operations the
/// rest is searched, and lies behind the last one in the table.
class FirstAnswers {
 public:
  explicit FirstAnswers(const FinishedRun& run) : run_(run) {}

  /// The first final answer of the operation that `later` (a final answer) belongs to; may be it.
  std::size_t of(std::size_t later) {
    const OperationId operation = operation_of(run_.events[later]);
    for (std::size_t k = 0; k < size_; ++k) {
      if (operation_of(run_.events[table_[k]]) == operation) return table_[k];
    }
    if (size_ < table_.size()) return table_[size_++] = later;
    for (std::size_t i = table_.back() + 1; i < later; ++i) {
      const Event& event = run_.events[i];
      if (is_final_answer(event) && operation_of(event) == operation) return i;
    }
    return later;
  }

 private:
  const FinishedRun& run_;
  std::array<std::size_t, 16> table_{};
  std::size_t size_ = 0;
};

}  // namespace

Judgement judge_stable_response(const FinishedRun& run) {
  if (!run.completed) return {};
  FirstAnswers first_answers(run);
  for (std::size_t j = 0; j < run.events.size(); ++j) {
    if (!is_final_answer(run.events[j])) continue;
    const std::size_t i = first_answers.of(j);
    if (agree(run.events[i], run.events[j])) continue;
    return {true, operation_of(run.events[j]), static_cast<EventIndex>(i),
            static_cast<EventIndex>(j)};
  }
  return {};
}

}  // namespace idemsim
