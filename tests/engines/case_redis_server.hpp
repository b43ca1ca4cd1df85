// The key-value engine behind Redis's command line: what a recorded command means to it.
#pragma once

#include "sim/base/time.hpp"
#include "sim/engines/kv/engine.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace idemsim::tests {

/// A command as typed, words only.
using Argv = std::vector<std::string>;

/// One server with a clock that stands still unless it is moved.
class RedisServer {
 public:
  /// Executes a command. The result is an `outcome` as in the recordings, or nothing if the command
  /// (or this use of it) is not modelled.
  std::optional<nlohmann::json> execute(const Argv& argv);

  void advance(Duration by) { now_ = now_ + by; }
  /// Gives the background expiry time to work, unless a command has switched it off.
  void settle();

 private:
  std::optional<nlohmann::json> execute_keyspace(const std::string& verb, const Argv& argv);
  std::optional<nlohmann::json> execute_several(const std::string& verb, const Argv& argv);
  std::optional<nlohmann::json> execute_text(const std::string& verb, const Argv& argv);
  std::optional<nlohmann::json> execute_script(const Argv& argv);
  kv::Reply apply(const kv::Command& command);
  Value value_of(const std::string& word);

  kv::Engine engine_;
  Instant now_ = {1'893'456'000'000 * std::int64_t{1'000'000}};  ///< where the recordings start
  std::uint64_t steps_ = 0;
  bool expires_in_background_ = true;
  std::set<std::string> words_;  ///< keeps the text of values alive; nodes never move
};

}  // namespace idemsim::tests
