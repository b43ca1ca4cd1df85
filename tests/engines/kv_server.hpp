// A key-value server with a clock, as the tests of transactions and scripts drive it.
#pragma once

#include "sim/engines/kv/server.hpp"
#include "tests/engines/kv_store.hpp"

#include <cstdint>
#include <string>

namespace idemsim::kv {

inline constexpr SessionId kA{1};
inline constexpr SessionId kB{2};

/// A server with a clock; each request is a step of its own, numbered from 1.
struct Connected {
  explicit Connected(const ServerOptions& options = {}) : server(0, options) {}

  Server server;
  Instant now;
  Footprint touched;
  std::uint64_t steps = 0;

  std::string ask(SessionId session, const Request& request) {
    touched.clear();
    return to_text(server.apply(session, request, {now, step(++steps)}, touched));
  }
  std::string ask(SessionId session, const Command& command) { return ask(session, run(command)); }
  std::string ask(SessionId session, Action action) { return ask(session, request(action)); }
  void wait(Duration by) { now = now + by; }
  bool reads(Value key) const {
    return touched.has(server.engine().resource_of(key), Access::read);
  }
  bool writes(Value key) const {
    return touched.has(server.engine().resource_of(key), Access::write);
  }
  Hash128 hash() const {
    StateHasher hasher;
    server.hash_state(hasher);
    return hasher.value();
  }
};

}  // namespace idemsim::kv
