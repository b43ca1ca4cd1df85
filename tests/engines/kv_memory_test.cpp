// The memory limit, fact by fact (R14 and R15 of the recordings).
#include "tests/engines/kv_server.hpp"

#include <gtest/gtest.h>

namespace idemsim::kv {
namespace {

const Value kLock = Value::key(1);
const Value kOne = Value::integer(1);

ServerOptions limit(std::size_t keys_max, Eviction eviction) {
  ServerOptions options;
  options.memory = {keys_max, eviction};
  return options;
}

/// Adds keys without a TTL until one is refused or `count` are there; returns the last answer.
std::string fill(Connected& store, std::uint64_t count) {
  std::string answer;
  for (std::uint64_t i = 0; i < count; ++i) answer = store.ask(kB, set(Value::key(100 + i), kOne));
  return answer;
}

const char* const kFull = "OOM command not allowed when used memory > 'maxmemory'";

TEST(KvMemoryTest, WithoutEvictionWritesThatNeedMemoryAreRefused) {
  Connected store(limit(2, Eviction::none));
  store.ask(kA, set(kLock, kOne));
  EXPECT_EQ(fill(store, 3), kFull);
  EXPECT_EQ(store.ask(kA, set(kLock, kOne).nx()), kFull);
  EXPECT_EQ(store.ask(kA, incr(kLock)), kFull);
  EXPECT_EQ(store.ask(kA, get(kLock)), "1");
  EXPECT_EQ(store.ask(kA, pexpire(kLock, seconds(1))), "1");
  EXPECT_EQ(store.ask(kA, del(kLock)), "1");
}

TEST(KvMemoryTest, ARefusalWhenQueueingDoomsTheTransaction) {
  Connected store(limit(0, Eviction::none));
  fill(store, 1);
  store.ask(kA, Action::multi);
  EXPECT_EQ(store.ask(kA, set(kLock, kOne)), kFull);
  EXPECT_EQ(store.ask(kA, Action::exec).substr(0, 9), "EXECABORT");
}

TEST(KvMemoryTest, AScriptIsRefusedWhereItWritesAndNotWhereItReads) {
  Connected store(limit(0, Eviction::none));
  fill(store, 1);
  EXPECT_EQ(store.ask(kA, eval({.steps = {{set(kLock, kOne)}}})), kFull);
  EXPECT_EQ(store.ask(kA, eval({.steps = {{get(kLock)}}})), "nil");
  EXPECT_EQ(store.ask(kA, eval({.steps = {{del(Value::key(100))}}})), "1");
}

TEST(KvMemoryTest, TheOnlyKeyWithATtlIsThrownAwayAlthoughItIsAlive) {
  Connected store(limit(2, Eviction::volatile_lru));
  store.ask(kA, set(kLock, kOne).nx().px(seconds(600)));
  const StepId generation = store.server.armed().at(0).generation;
  EXPECT_EQ(fill(store, 2), "OK");
  EXPECT_EQ(store.ask(kB, set(kLock, kOne).nx().px(seconds(600))), "OK");
  EXPECT_EQ(store.server.evicted(), 1u);
  EXPECT_EQ(store.server.disarmed(), std::vector<StepId>{generation});
}

TEST(KvMemoryTest, WithoutACandidateWritesAreRefused) {
  Connected store(limit(2, Eviction::volatile_lru));
  EXPECT_EQ(fill(store, 4), kFull);
  EXPECT_EQ(store.server.evicted(), 0u);
}

TEST(KvMemoryTest, TheKeyThatWouldDieFirstGoesFirst) {
  Connected store(limit(2, Eviction::volatile_ttl));
  store.ask(kA, set(Value::key(2), kOne).px(seconds(60)));
  store.ask(kA, set(Value::key(3), kOne).px(seconds(6000)));
  store.ask(kA, set(Value::key(4), kOne).px(seconds(600)));
  EXPECT_EQ(store.ask(kA, exists(Value::key(2))), "0");
  EXPECT_EQ(store.ask(kA, exists(Value::key(3))), "1");
}

TEST(KvMemoryTest, TheKeyNotUsedForTheLongestTimeGoesFirstAndNobodyGetsAnError) {
  Connected store(limit(2, Eviction::allkeys_lru));
  store.ask(kA, set(Value::key(2), kOne));
  store.wait(seconds(1));
  store.ask(kA, set(Value::key(3), kOne));
  store.wait(seconds(1));
  store.ask(kA, get(Value::key(2)));
  EXPECT_EQ(store.ask(kA, set(Value::key(4), kOne)), "OK");
  EXPECT_EQ(store.ask(kA, exists(Value::key(3))), "0");
  EXPECT_EQ(store.ask(kA, exists(Value::key(2))), "1");
}

TEST(KvMemoryTest, EvictionBreaksAWatch) {
  Connected store(limit(1, Eviction::allkeys_lru));
  store.ask(kB, set(kLock, kOne));
  store.ask(kA, watch(kLock));
  store.wait(seconds(1));
  fill(store, 2);
  store.ask(kA, Action::multi);
  EXPECT_EQ(store.ask(kA, Action::exec), "nil array");
}

TEST(KvMemoryTest, WithALimitNoTwoUnitsAreIndependent) {
  Connected store(limit(9, Eviction::allkeys_lru));
  store.ask(kA, get(kLock));
  const Footprint first = store.touched;
  store.ask(kB, get(Value::key(2)));
  EXPECT_TRUE(conflict(first, store.touched));
}

}  // namespace
}  // namespace idemsim::kv
