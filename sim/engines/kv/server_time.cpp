// Stalls of a key-value server: what waits, for how long, and who is told that it is busy.
#include "sim/base/assert.hpp"
#include "sim/engines/kv/server.hpp"

#include <algorithm>

namespace idemsim::kv {

Answer Server::now_or_later(SessionId id, const Request& request, Unit& unit) {
  const Instant now = unit.moment.now;
  unit.touched.add(process(), Access::read);
  if (running_ && now >= running_->since + options_.busy_after) {
    // SCRIPT KILL is all that a server listens to now; it answers the rest.
    if (request.action == Action::script_kill) return kill_script(unit);
    return Answer::failed(Error::busy);
  }
  if (must_wait(id, request, now)) {
    unit.touched.add(process(), Access::write);
    parked_.push_back({id, request, std::nullopt, {}});
    return Answer::parked();
  }
  make_room(unit);
  Answer answer = execute(session_of(id), request, unit);
  disk_.write(changes_);
  disk_.pass(now);
  if (unit.runs_for.ns > 0) {
    IDEMSIM_ASSERT(!running_);
    running_ = Running{now, unit.has_written};
    busy_until_ = now + unit.runs_for;
    return answer_at(busy_until_, answer, unit);
  }
  if (answer.kind == Answer::Kind::parked || disk_.answers_at(now) <= now) return answer;
  busy_until_ = disk_.answers_at(now);
  return answer_at(busy_until_, answer, unit);
}

std::optional<Released> Server::wake(const Moment& moment, Footprint& touched) {
  start(moment.now);
  const auto due = [&](const Parked& parked) { return wakes_at(parked) <= moment.now; };
  const auto next = std::ranges::find_if(parked_, due);
  if (next == parked_.end()) return std::nullopt;
  touched.add(process(), Access::write);
  const Parked parked = *next;
  parked_.erase(next);
  if (parked.answer) return Released{parked.session, *parked.answer};
  const bool writes_session = parked.request.action != Action::command;
  touched.add(resource_of(parked.session), writes_session ? Access::write : Access::read);
  Unit unit{parked.session, moment, touched};
  const Answer answer = now_or_later(parked.session, parked.request, unit);
  if (answer.kind == Answer::Kind::parked) return std::nullopt;
  return Released{parked.session, answer};
}

std::optional<Instant> Server::next_wake() const {
  std::optional<Instant> first;
  for (const Parked& parked : parked_) {
    const Instant at = wakes_at(parked);
    if (at.ns < kForever.ns && (!first || at < *first)) first = at;
  }
  return first;
}

/// DEBUG SLEEP keeps its own caller waiting too; CLIENT PAUSE does not.
Answer Server::stall(const Request& request, Unit& unit) {
  unit.touched.add(process(), Access::write);
  const Instant until = unit.moment.now + request.duration;
  if (request.action == Action::sleep) {
    busy_until_ = until;
    return answer_at(until, Answer::one(Reply::ok()), unit);
  }
  pause_ = request.action == Action::pause ? Pause::all : Pause::writes;
  paused_until_ = until;
  engine_.keep_dead(KeepDead::yes);
  return Answer::one(Reply::ok());
}

Answer Server::answer_at(Instant due, const Answer& answer, Unit& unit) {
  unit.touched.add(process(), Access::write);
  parked_.push_back({unit.session, {}, answer, due});
  return Answer::parked();
}

/// The script's caller learns of it at once; the server is free again.
Answer Server::kill_script(Unit& unit) {
  if (!running_) return Answer::failed(Error::not_busy);
  if (running_->has_written) return Answer::failed(Error::unkillable);
  unit.touched.add(process(), Access::write);
  for (Parked& parked : parked_) {
    if (!parked.answer || parked.due < busy_until_) continue;
    parked.answer = Answer::failed(Error::script_killed);
    parked.due = unit.moment.now;
  }
  running_.reset();
  busy_until_ = unit.moment.now;
  return Answer::one(Reply::ok());
}

bool Server::is_busy(Instant now) const { return now < busy_until_; }

bool Server::must_wait(SessionId id, const Request& request, Instant now) const {
  if (is_busy(now)) return true;
  if (pause_ == Pause::none || now >= paused_until_) return false;
  return pause_ == Pause::all || is_write(id, request);
}

/// Scripts count as writes, and EXEC does if one of its commands does.
bool Server::is_write(SessionId id, const Request& request) const {
  const auto writes = [](const Request& r) {
    return r.action == Action::eval || r.action == Action::evalsha ||
           (r.action == Action::command && may_write(r.command.verb));
  };
  if (request.action != Action::exec) return writes(request);
  return std::ranges::any_of(connections_, [&](const Connection& connection) {
    return connection.id == id && std::ranges::any_of(connection.session.queue(), writes);
  });
}

Instant Server::wakes_at(const Parked& parked) const {
  if (parked.answer) return parked.due;
  if (running_) return std::min(busy_until_, running_->since + options_.busy_after);
  const bool paused =
      pause_ == Pause::all || (pause_ == Pause::writes && is_write(parked.session, parked.request));
  return paused ? std::max(busy_until_, paused_until_) : busy_until_;
}

void Server::hash_stalls(StateHasher& hasher) const {
  hasher.add(parked_.size());
  for (const Parked& parked : parked_) {
    hasher.add(parked.session.number);
    hasher.add(static_cast<std::uint64_t>(parked.due.ns));
    hasher.add(parked.answer ? 1 : 0);
    if (parked.answer) {
      hash(*parked.answer, hasher);
    } else {
      hash(parked.request, hasher);
    }
  }
  hasher.add(static_cast<std::uint64_t>(busy_until_.ns));
  hasher.add(static_cast<std::uint64_t>(running_ ? running_->since.ns + 1 : 0));
  hasher.add(running_ && running_->has_written ? 1 : 0);
  hasher.add(static_cast<std::uint64_t>(paused_until_.ns));
  hasher.add(static_cast<std::uint64_t>(pause_));
}

}  // namespace idemsim::kv
