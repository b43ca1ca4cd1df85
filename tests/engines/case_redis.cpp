// Recorded cases of Redis; not replayed yet.
#include "tests/engines/case.hpp"

namespace idemsim::tests {

CaseOutcome run_redis_case(const nlohmann::json&) {
  return {CaseOutcome::Status::not_covered, "the key-value engine is not driven yet"};
}

}  // namespace idemsim::tests
