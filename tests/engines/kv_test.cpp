// The key-value engine: expiry, conditions, what is touched, and what a state hash may see.
#include "tests/engines/kv_store.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace idemsim::kv {
namespace {

const Value kLock = Value::key(1);
const Value kOther = Value::key(2);
const Value kMine = Value::token(Origin::of({0, 0}, 1, 0));
const Value kTheirs = Value::token(Origin::of({1, 0}, 2, 0));

TEST(KvTest, AKeyIsAliveAtExactlyItsTtl) {
  Store store;
  store.run(set(kLock, kMine).px(milliseconds(100)));
  store.wait(milliseconds(100));
  EXPECT_EQ(store.run(pttl(kLock)), "0");
  EXPECT_EQ(store.run(set(kLock, kTheirs).nx()), "nil");
}

TEST(KvTest, AKeyIsDeadOneMillisecondAfterItsTtl) {
  Store store;
  store.run(set(kLock, kMine).px(milliseconds(100)));
  store.wait(milliseconds(101));
  EXPECT_EQ(store.run(pttl(kLock)), "-2");
  EXPECT_EQ(store.run(set(kLock, kTheirs).nx()), "OK");
}

TEST(KvTest, AFractionOfAMillisecondDoesNotKill) {
  Store store;
  store.run(set(kLock, kMine).px(milliseconds(100)));
  store.wait({100'999'999});
  EXPECT_EQ(store.run(exists(kLock)), "1");
}

TEST(KvTest, ExpiringNowDeletesButSettingToNowDoesNot) {
  Store store;
  store.wait(milliseconds(50));
  store.run(set(kLock, kMine).pxat(store.now));
  EXPECT_EQ(store.run(exists(kLock)), "1");
  EXPECT_EQ(store.run(pexpireat(kLock, store.now)), "1");
  EXPECT_EQ(store.run(exists(kLock)), "0");
}

TEST(KvTest, SettingToThePastAnswersOkAndLeavesNothing) {
  Store store;
  store.wait(milliseconds(50));
  EXPECT_EQ(store.run(set(kLock, kMine).pxat({49'000'000})), "OK");
  EXPECT_EQ(store.run(exists(kLock)), "0");
}

TEST(KvTest, ATtlThatIsNotPositiveIsAnErrorForSetAndADeletionForPexpire) {
  Store store;
  store.run(set(kLock, kMine));
  EXPECT_EQ(store.run(set(kLock, kTheirs).px(milliseconds(0))), "ERR invalid expire time");
  EXPECT_EQ(store.run(get(kLock)), "t1");
  EXPECT_EQ(store.run(pexpire(kLock, milliseconds(-5))), "1");
  EXPECT_EQ(store.run(get(kLock)), "nil");
}

TEST(KvTest, SecondsLeftAreRoundedHalfUp) {
  Store store;
  store.run(set(kLock, kMine).px(milliseconds(1500)));
  EXPECT_EQ(store.run(ttl(kLock)), "2");
  store.wait(milliseconds(1));
  EXPECT_EQ(store.run(ttl(kLock)), "1");
}

TEST(KvTest, NoTtlCountsAsInfinite) {
  Store store;
  store.run(set(kLock, kMine));
  EXPECT_EQ(store.run(pexpire(kLock, milliseconds(100)).gt()), "0");
  EXPECT_EQ(store.run(pexpire(kLock, milliseconds(100)).xx()), "0");
  EXPECT_EQ(store.run(pexpire(kLock, milliseconds(100)).lt()), "1");
  EXPECT_EQ(store.run(pexpire(kLock, milliseconds(100)).nx()), "0");
  EXPECT_EQ(store.run(persist(kLock)), "1");
  EXPECT_EQ(store.run(pttl(kLock)), "-1");
}

TEST(KvTest, PlainSetDropsTheTtlAndKeepttlAndIncrKeepIt) {
  Store store;
  store.run(set(kLock, Value::integer(1)).px(milliseconds(100)));
  EXPECT_EQ(store.run(incr(kLock)), "2");
  EXPECT_EQ(store.run(pttl(kLock)), "100");
  store.run(set(kLock, Value::integer(5)).keepttl());
  EXPECT_EQ(store.run(pttl(kLock)), "100");
  store.run(set(kLock, Value::integer(6)));
  EXPECT_EQ(store.run(pttl(kLock)), "-1");
}

TEST(KvTest, AnExpiredCounterStartsAgainAtOne) {
  Store store;
  store.run(incr(kLock));
  store.run(incr(kLock));
  store.run(pexpire(kLock, milliseconds(100)));
  store.wait(milliseconds(101));
  EXPECT_EQ(store.run(incr(kLock)), "1");
  EXPECT_EQ(store.run(pttl(kLock)), "-1");
}

TEST(KvTest, ACounterRefusesTextAndOverflow) {
  Store store;
  store.run(set(kLock, Value::word("x")));
  EXPECT_EQ(store.run(incr(kLock)), "ERR value is not an integer");
  store.run(set(kLock, Value::integer(INT64_MAX)));
  EXPECT_EQ(store.run(incr(kLock)), "ERR increment would overflow");
}

TEST(KvTest, GetdelHasOneWinner) {
  Store store;
  store.run(set(kLock, kMine));
  EXPECT_EQ(store.run(getdel(kLock)), "t1");
  EXPECT_EQ(store.run(getdel(kLock)), "nil");
}

TEST(KvTest, SetNxGetShowsTheOwnerAndDoesNotOverwrite) {
  Store store;
  EXPECT_EQ(store.run(set(kLock, kMine).nx().returning_old()), "nil");
  EXPECT_EQ(store.run(set(kLock, kTheirs).nx().returning_old()), "t1");
  EXPECT_EQ(store.run(get(kLock)), "t1");
}

TEST(KvTest, SetXxNeedsAKey) {
  Store store;
  EXPECT_EQ(store.run(set(kLock, kMine).xx()), "nil");
  store.run(set(kLock, kMine));
  EXPECT_EQ(store.run(set(kLock, kTheirs).xx()), "OK");
}

TEST(KvTest, GetexRenewsAndPersists) {
  Store store;
  store.run(set(kLock, kMine).px(milliseconds(100)));
  store.wait(milliseconds(60));
  EXPECT_EQ(store.run(getex(kLock)), "t1");
  EXPECT_EQ(store.run(pttl(kLock)), "40");
  store.run(getex(kLock).px(milliseconds(100)));
  EXPECT_EQ(store.run(pttl(kLock)), "100");
  store.run(getex_persist(kLock));
  EXPECT_EQ(store.run(pttl(kLock)), "-1");
}

TEST(KvTest, ComparingCommandsObeyTheOwnerOnly) {
  Store store;
  store.run(set(kLock, kMine).px(milliseconds(100)));
  EXPECT_EQ(store.run(compare_and_delete(kLock, kTheirs)), "0");
  EXPECT_EQ(store.run(compare_and_extend(kLock, kTheirs, milliseconds(900))), "0");
  EXPECT_EQ(store.run(compare_and_set(kLock, {.expected = kTheirs, .value = kOther})), "0");
  EXPECT_EQ(store.run(compare_and_extend(kLock, kMine, milliseconds(900))), "1");
  EXPECT_EQ(store.run(pttl(kLock)), "900");
  EXPECT_EQ(store.run(compare_and_set(kLock, {.expected = kMine, .value = kTheirs})), "1");
  EXPECT_EQ(store.run(pttl(kLock)), "-1");
  EXPECT_EQ(store.run(compare_and_delete(kLock, kTheirs)), "1");
}

TEST(KvTest, BeginOrGetStartsOnceAndThenShowsTheRecord) {
  Store store;
  const Value pending = Value::word("pending");
  EXPECT_EQ(store.run(begin_or_get(kLock, pending, milliseconds(100))), "NEW");
  EXPECT_EQ(store.run(begin_or_get(kLock, pending, milliseconds(100))), "pending");
}

TEST(KvTest, SeeingAKeyOrItsAbsenceIsARead) {
  Store store;
  store.run(get(kLock));
  EXPECT_TRUE(store.only_read(kLock));
  store.run(del(kLock));
  EXPECT_TRUE(store.only_read(kLock));
  store.run(set(kLock, kMine));
  EXPECT_TRUE(store.wrote(kLock));
  store.run(set(kLock, kTheirs).nx());
  EXPECT_TRUE(store.only_read(kLock));
  store.run(compare_and_delete(kLock, kTheirs));
  EXPECT_TRUE(store.only_read(kLock));
}

TEST(KvTest, EndingATtlIsAWriteOnlyIfThereIsOne) {
  Store store;
  store.run(set(kLock, kMine).px(milliseconds(100)));
  store.run(persist(kLock));
  EXPECT_TRUE(store.wrote(kLock));
  store.run(persist(kLock));
  EXPECT_TRUE(store.only_read(kLock));
}

TEST(KvTest, StoresDoNotShareResources) {
  EXPECT_NE(Engine(1).resource_of(kLock), Engine(2).resource_of(kLock));
}

TEST(KvTest, ATtlIsReportedWithItsStep) {
  Store store;
  store.run(set(kLock, kMine).nx().px(milliseconds(100)));
  EXPECT_EQ(store.engine.armed(), (ArmedExpiry{kLock, milliseconds(100), step(1)}));
  EXPECT_EQ(store.engine.disarmed(), std::nullopt);
  store.run(get(kLock));
  EXPECT_EQ(store.engine.armed(), std::nullopt);
}

TEST(KvTest, ANewTtlEndsTheOldOne) {
  Store store;
  store.run(set(kLock, kMine).px(milliseconds(100)));
  store.run(pexpire(kLock, milliseconds(200)));
  EXPECT_EQ(store.engine.disarmed(), step(1));
  EXPECT_EQ(store.engine.armed(), (ArmedExpiry{kLock, milliseconds(200), step(2)}));
}

TEST(KvTest, DeletingOrOverwritingAKeyEndsItsTtl) {
  Store store;
  store.run(set(kLock, kMine).px(milliseconds(100)));
  store.run(set(kOther, kMine).px(milliseconds(100)));
  store.run(del(kLock));
  EXPECT_EQ(store.engine.disarmed(), step(1));
  store.run(set(kOther, kTheirs));
  EXPECT_EQ(store.engine.disarmed(), step(2));
}

TEST(KvTest, AnExpiryStepDeletesItsKey) {
  Store store;
  store.run(set(kLock, kMine).px(milliseconds(100)));
  Footprint touched;
  EXPECT_TRUE(store.engine.expire(*store.engine.armed(), step(9), touched));
  EXPECT_TRUE(touched.has(store.engine.resource_of(kLock), Access::write));
  EXPECT_EQ(store.run(get(kLock)), "nil");
  EXPECT_EQ(store.engine.writer_of(kLock), step(9));
}

TEST(KvTest, AnExpiryOfAnEarlierOwnerSparesTheNextOne) {
  Store store;
  store.run(set(kLock, kMine).px(milliseconds(100)));
  const ArmedExpiry old = *store.engine.armed();
  store.run(del(kLock));
  store.run(set(kLock, kTheirs).px(milliseconds(100)));
  Footprint touched;
  EXPECT_FALSE(store.engine.expire(old, step(9), touched));
  EXPECT_FALSE(touched.has(store.engine.resource_of(kLock), Access::write));
  EXPECT_EQ(store.run(get(kLock)), "t2");
}

TEST(KvTest, TheWriterOfAnAbsentKeyIsWhoDeletedIt) {
  Store store;
  EXPECT_EQ(store.engine.writer_of(kLock), StepId{});
  store.run(set(kLock, kMine));
  store.run(get(kLock));
  EXPECT_EQ(store.engine.writer_of(kLock), step(1));
  store.run(del(kLock));
  EXPECT_EQ(store.engine.writer_of(kLock), step(3));
}

TEST(KvTest, TheStateDoesNotDependOnTheOrderOfKeysOrOnWhoWrote) {
  Store one;
  Store other;
  one.run(set(kLock, kMine));
  one.run(set(kOther, kTheirs));
  other.run(set(kOther, kTheirs));
  other.run(set(kLock, kTheirs));
  EXPECT_NE(one.hash(), other.hash());
  other.run(set(kLock, kMine));
  EXPECT_EQ(one.hash(), other.hash());
}

TEST(KvTest, TheStateKnowsWhichExpiryIsStillToCome) {
  Store one;
  Store other;
  other.run(get(kLock));
  one.run(set(kLock, kMine).px(milliseconds(100)));
  other.run(set(kLock, kMine).px(milliseconds(100)));
  EXPECT_NE(one.hash(), other.hash());
  one.run(persist(kLock));
  other.run(persist(kLock));
  EXPECT_EQ(one.hash(), other.hash());
}

TEST(KvTest, DeletedKeysLeaveNoTraceInTheState) {
  Store store;
  const Hash128 empty = store.hash();
  store.run(set(kLock, kMine).px(milliseconds(100)));
  store.run(del(kLock));
  EXPECT_EQ(store.hash(), empty);
  store.engine.reset();
  EXPECT_EQ(store.engine.writer_of(kLock), StepId{});
}

TEST(KvTest, DeadKeysCountUntilTheyAreTouchedOrSwept) {
  Store store;
  store.run(set(kLock, kMine).px(milliseconds(100)));
  store.run(set(kOther, kMine).px(milliseconds(100)));
  store.wait(milliseconds(101));
  EXPECT_EQ(store.engine.stored(), 2u);
  store.run(get(kLock));
  EXPECT_EQ(store.engine.stored(), 1u);
  store.engine.remove_dead(store.now);
  EXPECT_EQ(store.engine.stored(), 0u);
}

TEST(KvTest, CommandsReadAsTheyAreTyped) {
  EXPECT_EQ(to_text(set(kLock, kMine).nx().px(seconds(30))), "SET K1 t1 NX PX 30000");
  EXPECT_EQ(to_text(set(kLock, Value::word("done")).xx().keepttl()), "SET K1 done XX KEEPTTL");
  EXPECT_EQ(to_text(getex(kLock).px(milliseconds(5))), "GETEX K1 PX 5");
  EXPECT_EQ(to_text(getex_persist(kLock)), "GETEX K1 PERSIST");
  EXPECT_EQ(to_text(pexpire(kLock, milliseconds(5)).gt()), "PEXPIRE K1 5 GT");
  EXPECT_EQ(to_text(compare_and_delete(kLock, kMine)), "EVAL compare_and_delete K1 t1");
  EXPECT_EQ(to_text(compare_and_extend(kLock, kMine, seconds(1))),
            "EVAL compare_and_extend K1 t1 PX 1000");
  EXPECT_EQ(to_text(incr(kLock)), "INCR K1");
}
}  // namespace
}  // namespace idemsim::kv
