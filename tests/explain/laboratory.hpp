// A small cell for tests: a double click on a strategy that is written inside the test.
#pragma once

#include "sim/explore/explorer.hpp"
#include "sim/run/cell.hpp"
#include "sim/strategy.hpp"

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace idemsim::testing_support {

/// Table `record`: (key, reference), without any unique index.
inline constexpr Name kRecord = "record";

/// Looks the key up, makes the effect, writes the record: nothing protects the time between.
[[nodiscard]] Task<Answer> check_then_write(Context& ctx, const Request& request);
/// The same without looking anything up.
[[nodiscard]] Task<Answer> write_only(Context& ctx, const Request& request);
/// Looks the key up and then ignores what it was told.
[[nodiscard]] Task<Answer> check_and_ignore(Context& ctx, const Request& request);
/// A lock with a TTL of `ttl` around it, taken by SET NX and released by a compare-and-delete.
[[nodiscard]] Task<Answer> locked(Context& ctx, const Request& request);
/// As `locked`, but the lock is released before the record is written.
[[nodiscard]] Task<Answer> released_early(Context& ctx, const Request& request);
/// As `check_then_write`, with a record that expires `ttl` after it was written.
[[nodiscard]] Task<Answer> expiring(Context& ctx, const Request& request);
/// Claims the key by a `processing` row that no crash ever removes.
[[nodiscard]] Task<Answer> claiming(Context& ctx, const Request& request);

/// A scenario with one cell. Not movable: the cell points into it.
class Laboratory {
 public:
  explicit Laboratory(Handler handler, std::vector<FaultSpec> faults = {});
  Laboratory(const Laboratory&) = delete;
  Laboratory& operator=(const Laboratory&) = delete;

  /// Two clicks without a retry; or one click with `attempts` attempts.
  Scenario& scenario() { return scenario_; }
  void single(std::uint32_t attempts);
  void set(Name parameter, std::int64_t value);
  [[nodiscard]] Cell cell() const;
  /// The first witness that an exhaustive search finds. There must be one.
  [[nodiscard]] Witness witness(Property property) const;

 private:
  Scenario scenario_;
  StrategyDefinition strategy_;
};

[[nodiscard]] FaultSpec fault(FaultKind kind, std::string site = "");

}  // namespace idemsim::testing_support
