// From a witness to a finding: shrunk, classified, explained, re-run as a counterfactual, traced.
#pragma once

#include "sim/explore/explorer.hpp"
#include "sim/explore/shrink.hpp"
#include "sim/model/result.hpp"
#include "sim/model/token.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace idemsim {

/// A finding with its trace; ids are left empty, the caller numbers them.
struct Explained {
  Finding finding;
  Trace trace;
};

/// Shrinks within the limits, classifies and explains.
[[nodiscard]] Explained explain(const Cell& cell, const Witness& witness,
                                const ShrinkLimits& limits);

/// The token that replays a schedule in a cell.
[[nodiscard]] Token token_of(const Cell& cell, const Workload& workload, const Schedule& schedule,
                             std::uint64_t seed, std::optional<Hash128> hash);

/// Trace of the run that `world` has just finished with `narrate`; event numbers count from 1 and
/// leave out what nobody needs to see. In bounded time the instants are solved and obey every
/// bound.
[[nodiscard]] Trace trace_of(const World& world);

}  // namespace idemsim
