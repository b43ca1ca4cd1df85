// From a scenario's matrix to worlds that can run.
#include "sim/run/cell.hpp"

#include "sim/base/assert.hpp"

namespace idemsim {

StrategyLibrary::StrategyLibrary() {
  for (const StrategyFactory make : strategy_registry()) {
    StrategyInfo& info = strategies_.emplace_back(make()).info;
    for (const StrategyStep& step : strategy_steps()) {
      if (step.strategy == info.name) info.steps.emplace_back(step.name);
    }
  }
}

const StrategyDefinition* StrategyLibrary::find(std::string_view name) const {
  for (const StrategyDefinition& s : strategies_) {
    if (s.info.name == name) return &s;
  }
  return nullptr;
}

Catalogue StrategyLibrary::catalogue() const {
  Catalogue catalogue;
  for (const StrategyDefinition& s : strategies_) catalogue.strategies.push_back(s.info);
  return catalogue;
}

Parameters parameters_of(const Cell& cell) {
  Parameters parameters;
  for (const ParameterInfo& p : cell.strategy->info.parameters) {
    parameters.set(Name(p.name.c_str()), p.default_value);
  }
  for (const auto& [name, value] : cell.variant->parameters) {
    parameters.set(Name(name.c_str()), value);
  }
  return parameters;
}

WorldSetup setup_of(const Cell& cell) {
  WorldSetup setup;
  setup.scenario = cell.scenario;
  setup.faults = cell.faults;
  setup.handle = cell.strategy->handle;
  setup.tables = cell.strategy->tables;
  setup.parameters = parameters_of(cell);
  setup.seeds_intent = cell.strategy->seeds_intent;
  return setup;
}

std::vector<Cell> cells_of(const Scenario& scenario, const StrategyLibrary& library) {
  std::vector<Cell> cells;
  for (const StrategyVariant& variant : scenario.strategies) {
    const StrategyDefinition* strategy = library.find(variant.strategy);
    IDEMSIM_ASSERT(strategy != nullptr);
    for (const FaultPlan& plan : scenario.faults) {
      cells.push_back({&scenario, strategy, &variant, &plan});
    }
  }
  return cells;
}

}  // namespace idemsim
