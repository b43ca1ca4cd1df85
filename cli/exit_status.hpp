// What the program tells its caller by its exit status.
#pragma once

#include <algorithm>
#include <array>

namespace idemsim {

enum class ExitStatus : int {
  ok = 0,             ///< expectations met, also expected violations
  refuted = 1,        ///< an expectation was refuted or, without any, a property was violated
  inconclusive = 2,   ///< cut, sampled where `holds` is expected, or vacuous
  diverged = 3,       ///< not deterministic, or a replay that went another way
  usage = 64,         ///< wrong flag or command
  bad_input = 65,     ///< bad scenario or token
  no_input = 66,      ///< a file is missing
  unavailable = 69,   ///< a server is not there
  internal = 70,      ///< an error in this program
  cannot_write = 74,  ///< a report could not be written
  interrupted = 130,  ///< Ctrl-C; the report is partial
};

/// Of two statuses the one that the program ends with.
[[nodiscard]] inline ExitStatus worse_of(ExitStatus a, ExitStatus b) {
  using enum ExitStatus;
  constexpr std::array kPrecedence = {internal,    cannot_write, usage,       no_input,
                                      unavailable, bad_input,    interrupted, diverged,
                                      refuted,     inconclusive, ok};
  return *std::find_if(kPrecedence.begin(), kPrecedence.end(),
                       [&](ExitStatus s) { return s == a || s == b; });
}

}  // namespace idemsim
