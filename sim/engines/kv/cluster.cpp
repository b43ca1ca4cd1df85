// Requests to the servers of a cluster: what they send to their replicas, and WAIT.
#include "sim/engines/kv/cluster.hpp"

#include "sim/base/assert.hpp"

#include <algorithm>

namespace idemsim::kv {

NodeId Cluster::add(const NodeOptions& options) {
  const NodeId id{static_cast<std::uint32_t>(nodes_.size())};
  IDEMSIM_ASSERT(!options.master || *options.master < id);
  nodes_.push_back({.server = Server(id.number, options.server), .options = options});
  at(id).server.stand({options.master.has_value(), false});
  if (options.master) at(id).acknowledged = at(*options.master).position;
  return id;
}

Answer Cluster::apply(NodeId id, SessionId session, const Request& request, const Moment& moment,
                      Footprint& touched) {
  Node& node = at(id);
  IDEMSIM_ASSERT(node.up && !node.frozen_since);
  before(id, moment.now, touched);
  if (request.action == Action::wait && !node.server.queues(session)) {
    touch_streams(id, Access::read, touched);
    const std::int64_t count = acknowledgements(id, session);
    if (count >= request.count) return Answer::one(Reply::integer(count));
    touched.add(node.server.process(), Access::write);
    const bool for_ever = request.duration.ns == 0;
    node.waiting.push_back(
        {session, request.count, moment.now + (for_ever ? kForever : request.duration)});
    return Answer::parked();
  }
  Answer answer = node.server.apply(session, request, local(node, moment), touched);
  after(id, session, touched);
  return answer;
}

std::optional<Released> Cluster::wake(NodeId id, const Moment& moment, Footprint& touched) {
  Node& node = at(id);
  if (!node.up || node.frozen_since) return std::nullopt;
  for (std::size_t i = 0; i < node.waiting.size(); ++i) {
    const Waiting waiting = node.waiting[i];
    const std::int64_t count = acknowledgements(id, waiting.session);
    if (count < waiting.count && moment.now < waiting.until) continue;
    touch_all(id, touched);
    node.waiting.erase(node.waiting.begin() + static_cast<std::ptrdiff_t>(i));
    return Released{waiting.session, Answer::one(Reply::integer(count))};
  }
  before(id, moment.now, touched);
  std::optional<Released> released = node.server.wake(local(node, moment), touched);
  if (released) {
    after(id, released->session, touched);
  } else {
    send(id);
  }
  return released;
}

std::optional<Instant> Cluster::next_wake(NodeId id) const {
  const Node& node = at(id);
  if (!node.up || node.frozen_since) return std::nullopt;
  std::optional<Instant> first = node.server.next_wake();
  if (first) first = Instant{first->ns - node.ahead.ns};
  for (const Waiting& waiting : node.waiting) {
    const bool due = acknowledgements(id, waiting.session) >= waiting.count;
    const Instant then = due ? Instant{} : waiting.until;
    if (then.ns < kForever.ns && (!first || then < *first)) first = then;
  }
  return first;
}

void Cluster::leave(NodeId id, SessionId session, Footprint& touched) {
  Node& node = at(id);
  node.server.leave(session, touched);
  touch_all(id, touched);
  std::erase_if(node.seen, [&](const Seen& seen) { return seen.session == session; });
  std::erase_if(node.waiting, [&](const Waiting& w) { return w.session == session; });
}

void Cluster::remove_dead(NodeId id, Instant now) {
  Node& node = at(id);
  if (!node.up || node.frozen_since) return;
  node.server.remove_dead(now + node.ahead);
  send(id);
}

Moment Cluster::local(const Node& node, const Moment& moment) const {
  return {moment.now + node.ahead, moment.by};
}

/// A server judges before each command whether enough replicas follow it.
void Cluster::before(NodeId id, Instant now, Footprint& touched) {
  Node& node = at(id);
  if (node.options.replicas_min == 0) return;
  touch_streams(id, Access::read, touched);
  const bool lacks = good_replicas(id, now) < node.options.replicas_min;
  node.server.stand({node.options.master.has_value(), lacks});
}

/// Whatever a connection does, it has then seen all that its server has sent: WAIT waits for that.
void Cluster::after(NodeId id, SessionId session, Footprint& touched) {
  Node& node = at(id);
  const bool sends = !node.server.changes().empty();
  touch_streams(id, sends ? Access::write : Access::read, touched);
  send(id);
  const auto earlier = [](const Seen& seen, SessionId other) { return seen.session < other; };
  const auto place = std::lower_bound(node.seen.begin(), node.seen.end(), session, earlier);
  if (place != node.seen.end() && place->session == session) {
    place->position = node.position;
  } else {
    node.seen.insert(place, {session, node.position});
  }
}

void Cluster::send(NodeId master) {
  Node& node = at(master);
  const Unit& unit = node.server.changes();
  if (unit.empty() || node.options.master) return;
  ++node.position;
  for (Node& replica : nodes_) {
    if (follows(replica, master)) replica.on_the_way.push_back(unit);
  }
}

std::int64_t Cluster::acknowledgements(NodeId master, SessionId session) const {
  const std::uint64_t position = seen_by(at(master), session);
  return std::ranges::count_if(nodes_, [&](const Node& node) {
    return follows(node, master) && node.acknowledged >= position;
  });
}

std::uint64_t Cluster::seen_by(const Node& node, SessionId session) const {
  for (const Seen& seen : node.seen) {
    if (seen.session == session) return seen.position;
  }
  return 0;
}

}  // namespace idemsim::kv
