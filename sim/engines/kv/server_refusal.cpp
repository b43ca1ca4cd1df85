// What a key-value server does before a unit: it makes room, and it may refuse.
#include "sim/engines/kv/server.hpp"

#include <algorithm>

namespace idemsim::kv {

/// With a limit every unit counts: it may use or add a key, and that decides which one goes next.
void Server::make_room(Unit& unit) {
  if (!memory_.limit().exists() || standing_.is_replica) return;
  unit.touched.add(Resource::of(ResourceKind::memory, space_, 1), Access::write);
  while (engine_.stored() > memory_.limit().keys_max) {
    const std::optional<Change> victim = memory_.victim(engine_);
    if (!victim) {
      unit.short_of_memory = true;
      return;
    }
    if (victim->expires) disarmed_.push_back(victim->generation);
    const Change gone{.key = victim->key, .writer = unit.moment.by};
    engine_.restore(gone);
    unit.touched.add(engine_.resource_of(gone.key), Access::write);
    changes_.push_back(gone);
    ++evicted_;
  }
}

/// Refused before it runs or is queued. Between MULTI and EXEC everything asks for memory; EXEC
/// itself is refused if one of its commands would be.
Error Server::refusal(const Request& request, const Unit& unit) const {
  const auto queue = std::ranges::find_if(connections_, [&](const Connection& connection) {
    return connection.id == unit.session && connection.session.queues();
  });
  const bool queues = queue != connections_.end();
  if (request.action == Action::command) {
    if (queues && unit.short_of_memory) return Error::out_of_memory;
    return is_script(request.command.verb) ? Error::none : refusal(request.command, unit);
  }
  if (request.action != Action::exec || !queues) return Error::none;
  for (const Request& queued : queue->session.queue()) {
    if (queued.action != Action::command || is_script(queued.command.verb)) continue;
    const Error error = refusal(queued.command, unit);
    if (error != Error::none) return error;
  }
  return Error::none;
}

Error Server::refusal(const Command& command, const Unit& unit) const {
  if (unit.short_of_memory && needs_memory(command.verb)) return Error::out_of_memory;
  return may_write(command.verb) ? write_refusal() : Error::none;
}

Error Server::write_refusal() const {
  if (disk_.refuses_writes()) return Error::disk_failed;
  if (standing_.lacks_replicas && !standing_.is_replica) return Error::no_replicas;
  return standing_.is_replica ? Error::read_only : Error::none;
}

Answer Server::refuse(Error error, const Request& request, Session& session) {
  session.doom();
  if (request.action != Action::exec) return Answer::failed(error);
  session.end();
  return Answer::failed(Error::exec_abort);
}

/// A script is refused where it would write: one that finds nothing to change goes through. Once
/// it has written it gets the memory that it asks for.
Reply Server::run_in_script(const Command& command, Unit& unit) {
  const std::optional<Value> found = engine_.peek(command.key, unit.moment.now);
  bool would_write = may_write(command.verb);
  if (is_script(command.verb)) {
    const bool creates = command.verb == Verb::begin_or_get;
    would_write = creates ? !found.has_value() : found == command.expected;
  }
  if (would_write) {
    Error error = refusal(command, unit);
    if (error == Error::out_of_memory && unit.has_written) error = write_refusal();
    if (error != Error::none) {
      unit.touched.add(engine_.resource_of(command.key), Access::read);
      return Reply::failed(error);
    }
    unit.has_written = true;
  }
  return run_command(command, unit);
}

}  // namespace idemsim::kv
