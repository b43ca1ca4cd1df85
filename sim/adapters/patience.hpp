// Waiting for real sockets: never longer than a limit, and never past Ctrl-C.
#pragma once

#include "sim/base/result.hpp"

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <chrono>
#include <string>

namespace idemsim::adapters {

/// Longer than anything that is not broken takes.
inline constexpr std::chrono::seconds kAnswerMax{10};

class Patience {
 public:
  explicit Patience(const std::atomic<bool>* interrupted) : interrupted_(interrupted) {}

  /// Runs the context until `ready()` says so. `what` completes "no answer from ...".
  template <class Ready>
  [[nodiscard]] Result<void> wait(boost::asio::io_context& context, const std::string& what,
                                  Ready ready) const {
    const auto end = std::chrono::steady_clock::now() + kAnswerMax;
    while (!ready()) {
      if (interrupted()) return problem("interrupted");
      if (std::chrono::steady_clock::now() > end)
        return problem("no answer from " + what + " in 10 s");
      turn(context);
    }
    return {};
  }
  /// Runs the context for a moment.
  void turn(boost::asio::io_context& context) const {
    context.restart();
    context.run_one_for(std::chrono::milliseconds(2));
  }
  /// From here on Ctrl-C is not heard: what was made has to be removed.
  void clean_up() { interrupted_ = nullptr; }
  [[nodiscard]] bool interrupted() const { return interrupted_ != nullptr && *interrupted_; }

 private:
  [[nodiscard]] static Problems problem(std::string sentence) {
    Problem p;
    p.message = std::move(sentence);
    return {p};
  }
  const std::atomic<bool>* interrupted_;
};

}  // namespace idemsim::adapters
