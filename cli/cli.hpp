// The program: arguments in, exit status out. `main` only adds the terminal.
#pragma once

#include "cli/console.hpp"

#include <ostream>
#include <span>
#include <string>

namespace idemsim {

/// Runs a command line (without the name of the program). Never throws.
[[nodiscard]] int run_cli(std::span<const std::string> arguments, const Console& console);
/// The same without a terminal, for tests.
[[nodiscard]] int run_cli(std::span<const std::string> arguments, std::ostream& out,
                          std::ostream& err);

}  // namespace idemsim
