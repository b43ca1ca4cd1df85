// MULTI, EXEC and WATCH, fact by fact (R3, R10 and R11 of the recordings), and what they touch.
#include "tests/engines/kv_server.hpp"

#include <gtest/gtest.h>

namespace idemsim::kv {
namespace {

const Value kKey = Value::key(1);
const Value kOther = Value::key(2);
const Value kOne = Value::integer(1);
const Value kTwo = Value::integer(2);

/// A watches the key, something happens, and A tries to set it.
template <class Happening>
std::string exec_after(Connected& store, const Happening& happening) {
  store.ask(kA, watch(kKey));
  happening();
  store.ask(kA, Action::multi);
  store.ask(kA, set(kKey, kTwo));
  return store.ask(kA, Action::exec);
}

TEST(KvTransactionTest, OthersInterleaveWhileQueueingAndNothingRunsBeforeExec) {
  Connected store;
  EXPECT_EQ(store.ask(kA, Action::multi), "OK");
  EXPECT_EQ(store.ask(kA, incr(kKey)), "QUEUED");
  EXPECT_EQ(store.ask(kB, incr(kKey)), "1");
  EXPECT_EQ(store.ask(kA, incr(kKey)), "QUEUED");
  EXPECT_EQ(store.ask(kA, Action::exec), "[2, 3]");
}

TEST(KvTransactionTest, AFailureWhenRunningUndoesNothing) {
  Connected store;
  store.ask(kA, Action::multi);
  store.ask(kA, set(kKey, Value::word("v")));
  store.ask(kA, incr(kKey));
  store.ask(kA, set(kOther, kOne));
  EXPECT_EQ(store.ask(kA, Action::exec), "[OK, ERR value is not an integer, OK]");
  EXPECT_EQ(store.ask(kB, get(kOther)), "1");
}

TEST(KvTransactionTest, AFailureWhenQueueingRunsNothing) {
  Connected store;
  store.ask(kA, Action::multi);
  store.ask(kA, set(kKey, kOne));
  EXPECT_EQ(store.ask(kA, Action::unknown), "ERR unknown command");
  EXPECT_EQ(store.ask(kA, Action::exec),
            "EXECABORT transaction discarded because of previous errors");
  EXPECT_EQ(store.ask(kA, exists(kKey)), "0");
}

TEST(KvTransactionTest, EveryTouchBreaksAWatch) {
  const auto breaks = [](auto happening) {
    Connected store;
    store.ask(kB, set(kKey, kOne));
    return exec_after(store, [&] { happening(store); }) == "nil array";
  };
  EXPECT_TRUE(breaks([](Connected& s) { s.ask(kB, set(kKey, kOne)); })) << "the same value";
  EXPECT_TRUE(breaks([](Connected& s) { s.ask(kA, set(kKey, kTwo)); })) << "the own write";
  EXPECT_TRUE(breaks([](Connected& s) { s.ask(kB, pexpire(kKey, seconds(1))); })) << "a TTL";
  EXPECT_TRUE(breaks([](Connected& s) { s.ask(kB, del(kKey)); })) << "a deletion";
  EXPECT_FALSE(breaks([](Connected& s) { s.ask(kB, set(kKey, kTwo).nx()); })) << "a failed SET";
  EXPECT_FALSE(breaks([](Connected& s) { s.ask(kB, get(kKey)); })) << "a read";
}

TEST(KvTransactionTest, CreationAndDeletionOfAnAbsentKeyBreakAWatch) {
  Connected store;
  EXPECT_EQ(exec_after(store,
                       [&] {
                         store.ask(kB, set(kKey, kOne));
                         store.ask(kB, del(kKey));
                       }),
            "nil array");
}

TEST(KvTransactionTest, DeletionOfAnAbsentKeyDoesNotBreakAWatch) {
  Connected store;
  EXPECT_EQ(exec_after(store, [&] { store.ask(kB, del(kKey)); }), "[OK]");
}

TEST(KvTransactionTest, ExpiryBreaksAWatchMetOrNot) {
  for (const bool met : {false, true}) {
    Connected store;
    store.ask(kB, set(kKey, kOne).px(milliseconds(100)));
    EXPECT_EQ(exec_after(store,
                         [&] {
                           store.wait(milliseconds(101));
                           if (met) store.ask(kB, get(kKey));
                         }),
              "nil array");
  }
}

TEST(KvTransactionTest, RemovalOfAKeyThatWasDeadAtWatchDoesNotBreakIt) {
  Connected store;
  store.ask(kB, set(kKey, kOne).px(milliseconds(100)));
  store.wait(milliseconds(101));
  EXPECT_EQ(exec_after(store, [&] { store.ask(kB, get(kKey)); }), "[OK]");
}

TEST(KvTransactionTest, AnExpiryStepBreaksAWatch) {
  Connected store;
  store.ask(kB, set(kKey, kOne).px(milliseconds(100)));
  const ArmedExpiry expiry = store.server.armed().at(0);
  EXPECT_EQ(exec_after(store, [&] { store.server.expire(expiry, step(99), store.touched); }),
            "nil array");
}

TEST(KvTransactionTest, ExecAndDiscardForgetTheWatches) {
  for (const Action end : {Action::exec, Action::discard}) {
    Connected store;
    store.ask(kA, watch(kKey));
    store.ask(kA, Action::multi);
    store.ask(kA, end);
    store.ask(kB, set(kKey, kOne));
    store.ask(kA, Action::multi);
    store.ask(kA, get(kKey));
    EXPECT_EQ(store.ask(kA, Action::exec), "[1]");
  }
}

TEST(KvTransactionTest, AClientThatDiesBeforeExecLeavesNothing) {
  Connected store;
  const Hash128 before = store.hash();
  store.ask(kA, watch(kKey));
  store.ask(kA, Action::multi);
  store.ask(kA, set(kKey, kOne));
  EXPECT_NE(store.hash(), before);
  store.server.leave(kA, store.touched);
  EXPECT_EQ(store.hash(), before);
  EXPECT_EQ(store.ask(kB, exists(kKey)), "0");
}

TEST(KvTransactionTest, ATtlThatAUnitGivesAndEndsWasNeverThere) {
  Connected store;
  store.ask(kA, set(kKey, kOne).px(seconds(9)));
  const StepId earlier = store.server.armed().at(0).generation;
  store.ask(kA, Action::multi);
  store.ask(kA, set(kKey, kOne).px(seconds(1)));
  store.ask(kA, set(kKey, kOne).px(seconds(2)));
  store.ask(kA, set(kOther, kOne).px(seconds(3)));
  store.ask(kA, Action::exec);
  ASSERT_EQ(store.server.armed().size(), 2u);
  EXPECT_EQ(store.server.armed()[0].ttl, seconds(2));
  EXPECT_NE(store.server.armed()[0].generation, store.server.armed()[1].generation);
  EXPECT_EQ(store.server.disarmed(), std::vector<StepId>{earlier});
}

TEST(KvTransactionTest, ExecReadsWhatIsWatchedEvenIfItRunsNothing) {
  Connected store;
  EXPECT_EQ(exec_after(store, [&] { store.ask(kB, set(kKey, kOne)); }), "nil array");
  EXPECT_TRUE(store.reads(kKey));
  EXPECT_FALSE(store.writes(kKey));
}

TEST(KvTransactionTest, QueueingTouchesNoKey) {
  Connected store;
  store.ask(kA, Action::multi);
  store.ask(kA, set(kKey, kOne));
  EXPECT_FALSE(store.reads(kKey) || store.writes(kKey));
  store.ask(kA, Action::exec);
  EXPECT_TRUE(store.writes(kKey));
}

TEST(KvTransactionTest, TheStateTellsABrokenWatchFromAWholeOne) {
  Connected whole;
  Connected broken;
  for (Connected* store : {&whole, &broken}) store->ask(kB, set(kKey, kOne));
  whole.ask(kB, set(kKey, kOne));
  whole.ask(kA, watch(kKey));
  broken.ask(kA, watch(kKey));
  broken.ask(kB, set(kKey, kOne));
  EXPECT_NE(whole.hash(), broken.hash());
}

}  // namespace
}  // namespace idemsim::kv
