// Small random programs with windows of time, for comparing the state classes with brute force.
#pragma once

#include "sim/base/ids.hpp"
#include "sim/base/prng.hpp"
#include "sim/base/time.hpp"
#include "sim/world/state_class.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

namespace idemsim::tests {

inline constexpr std::size_t kActorsMax = 5;

/// What an actor does when its pending step fires.
struct Instruction {
  enum class Kind : std::uint8_t {
    work,     ///< nothing
    write,    ///< order-sensitive change of variable `target`
    spawn,    ///< start actor `target` unless it runs
    kill,     ///< stop actor `target`
    acquire,  ///< take the lock, or block until it is released
    release,  ///< free the lock if it is ours and wake all who wait
    pause,    ///< the actors in the bit mask `target` happen `by` later
  };
  Kind kind = Kind::work;
  std::uint8_t target = 0;
  Window window;
  Duration by;
};

/// Programs, who starts, and the ranks at ties.
struct TimedWorld {
  std::vector<std::vector<Instruction>> programs;
  std::uint8_t starting = 1;  ///< bit mask of actors
  std::array<std::uint8_t, kActorsMax> ranks{};
};

/// Everything but time.
struct Discrete {
  enum class Status : std::uint8_t { idle, pending, blocked };
  std::array<Status, kActorsMax> status{};
  std::array<std::uint8_t, kActorsMax> next{};
  std::array<std::uint8_t, 2> variables{};
  std::uint8_t owner = kNobody;
  static constexpr std::uint8_t kNobody = 255;
  friend auto operator<=>(const Discrete&, const Discrete&) = default;
};

/// What firing a step did to the pending steps.
struct Effects {
  std::vector<std::size_t> created;  ///< actors
  std::vector<std::size_t> killed;
  std::vector<std::size_t> paused;
  Duration by;
};

/// A world drawn from a seed. Every run of it ends.
[[nodiscard]] TimedWorld random_world(std::uint64_t seed);

/// The state before the first step; `created` are the actors that start.
struct Start {
  Discrete state;
  std::vector<std::size_t> created;
};
[[nodiscard]] Start start_of(const TimedWorld& world);

/// Fires the pending step of an actor.
Effects fire(const TimedWorld& world, Discrete& state, std::size_t actor);

/// Window of the step that an actor has pending.
[[nodiscard]] Window window_of(const TimedWorld& world, const Discrete& state, std::size_t actor);
[[nodiscard]] bool is_pending(const Discrete& state, std::size_t actor);

/// The same in the words of the state classes.
[[nodiscard]] StepId step_of(std::size_t actor);
[[nodiscard]] std::vector<StepId> steps_of(const std::vector<std::size_t>& actors);
[[nodiscard]] std::vector<Created> created_of(const TimedWorld& world, const Discrete& state,
                                              const std::vector<std::size_t>& actors);

}  // namespace idemsim::tests
