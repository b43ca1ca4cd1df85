// Several key-value servers: masters, their asynchronous replicas, and what is between them.
#pragma once

#include "sim/base/footprint.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/time.hpp"
#include "sim/engines/kv/server.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace idemsim::kv {

/// A server of a cluster, in the order in which they were added.
struct NodeId {
  std::uint32_t number = 0;
  friend constexpr auto operator<=>(NodeId, NodeId) = default;
};

/// What happens to the stream from a master to one replica.
enum class Link : std::uint8_t {
  pass,
  hold,  ///< changes stay on the way; acknowledgements of what has arrived still come back
  cut,   ///< the connection is gone, and what was on the way with it
};

struct NodeOptions {
  ServerOptions server = {};
  std::optional<NodeId> master = {};  ///< follows this one; nothing: is a master
  std::size_t replicas_min = 0;       ///< `min-replicas-to-write`
  Duration lag_max = seconds(10);     ///< `min-replicas-max-lag`
};

/// A master answers before its replicas know. Each change is on the way to a replica, or has been
/// received by it (a frozen one reads later), or is applied. A promoted replica keeps what it has
/// received; the old master goes on serving its own clients and loses their writes when it
/// rejoins. `Moment::now` is true time; each server adds what its own clock is ahead.
class Cluster {
 public:
  NodeId add(const NodeOptions& options);

  /// See Server::apply; WAIT is answered here. The server must be up.
  Answer apply(NodeId node, SessionId session, const Request& request, const Moment& moment,
               Footprint& touched);
  std::optional<Released> wake(NodeId node, const Moment& moment, Footprint& touched);
  [[nodiscard]] std::optional<Instant> next_wake(NodeId node) const;
  void leave(NodeId node, SessionId session, Footprint& touched);
  void remove_dead(NodeId node, Instant now);

  /// The oldest change on the way to the replica arrives. False if none can.
  bool deliver(NodeId replica, const Moment& moment, Footprint& touched);
  void set_link(NodeId replica, Link link, const Moment& moment, Footprint& touched);
  /// A frozen server does nothing; what is sent to it waits in its buffers.
  void freeze(NodeId node, const Moment& moment, Footprint& touched);
  void thaw(NodeId node, const Moment& moment, Footprint& touched);
  void stop(NodeId node, Stop how, const Moment& moment, Footprint& touched);
  /// With what its disk has. Replicas that still look for it become copies of it.
  void start(NodeId node, const Moment& moment, Footprint& touched);
  /// Becomes a master with what it has received.
  void promote(NodeId replica, const Moment& moment, Footprint& touched);
  /// Becomes a replica, first of all a copy, of `master`.
  void rejoin(NodeId node, NodeId master, const Moment& moment, Footprint& touched);
  void move_clock(NodeId node, Duration ahead, Footprint& touched);

  [[nodiscard]] const Server& server(NodeId node) const { return nodes_.at(node.number).server; }
  [[nodiscard]] Server& server(NodeId node) { return nodes_.at(node.number).server; }
  [[nodiscard]] bool is_up(NodeId node) const { return nodes_.at(node.number).up; }
  /// Has the replica acknowledged everything?
  [[nodiscard]] bool is_synced(NodeId replica) const;
  /// Replicas that count for `min-replicas-to-write`.
  [[nodiscard]] std::size_t good_replicas(NodeId master, Instant now) const;

  /// Canonical: equal for equal futures. Positions count from the last acknowledged one.
  void hash_state(StateHasher& hasher) const;

 private:
  using Unit = std::vector<Change>;
  /// How far a connection has seen the stream of its server.
  struct Seen {
    SessionId session;
    std::uint64_t position = 0;
  };
  struct Waiting {
    SessionId session;
    std::int64_t count;
    Instant until;
  };
  struct Node {
    Server server;
    NodeOptions options;
    Duration ahead = {};
    bool up = true;
    // As a master:
    std::uint64_t position = 0;   ///< units sent so far
    std::vector<Seen> seen = {};  ///< sorted by session
    std::vector<Waiting> waiting = {};
    // As a replica:
    Link link = Link::pass;
    std::vector<Unit> on_the_way = {};
    std::vector<Unit> received = {};
    std::uint64_t acknowledged = 0;
    std::optional<Instant> frozen_since = {};
  };

  Node& at(NodeId node) { return nodes_.at(node.number); }
  [[nodiscard]] const Node& at(NodeId node) const { return nodes_.at(node.number); }
  [[nodiscard]] Moment local(const Node& node, const Moment& moment) const;
  [[nodiscard]] bool follows(const Node& node, NodeId master) const;
  void before(NodeId node, Instant now, Footprint& touched);
  void after(NodeId node, SessionId session, Footprint& touched);
  void send(NodeId master);
  void receive(NodeId replica, const Moment& moment, Footprint& touched);
  void acknowledge(Node& replica);
  void copy_master(NodeId replica, const Moment& moment, Footprint& touched);
  [[nodiscard]] std::int64_t acknowledgements(NodeId master, SessionId session) const;
  [[nodiscard]] std::uint64_t seen_by(const Node& node, SessionId session) const;
  [[nodiscard]] std::uint64_t acknowledged_by_all(NodeId master) const;
  [[nodiscard]] static Resource stream_to(NodeId replica);
  /// Something that no request of the server, and nothing on its streams, can be swapped with.
  void touch_all(NodeId node, Footprint& touched) const;
  void touch_streams(NodeId master, Access access, Footprint& touched) const;

  std::vector<Node> nodes_;
};

}  // namespace idemsim::kv
