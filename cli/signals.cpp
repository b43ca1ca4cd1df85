// Signals are read on a thread of their own, so that no code has to be safe inside a handler.
#include "cli/signals.hpp"

#include "cli/exit_status.hpp"

#include <csignal>
#include <unistd.h>

namespace idemsim {
namespace {

/// Signals within this time are one.
constexpr std::chrono::milliseconds kOneRequest{200};

}  // namespace

SignalWatch::SignalWatch() : signals_(context_, SIGINT, SIGTERM) {
  wait();
  thread_ = std::thread([this] { context_.run(); });
}

SignalWatch::~SignalWatch() {
  context_.stop();
  thread_.join();
}

void SignalWatch::wait() {
  signals_.async_wait([this](const boost::system::error_code& error, int) {
    if (error) return;
    const auto now = std::chrono::steady_clock::now();
    // Some senders signal a process and its group at once: that is one request.
    const bool impatient = interrupted_ && now > first_ + kOneRequest;
    if (impatient) _exit(static_cast<int>(ExitStatus::interrupted));
    if (!interrupted_.exchange(true)) first_ = now;
    wait();
  });
}

}  // namespace idemsim
