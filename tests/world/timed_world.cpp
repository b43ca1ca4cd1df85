// The untimed semantics of the small programs, and their generator.
#include "tests/world/timed_world.hpp"

#include "sim/base/assert.hpp"

namespace idemsim::tests {

namespace {

using Kind = Instruction::Kind;
using Status = Discrete::Status;

void make_pending(Discrete& state, std::size_t actor, Effects& effects) {
  IDEMSIM_ASSERT(state.status[actor] != Status::pending);
  state.status[actor] = Status::pending;
  effects.created.push_back(actor);
}

void stop(Discrete& state, std::size_t actor, Effects& effects) {
  if (state.status[actor] == Status::pending) effects.killed.push_back(actor);
  state.status[actor] = Status::idle;
  state.next[actor] = 0;
}

Kind random_kind(Prng& prng) {
  constexpr std::array<Kind, 12> kKinds{Kind::work,  Kind::work,    Kind::write,   Kind::write,
                                        Kind::write, Kind::spawn,   Kind::kill,    Kind::kill,
                                        Kind::pause, Kind::acquire, Kind::release, Kind::pause};
  return kKinds[prng.below(kKinds.size())];
}

Instruction random_instruction(Prng& prng, std::size_t actor, std::size_t actors) {
  Instruction instruction;
  instruction.kind = random_kind(prng);
  const auto earliest = static_cast<std::int64_t>(prng.below(5));
  const auto width = static_cast<std::int64_t>(prng.below(5));
  instruction.window = {{earliest}, {earliest + width}};
  switch (instruction.kind) {
    case Kind::work:
    case Kind::acquire:
    case Kind::release:
      break;
    case Kind::write:
      instruction.target = static_cast<std::uint8_t>(prng.below(2));
      break;
    case Kind::spawn:  // only later actors, so that every run ends
      if (actor + 1 == actors) {
        instruction.kind = Kind::work;
      } else {
        instruction.target = static_cast<std::uint8_t>(actor + 1 + prng.below(actors - actor - 1));
      }
      break;
    case Kind::kill:
      instruction.target = static_cast<std::uint8_t>((actor + 1 + prng.below(actors - 1)) % actors);
      break;
    case Kind::pause:
      instruction.target = static_cast<std::uint8_t>(1 + prng.below((1u << actors) - 1));
      instruction.by = {static_cast<std::int64_t>(1 + prng.below(6))};
      break;
  }
  return instruction;
}

}  // namespace

TimedWorld random_world(std::uint64_t seed) {
  Prng prng(seed);
  TimedWorld world;
  const std::size_t actors = 3 + prng.below(3);
  for (std::size_t actor = 0; actor < actors; ++actor) {
    std::vector<Instruction> program;
    const std::size_t length = 1 + prng.below(actors == 3 ? 3 : 2);
    for (std::size_t i = 0; i < length; ++i) {
      program.push_back(random_instruction(prng, actor, actors));
    }
    world.programs.push_back(program);
  }
  world.starting = static_cast<std::uint8_t>(7 | prng.below(1u << actors));
  if (prng.below(2) == 0) {
    for (std::uint8_t& rank : world.ranks) rank = static_cast<std::uint8_t>(prng.below(3));
  }
  if (prng.below(5) == 0) {
    world.programs[prng.below(actors)][0].window.latest = kForever;
  }
  return world;
}

Start start_of(const TimedWorld& world) {
  Start start;
  Effects effects;
  for (std::size_t actor = 0; actor < world.programs.size(); ++actor) {
    if ((world.starting >> actor & 1) != 0) make_pending(start.state, actor, effects);
  }
  start.created = effects.created;
  return start;
}

Effects fire(const TimedWorld& world, Discrete& state, std::size_t actor) {
  IDEMSIM_ASSERT(is_pending(state, actor));
  Effects effects;
  const Instruction& now = world.programs[actor][state.next[actor]];
  const auto self = static_cast<std::uint8_t>(actor);
  state.status[actor] = Status::idle;
  switch (now.kind) {
    case Kind::work:
    case Kind::pause:
      break;
    case Kind::write: {
      std::uint8_t& variable = state.variables[now.target];
      variable = static_cast<std::uint8_t>((variable * 7 + self + 1) % 251);
      break;
    }
    case Kind::spawn:
      if (state.status[now.target] == Status::idle) make_pending(state, now.target, effects);
      break;
    case Kind::kill:
      stop(state, now.target, effects);
      break;
    case Kind::acquire:
      if (state.owner != Discrete::kNobody && state.owner != self) {
        state.status[actor] = Status::blocked;
        return effects;
      }
      state.owner = self;
      break;
    case Kind::release:
      if (state.owner != self) break;
      state.owner = Discrete::kNobody;
      for (std::size_t other = 0; other < world.programs.size(); ++other) {
        if (state.status[other] == Status::blocked) make_pending(state, other, effects);
      }
      break;
  }
  const std::size_t next = state.next[actor] + std::size_t{1};
  state.next[actor] = 0;
  if (next < world.programs[actor].size()) {
    state.next[actor] = static_cast<std::uint8_t>(next);
    make_pending(state, actor, effects);
  }
  if (now.kind == Kind::pause) {
    effects.by = now.by;
    for (std::size_t other = 0; other < world.programs.size(); ++other) {
      if ((now.target >> other & 1) != 0 && is_pending(state, other)) {
        effects.paused.push_back(other);
      }
    }
  }
  return effects;
}

Window window_of(const TimedWorld& world, const Discrete& state, std::size_t actor) {
  return world.programs[actor][state.next[actor]].window;
}

bool is_pending(const Discrete& state, std::size_t actor) {
  return state.status[actor] == Status::pending;
}

StepId step_of(std::size_t actor) { return {.origin = 7, .place = actor}; }

std::vector<StepId> steps_of(const std::vector<std::size_t>& actors) {
  std::vector<StepId> steps;
  steps.reserve(actors.size());
  for (const std::size_t actor : actors) steps.push_back(step_of(actor));
  return steps;
}

std::vector<Created> created_of(const TimedWorld& world, const Discrete& state,
                                const std::vector<std::size_t>& actors) {
  std::vector<Created> created;
  created.reserve(actors.size());
  for (const std::size_t actor : actors) {
    created.push_back({step_of(actor), window_of(world, state, actor), world.ranks[actor]});
  }
  return created;
}

}  // namespace idemsim::tests
