// exercised: a strategy that was never needed has not been tested.
#include "sim/oracles/oracles.hpp"

namespace idemsim {

bool exercised_in(const FinishedRun& run) {
  for (const Event& event : run.events) {
    if (event.protection && !event.probe) return true;
  }
  return false;
}

}  // namespace idemsim
