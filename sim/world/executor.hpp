// The deterministic executor: what Asio posts becomes local code that runs before the next choice.
#pragma once

#include "sim/world/kernel.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/execution/relationship.hpp>
#include <boost/asio/execution_context.hpp>

#include <new>
#include <type_traits>
#include <utility>

namespace idemsim {

/// Asio asks every executor for a context; this one has no services and no thread.
class ExecutorContext : public boost::asio::execution_context {
 public:
  explicit ExecutorContext(Kernel& kernel) : kernel_(&kernel) {}
  ~ExecutorContext() {
    shutdown();
    destroy();
  }
  [[nodiscard]] Kernel& kernel() const { return *kernel_; }

 private:
  Kernel* kernel_;
};

/// Never runs anything inline; posts to the kernel's microtask queue, in order.
class Executor {
 public:
  explicit Executor(ExecutorContext& context) noexcept : context_(&context) {}

  friend bool operator==(const Executor&, const Executor&) noexcept = default;

  [[nodiscard]] boost::asio::execution_context& query(
      boost::asio::execution::context_t) const noexcept {
    return *context_;
  }
  [[nodiscard]] static constexpr boost::asio::execution::blocking_t query(
      boost::asio::execution::blocking_t) noexcept {
    return boost::asio::execution::blocking.never;
  }
  [[nodiscard]] static constexpr boost::asio::execution::relationship_t query(
      boost::asio::execution::relationship_t) noexcept {
    return boost::asio::execution::relationship.fork;
  }
  [[nodiscard]] static constexpr boost::asio::execution::outstanding_work_t query(
      boost::asio::execution::outstanding_work_t) noexcept {
    return boost::asio::execution::outstanding_work.untracked;
  }

  template <class Function>
  void execute(Function&& function) const {
    using Node = PostedFunction<std::decay_t<Function>>;
    Kernel& kernel = context_->kernel();
    void* block = kernel.pool().allocate(sizeof(Node));
    kernel.post(new (block) Node(kernel, std::forward<Function>(function)));
  }

 private:
  template <class Function>
  struct PostedFunction : Microtask {
    Kernel* kernel;
    Function function;
    template <class F>
    PostedFunction(Kernel& k, F&& f) : kernel(&k), function(std::forward<F>(f)) {
      run = &consume;
    }
    static void consume(Microtask* task) {
      auto* self = static_cast<PostedFunction*>(task);
      Function local(std::move(self->function));
      Kernel* owner = self->kernel;
      self->~PostedFunction();
      owner->pool().release(self, sizeof(PostedFunction));
      std::move(local)();
    }
  };

  ExecutorContext* context_;
};

}  // namespace idemsim
