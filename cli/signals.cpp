// Signals are read on a thread of their own, so that no code has to be safe inside a handler.
#include "cli/signals.hpp"

#include "cli/exit_status.hpp"

#include <csignal>
#include <unistd.h>

namespace idemsim {

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
    if (interrupted_.exchange(true)) _exit(static_cast<int>(ExitStatus::interrupted));
    wait();
  });
}

}  // namespace idemsim
