// Streams to replicas, failures and failover of a cluster (facts R18 to R23 of the recordings).
#include "sim/base/assert.hpp"
#include "sim/engines/kv/cluster.hpp"

#include <algorithm>

namespace idemsim::kv {

namespace {

constexpr std::uint64_t kStream = hash_text("kv stream");

void hash(const std::vector<std::vector<Change>>& units, StateHasher& hasher) {
  hasher.add(units.size());
  for (const std::vector<Change>& unit : units) {
    hasher.add(unit.size());
    for (const Change& change : unit) {
      hasher.add(change.key.fold());
      hasher.add(change.present ? change.value.fold() : 0);
      hasher.add(static_cast<std::uint64_t>(change.expires ? change.deadline_ms + 1 : 0));
      hasher.add(change.generation.origin);
      hasher.add(change.generation.place);
    }
  }
}

}  // namespace

bool Cluster::deliver(NodeId id, const Moment& moment, Footprint& touched) {
  Node& replica = at(id);
  touched.add(stream_to(id), Access::write);
  if (!replica.up || replica.link != Link::pass || replica.on_the_way.empty()) return false;
  replica.received.push_back(std::move(replica.on_the_way.front()));
  replica.on_the_way.erase(replica.on_the_way.begin());
  if (!replica.frozen_since) receive(id, moment, touched);
  return true;
}

void Cluster::set_link(NodeId id, Link link, const Moment& moment, Footprint& touched) {
  Node& replica = at(id);
  touched.add(stream_to(id), Access::write);
  const bool was_cut = replica.link == Link::cut;
  replica.link = link;
  if (link == Link::cut) replica.on_the_way.clear();
  if (was_cut && link != Link::cut) copy_master(id, moment, touched);
}

void Cluster::freeze(NodeId id, const Moment& moment, Footprint& touched) {
  touch_all(id, touched);
  if (!at(id).frozen_since) at(id).frozen_since = moment.now;
}

void Cluster::thaw(NodeId id, const Moment& moment, Footprint& touched) {
  touch_all(id, touched);
  at(id).frozen_since.reset();
  if (at(id).up) receive(id, moment, touched);
}

void Cluster::stop(NodeId id, Stop how, const Moment& moment, Footprint& touched) {
  Node& node = at(id);
  node.server.restart(how, moment.now + node.ahead, touched);
  touch_all(id, touched);
  node.up = false;
  node.frozen_since.reset();
  node.seen.clear();
  node.waiting.clear();
  node.on_the_way.clear();
  node.received.clear();
}

void Cluster::start(NodeId id, const Moment& moment, Footprint& touched) {
  Node& node = at(id);
  IDEMSIM_ASSERT(!node.up);
  node.up = true;
  touch_all(id, touched);
  if (node.options.master) copy_master(id, moment, touched);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (follows(nodes_[i], id)) copy_master({i}, moment, touched);
  }
}

void Cluster::promote(NodeId id, const Moment& moment, Footprint& touched) {
  Node& node = at(id);
  IDEMSIM_ASSERT(node.up && !node.frozen_since);
  receive(id, moment, touched);
  touch_all(id, touched);
  node.options.master.reset();
  node.on_the_way.clear();
  node.server.stand({});
}

void Cluster::rejoin(NodeId id, NodeId master, const Moment& moment, Footprint& touched) {
  IDEMSIM_ASSERT(id != master);
  Node& node = at(id);
  node.options.master = master;
  node.link = Link::pass;
  node.waiting.clear();
  node.server.stand({true, false});
  touch_all(id, touched);
  copy_master(id, moment, touched);
}

void Cluster::move_clock(NodeId id, Duration ahead, Footprint& touched) {
  touch_all(id, touched);
  at(id).ahead = at(id).ahead + ahead;
}

bool Cluster::is_synced(NodeId id) const {
  const Node& node = at(id);
  return node.options.master && follows(node, *node.options.master) &&
         node.acknowledged == at(*node.options.master).position;
}

/// One that is frozen is heard of no more, but only the lag tells; one that merely gets no data
/// still acknowledges what it has, and counts.
std::size_t Cluster::good_replicas(NodeId master, Instant now) const {
  const Duration lag_max = at(master).options.lag_max;
  const auto count = std::ranges::count_if(nodes_, [&](const Node& node) {
    return follows(node, master) && (!node.frozen_since || now - *node.frozen_since <= lag_max);
  });
  return static_cast<std::size_t>(count);
}

bool Cluster::follows(const Node& node, NodeId master) const {
  return node.up && node.link != Link::cut && node.options.master == master;
}

void Cluster::receive(NodeId id, const Moment& moment, Footprint& touched) {
  Node& node = at(id);
  for (const Unit& unit : node.received) node.server.follow(unit, local(node, moment), touched);
  node.received.clear();
  acknowledge(node);
}

void Cluster::acknowledge(Node& replica) {
  if (!replica.options.master || replica.link == Link::cut) return;
  replica.acknowledged = at(*replica.options.master).position - replica.on_the_way.size();
}

/// A full copy; nothing of the old stream counts any more.
void Cluster::copy_master(NodeId id, const Moment& moment, Footprint& touched) {
  Node& node = at(id);
  const NodeId master = *node.options.master;
  touched.add(stream_to(id), Access::write);
  node.on_the_way.clear();
  node.received.clear();
  if (!node.up || !at(master).up) return;
  for (const Change& change : at(master).server.engine().snapshot()) {
    touched.add(at(master).server.engine().resource_of(change.key), Access::read);
  }
  node.server.copy(at(master).server.engine(), local(node, moment), touched);
  acknowledge(node);
}

Resource Cluster::stream_to(NodeId replica) {
  return Resource::of(ResourceKind::connection, kStream, replica.number);
}

void Cluster::touch_all(NodeId id, Footprint& touched) const {
  touched.add(at(id).server.process(), Access::write);
  touched.add(stream_to(id), Access::write);
  touch_streams(id, Access::write, touched);
}

void Cluster::touch_streams(NodeId master, Access access, Footprint& touched) const {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].options.master == master) touched.add(stream_to({i}), access);
  }
}

std::uint64_t Cluster::acknowledged_by_all(NodeId master) const {
  std::uint64_t least = at(master).position;
  for (const Node& node : nodes_) {
    if (node.options.master == master) least = std::min(least, node.acknowledged);
  }
  return least;
}

void Cluster::hash_state(StateHasher& hasher) const {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    node.server.hash_state(hasher);
    hasher.add(static_cast<std::uint64_t>(node.ahead.ns));
    hasher.add(node.up ? 1 : 0);
    hasher.add(node.options.master ? std::uint64_t{node.options.master->number} + 1 : 0);
    const std::uint64_t base = acknowledged_by_all({i});
    for (const Seen& seen : node.seen) {
      if (seen.position <= base) continue;
      hasher.add(std::uint64_t{seen.session.number} + 1);
      hasher.add(seen.position - base);
    }
    hasher.add(node.waiting.size());
    for (const Waiting& waiting : node.waiting) {
      hasher.add(waiting.session.number);
      hasher.add(static_cast<std::uint64_t>(waiting.count));
      hasher.add(static_cast<std::uint64_t>(waiting.until.ns));
    }
    if (!node.options.master) continue;
    hasher.add(static_cast<std::uint64_t>(node.link));
    hasher.add(node.acknowledged - acknowledged_by_all(*node.options.master));
    hash(node.on_the_way, hasher);
    hash(node.received, hasher);
    hasher.add(static_cast<std::uint64_t>(node.frozen_since ? node.frozen_since->ns + 1 : 0));
  }
}

}  // namespace idemsim::kv
