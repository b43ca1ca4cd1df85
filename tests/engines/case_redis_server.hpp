// The key-value engine behind Redis's command line: what a recorded command means to it.
#pragma once

#include "sim/base/time.hpp"
#include "sim/engines/kv/server.hpp"
#include "tests/engines/case_redis_words.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace idemsim::tests {

/// One server with a clock that stands still unless it is moved.
class RedisServer {
 public:
  /// Takes the settings of a recorded server, and its clock from then on. Returns the name of one
  /// that is not modelled, or nothing.
  std::string set_up(const nlohmann::json& settings);

  /// Executes a command of a connection. The result is an `outcome` as in the recordings, or
  /// nothing if the command (or this use of it) is not modelled.
  std::optional<nlohmann::json> execute(kv::SessionId session, const Argv& argv);
  /// A late answer to a connection, whose outcome was `parked`.
  struct Woken {
    kv::SessionId session;
    nlohmann::json outcome;
  };
  std::optional<Woken> wake();
  [[nodiscard]] std::optional<Instant> next_wake() const { return server_.next_wake(); }
  [[nodiscard]] Instant now() const { return now_; }
  /// What only the recorder could do; nothing if it is not modelled.
  std::optional<nlohmann::json> control(const nlohmann::json& op);
  /// The connection is gone.
  void leave(kv::SessionId session);

  void advance(Duration by) { now_ = now_ + by; }
  /// Gives the background expiry time to work, unless a command has switched it off.
  void settle();

 private:
  nlohmann::json load(const nlohmann::json& op);
  nlohmann::json count_keys(const nlohmann::json& op);
  std::optional<nlohmann::json> execute_keyspace(const std::string& verb, const Argv& argv);
  std::optional<nlohmann::json> execute_several(kv::SessionId session, const Argv& argv);
  std::optional<nlohmann::json> execute_text(kv::SessionId session, const Argv& argv);
  kv::Reply run(kv::SessionId session, const kv::Command& command);
  kv::Answer apply(kv::SessionId session, const kv::Request& request);

  kv::Moment moment();

  kv::Server server_;
  Instant now_ = {1'893'456'000'000 * std::int64_t{1'000'000}};  ///< where the recordings start
  kv::MemoryLimit memory_;
  std::uint64_t steps_ = 0;
  bool expires_in_background_ = true;
  RedisWords words_;
};

}  // namespace idemsim::tests
