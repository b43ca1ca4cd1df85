// The key-value engine on random commands: two ways to let time pass, and independence of steps.
#include "sim/base/prng.hpp"
#include "tests/engines/kv_store.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace idemsim::kv {
namespace {

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

TEST(KvRandomTest, AClockAndExpiryStepsGiveTheSameReplies) {
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

TEST(KvRandomTest, StepsThatDoNotConflictCommute) {
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
