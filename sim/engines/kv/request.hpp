// What a connection asks of a key-value server beyond single commands, and what it is told.
#pragma once

#include "sim/base/hash.hpp"
#include "sim/engines/kv/command.hpp"
#include "sim/engines/kv/script.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace idemsim::kv {

/// A connection to one server.
struct SessionId {
  std::uint32_t number = 0;
  friend constexpr auto operator<=>(SessionId, SessionId) = default;
};

/// What a request is.
enum class Action : std::uint8_t {
  command,  ///< `command`
  ping,
  unknown,     ///< a command that no server knows; inside MULTI it dooms the transaction
  bad_syntax,  ///< options that exclude each other; noticed when it runs
  watch,       ///< WATCH of `command.key`
  unwatch,
  multi,
  exec,
  discard,
  eval,          ///< run `script`; the server knows it from then on
  evalsha,       ///< run `script` if the server knows its id
  script_load,   ///< make `script` known
  script_flush,  ///< forget all scripts
  script_kill,   ///< end the script that runs for too long, unless it has written
  sleep,         ///< the server does nothing for `duration` (DEBUG SLEEP, a stall)
  pause,         ///< commands wait for `duration` (CLIENT PAUSE)
  pause_writes,  ///< the same for writes; dead keys are hidden meanwhile and not deleted
  save,          ///< SAVE: an error if the disk is broken
  save_later,    ///< BGSAVE: if the disk is broken, writes are refused from then on
  wait,          ///< WAIT for `count` replicas, at most for `duration` (0: for ever)
};

/// One request of one connection.
struct Request {
  Action action = Action::command;
  Command command = {};
  Script script = {};
  Duration duration = {};
  std::int64_t count = 0;
};

[[nodiscard]] Request run(const Command& command);
[[nodiscard]] Request watch(Value key);
[[nodiscard]] Request eval(Script script);
[[nodiscard]] Request evalsha(Script script);
[[nodiscard]] Request script_load(std::uint64_t id);
/// `sleep`, `pause` or `pause_writes`.
[[nodiscard]] Request stall(Action action, Duration duration);
/// How many replicas have what this connection has seen; waits until they are `count`.
[[nodiscard]] Request wait_for(std::int64_t count, Duration at_most);
/// Every other action: it takes no argument.
[[nodiscard]] Request request(Action action);

/// What the connection is told.
struct Answer {
  enum class Kind : std::uint8_t {
    one,     ///< `reply`
    many,    ///< `replies`: EXEC, some scripts
    no_run,  ///< EXEC ran nothing because a watched key was touched (nil array)
    parked   ///< the answer comes later: see Server::wake
  };
  Kind kind = Kind::one;
  Reply reply;
  std::vector<Reply> replies;
  friend bool operator==(const Answer&, const Answer&) = default;

  static Answer one(const Reply& reply) { return {Kind::one, reply, {}}; }
  static Answer many(std::vector<Reply> replies) { return {Kind::many, {}, std::move(replies)}; }
  static Answer no_run() { return {Kind::no_run, {}, {}}; }
  static Answer parked() { return {Kind::parked, {}, {}}; }
  static Answer failed(Error error) { return one(Reply::failed(error)); }
};

/// `OK`, `[OK, 2]`, `nil array`.
[[nodiscard]] std::string to_text(const Answer& answer);

/// Everything that makes two requests differ.
void hash(const Answer& answer, StateHasher& hasher);
void hash(const Request& request, StateHasher& hasher);

}  // namespace idemsim::kv
