// A schedule: the sparse list of choices that differ from the quiet day, keyed by step id.
#pragma once

#include "sim/base/ids.hpp"
#include "sim/base/name.hpp"
#include "sim/base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace idemsim {

/// "Before S run T": applies when S is first in fifo order. Entries of one S form a queue.
struct RunBefore {
  StepId before;
  StepId run;
  friend auto operator<=>(const RunBefore&, const RunBefore&) = default;
};

/// "At (step, site, ordinal) take the alternative of that name" instead of the benign one.
struct Take {
  StepId step;
  Name site;
  std::uint32_t ordinal = 0;
  Name alternative;
  friend auto operator<=>(const Take&, const Take&) = default;
};

struct Schedule {
  std::vector<RunBefore> runs;
  std::vector<Take> takes;
  [[nodiscard]] std::size_t size() const { return runs.size() + takes.size(); }
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// `c0o0a1n3`: client, operation, attempt, copy (k), path (p, hexadecimal), counter (n),
/// derived (x); zero parts other than c and n are left out. Fault steps start with `f`.
[[nodiscard]] std::string to_string(const StepId& id);
[[nodiscard]] Result<StepId> parse_step_id(std::string_view text);

}  // namespace idemsim
