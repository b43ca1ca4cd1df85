// A key-value store with a clock, as the tests of the engine drive it.
#pragma once

#include "sim/engines/kv/command.hpp"
#include "sim/engines/kv/engine.hpp"

#include <cstdint>
#include <string>

namespace idemsim::kv {

inline StepId step(std::uint64_t n) { return {.origin = 5, .place = n}; }

/// An engine with a clock; each command is a step of its own, numbered from 1.
struct Store {
  Engine engine;
  Instant now;
  Footprint touched;
  std::uint64_t steps = 0;

  std::string run(const Command& command) {
    touched.clear();
    return to_text(engine.apply(command, now, step(++steps), touched));
  }
  void wait(Duration by) { now = now + by; }
  bool wrote(Value key) const { return touched.has(engine.resource_of(key), Access::write); }
  bool only_read(Value key) const {
    return touched.has(engine.resource_of(key), Access::read) && !wrote(key);
  }
  Hash128 hash() const {
    StateHasher hasher;
    engine.hash_state(hasher);
    return hasher.value();
  }
};

}  // namespace idemsim::kv
