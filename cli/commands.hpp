// The commands, one file each.
#pragma once

#include "cli/console.hpp"
#include "cli/exit_status.hpp"
#include "cli/flags.hpp"
#include "sim/base/result.hpp"
#include "sim/model/scenario.hpp"
#include "sim/run/cell.hpp"

#include <string>
#include <string_view>

namespace idemsim {

[[nodiscard]] ExitStatus run_command(const Flags& flags, const Console& console);
[[nodiscard]] ExitStatus validate_command(const Flags& flags, const Console& console);
[[nodiscard]] ExitStatus replay_command(const Flags& flags, const Console& console);
[[nodiscard]] ExitStatus confirm_command(const Flags& flags, const Console& console);
[[nodiscard]] ExitStatus list_command(const Flags& flags, const Console& console);
[[nodiscard]] ExitStatus schema_command(const Flags& flags, const Console& console);

// ---- what they share (shared.cpp) ----

/// A scenario as the flags change it, and the bytes of its file.
struct Opened {
  Scenario scenario;
  std::string bytes;
};

/// Reads the scenario and applies --strategy, --faults, --seed, --mode and --runs. Problems are
/// printed; the status says which kind they were of.
struct OpenResult {
  ExitStatus status = ExitStatus::ok;
  Opened opened;
};
[[nodiscard]] OpenResult open_scenario(const Flags& flags, const StrategyLibrary& library,
                                       const Console& console);

void print_problems(const Problems& problems, const Console& console);

/// Prints to standard output; 74 with one message if that fails.
[[nodiscard]] ExitStatus print_out(std::string_view text, const Console& console);

/// Was Ctrl-C pressed?
[[nodiscard]] bool is_interrupted(const Console& console);
/// Ends a run in its middle then. `console` outlives the run.
[[nodiscard]] StopSignal stop_signal(const Console& console);

}  // namespace idemsim
