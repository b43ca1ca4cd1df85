// No protection at all: the baseline that shows what every retry does.
#include "sim/strategy.hpp"

namespace idemsim::strategies {

StrategyDefinition no_key() {
  StrategyDefinition d;
  d.info.name = "no_key";
  d.info.summary = "no protection: every delivery runs the operation";
  d.info.source = "the starting point of both articles: a write without an idempotency key";
  d.info.claims = {{Property::no_lost_effect, every_fault()},
                   {Property::no_false_failure, every_fault()},
                   {Property::no_stuck_key, every_fault()},
                   {Property::ledgers_agree, message_faults()}};
  d.info.operations = every_operation();
  d.handle = run_unprotected;
  return d;
}

}  // namespace idemsim::strategies
