// Three strategies with one parameter of each type, so that tests do not depend on the real ones.
#pragma once

#include "sim/model/catalogue.hpp"

namespace idemsim {

/// `check_then_write`, `insert_first` (safeguard, choice, duration, integer), `no_key`.
inline Catalogue small_catalogue() {
  using Type = ParameterInfo::Type;
  const std::vector<OperationKind> both = {OperationKind::create_order, OperationKind::charge};
  StrategyInfo check{"check_then_write", "look, then act", "folklore", {}, {}, both};
  StrategyInfo insert{"insert_first", "claim, then act", "", {}, {}, both};
  ParameterInfo takeover{"takeover", "take expired claims over", Type::safeguard, 1, {}};
  ParameterInfo busy{"on_in_flight", "answer while busy", Type::choice, 0, {"conflict", "wait"}};
  ParameterInfo lease{"lease", "how long a claim lasts", Type::duration, seconds(30).ns, {}};
  lease.least = milliseconds(1).ns;
  ParameterInfo tries{"tries", "how often to look", Type::integer, 3, {}};
  tries.least = 1;
  tries.most = 10;
  check.steps = {"find record", "charge", "save record"};
  insert.steps = {"claim key", "charge"};
  insert.parameters = {takeover, busy, lease, tries};
  StrategyInfo none{"no_key", "act at once", "", {}, {}, both};
  none.steps = {"charge"};
  none.operations.push_back(OperationKind::payment_callback);
  return {{check, insert, none}};
}

}  // namespace idemsim
