// What a strategy sees of the world: its parameters, its stores, timers, and the primitives.
#pragma once

#include "sim/base/name.hpp"
#include "sim/base/time.hpp"
#include "sim/base/value.hpp"
#include "sim/engines/kv/command.hpp"
#include "sim/engines/provider/engine.hpp"
#include "sim/engines/sql/reply.hpp"
#include "sim/engines/sql/schema.hpp"
#include "sim/engines/sql/statement.hpp"
#include "sim/model/request.hpp"
#include "sim/world/suspension.hpp"
#include "sim/world/task.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace idemsim {

/// Values of a strategy's parameters in one cell, looked up by name.
class Parameters {
 public:
  void set(Name name, std::int64_t value);
  /// A safeguard or boolean. An unknown name is a programmer error.
  [[nodiscard]] bool on(Name name) const { return number(name) != 0; }
  [[nodiscard]] Duration duration(Name name) const { return {number(name)}; }
  /// An integer, or the index of a choice.
  [[nodiscard]] std::int64_t number(Name name) const;

 private:
  struct Entry {
    Name name;
    std::int64_t value;
  };
  std::vector<Entry> entries_;
};

/// Why a deadline exists: the settle phase waits for leases and never reaches a retention.
enum class Expiry : std::uint8_t { lease, retention };

class Context;

/// One connection to the database.
class Database {
 public:
  /// Opens a transaction with the next statement, in the same round trip, as drivers do.
  void begin() { begin_next_ = true; }
  /// Runs a statement. `site` names the place in reports. The statement must live until the reply.
  [[nodiscard]] auto execute(Name site, const sql::Statement& statement);
  /// Repeats a statement each `interval` while `again(reply)`, until `deadline` from now; polling
  /// costs nothing while nothing changes. The reply says `timed_out` if the deadline came first.
  [[nodiscard]] auto until(Name site, const sql::Statement& statement, const SqlPoll& poll);
  [[nodiscard]] auto commit(Name site);
  [[nodiscard]] auto rollback(Name site);

 private:
  friend class Context;
  friend class World;
  explicit Database(Context& context) : context_(&context) {}
  Context* context_;
  bool begin_next_ = false;
  bool connected_ = false;
  bool lost_ = false;
  sql::SessionId session_;
};

/// One connection to the key-value store.
class Redis {
 public:
  [[nodiscard]] auto execute(Name site, const kv::Command& command);
  /// As `Database::until`, for example a SET NX that spins.
  [[nodiscard]] auto until(Name site, const kv::Command& command, const KvPoll& poll);

 private:
  friend class Context;
  explicit Redis(Context& context) : context_(&context) {}
  Context* context_;
};

/// The payment provider.
class Provider {
 public:
  [[nodiscard]] auto charge(Name site, const provider::Request& request);

 private:
  friend class Context;
  explicit Provider(Context& context) : context_(&context) {}
  Context* context_;
};

struct TaskState;
class World;

/// How operations reach a world: the simulated one, or real stores. Calls never return a result;
/// they complete the suspension later.
struct Ports {
  void (*start_sql)(World&, SqlSuspension&);
  void (*start_kv)(World&, KvSuspension&);
  void (*start_charge)(World&, ChargeSuspension&);
  void (*start_sleep)(World&, SleepSuspension&);
};

/// Everything that the handler of one delivery may touch. Coroutine state is what a crash loses.
class Context {
 public:
  Context(World& world, TaskState& task, const Ports& ports)
      : world_(&world), task_(&task), ports_(&ports) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] Database& db() { return database_; }
  [[nodiscard]] Redis& redis() { return redis_; }
  [[nodiscard]] Provider& provider() { return provider_; }

  [[nodiscard]] bool on(Name safeguard) const { return parameters().on(safeguard); }
  [[nodiscard]] Duration duration(Name parameter) const { return parameters().duration(parameter); }
  [[nodiscard]] std::int64_t number(Name parameter) const { return parameters().number(parameter); }
  [[nodiscard]] const Parameters& parameters() const;

  /// A token that no other delivery has: who owns a claim or a lock.
  [[nodiscard]] Value token() const;
  /// A reference that no other step makes: the number of an order or coupon.
  [[nodiscard]] Value fresh_reference();
  /// A cell that expires `after` the statement that writes it has executed; compare it by
  /// sql::expired and sql::not_expired.
  [[nodiscard]] Value expires_in(Duration after, Expiry expiry);

  /// Waits; both ends of the window may be equal.
  [[nodiscard]] auto sleep(Name site, Window window);

  /// The handler believes from here on that it alone works on `key`.
  void enter(Value key);
  /// It does not believe so any more.
  void leave(Value key);

  /// Starts a background task of this delivery (a watchdog). It dies with the process, with `stop`,
  /// and with the delivery. `job` gets a context of its own.
  using Job = Task<void> (*)(Context&, const Request&);
  void start(Job job);
  /// Stops the background tasks started by this context.
  void stop_background();

 private:
  friend class World;
  friend class Database;
  friend class Redis;
  friend class Provider;
  World* world_;
  TaskState* task_;
  const Ports* ports_;
  Database database_{*this};
  Redis redis_{*this};
  Provider provider_{*this};
};

