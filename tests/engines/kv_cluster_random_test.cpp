// Clusters on random steps: steps that do not conflict commute, and equal states behave alike.
#include "sim/base/prng.hpp"
#include "sim/engines/kv/cluster.hpp"
#include "tests/engines/kv_store.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace idemsim::kv {
namespace {

constexpr NodeId kMaster{0};
constexpr NodeId kReplica{1};

Cluster master_and_replica() {
  NodeOptions master;
  master.replicas_min = 1;
  Cluster cluster;
  cluster.add(master);
  cluster.add({.server = {}, .master = kMaster});
  return cluster;
}

/// A request of one of three connections, or something that happens to the replica.
struct Move {
  enum class Kind : std::uint8_t { request, deliver, hold, pass, cut, freeze, thaw, leave };
  Kind kind = Kind::request;
  NodeId node;
  SessionId session;
  Request what;

  std::string make(Cluster& cluster, StepId by, Footprint& touched) const {
    const Moment moment{Instant{}, by};
    switch (kind) {
      case Kind::request:
        return to_text(cluster.apply(node, session, what, moment, touched));
      case Kind::deliver:
        return cluster.deliver(kReplica, moment, touched) ? "delivered" : "nothing";
      case Kind::hold:
        cluster.set_link(kReplica, Link::hold, moment, touched);
        return "";
      case Kind::pass:
        cluster.set_link(kReplica, Link::pass, moment, touched);
        return "";
      case Kind::cut:
        cluster.set_link(kReplica, Link::cut, moment, touched);
        return "";
      case Kind::freeze:
        cluster.freeze(kReplica, moment, touched);
        return "";
      case Kind::thaw:
        cluster.thaw(kReplica, moment, touched);
        return "";
      case Kind::leave:
        cluster.leave(node, session, touched);
        return "";
    }
    return "";
  }
};

Request random_request(Prng& prng) {
  const Value key = Value::key(prng.below(2));
  const Value value = Value::integer(static_cast<std::int64_t>(prng.below(2)));
  switch (prng.below(12)) {
    case 0:
    case 1:
      return run(set(key, value));
    case 2:
      return run(set(key, value).nx().px(seconds(1)));
    case 3:
      return run(get(key));
    case 4:
      return run(del(key));
    case 5:
      return run(compare_and_delete(key, value));
    case 6:
      return watch(key);
    case 7:
      return request(Action::multi);
    case 8:
      return request(Action::exec);
    case 9:
      return request(prng.below(2) == 0 ? Action::discard : Action::unknown);
    case 10:
      return eval({.id = prng.below(2), .steps = {{incr(key)}, {set(key, value)}}});
    default:
      return prng.below(2) == 0 ? evalsha({.id = prng.below(2), .steps = {{get(key)}}})
                                : request(Action::script_flush);
  }
}

/// The third connection is one to the replica; while that is frozen it cannot ask.
Move random_move(Prng& prng) {
  Move move;
  const std::uint64_t kind = prng.below(24);
  if (kind >= 1 && kind <= 7) move.kind = static_cast<Move::Kind>(kind);
  if (kind >= 8 && kind <= 10) move.kind = Move::Kind::deliver;
  const std::uint64_t connection = prng.below(3);
  move.session = {static_cast<std::uint32_t>(connection)};
  move.node = connection == 2 ? kReplica : kMaster;
  move.what = random_request(prng);
  return move;
}

/// A random walk; a request to a frozen replica is left out.
struct Walk {
  Cluster cluster = master_and_replica();
  bool frozen = false;

  bool possible(const Move& move) const {
    return move.kind != Move::Kind::request || move.node != kReplica || !frozen;
  }
  std::string make(const Move& move, StepId by, Footprint& touched) {
    if (move.kind == Move::Kind::freeze) frozen = true;
    if (move.kind == Move::Kind::thaw) frozen = false;
    return move.make(cluster, by, touched);
  }
  Hash128 hash() const {
    StateHasher hasher;
    cluster.hash_state(hasher);
    return hasher.value();
  }
};

Walk random_walk(Prng& prng, std::uint64_t length) {
  Walk walk;
  for (std::uint64_t i = 1; i <= length; ++i) {
    const Move move = random_move(prng);
    Footprint unused;
    if (walk.possible(move)) walk.make(move, step(i), unused);
  }
  return walk;
}

TEST(KvClusterRandomTest, StepsThatDoNotConflictCommute) {
  std::size_t independent = 0;
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    Prng prng(seed);
    Walk walk = random_walk(prng, 8);
    const Move a = random_move(prng);
    const Move b = random_move(prng);
    if (a.session == b.session) continue;  // one connection asks one thing after the other
    Walk swapped = walk;
    if (!walk.possible(a)) continue;
    Footprint a_first;
    Footprint b_second;
    const std::string a_says = walk.make(a, step(101), a_first);
    if (!walk.possible(b)) continue;
    const std::string b_says = walk.make(b, step(102), b_second);
    if (conflict(a_first, b_second)) continue;
    ++independent;
    Footprint unused;
    ASSERT_TRUE(swapped.possible(b)) << "seed " << seed;
    ASSERT_EQ(swapped.make(b, step(102), unused), b_says) << "seed " << seed;
    ASSERT_EQ(swapped.make(a, step(101), unused), a_says) << "seed " << seed;
    ASSERT_EQ(walk.hash(), swapped.hash()) << "seed " << seed;
  }
  EXPECT_GT(independent, 1'000u);
}

TEST(KvClusterRandomTest, EqualStatesBehaveAlike) {
  std::map<Hash128, Walk> first;
  std::size_t equal = 0;
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    Prng prng(seed);
    Walk walk = random_walk(prng, 5);
    const auto [known, is_new] = first.try_emplace(walk.hash(), walk);
    if (is_new) continue;
    ++equal;
    Walk other = known->second;
    for (std::uint64_t i = 201; i <= 212; ++i) {
      const Move move = random_move(prng);
      if (!walk.possible(move)) continue;
      ASSERT_TRUE(other.possible(move)) << "seed " << seed;
      Footprint unused;
      const std::string says = walk.make(move, step(i), unused);
      ASSERT_EQ(other.make(move, step(i), unused), says) << "seed " << seed << " step " << i;
    }
    ASSERT_EQ(walk.hash(), other.hash()) << "seed " << seed;
  }
  EXPECT_GT(equal, 1'000u);
}

}  // namespace
}  // namespace idemsim::kv
