// The key-value servers behind Redis's command line: what a recorded command means to it.
#pragma once

#include "sim/base/time.hpp"
#include "sim/engines/kv/cluster.hpp"
#include "tests/engines/case_redis_words.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace idemsim::tests {

/// A connection to one of the servers.
struct RedisConnection {
  kv::NodeId node;
  kv::SessionId session;
};

/// The servers of a case with a clock that stands still unless it is moved. Streams to replicas
/// that are not held up arrive at once.
class RedisServers {
 public:
  /// Takes the settings of the recorded servers. Returns the name of one that is not modelled, or
  /// nothing.
  std::string set_up(const nlohmann::json& servers);
  [[nodiscard]] kv::NodeId node_of(const std::string& server) const { return nodes_.at(server); }

  /// Executes a command of a connection. The result is an `outcome` as in the recordings, or
  /// nothing if the command (or this use of it) is not modelled.
  std::optional<nlohmann::json> execute(RedisConnection connection, const Argv& argv);
  /// A late answer to a connection, whose outcome was `parked`.
  struct Woken {
    RedisConnection connection;
    nlohmann::json outcome;
  };
  std::optional<Woken> wake();
  [[nodiscard]] std::optional<Instant> next_wake() const;
  [[nodiscard]] Instant now() const { return now_; }
  /// What only the recorder could do; nothing if it is not modelled.
  std::optional<nlohmann::json> control(const nlohmann::json& op);
  /// The connection is gone.
  void leave(RedisConnection connection);

  void advance(Duration by) { now_ = now_ + by; }

 private:
  /// What the runner itself knows of a server.
  struct Known {
    kv::MemoryLimit memory;
    bool expires_in_background = true;
  };

  std::string add(const std::string& name, const nlohmann::json& settings);
  std::optional<nlohmann::json> control_of(kv::NodeId node, const nlohmann::json& op);
  std::optional<nlohmann::json> link(kv::NodeId node, const std::string& name);
  std::optional<nlohmann::json> info(kv::NodeId node, const nlohmann::json& op);
  nlohmann::json load(kv::NodeId node, const nlohmann::json& op);
  nlohmann::json count_keys(kv::NodeId node, const nlohmann::json& op);
  std::optional<nlohmann::json> execute_keyspace(kv::NodeId node, const Argv& argv);
  std::optional<nlohmann::json> execute_several(RedisConnection connection, const Argv& argv);
  std::optional<nlohmann::json> execute_text(RedisConnection connection, const Argv& argv);
  kv::Reply run(RedisConnection connection, const kv::Command& command);
  kv::Answer apply(RedisConnection connection, const kv::Request& request);
  void deliver();
  kv::Moment moment();

  kv::Cluster cluster_;
  std::map<std::string, kv::NodeId> nodes_;
  std::map<kv::NodeId, Known> known_;
  Instant now_ = {1'893'456'000'000 * std::int64_t{1'000'000}};  ///< where the recordings start
  std::uint64_t steps_ = 0;
  RedisWords words_;
};

/// An answer of the engine as a recorded outcome; `parked` if there is none yet.
[[nodiscard]] nlohmann::json outcome_of(const kv::Answer& answer);
/// A reply as a recorded outcome.
[[nodiscard]] nlohmann::json ok_outcome(nlohmann::json reply);
[[nodiscard]] nlohmann::json status_reply(const char* text);
[[nodiscard]] nlohmann::json reply_of(const kv::Reply& reply);

/// A reply without the messages of errors: only their first word is compared.
[[nodiscard]] nlohmann::json without_messages(const nlohmann::json& reply);
/// Is `got` what was recorded? Messages are not compared, ranges and "not compared" are honoured.
[[nodiscard]] bool agrees(const nlohmann::json& recorded, const nlohmann::json& got);

}  // namespace idemsim::tests
