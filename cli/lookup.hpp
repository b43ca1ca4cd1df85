// From a replay token to the run that it stands for: its scenario and its cell.
#pragma once

#include "cli/commands.hpp"
#include "sim/model/token.hpp"

#include <memory>

namespace idemsim {

/// The run that a token stands for. Not moved: the cell points into it.
struct TokenCell {
  Scenario scenario;  ///< with the overrides of the token
  StrategyVariant variant;
  Cell cell;
};

/// The scenario of the token: the named file, or idemsim-out/scenario.json, or one of the library.
/// What does not fit the token is printed, with the part that changed.
[[nodiscard]] OpenResult find_scenario(const Token& token, const Flags& flags,
                                       const StrategyLibrary& library, const Console& console);

/// The cell of the token in its scenario. Problems name the part of the token.
[[nodiscard]] Result<std::unique_ptr<TokenCell>> cell_of(const Token& token,
                                                         const Scenario& scenario,
                                                         const StrategyLibrary& library);

/// The run of `flags.token`, or the status to end with: what is wrong has been printed.
struct TokenRun {
  ExitStatus status = ExitStatus::ok;
  Token token;
  std::unique_ptr<TokenCell> run;
};
[[nodiscard]] TokenRun open_token(const Flags& flags, const StrategyLibrary& library,
                                  const Console& console);

}  // namespace idemsim
