// Ctrl-C: the first asks for a partial report, the second ends the program at once.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <atomic>
#include <chrono>
#include <thread>

namespace idemsim {

/// Watches SIGINT and SIGTERM while it lives.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  [[nodiscard]] const std::atomic<bool>& interrupted() const { return interrupted_; }

 private:
  void wait();

  std::atomic<bool> interrupted_{false};
  std::chrono::steady_clock::time_point first_;  ///< when the first signal came
  boost::asio::io_context context_;
  boost::asio::signal_set signals_;
  std::thread thread_;
};

}  // namespace idemsim
