// The bare workloads W1 and W2 on the real kernel: coroutines and stores, no clients, no network.
#pragma once

#include "sim/engines/kv/engine.hpp"
#include "sim/engines/provider/engine.hpp"
#include "sim/world/executor.hpp"
#include "sim/world/kernel.hpp"
#include "sim/world/task.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace idemsim::testing {

/// `n` concurrent requests with one key. W1: read the key, charge if it was absent, write the key.
/// W2: insert the key if absent, charge if that worked, write the key. A loser's second step does
/// nothing; with `pads`, request 0 first takes that many steps that touch nothing (W1R).
class BareWorld {
 public:
  enum class Workload { check_then_write, insert_if_absent };

  BareWorld(Workload workload, std::uint32_t n, std::uint32_t pads = 0)
      : workload_(workload), n_(n), pads_(pads) {}
  ~BareWorld() { kernel_.abandon(); }

  RunEnd run(Scheduler& scheduler) {
    kv_.reset();
    provider_.reset();
    for (std::uint64_t& r : results_) r = 0;
    Kernel::Options options;
    options.time = TimeModel::asynchronous;
    kernel_.begin(options, scheduler);
    for (std::uint32_t i = 0; i < n_; ++i) {
      boost::asio::co_spawn(boost::asio::any_io_executor(Executor(context_)), request(i),
                            boost::asio::detached);
    }
    const RunEnd end = kernel_.run();
    kernel_.abandon();
    return end;
  }

  [[nodiscard]] std::size_t charges() const { return provider_.ledger().size(); }
  [[nodiscard]] const Kernel& kernel() const { return kernel_; }
  [[nodiscard]] Hash128 state_hash() const {
    StateHasher hasher;
    kv_.hash_state(hasher);
    provider_.hash_state(hasher);
    for (const std::uint64_t r : results_) hasher.add(r);
    kernel_.hash_state(hasher);
    return hasher.value();
  }

 private:
  /// A step of one request; its body runs when the coroutine goes on.
  struct Node : Step {
    BareWorld* world = nullptr;
    std::uint32_t request = 0;
  };
  template <class Handler>
  struct NodeOf final : Node {
    Handler handler;
    explicit NodeOf(Handler&& h) : handler(std::move(h)) {
      fire = [](Step* step) { consume(step, true); };
      discard = [](Step* step) { consume(step, false); };
    }
    static void consume(Step* step, bool go_on) {
      auto* self = static_cast<NodeOf*>(static_cast<Node*>(step));
      Handler local(std::move(self->handler));
      Kernel& kernel = self->world->kernel_;
      kernel.touch(Resource::of(ResourceKind::task, self->request), Access::write);
      self->~NodeOf();
      kernel.pool().release(self, sizeof(NodeOf));
      if (go_on) std::move(local)();
    }
  };
  struct Start {
    BareWorld* world;
    std::uint32_t request;
    template <class Handler>
    void operator()(Handler&& handler) const {
      using Node = NodeOf<std::decay_t<Handler>>;
      void* block = world->kernel_.pool().allocate(sizeof(Node));
      auto* node = new (block) Node(std::decay_t<Handler>(std::forward<Handler>(handler)));
      node->world = world;
      node->request = request;
      node->process = {static_cast<std::uint16_t>(request)};
      node->id = StepId::of(Origin::of({request, 0}, 0, 0), 0, ++world->counters_[request]);
      world->kernel_.add(node);
    }
  };
  auto step(std::uint32_t request) {
    return boost::asio::async_initiate<const boost::asio::deferred_t, void()>(
        Start{this, request}, boost::asio::deferred);
  }

  kv::Reply command(const kv::Command& c) {
    return kv_.apply(c, Instant{}, kernel_.running(), kernel_.touched());
  }

  Task<void> request(std::uint32_t id) {
    counters_[id] = 0;
    for (std::uint32_t i = 0; id == 0 && i < pads_; ++i) co_await step(id);
    co_await step(id);
    const bool first = workload_ == Workload::check_then_write
                           ? command(kv::get(Value::key(1))).is_nil()
                           : command(kv::set(Value::key(1), Value::integer(1)).nx()).is_ok();
    results_[id] = first ? 1 : 2;
    co_await step(id);
    results_[id] += 2;
    if (!first) co_return;
    provider_.charge({}, {kernel_.running(), {id, 0}}, kernel_.touched());
    co_await step(id);
    results_[id] += 2;
    command(kv::set(Value::key(1), Value::integer(1)));
  }

  Workload workload_;
  std::uint32_t n_;
  std::uint32_t pads_;
  Kernel kernel_;
  ExecutorContext context_{kernel_};
  kv::Engine kv_;
  provider::Engine provider_;
  std::uint64_t results_[16] = {};
  std::uint32_t counters_[16] = {};
};

}  // namespace idemsim::testing
