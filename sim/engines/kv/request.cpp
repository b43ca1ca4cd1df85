// Builders, text and hash of requests and answers.
#include "sim/engines/kv/request.hpp"

namespace idemsim::kv {

Request run(const Command& command) { return {.command = command}; }
Request watch(Value key) { return {.action = Action::watch, .command = get(key)}; }
Request eval(Script script) { return {.action = Action::eval, .script = std::move(script)}; }
Request evalsha(Script script) { return {.action = Action::evalsha, .script = std::move(script)}; }
Request script_load(std::uint64_t id) {
  return {.action = Action::script_load, .script = {.id = id}};
}
Request stall(Action action, Duration duration) { return {.action = action, .duration = duration}; }
Request wait_for(std::int64_t count, Duration at_most) {
  return {.action = Action::wait, .duration = at_most, .count = count};
}
Request request(Action action) { return {.action = action}; }

std::string to_text(const Answer& answer) {
  switch (answer.kind) {
    case Answer::Kind::one:
      return to_text(answer.reply);
    case Answer::Kind::no_run:
      return "nil array";
    case Answer::Kind::parked:
      return "parked";
    case Answer::Kind::many: {
      std::string text = "[";
      for (const Reply& reply : answer.replies) {
        text += (text.size() == 1 ? "" : ", ") + to_text(reply);
      }
      return text + "]";
    }
  }
  return "?";
}

void hash(const Request& request, StateHasher& hasher) {
  hasher.add(static_cast<std::uint64_t>(request.action));
  hash(request.command, hasher);
  hash(request.script, hasher);
  hasher.add(static_cast<std::uint64_t>(request.duration.ns));
  hasher.add(static_cast<std::uint64_t>(request.count));
}

void hash(const Answer& answer, StateHasher& hasher) {
  const auto add = [&](const Reply& reply) {
    hasher.add(static_cast<std::uint64_t>(reply.kind));
    hasher.add(static_cast<std::uint64_t>(reply.error));
    hasher.add(reply.value.fold());
  };
  hasher.add(static_cast<std::uint64_t>(answer.kind));
  add(answer.reply);
  hasher.add(answer.replies.size());
  for (const Reply& reply : answer.replies) add(reply);
}

}  // namespace idemsim::kv
