// Units of a key-value server: transactions and scripts around the engine's commands.
#include "sim/engines/kv/server.hpp"

#include <algorithm>
#include <utility>

namespace idemsim::kv {

namespace {

/// The n-th command of a unit gives TTLs of its own, which must not be taken for another's.
Part part_of(const Moment& moment, std::uint64_t n) {
  if (n == 0) return {moment.by, moment.by};
  return {moment.by, {moment.by.origin, combine(moment.by.place, n)}};
}

/// What MULTI queues; the others act on the transaction itself or on the whole server.
bool is_queued(Action action) {
  switch (action) {
    case Action::command:
    case Action::ping:
    case Action::bad_syntax:
    case Action::unwatch:
    case Action::eval:
    case Action::evalsha:
    case Action::script_load:
    case Action::script_flush:
    case Action::wait:
      return true;
    case Action::unknown:
    case Action::watch:
    case Action::multi:
    case Action::exec:
    case Action::discard:
    case Action::script_kill:
    case Action::sleep:
    case Action::pause:
    case Action::pause_writes:
    case Action::save:
    case Action::save_later:
      return false;
  }
  return false;
}

}  // namespace

Answer Server::execute(Session& session, const Request& request, Unit& unit) {
  if (const Error error = refusal(request, unit); error != Error::none) {
    return refuse(error, request, session);
  }
  if (session.queues() && is_queued(request.action)) {
    session.add(request);
    return Answer::one(Reply::queued());
  }
  switch (request.action) {
    case Action::command:
      if (is_script(request.command.verb)) {
        return Answer::one(run_in_script(request.command, unit));
      }
      return Answer::one(run_command(request.command, unit));
    case Action::ping:
      return Answer::one(Reply::ok());
    case Action::unknown:
      session.doom();
      return Answer::failed(Error::unknown_command);
    case Action::bad_syntax:
      return Answer::failed(Error::syntax);
    case Action::watch:
      if (session.queues()) return Answer::failed(Error::watch_in_multi);
      session.watch(engine_, request.command.key, unit.moment.now);
      unit.touched.add(engine_.resource_of(request.command.key), Access::read);
      return Answer::one(Reply::ok());
    case Action::unwatch:
      session.unwatch();
      return Answer::one(Reply::ok());
    case Action::multi:
      if (session.queues()) return Answer::failed(Error::nested_multi);
      session.begin();
      return Answer::one(Reply::ok());
    case Action::exec:
      return exec(session, unit);
    case Action::discard:
      if (!session.queues()) return Answer::failed(Error::discard_without_multi);
      session.end();
      return Answer::one(Reply::ok());
    case Action::eval:
    case Action::evalsha:
    case Action::script_load:
    case Action::script_flush:
      return run_script(request, unit);
    case Action::script_kill:
      return kill_script(unit);
    case Action::sleep:
    case Action::pause:
    case Action::pause_writes:
      return stall(request, unit);
    case Action::wait:  // a server alone has no replicas, and inside EXEC nothing waits
      return Answer::one(Reply::integer(0));
    case Action::save:
      unit.touched.add(process(), Access::write);
      return disk_.save(engine_) ? Answer::one(Reply::ok()) : Answer::failed(Error::disk_failed);
    case Action::save_later:
      unit.touched.add(process(), Access::write);
      disk_.save(engine_);
      return Answer::one(Reply::ok());
  }
  return Answer::failed(Error::unknown_command);
}

/// A command that fails when it runs does not undo the others.
Answer Server::exec(Session& session, Unit& unit) {
  if (!session.queues()) return Answer::failed(Error::exec_without_multi);
  session.add_watched(engine_, unit.touched);
  const bool broken = session.broken(engine_, unit.moment.now);
  const bool doomed = session.doomed();
  const std::vector<Request> queue = session.queue();
  session.end();
  if (doomed) return Answer::failed(Error::exec_abort);
  if (broken) return Answer::no_run();
  std::vector<Reply> replies;
  for (const Request& request : queue) {
    const Answer answer = execute(session, request, unit);
    // The recordings have no list inside the list of an EXEC, and Reply none either.
    replies.push_back(answer.kind == Answer::Kind::one ? answer.reply : Reply::nil());
  }
  return Answer::many(std::move(replies));
}

/// The scripts that a server knows are one resource: all of them go at once.
Answer Server::run_script(const Request& request, Unit& unit) {
  const std::uint64_t id = request.script.id;
  const auto place = std::lower_bound(scripts_.begin(), scripts_.end(), id);
  const bool known = place != scripts_.end() && *place == id;
  const Resource scripts = Resource::of(ResourceKind::memory, space_);
  if (request.action == Action::script_flush) {
    unit.touched.add(scripts, Access::write);
    scripts_.clear();
    return Answer::one(Reply::ok());
  }
  unit.touched.add(scripts, known ? Access::read : Access::write);
  if (request.action == Action::evalsha && !known) return Answer::failed(Error::no_script);
  if (!known) scripts_.insert(place, id);
  if (request.action == Action::script_load) return Answer::one(Reply::ok());
  return steps_of(request.script, unit);
}

Answer Server::steps_of(const Script& script, Unit& unit) {
  unit.runs_for = saturating_add(unit.runs_for, script.runs_for);
  unit.has_written = false;
  std::vector<Reply> replies;
  for (const ScriptStep& step : script.steps) {
    const Reply reply = run_in_script(step.command, unit);
    if (reply.is_error()) return Answer::one(reply);
    replies.push_back(reply_of(step, reply));
  }
  switch (script.result) {
    case Script::Result::last:
      return Answer::one(replies.empty() ? Reply::nil() : replies.back());
    case Script::Result::each:
      return Answer::many(std::move(replies));
    case Script::Result::value:
      return Answer::one(script.values.empty() ? Reply::nil() : reply_of(script.values.front()));
    case Script::Result::table:
      return Answer::many(replies_of(script.values));
  }
  return Answer::one(Reply::nil());
}

Reply Server::run_command(const Command& command, Unit& unit) {
  const Part part = part_of(unit.moment, unit.commands++);
  const Verb verb = command.verb;
  const bool uses = verb != Verb::exists && verb != Verb::pttl && verb != Verb::ttl;
  if (uses) memory_.use(command.key, unit.moment.now);
  const Reply reply = engine_.apply_part(command, unit.moment.now, part, unit.touched);
  if (engine_.changed()) changes_.push_back(engine_.change_of(command.key));
  note_ttl();
  return reply;
}

/// A TTL that a unit gives and ends again was never there for the others.
void Server::note_ttl() {
  if (engine_.disarmed()) {
    const auto ended = [&](const ArmedExpiry& a) { return a.generation == *engine_.disarmed(); };
    if (std::erase_if(armed_, ended) == 0) disarmed_.push_back(*engine_.disarmed());
  }
  if (engine_.armed()) armed_.push_back(*engine_.armed());
}

}  // namespace idemsim::kv
