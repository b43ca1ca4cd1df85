// The nearest neighbours of the quiet day: every schedule with exactly one choice that is not
// quiet.
#pragma once

#include "sim/model/schedule.hpp"
#include "sim/world/world.hpp"

#include <cstdint>
#include <vector>

namespace idemsim {

/// All of them, in the order of the run: one run of the quiet day shows what it offers.
[[nodiscard]] std::vector<Schedule> singles_of(World& world, std::uint64_t seed,
                                               const StopSignal& stop = {});

}  // namespace idemsim
