// One cell of the matrix: a strategy variant under a fault plan, and the world that runs it.
#pragma once

#include "sim/model/catalogue.hpp"
#include "sim/model/scenario.hpp"
#include "sim/strategy.hpp"
#include "sim/world/world.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace idemsim {

/// All strategies of the program, built once from the registry.
class StrategyLibrary {
 public:
  StrategyLibrary();
  [[nodiscard]] const std::vector<StrategyDefinition>& all() const { return strategies_; }
  /// Null if there is none of that name.
  [[nodiscard]] const StrategyDefinition* find(std::string_view name) const;
  [[nodiscard]] Catalogue catalogue() const;

 private:
  std::vector<StrategyDefinition> strategies_;
};

/// A cell. The pointers outlive it. `scenario` is a copy of its own when a workload was overridden.
struct Cell {
  const Scenario* scenario = nullptr;
  const StrategyDefinition* strategy = nullptr;
  const StrategyVariant* variant = nullptr;
  const FaultPlan* faults = nullptr;
  /// "strategy@faults" by labels.
  [[nodiscard]] std::string id() const { return variant->label + "@" + faults->label; }
};

/// Parameters of the cell: defaults of the strategy, then what the scenario sets.
[[nodiscard]] Parameters parameters_of(const Cell& cell);
[[nodiscard]] WorldSetup setup_of(const Cell& cell);
/// All cells of the matrix, row by row. Every strategy of the scenario exists in the library.
[[nodiscard]] std::vector<Cell> cells_of(const Scenario& scenario, const StrategyLibrary& library);

}  // namespace idemsim
