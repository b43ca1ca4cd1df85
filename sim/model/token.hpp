// The replay token: one run as one shell word that a person can read, edit and send.
#pragma once

#include "sim/base/hash.hpp"
#include "sim/base/result.hpp"
#include "sim/model/schedule.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace idemsim {

/// `ids1.SEMANTICS.SCENARIO.STRATEGY[,NAME=NUMBER...]@FAULTS.OVERRIDES.SEED.CHOICES[.hHASH]`, made
/// of `A-Za-z0-9_-,:=+@.^/` only. SCENARIO has 8 hexadecimal digits, HASH 32; OVERRIDES are
/// `NAME=VALUE,...`; CHOICES are `S:T` (before S run T) and `S/SITE/ORDINAL=ALTERNATIVE` (at step S
/// take the alternative), joined with `,`. OVERRIDES or CHOICES without entries are `-`. In SITE
/// and ALTERNATIVE a space is `+` and any byte other than `A-Za-z0-9_-` is `^` and two hex digits.
struct Token {
  std::uint32_t semantics = 2;      ///< version of the simulation's semantics
  std::uint32_t scenario_hash = 0;  ///< Scenario::canonical_hash
  std::string strategy;             ///< label
  /// Safeguards and parameters that differ from the scenario, value as in ParameterInfo.
  std::vector<std::pair<std::string, std::int64_t>> switches;
  std::string faults;  ///< label
  /// What shrinking changed in the workload: `attempts=1`, `operations=1`, `arrival=single`.
  std::vector<std::pair<std::string, std::string>> overrides;
  std::uint64_t seed = 1;
  Schedule schedule;
  std::optional<Hash128> hash;  ///< of the history, if the run is to be compared

  /// The texts that the names of a parsed schedule point to: the schedule lives as long as a copy
  /// of its token (or of this pointer).
  std::shared_ptr<const std::vector<std::string>> texts;

  friend bool operator==(const Token& a, const Token& b) {
    return a.semantics == b.semantics && a.scenario_hash == b.scenario_hash &&
           a.strategy == b.strategy && a.switches == b.switches && a.faults == b.faults &&
           a.overrides == b.overrides && a.seed == b.seed && a.schedule == b.schedule &&
           a.hash == b.hash;
  }
};

/// The text of a token. Labels and names of switches and overrides are words of `A-Za-z0-9_-`.
[[nodiscard]] std::string to_string(const Token& token);

/// The entries of a schedule as in a token, `-` if there is none.
[[nodiscard]] std::string to_string(const Schedule& schedule);

/// Reads a token, white space around it allowed. One problem per broken part, with the name of the
/// part as `pointer`, what was expected, and the nearest valid form if there is one.
[[nodiscard]] Result<Token> parse_token(std::string_view text);

}  // namespace idemsim
