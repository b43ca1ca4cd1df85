// The steps of a world that belong to no suspended task: messages, faults, expiries, orphans.
#pragma once

#include "sim/world/world.hpp"

namespace idemsim {

/// `derived` digit of the deadline of a polling operation; no other derived step has it.
inline constexpr std::uint32_t kDeadlineOrdinal = 0xf;

/// Last digit of the task path of what a task left on the wire; no child task has it.
inline constexpr std::uint32_t kOrphanDigit = 0xe;

/// A request or response on its way.
struct World::Message : Step {
  World* world = nullptr;
  Origin origin;  ///< the delivery; a response answers its attempt
  Answer answer;  ///< responses only
  EventIndex cause = -1;
  bool probe = false;
  Message* next_response = nullptr;
};

/// A crash or pause of one server that may happen now.
struct World::FaultStep : Step {
  World* world = nullptr;
  std::size_t budget = 0;
};

/// The end of a TTL of the key-value store, or of a deadline in a row.
struct World::ExpiryStep : Step {
  World* world = nullptr;
  bool in_database = false;
  std::uint64_t deadline = 0;
  kv::ArmedExpiry ttl;
  EventIndex cause = -1;
};

/// An operation whose caller has gone: it stays on the wire and executes by itself.
struct World::OrphanStep : Step {
  enum class Target : std::uint8_t { database, redis, provider };
  World* world = nullptr;
  Target target = Target::database;
  Origin origin;  ///< of the task that sent it, with its path and counter then
  std::uint32_t path = 0;
  std::uint32_t counter = 0;
  std::uint32_t turns = 0;
  sql::SessionId session;
  sql::Statement statement;
  bool begins = false;  ///< BEGIN travels with the statement
  bool resuming = false;
  kv::Command command;
  provider::Request request;
  EventIndex cause = -1;
};

/// The deadline of a polling operation.
struct World::DeadlineStep : Step {
  Kernel* kernel = nullptr;
  PollingSuspension* node = nullptr;
};

/// The one deadlock check of a wait.
struct World::CheckStep : Step {
  World* world = nullptr;
  sql::SessionId session;
};

/// A session that waits in the engine, and who hears when its statement ends.
struct World::Blocked {
  sql::SessionId session;
  SqlSuspension* node = nullptr;  ///< or
  OrphanStep* orphan = nullptr;   ///< an orphan
  CheckStep* check = nullptr;     ///< null once it has fired
};

namespace detail {

template <class Node>
Node* make_step(Kernel& kernel) {
  void* block = kernel.pool().allocate(sizeof(Node));
  return new (block) Node();
}
template <class Node>
void free_step(Kernel& kernel, Node* node) {
  node->~Node();
  kernel.pool().release(node, sizeof(Node));
}

}  // namespace detail
}  // namespace idemsim
