// A scenario as a value: who asks what, in which world, under which faults, and what is expected.
#pragma once

#include "sim/base/time.hpp"
#include "sim/model/catalogue.hpp"
#include "sim/model/fault_plan.hpp"
#include "sim/model/request.hpp"
#include "sim/model/verdict.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace idemsim {

enum class Arrival : std::uint8_t {
  single,        ///< each operation is invoked once
  double_click,  ///< the user clicks twice: two concurrent attempts of the operation
};

enum class KeyPolicy : std::uint8_t {
  stable,       ///< one key per operation, the same on every attempt
  per_attempt,  ///< a new key for every attempt
  none,         ///< no key is sent
  reused,       ///< one key for all operations of a client
  shared,       ///< one key for everybody: hard-coded
};

struct RetryPolicy {
  Duration timeout = seconds(1);                         ///< per attempt
  std::uint32_t attempts = 3;                            ///< >= 1, the first included
  Window backoff{milliseconds(100), milliseconds(100)};  ///< before attempt 2; jitter = the width
  std::uint32_t backoff_factor = 2;                      ///< growth per further attempt, >= 1
};

/// Clients, servers and stores are numbered together, below 2^16.
inline constexpr std::uint32_t kClientsMax = 50'000;

struct ClientSpec {
  std::uint32_t count = 1;       ///< 1 to `kClientsMax`
  std::uint32_t operations = 1;  ///< per client, one after another
  Arrival arrival = Arrival::single;
  KeyPolicy key = KeyPolicy::stable;
  RetryPolicy retry;
  std::uint32_t clicks = 2;  ///< attempts at once of a double click
  Window second_click{};     ///< how much later the others of them are sent; zero: at once
  /// How many attempts of one operation are under way at once.
  [[nodiscard]] std::uint32_t at_once() const {
    return arrival == Arrival::double_click ? clicks : 1;
  }
};

/// Latencies: one way between client and server, round trip between server and a store.
struct LatencySpec {
  Window client_server{milliseconds(1), milliseconds(20)};
  Window server_db{milliseconds(1), milliseconds(5)};
  Window server_redis{milliseconds(1), milliseconds(5)};
  Window server_provider{milliseconds(1), milliseconds(5)};
};

enum class Dialect : std::uint8_t { postgresql };
enum class Isolation : std::uint8_t { read_committed };

struct WorldSpec {
  std::uint32_t servers = 2;  ///< >= 1; routing is round robin by delivery
  LatencySpec latency;
  Dialect dialect = Dialect::postgresql;
  Isolation isolation = Isolation::read_committed;
  bool provider_keys = false;  ///< does the provider honour idempotency keys
  Window intent_after{};       ///< when the rows of `intent` appear; zero: before the start
};

/// One row of the matrix: a strategy with its parameters under a label.
struct StrategyVariant {
  std::string label;
  std::string strategy;
  /// Only the parameters that the scenario sets, sorted by name; value as in ParameterInfo.
  std::vector<std::pair<std::string, std::int64_t>> parameters;
};

enum class Mode : std::uint8_t { fifo, random, exhaustive };
enum class TimeModel : std::uint8_t { sampled, bounded, asynchronous };

struct ExploreSpec {
  Mode mode = Mode::exhaustive;
  TimeModel time = TimeModel::bounded;
  std::uint64_t runs = 10'000;            ///< sampled: runs per cell; exhaustive: 0 = no limit
  std::uint64_t steps_max = 10'000;       ///< per run; reached = verdict `not_seen`
  std::uint64_t states_max = 20'000'000;  ///< exhaustive: stored states per cell
};

struct Expectation {
  std::vector<std::string> strategies;  ///< labels; empty = all
  std::vector<std::string> faults;      ///< labels; empty = all
  Property property = Property::at_most_once;
  enum class Is : std::uint8_t { holds, violated, not_violated } is = Is::holds;
  std::optional<FindingKind> because;
  std::string pointer;  ///< JSON pointer, for messages
};

struct Scenario {
  std::string name;
  std::string about;
  std::uint64_t seed = 1;
  OperationKind operation = OperationKind::create_order;
  ClientSpec clients;
  WorldSpec world;
  std::vector<StrategyVariant> strategies;  ///< in file order
  std::vector<FaultPlan> faults;            ///< in file order
  std::vector<Property> properties;         ///< those judged; all by default
  ExploreSpec explore;
  std::vector<Expectation> expect;
  std::string path;                  ///< as given by the user
  std::string sha256;                ///< of the file's bytes, hexadecimal
  std::uint32_t canonical_hash = 0;  ///< of everything but name, about and expect
};

[[nodiscard]] std::string_view to_string(Arrival arrival);
[[nodiscard]] std::string_view to_string(KeyPolicy policy);
[[nodiscard]] std::string_view to_string(Dialect dialect);
[[nodiscard]] std::string_view to_string(Isolation isolation);
[[nodiscard]] std::string_view to_string(Mode mode);
[[nodiscard]] std::string_view to_string(TimeModel time);
[[nodiscard]] std::string_view to_string(Expectation::Is is);

}  // namespace idemsim
