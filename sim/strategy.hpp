// The one header that a strategy includes: its definition, its stores, the operations it protects.
#pragma once

#include "sim/base/name.hpp"
#include "sim/base/time.hpp"
#include "sim/base/value.hpp"
#include "sim/engines/kv/command.hpp"
#include "sim/engines/sql/schema.hpp"
#include "sim/engines/sql/statement.hpp"
#include "sim/model/catalogue.hpp"
#include "sim/model/request.hpp"
#include "sim/world/context.hpp"
#include "sim/world/task.hpp"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace idemsim {

/// A strategy as a value: what it is called, what it needs, what it claims, and its code.
struct StrategyDefinition {
  StrategyInfo info;
  std::vector<sql::TableDefinition> tables;  ///< its own tables, empty at the start
  Handler handle = nullptr;                  ///< answers one delivery
  bool seeds_intent = false;  ///< the business rows of `intent` exist before the first delivery
};

/// Each file strategies/NAME.cpp defines `StrategyDefinition idemsim::strategies::NAME()`.
using StrategyFactory = StrategyDefinition (*)();

/// All strategies, in alphabetical order of their names. Generated from the folder.
std::span<const StrategyFactory> strategy_registry();

/// A step that a strategy can take, by the name that it has in traces.
struct StrategyStep {
  std::string_view strategy;
  std::string_view name;
};
/// The steps of all strategies. Generated from their sources.
std::span<const StrategyStep> strategy_steps();

// ---- parameters ----

/// A part of the strategy that can be removed; on by default.
[[nodiscard]] ParameterInfo safeguard(std::string name, std::string summary);
[[nodiscard]] ParameterInfo duration_parameter(std::string name, std::string summary,
                                               Duration default_value);
/// The first choice is the default.
[[nodiscard]] ParameterInfo choice_parameter(std::string name, std::string summary,
                                             std::vector<std::string> choices);

/// All faults of messages: what a strategy must stand if it stands anything.
[[nodiscard]] std::vector<FaultKind> message_faults();
/// All faults that there are.
[[nodiscard]] std::vector<FaultKind> every_fault();
/// All kinds of operations, for a strategy that protects any of them.
[[nodiscard]] std::vector<OperationKind> every_operation();

// ---- answers ----

[[nodiscard]] Answer done(Value reference);
[[nodiscard]] Answer stored(Value reference);
[[nodiscard]] Answer in_progress();
[[nodiscard]] Answer rejected();
[[nodiscard]] Answer failed();
[[nodiscard]] Answer unknown();

// ---- the operation under protection ----

/// Does the operation act at the provider (`charge`), so that no transaction can contain it?
[[nodiscard]] bool has_external_effect(OperationKind kind);
/// The call of the external effect; `key` is the provider's idempotency key or null.
[[nodiscard]] provider::Request external_effect(const Request& request, Value key);
/// The INSERT that is the local effect: the order, the payment row or the coupon. `reference` is
/// what the caller is told: that of the charge, or Context::fresh_reference().
[[nodiscard]] sql::Statement local_effect(const Request& request, Value reference);
/// Both effects one after the other, without any protection: `done`, or `unknown` if a reply was
/// lost. The sites are "charge" and "write effect".
[[nodiscard]] Task<Answer> run_unprotected(Context& ctx, const Request& request);

}  // namespace idemsim
