// The key-value engine: expiry, conditions, what is touched, and what a state hash may see.
#include "sim/base/prng.hpp"
#include "sim/engines/kv/command.hpp"
#include "sim/engines/kv/engine.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace idemsim::kv {
namespace {

const Value kLock = Value::key(1);
const Value kOther = Value::key(2);
const Value kMine = Value::token(Origin::of({0, 0}, 1, 0));
const Value kTheirs = Value::token(Origin::of({1, 0}, 2, 0));

StepId step(std::uint64_t n) { return {.origin = 5, .place = n}; }

/// An engine with a clock; each command is a step of its own, numbered from 1.
struct Store {
  Engine engine;
  Instant now;
  Footprint touched;
  std::uint64_t steps = 0;

  std::string run(const Command& command) {
    touched.clear();
    return to_text(engine.apply(command, now, step(++steps), touched));
  }
  void wait(Duration by) { now = now + by; }
  bool wrote(Value key) const { return touched.has(engine.resource_of(key), Access::write); }
  bool only_read(Value key) const {
    return touched.has(engine.resource_of(key), Access::read) && !wrote(key);
  }
  Hash128 hash() const {
    StateHasher hasher;
    engine.hash_state(hasher);
    return hasher.value();
  }
};

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

/// Delivers expiries as steps, at the first millisecond at which the key is dead.
struct ByExpirySteps {
  struct Due {
    ArmedExpiry expiry;
    Instant at;
  };
  Engine engine;
  std::vector<Due> due;

  Reply run(const Command& command, Instant now, StepId by) {
    Footprint touched;
    std::erase_if(due, [&](const Due& d) {
      if (d.at <= now) engine.expire(d.expiry, step(0), touched);
      return d.at <= now;
    });
    const Reply reply = engine.apply(command, Instant{}, by, touched);
    if (const auto& armed = engine.armed()) {
      due.push_back({*armed, now + armed->ttl + milliseconds(1)});
    }
    return reply;
  }
};

Command random_command(Prng& prng) {
  const Value key = Value::key(prng.below(3));
  const Value value = Value::integer(static_cast<std::int64_t>(prng.below(3)));
  const Duration ttl = milliseconds(static_cast<std::int64_t>(1 + prng.below(20)));
  switch (prng.below(14)) {
    case 0:
      return set(key, value);
    case 1:
      return set(key, value).px(ttl);
    case 2:
      return set(key, value).nx().px(ttl);
    case 3:
      return set(key, value).xx().keepttl();
    case 4:
      return get(key);
    case 5:
      return getdel(key);
    case 6:
      return del(key);
    case 7:
      return incr(key);
    case 8:
      return pexpire(key, ttl);
    case 9:
      return pexpire(key, ttl).nx();
    case 10:
      return persist(key);
    case 11:
      return compare_and_delete(key, value);
    case 12:
      return compare_and_extend(key, value, ttl);
    default:
      return begin_or_get(key, value, ttl);
  }
}

TEST(KvTest, AClockAndExpiryStepsGiveTheSameReplies) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Prng prng(seed);
    Store by_clock;
    ByExpirySteps by_steps;
    for (std::uint64_t i = 1; i <= 100; ++i) {
      by_clock.wait(milliseconds(static_cast<std::int64_t>(prng.below(6))));
      const Command command = random_command(prng);
      const std::string expected = by_clock.run(command);
      ASSERT_EQ(to_text(by_steps.run(command, by_clock.now, step(i))), expected)
          << "seed " << seed << " command " << i << ": " << to_text(command);
    }
  }
}

/// One of two steps that may be swapped: a command, or the expiry of the TTL that a step gave.
struct Move {
  std::optional<ArmedExpiry> expiry;
  Command command;
  StepId by;

  std::string run(Engine& engine, Footprint& touched) const {
    if (expiry) return engine.expire(*expiry, by, touched) ? "expired" : "late";
    return to_text(engine.apply(command, Instant{}, by, touched));
  }
};

TEST(KvTest, StepsThatDoNotConflictCommute) {
  std::size_t independent = 0;
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    Prng prng(seed);
    Store store;
    std::vector<ArmedExpiry> armed;
    for (int i = 0; i < 6; ++i) {
      store.run(random_command(prng));
      if (store.engine.armed()) armed.push_back(*store.engine.armed());
    }
    Move a{std::nullopt, random_command(prng), step(101)};
    const Move b{std::nullopt, random_command(prng), step(102)};
    if (!armed.empty() && prng.below(2) == 0) a.expiry = armed[prng.below(armed.size())];
    Store swapped = store;
    Footprint a_first;
    Footprint b_second;
    const std::string a_says = a.run(store.engine, a_first);
    const std::string b_says = b.run(store.engine, b_second);
    if (conflict(a_first, b_second)) continue;
    ++independent;
    Footprint unused;
    ASSERT_EQ(b.run(swapped.engine, unused), b_says) << "seed " << seed;
    ASSERT_EQ(a.run(swapped.engine, unused), a_says) << "seed " << seed;
    ASSERT_EQ(store.hash(), swapped.hash()) << "seed " << seed;
  }
  EXPECT_GT(independent, 10'000u);
}

}  // namespace
}  // namespace idemsim::kv
