// Event numbers, instants and words of one finished run: the same in every report.
#pragma once

#include "sim/model/result.hpp"
#include "sim/world/world.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace idemsim {

/// A trace, and which of its numbers each event of the history has.
struct NumberedTrace {
  Trace trace;
  std::vector<std::uint32_t> numbers;  ///< beside the events; 0 = left out

  /// The trace's own event; it must not be left out.
  [[nodiscard]] const TraceEvent& of(EventIndex event) const;
  [[nodiscard]] TraceEvent& of(EventIndex event);
};

/// Numbers all events before the settle phase, and of the settle phase those that a violated
/// property rests on. `world` has finished a narrated run.
[[nodiscard]] NumberedTrace numbered_trace(const World& world);

/// "8.0 ms", rounded to tenths.
[[nodiscard]] std::string format_ms(std::int64_t ns);

/// "operation 1", with its client if there are several.
[[nodiscard]] std::string operation_name(const World& world, OperationId operation);

}  // namespace idemsim
