// Runs schedules twice and compares the histories event by event: hidden state must show itself.
#pragma once

#include "sim/run/cell.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace idemsim {

/// Runs the quiet day and `schedules` random schedules of a cell, each in a world that is reused
/// from run to run, in a fresh one, and as a replay after a different schedule. Says which event is
/// the first that differs, if any does.
[[nodiscard]] std::optional<std::string> check_determinism(
    const Cell& cell, std::uint64_t schedules, const std::atomic<bool>* interrupted = nullptr);

}  // namespace idemsim
