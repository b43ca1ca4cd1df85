// What `confirm` attaches to a world: real stores that execute whatever the simulated ones execute.
#pragma once

#include "sim/base/ids.hpp"
#include "sim/base/name.hpp"
#include "sim/base/time.hpp"
#include "sim/base/value.hpp"
#include "sim/engines/kv/command.hpp"
#include "sim/engines/sql/reply.hpp"
#include "sim/engines/sql/schema.hpp"
#include "sim/engines/sql/statement.hpp"

#include <cstdint>
#include <span>

namespace idemsim {

/// What a caller in the database is told. The rows belong to whoever answers, until the next call.
struct SqlAnswer {
  sql::Reply reply;
  std::span<const sql::Row> rows;
};

/// One statement as the simulated database has just executed it, or made it wait.
struct SqlCall {
  StepId step;
  Name site;
  sql::SessionId session;
  const sql::Statement* statement = nullptr;
  bool begins = false;   ///< BEGIN travels with it
  bool resumes = false;  ///< it was sent before and waited; nothing is sent again
  SqlAnswer simulated;
};

/// Who sends commands to the key-value store: one task of one delivery.
struct KvConnection {
  Origin origin;
  std::uint32_t path = 0;
  friend constexpr auto operator<=>(const KvConnection&, const KvConnection&) = default;
};

/// One command as the simulated key-value store has just executed it.
struct KvCall {
  StepId step;
  Name site;
  KvConnection connection;
  const kv::Command* command = nullptr;
  kv::Reply simulated;
};

/// The simulation decides about order, faults and waiting; the twin executes the same, one call
/// after the other, and its answers are what the strategy hears. An interface because the world
/// must not know what stands behind it: libraries of real stores stay out of the core.
class Twin {
 public:
  virtual ~Twin() = default;
  /// Returns once the statement is answered or known to wait. Whether it waits in the simulated
  /// database decides how the run goes on.
  virtual SqlAnswer statement(const SqlCall& call) = 0;
  virtual kv::Reply command(const KvCall& call) = 0;
  /// The client's end of a connection is gone; closing twice is the same as once.
  virtual void close(sql::SessionId session) = 0;
  virtual void close(KvConnection connection) = 0;
  /// A deadline was made: it comes this long after the statement that writes it.
  virtual void deadline(std::uint64_t bits, Duration after) = 0;
  /// From now on the deadline has passed.
  virtual void pass(std::uint64_t bits) = 0;
  /// The key's TTL ends now, at the latest.
  virtual void expire(Value key) = 0;
};

}  // namespace idemsim
