// Commands and replies of the key-value store: plain values, built by small functions.
#pragma once

#include "sim/base/time.hpp"
#include "sim/base/value.hpp"

#include <cstdint>
#include <string>

namespace idemsim::kv {

/// What a command does. The `compare_*` and `begin_or_get` verbs are well-known Lua scripts: one
/// atomic unit each.
enum class Verb : std::uint8_t {
  get,
  getdel,  ///< GET and DEL in one
  getset,  ///< the old value back; drops the TTL as SET does
  getex,   ///< GET that may set (`px`) or remove (`persisting`) the TTL
  set,
  setnx,  ///< replies 1 or 0, takes no TTL
  del,
  exists,
  incr,  ///< keeps the TTL
  pexpire,
  pexpireat,
  pttl,  ///< milliseconds left; -1 no TTL, -2 no key
  ttl,   ///< seconds left, rounded half up; -1 and -2 as above
  persist,
  compare_and_delete,  ///< delete if the value is `expected`: 1 or 0
  compare_and_extend,  ///< new TTL if the value is `expected`: 1 or 0
  compare_and_set,     ///< set if the value is `expected`: 1 or 0; without `px` it drops the TTL
  begin_or_get,        ///< the stored value, or store `value` with a TTL and reply `NEW`
};

/// NX, XX, GT, LT.
enum class Only : std::uint8_t {
  always,
  if_absent,   ///< SET NX; for PEXPIRE: only without a TTL
  if_present,  ///< SET XX; for PEXPIRE: only with a TTL
  if_later,    ///< PEXPIRE GT: no TTL counts as infinite
  if_earlier,  ///< PEXPIRE LT
};

/// What a command does to the TTL of the key that it writes.
enum class TtlChange : std::uint8_t {
  drop,      ///< plain SET: the key lives forever
  keep,      ///< KEEPTTL
  relative,  ///< PX: `ttl` from now
  absolute,  ///< PXAT: at `deadline`
};

/// Two values that follow each other, named so that they cannot be swapped.
struct Swap {
  Value expected;
  Value value;
};

/// One command for one key. Small, copyable, without heap.
struct Command {
  Verb verb = Verb::get;
  Only only = Only::always;
  TtlChange ttl_change = TtlChange::drop;
  bool returns_old = false;  ///< SET ... GET
  Value key;
  Value value;
  Value expected;    ///< for `compare_*`
  Duration ttl;      ///< whole milliseconds; zero or less is an error (SET) or a deletion (PEXPIRE)
  Instant deadline;  ///< whole milliseconds of the store's clock

  [[nodiscard]] Command nx() const;
  [[nodiscard]] Command xx() const;
  [[nodiscard]] Command gt() const;
  [[nodiscard]] Command lt() const;
  [[nodiscard]] Command px(Duration time_to_live) const;
  [[nodiscard]] Command pxat(Instant at) const;
  [[nodiscard]] Command keepttl() const;
  [[nodiscard]] Command returning_old() const;
};

[[nodiscard]] Command get(Value key);
[[nodiscard]] Command getdel(Value key);
[[nodiscard]] Command getset(Value key, Value value);
/// GETEX with `px` or `pxat`; without them it is GET.
[[nodiscard]] Command getex(Value key);
/// GETEX ... PERSIST.
[[nodiscard]] Command getex_persist(Value key);
[[nodiscard]] Command set(Value key, Value value);
[[nodiscard]] Command setnx(Value key, Value value);
[[nodiscard]] Command del(Value key);
[[nodiscard]] Command exists(Value key);
[[nodiscard]] Command incr(Value key);
[[nodiscard]] Command pexpire(Value key, Duration ttl);
[[nodiscard]] Command pexpireat(Value key, Instant deadline);
[[nodiscard]] Command pttl(Value key);
[[nodiscard]] Command ttl(Value key);
[[nodiscard]] Command persist(Value key);
[[nodiscard]] Command compare_and_delete(Value key, Value expected);
[[nodiscard]] Command compare_and_extend(Value key, Value expected, Duration ttl);
[[nodiscard]] Command compare_and_set(Value key, Swap swap);
[[nodiscard]] Command begin_or_get(Value key, Value value, Duration ttl);

/// Does a server treat it as a write, whether or not it will find something to change?
[[nodiscard]] bool may_write(Verb verb);
/// Is it one of the well-known scripts?
[[nodiscard]] bool is_script(Verb verb);

/// Simulated failures of a command.
enum class Error : std::uint8_t {
  none,
  not_an_integer,  ///< INCR of something else
  overflow,        ///< INCR of the largest integer
  invalid_expire,  ///< SET ... PX 0 or less
  syntax,          ///< options that exclude each other
  unknown_command,
  nested_multi,
  watch_in_multi,
  exec_without_multi,
  discard_without_multi,
  exec_abort,     ///< a command was refused when it was queued
  wrong_type,     ///< the key holds something else
  out_of_memory,  ///< over the limit, and nothing may be evicted
  no_script,      ///< EVALSHA of a script that this server has not seen since it started
  busy,           ///< a script runs for too long
  unkillable,     ///< the script that runs for too long has written
  not_busy,       ///< SCRIPT KILL without such a script
  script_killed,  ///< what the caller of a killed script is told
  read_only,      ///< a write on a replica
  no_replicas,    ///< fewer replicas than `min-replicas-to-write` are known to follow
  disk_failed,    ///< the last snapshot could not be saved
  stale_id,       ///< XADD with an id that is not after the last one
};

/// The first word of the error's text, which is what clients look at: `ERR`, `EXECABORT`.
[[nodiscard]] const char* code_of(Error error);

/// What the store answers.
struct Reply {
  enum class Kind : std::uint8_t { status, queued, integer, bulk, nil, error };
  Kind kind = Kind::nil;
  Error error = Error::none;
  Value value;  ///< bulk: the value; integer: Value::integer; else null

  [[nodiscard]] bool is_ok() const { return kind == Kind::status; }
  [[nodiscard]] bool is_nil() const { return kind == Kind::nil; }
  [[nodiscard]] bool is_error() const { return kind == Kind::error; }
  [[nodiscard]] std::int64_t as_integer() const { return value.as_integer(); }
  friend bool operator==(const Reply&, const Reply&) = default;

  /// A command inside MULTI that has not run yet.
  static Reply queued() { return {Kind::queued, Error::none, {}}; }
  static Reply ok() { return {Kind::status, Error::none, {}}; }
  static Reply integer(std::int64_t n) { return {Kind::integer, Error::none, Value::integer(n)}; }
  static Reply bulk(Value value) { return {Kind::bulk, Error::none, value}; }
  static Reply nil() { return {}; }
  static Reply failed(Error error) { return {Kind::error, error, {}}; }
};

/// The command as a user of the store would type it: `SET K1 t1 NX PX 30000`.
[[nodiscard]] std::string to_text(const Command& command);
/// `OK`, `1`, `nil`, the value, or `ERR not an integer`.
[[nodiscard]] std::string to_text(const Reply& reply);

}  // namespace idemsim::kv
