// What a task is suspended on: one store operation, timer or answer; it is a step while pending.
#pragma once

#include "sim/base/assert.hpp"
#include "sim/base/name.hpp"
#include "sim/base/time.hpp"
#include "sim/engines/kv/command.hpp"
#include "sim/engines/provider/engine.hpp"
#include "sim/engines/sql/reply.hpp"
#include "sim/engines/sql/schema.hpp"
#include "sim/engines/sql/statement.hpp"
#include "sim/model/history.hpp"
#include "sim/model/request.hpp"
#include "sim/world/kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace idemsim {

struct TaskState;
class World;
class Database;

/// Reply to a statement. `lost`: the connection broke, nobody knows whether the statement executed.
struct SqlReply {
  sql::Reply reply;
  bool lost = false;
  bool timed_out = false;          ///< `until` gave up
  std::span<const sql::Row> rows;  ///< valid until the next await

  [[nodiscard]] bool ok() const { return !lost && reply.ok(); }
  [[nodiscard]] bool failed_with(sql::Code code) const { return !lost && reply.code == code; }
  [[nodiscard]] std::uint32_t affected() const { return lost ? 0 : reply.affected; }
  [[nodiscard]] bool found() const { return ok() && !rows.empty(); }
  /// Cell of the first row, by its position in the select list.
  [[nodiscard]] Value cell(std::size_t column) const {
    IDEMSIM_ASSERT(found());
    return rows.front()[column];
  }
};

/// Reply to a command.
struct KvReply {
  kv::Reply reply;
  bool lost = false;
  bool timed_out = false;
  [[nodiscard]] bool ok() const { return !lost && !reply.is_error(); }
};

/// Reply of the provider.
struct ChargeReply {
  provider::Answer answer;
  bool lost = false;
  [[nodiscard]] bool charged() const { return !lost && answer.charged(); }
};

/// The timer went off.
struct SleepReply {};

/// How a repeated statement goes on: `again` says whether the reply is not good enough yet.
struct SqlPoll {
  bool (*again)(const SqlReply&) = nullptr;  ///< null: run once
  Duration interval;
  Duration deadline;
};
struct KvPoll {
  bool (*again)(const KvReply&) = nullptr;
  Duration interval;
  Duration deadline;
};

struct PollingSuspension;

/// Common part. A suspension is always in exactly one place: pending, blocked in an engine, parked
/// until a resource changes, or being completed.
struct Suspension : Step {
  enum class Place : std::uint8_t { nowhere, pending, blocked, parked };
  TaskState* task;
  PollingSuspension* polling = nullptr;  ///< this, if it can be parked
  /// Turns what was sent to a store into an orphan; null if nothing was sent.
  void (*on_wire)(Suspension&) = nullptr;
  Place place = Place::nowhere;
  explicit Suspension(TaskState& t) : task(&t) {}
};

/// A suspension that may poll: parked between two polls, with a step for its deadline.
struct PollingSuspension : Suspension, Parked {
  Step* deadline = nullptr;  ///< pending while polling with a deadline
  EventIndex blocked_event = -1;
  void (*give_up)(PollingSuspension&) = nullptr;  ///< completes it with `timed_out`
  explicit PollingSuspension(TaskState& t) : Suspension(t) { polling = this; }
};

struct SqlSuspension : PollingSuspension {
  Database* database = nullptr;
  const sql::Statement* statement = nullptr;
  SqlPoll poll;
  bool resuming = false;    ///< the statement is in the engine already
  bool lose_reply = false;  ///< decided: executed, but the caller will not hear of it
  void (*complete)(SqlSuspension&, const SqlReply&) = nullptr;
  using PollingSuspension::PollingSuspension;
};
struct KvSuspension : PollingSuspension {
  kv::Command command;
  KvPoll poll;
  void (*complete)(KvSuspension&, const KvReply&) = nullptr;
  using PollingSuspension::PollingSuspension;
};
struct ChargeSuspension : Suspension {
  provider::Request request;
  void (*complete)(ChargeSuspension&, const ChargeReply&) = nullptr;
  using Suspension::Suspension;
};
struct SleepSuspension : Suspension {
  void (*complete)(SleepSuspension&, const SleepReply&) = nullptr;
  using Suspension::Suspension;
};
/// A client that waits for the answer to one attempt; the step is its timeout.
struct AnswerSuspension : Suspension {
  Origin attempt;
  void (*complete)(AnswerSuspension&, const Answer&) = nullptr;
  using Suspension::Suspension;
};

namespace detail {
/// Memory of the task's world.
void* allocate_suspension(TaskState& task, std::size_t size_bytes);
/// Forgets the suspension in its task, destroys and frees it.
void release_memory(TaskState& task, void* block, std::size_t size_bytes);

template <class Node>
void release_suspension(Node& node, std::size_t size_bytes) {
  TaskState& task = *node.task;
  node.~Node();
  release_memory(task, &node, size_bytes);
}
}  // namespace detail

}  // namespace idemsim