// ---- the awaitable operations: each is a deferred Asio operation that a port completes ----

namespace detail {

/// Storage of a statement without operands, so that COMMIT needs no local in the strategy.
const sql::Statement& commit_statement();
const sql::Statement& rollback_statement();

template <class Base, class Reply, class Handler>
struct SuspensionNode final : Base {
  Handler handler;
  template <class... Args>
  explicit SuspensionNode(Handler&& h, Args&&... args)
      : Base(std::forward<Args>(args)...), handler(std::move(h)) {
    this->complete = &finish;
    this->discard = &drop;
  }
  static void finish(Base& base, const Reply& reply) {
    auto& self = static_cast<SuspensionNode&>(base);
    Handler local(std::move(self.handler));
    Reply copy(reply);
    release_suspension(self, sizeof(SuspensionNode));
    std::move(local)(std::move(copy));
  }
  static void drop(Step* step) {
    auto& self = static_cast<SuspensionNode&>(*step);
    Handler local(std::move(self.handler));  // dies at the end of this scope, frames with it
    release_suspension(self, sizeof(SuspensionNode));
  }
};

/// Allocates the node for an operation that is being started and hands it to `start`.
template <class Base, class Reply, class Start>
struct Initiation {
  TaskState* task;
  Start start;
  template <class Handler>
  void operator()(Handler&& handler) const {
    using Node = SuspensionNode<Base, Reply, std::decay_t<Handler>>;
    void* block = allocate_suspension(*task, sizeof(Node));
    auto* node = new (block) Node(std::decay_t<Handler>(std::forward<Handler>(handler)), *task);
    start(*node);
  }
};

template <class Base, class Reply, class Start>
auto operation(TaskState& task, Start start) {
  Initiation<Base, Reply, Start> initiation{&task, start};
  return boost::asio::async_initiate<const boost::asio::deferred_t, void(Reply)>(
      initiation, boost::asio::deferred);
}

struct StartSql {
  World* world;
  const Ports* ports;
  Database* database;
  Name site;
  const sql::Statement* statement;
  SqlPoll poll;
  void operator()(SqlSuspension& node) const {
    node.site = site;
    node.database = database;
    node.statement = statement;
    node.poll = poll;
    ports->start_sql(*world, node);
  }
};
struct StartKv {
  World* world;
  const Ports* ports;
  Name site;
  const kv::Command* command;
  KvPoll poll;
  void operator()(KvSuspension& node) const {
    node.site = site;
    node.command = *command;
    node.poll = poll;
    ports->start_kv(*world, node);
  }
};
struct StartCharge {
  World* world;
  const Ports* ports;
  Name site;
  const provider::Request* request;
  void operator()(ChargeSuspension& node) const {
    node.site = site;
    node.request = *request;
    ports->start_charge(*world, node);
  }
};
struct StartSleep {
  World* world;
  const Ports* ports;
  Name site;
  Window length;
  void operator()(SleepSuspension& node) const {
    node.site = site;
    node.window = length;
    ports->start_sleep(*world, node);
  }
};

}  // namespace detail

inline auto Database::execute(Name site, const sql::Statement& statement) {
  const detail::StartSql start{context_->world_, context_->ports_, this, site, &statement, {}};
  return detail::operation<SqlSuspension, SqlReply>(*context_->task_, start);
}
inline auto Database::until(Name site, const sql::Statement& statement, const SqlPoll& poll) {
  const detail::StartSql start{context_->world_, context_->ports_, this, site, &statement, poll};
  return detail::operation<SqlSuspension, SqlReply>(*context_->task_, start);
}
inline auto Database::commit(Name site) { return execute(site, detail::commit_statement()); }
inline auto Database::rollback(Name site) { return execute(site, detail::rollback_statement()); }

inline auto Redis::execute(Name site, const kv::Command& command) {
  const detail::StartKv start{context_->world_, context_->ports_, site, &command, {}};
  return detail::operation<KvSuspension, KvReply>(*context_->task_, start);
}
inline auto Redis::until(Name site, const kv::Command& command, const KvPoll& poll) {
  const detail::StartKv start{context_->world_, context_->ports_, site, &command, poll};
  return detail::operation<KvSuspension, KvReply>(*context_->task_, start);
}
inline auto Provider::charge(Name site, const provider::Request& request) {
  const detail::StartCharge start{context_->world_, context_->ports_, site, &request};
  return detail::operation<ChargeSuspension, ChargeReply>(*context_->task_, start);
}
inline auto Context::sleep(Name site, Window window) {
  const detail::StartSleep start{world_, ports_, site, window};
  return detail::operation<SleepSuspension, SleepReply>(*task_, start);
}

/// The code of a strategy: answers one delivery.
using Handler = Task<Answer> (*)(Context&, const Request&);

/// Business tables. `orders`, `payments` and `coupons` are ledgers: a row (id, amount, reference)
/// is an effect.
inline constexpr Name kOrders = "orders";
inline constexpr Name kPayments = "payments";
inline constexpr Name kCoupons = "coupons";
/// Business objects with a state machine: one row (id, status, version, reference) per operation.
inline constexpr Name kIntent = "intent";

}  // namespace idemsim
