// What a key-value server keeps between its units, and the calls that are no requests.
#include "sim/engines/kv/server.hpp"

#include <algorithm>

namespace idemsim::kv {

namespace {

constexpr std::uint64_t kSpace = hash_text("kv server");

}  // namespace

Answer Server::apply(SessionId id, const Request& request, const Moment& moment,
                     Footprint& touched) {
  start(moment.now);
  const bool writes_session = request.action != Action::command || queues(id);
  touched.add(resource_of(id), writes_session ? Access::write : Access::read);
  Unit unit{id, moment, touched};
  return now_or_later(id, request, unit);
}

void Server::leave(SessionId id, Footprint& touched) {
  start(Instant{});
  touched.add(resource_of(id), Access::write);
  std::erase_if(connections_, [&](const Connection& c) { return c.id == id; });
  const auto waits = [&](const Parked& parked) { return parked.session == id; };
  if (std::erase_if(parked_, waits) > 0) touched.add(process(), Access::write);
}

void Server::restart(Stop how, Instant now, Footprint& touched) {
  start(now);
  touched.add(process(), Access::write);
  if (how == Stop::orderly && disk_.options().saves) disk_.save(engine_);
  connections_.clear();
  scripts_.clear();
  parked_.clear();
  busy_until_ = {};
  running_.reset();
  pause_ = Pause::none;
  paused_until_ = {};
  memory_.clear();
  engine_.reset();
  stand(standing_);  // a pause that hid dead keys is over
  for (const Change& change : disk_.recover(how)) engine_.restore(change);
}

void Server::stand(const Standing& standing) {
  standing_ = standing;
  const bool keeps = standing.is_replica || pause_ != Pause::none;
  engine_.keep_dead(keeps ? KeepDead::yes : KeepDead::no);
}

void Server::follow(const std::vector<Change>& changes, const Moment& moment, Footprint& touched) {
  start(moment.now);
  for (const Change& change : changes) {
    engine_.restore(change);
    touched.add(engine_.resource_of(change.key), Access::write);
    changes_.push_back(change);
  }
  disk_.write(changes_);
  disk_.pass(moment.now);
}

void Server::copy(const Engine& master, const Moment& moment, Footprint& touched) {
  std::vector<Change> changes;
  for (const Change& own : engine_.snapshot()) {
    if (!master.change_of(own.key).present) {
      changes.push_back({.key = own.key, .writer = moment.by});
    }
  }
  for (const Change& change : master.snapshot()) changes.push_back(change);
  for (Connection& connection : connections_) connection.session.break_watches();
  follow(changes, moment, touched);
  touched.add(process(), Access::write);
}

bool Server::expire(const ArmedExpiry& expiry, StepId by, Footprint& touched) {
  start(Instant{});
  const bool expired = engine_.expire(expiry, by, touched);
  if (expired) changes_.push_back(engine_.change_of(expiry.key));
  disk_.write(changes_);
  return expired;
}

void Server::remove_dead(Instant now) {
  start(now);
  if (is_busy(now) || pause_ != Pause::none || standing_.is_replica) return;
  for (const Value& key : engine_.remove_dead(now)) changes_.push_back(engine_.change_of(key));
  disk_.write(changes_);
}

bool Server::queues(SessionId id) const {
  return std::ranges::any_of(connections_, [&](const Connection& connection) {
    return connection.id == id && connection.session.queues();
  });
}

void Server::hash_state(StateHasher& hasher) const {
  engine_.hash_state(hasher);
  for (const Connection& connection : connections_) {
    if (connection.session.idle()) continue;
    hasher.add(std::uint64_t{connection.id.number} + 1);
    connection.session.hash_state(engine_, hasher);
  }
  hasher.add(0);
  hasher.add(scripts_.size());
  for (const std::uint64_t id : scripts_) hasher.add(id);
  hash_stalls(hasher);
  memory_.hash_state(engine_, hasher);
  disk_.hash_state(hasher);
  hasher.add((standing_.is_replica ? 1 : 0) + (standing_.lacks_replicas ? 2 : 0));
}

/// Begins a call: what the last one reported is over, and so are stalls whose time has come.
void Server::start(Instant now) {
  armed_.clear();
  disarmed_.clear();
  changes_.clear();
  disk_.pass(now);
  if (running_ && now >= busy_until_) running_.reset();
  if (pause_ != Pause::none && now >= paused_until_) {
    pause_ = Pause::none;
    paused_until_ = {};
    stand(standing_);
  }
}

Session& Server::session_of(SessionId id) {
  const auto before = [](const Connection& c, SessionId other) { return c.id < other; };
  const auto place = std::lower_bound(connections_.begin(), connections_.end(), id, before);
  if (place != connections_.end() && place->id == id) return place->session;
  return connections_.insert(place, {id, {}})->session;
}

Resource Server::resource_of(SessionId session) const {
  return Resource::of(ResourceKind::connection, combine(space_, kSpace), session.number);
}

Resource Server::process() const {
  return Resource::of(ResourceKind::process, combine(space_, kSpace));
}

}  // namespace idemsim::kv
