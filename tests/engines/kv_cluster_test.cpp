// Replication and failover, fact by fact (R18 to R23 of the recordings).
#include "sim/engines/kv/cluster.hpp"
#include "tests/engines/kv_store.hpp"

#include <gtest/gtest.h>

#include <string>

namespace idemsim::kv {
namespace {

const Value kLock = Value::key(1);
const Value kOne = Value::integer(1);
const Value kTwo = Value::integer(2);
constexpr NodeId kMaster{0};
constexpr NodeId kReplica{1};
constexpr SessionId kA{1};

/// A master and its replica; nothing arrives unless it is delivered.
struct Pair {
  explicit Pair(NodeOptions master = {}) {
    cluster.add(master);
    cluster.add({.server = {}, .master = kMaster});
  }

  Cluster cluster;
  Instant now;
  Footprint touched;
  std::uint64_t steps = 0;

  Moment moment() { return {now, step(++steps)}; }
  std::string ask(NodeId node, const Request& request) {
    touched.clear();
    return to_text(cluster.apply(node, kA, request, moment(), touched));
  }
  std::string ask(NodeId node, const Command& command) { return ask(node, run(command)); }
  void deliver_all() {
    while (cluster.deliver(kReplica, moment(), touched)) {
    }
  }
  void fail_over() {
    cluster.stop(kMaster, Stop::killed, moment(), touched);
    cluster.promote(kReplica, moment(), touched);
  }
  std::string wake(NodeId node) {
    const auto released = cluster.wake(node, moment(), touched);
    return released ? to_text(released->answer) : "nothing";
  }
  void wait(Duration by) { now = now + by; }
};

NodeOptions with_min_replicas() { return {.server = {}, .replicas_min = 1, .lag_max = seconds(1)}; }

TEST(KvClusterTest, AReplicaAnswersWithWhatHasArrived) {
  Pair pair;
  pair.ask(kMaster, set(kLock, kOne));
  EXPECT_EQ(pair.ask(kReplica, get(kLock)), "nil");
  pair.deliver_all();
  EXPECT_EQ(pair.ask(kReplica, get(kLock)), "1");
}

TEST(KvClusterTest, AReplicaRefusesWritesAlsoThoseOfScripts) {
  Pair pair;
  const std::string refused = "READONLY can't write against a read only replica";
  EXPECT_EQ(pair.ask(kReplica, set(kLock, kOne).nx()), refused);
  EXPECT_EQ(pair.ask(kReplica, getdel(kLock)), refused);
  EXPECT_EQ(pair.ask(kReplica, eval({.steps = {{set(kLock, kOne)}}})), refused);
  EXPECT_EQ(pair.ask(kReplica, compare_and_delete(kLock, kOne)), "0");
}

TEST(KvClusterTest, AFailoverLosesWhatHasNotArrived) {
  Pair pair;
  pair.ask(kMaster, set(kLock, kOne).nx());
  pair.fail_over();
  EXPECT_EQ(pair.ask(kReplica, set(kLock, kTwo).nx()), "OK");
}

TEST(KvClusterTest, AFailoverKeepsWhatHasArrived) {
  Pair pair;
  pair.ask(kMaster, set(kLock, kOne).nx());
  pair.deliver_all();
  pair.fail_over();
  EXPECT_EQ(pair.ask(kReplica, set(kLock, kTwo).nx()), "nil");
}

TEST(KvClusterTest, AFailoverRepeatsAFencingTokenAndResurrectsADeletedKey) {
  Pair pair;
  const Value fence = Value::key(2);
  pair.ask(kMaster, incr(fence));
  pair.ask(kMaster, set(kLock, kOne));
  pair.deliver_all();
  EXPECT_EQ(pair.ask(kMaster, incr(fence)), "2");
  EXPECT_EQ(pair.ask(kMaster, getdel(kLock)), "1");
  pair.fail_over();
  EXPECT_EQ(pair.ask(kReplica, incr(fence)), "2");
  EXPECT_EQ(pair.ask(kReplica, getdel(kLock)), "1");
}

TEST(KvClusterTest, ATransactionArrivesWhole) {
  Pair pair;
  pair.ask(kMaster, request(Action::multi));
  pair.ask(kMaster, set(kLock, kOne));
  pair.ask(kMaster, set(Value::key(2), kTwo));
  pair.ask(kMaster, request(Action::exec));
  EXPECT_TRUE(pair.cluster.deliver(kReplica, pair.moment(), pair.touched));
  EXPECT_EQ(pair.ask(kReplica, get(Value::key(2))), "2");
  EXPECT_FALSE(pair.cluster.deliver(kReplica, pair.moment(), pair.touched));
}

TEST(KvClusterTest, WaitCountsReplicasAndItsTimeoutUndoesNothing) {
  Pair pair;
  pair.ask(kMaster, set(kLock, kOne));
  EXPECT_EQ(pair.ask(kMaster, wait_for(1, milliseconds(500))), "parked");
  EXPECT_EQ(pair.cluster.next_wake(kMaster), pair.now + milliseconds(500));
  pair.wait(milliseconds(500));
  EXPECT_EQ(pair.wake(kMaster), "0");
  EXPECT_EQ(pair.ask(kMaster, get(kLock)), "1");
}

TEST(KvClusterTest, WaitEndsWhenTheReplicaHasAcknowledged) {
  Pair pair;
  pair.ask(kMaster, set(kLock, kOne));
  EXPECT_EQ(pair.ask(kMaster, wait_for(1, Duration{})), "parked");
  EXPECT_EQ(pair.wake(kMaster), "nothing");
  pair.deliver_all();
  EXPECT_EQ(pair.wake(kMaster), "1");
  EXPECT_EQ(pair.ask(kMaster, wait_for(1, Duration{})), "1");
}

TEST(KvClusterTest, WithoutItsReplicaAMasterRefusesWrites) {
  Pair pair(with_min_replicas());
  EXPECT_EQ(pair.ask(kMaster, set(kLock, kOne)), "OK");
  pair.cluster.set_link(kReplica, Link::cut, pair.moment(), pair.touched);
  EXPECT_EQ(pair.ask(kMaster, set(kLock, kTwo)), "NOREPLICAS not enough good replicas to write");
  EXPECT_EQ(pair.ask(kMaster, get(kLock)), "1");
}

TEST(KvClusterTest, AFrozenReplicaIsNoticedAfterTheLagAndAOneWayStallNever) {
  Pair frozen(with_min_replicas());
  frozen.cluster.freeze(kReplica, frozen.moment(), frozen.touched);
  EXPECT_EQ(frozen.ask(kMaster, set(kLock, kOne)), "OK");
  frozen.wait(milliseconds(3200));
  EXPECT_EQ(frozen.ask(kMaster, set(kLock, kTwo)).substr(0, 10), "NOREPLICAS");
  Pair held(with_min_replicas());
  held.cluster.set_link(kReplica, Link::hold, held.moment(), held.touched);
  held.wait(milliseconds(3200));
  EXPECT_EQ(held.ask(kMaster, set(kLock, kOne)), "OK");
}

TEST(KvClusterTest, WhatAFrozenReplicaHasReceivedSurvivesTheMaster) {
  Pair pair;
  pair.cluster.freeze(kReplica, pair.moment(), pair.touched);
  pair.ask(kMaster, set(kLock, kOne));
  pair.deliver_all();
  pair.cluster.stop(kMaster, Stop::killed, pair.moment(), pair.touched);
  pair.cluster.thaw(kReplica, pair.moment(), pair.touched);
  pair.cluster.promote(kReplica, pair.moment(), pair.touched);
  EXPECT_EQ(pair.ask(kReplica, get(kLock)), "1");
}

TEST(KvClusterTest, AReplicaHidesADeadKeyUntilItsMasterDeletesIt) {
  Pair pair;
  pair.ask(kMaster, set(kLock, kOne).px(milliseconds(100)));
  pair.deliver_all();
  pair.wait(milliseconds(101));
  EXPECT_EQ(pair.ask(kReplica, get(kLock)), "nil");
  EXPECT_EQ(pair.cluster.server(kReplica).engine().stored(), 1u);
  EXPECT_EQ(pair.ask(kMaster, get(kLock)), "nil");
  pair.deliver_all();
  EXPECT_EQ(pair.cluster.server(kReplica).engine().stored(), 0u);
}

TEST(KvClusterTest, AReplicaWhoseClockIsAheadFreesALockThatIsHeld) {
  Pair pair;
  pair.ask(kMaster, set(kLock, kOne).nx().px(milliseconds(300)));
  pair.deliver_all();
  pair.cluster.move_clock(kReplica, milliseconds(500), pair.touched);
  EXPECT_EQ(pair.ask(kReplica, get(kLock)), "nil");
  EXPECT_EQ(pair.ask(kMaster, pttl(kLock)), "300");
  pair.fail_over();
  EXPECT_EQ(pair.ask(kReplica, set(kLock, kTwo).nx().px(milliseconds(300))), "OK");
}

TEST(KvClusterTest, TheOldMasterServesItsClientsAndLosesTheirWritesWhenItRejoins) {
  Pair pair;
  pair.cluster.set_link(kReplica, Link::cut, pair.moment(), pair.touched);
  pair.cluster.promote(kReplica, pair.moment(), pair.touched);
  EXPECT_EQ(pair.ask(kMaster, set(kLock, kOne).nx()), "OK");
  EXPECT_EQ(pair.ask(kReplica, set(kLock, kTwo).nx()), "OK");
  pair.ask(kMaster, set(Value::key(2), kOne));
  pair.ask(kMaster, watch(Value::key(3)));
  pair.cluster.rejoin(kMaster, kReplica, pair.moment(), pair.touched);
  EXPECT_EQ(pair.ask(kMaster, get(kLock)), "2");
  EXPECT_EQ(pair.ask(kMaster, get(Value::key(2))), "nil");
  pair.ask(kMaster, request(Action::multi));
  EXPECT_EQ(pair.ask(kMaster, request(Action::exec)), "nil array");
}

TEST(KvClusterTest, AMasterThatRestartsEmptyWipesItsReplica) {
  Pair pair;
  pair.ask(kMaster, set(kLock, kOne));
  pair.deliver_all();
  pair.cluster.stop(kMaster, Stop::killed, pair.moment(), pair.touched);
  EXPECT_EQ(pair.ask(kReplica, get(kLock)), "1");
  pair.cluster.start(kMaster, pair.moment(), pair.touched);
  EXPECT_EQ(pair.ask(kReplica, get(kLock)), "nil");
}

TEST(KvClusterTest, ScriptsAreNotReplicated) {
  Pair pair;
  pair.ask(kMaster, script_load(7));
  pair.deliver_all();
  pair.fail_over();
  EXPECT_EQ(pair.ask(kReplica, evalsha({.id = 7})), "NOSCRIPT no matching script");
}

}  // namespace
}  // namespace idemsim::kv
