// What the program knows by name: strategies and their parameters, as the loader sees them.
#pragma once

#include "sim/model/fault_plan.hpp"
#include "sim/model/request.hpp"
#include "sim/model/verdict.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace idemsim {

/// One parameter of a strategy. A safeguard is a boolean that is on by default and can be removed.
struct ParameterInfo {
  enum class Type : std::uint8_t { safeguard, boolean, duration, integer, choice };
  std::string name;
  std::string summary;
  Type type = Type::safeguard;
  /// Default: 0/1, nanoseconds, the number, or the index into `choices`.
  std::int64_t default_value = 1;
  std::vector<std::string> choices;
  std::int64_t least = 0;             ///< smallest allowed (duration in ns, integer)
  std::int64_t most = INT64_MAX / 4;  ///< largest allowed
};

/// A property that the strategy promises while only faults of these kinds happen.
struct ClaimInfo {
  Property property = Property::at_most_once;
  std::vector<FaultKind> faults;  ///< empty: in a world without faults
};

struct StrategyInfo {
  std::string name;
  std::string summary;                    ///< one line
  std::string source;                     ///< where the scheme is described
  std::vector<ParameterInfo> parameters;  ///< safeguards first
  std::vector<ClaimInfo> claims;
  std::vector<OperationKind> operations;  ///< operation kinds that it can protect
  std::vector<std::string> steps{};       ///< names of its steps, which faults can be aimed at
  [[nodiscard]] const ParameterInfo* find(std::string_view parameter) const {
    for (const ParameterInfo& p : parameters) {
      if (p.name == parameter) return &p;
    }
    return nullptr;
  }
};

struct Catalogue {
  std::vector<StrategyInfo> strategies;  ///< in alphabetical order
  [[nodiscard]] const StrategyInfo* find(std::string_view strategy) const {
    for (const StrategyInfo& s : strategies) {
      if (s.name == strategy) return &s;
    }
    return nullptr;
  }
};

}  // namespace idemsim
