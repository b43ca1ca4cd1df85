// One server with a disk, a memory limit and stalls on random steps: equal states behave alike.
#include "sim/base/prng.hpp"
#include "tests/engines/kv_server.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace idemsim::kv {
namespace {

Request random_request(Prng& prng) {
  const Value key = Value::key(prng.below(3));
  const Value value = Value::integer(static_cast<std::int64_t>(prng.below(2)));
  const Duration time = milliseconds(static_cast<std::int64_t>(100 * (1 + prng.below(9))));
  switch (prng.below(14)) {
    case 0:
    case 1:
      return run(set(key, value));
    case 2:
      return run(incr(key));
    case 3:
    case 4:
      return run(get(key));
    case 5:
      return run(del(key));
    case 6:
      return watch(key);
    case 7:
      return request(Action::multi);
    case 8:
    case 9:
      return request(Action::exec);
    case 10:
      return stall(prng.below(2) == 0 ? Action::sleep : Action::pause_writes, time);
    case 11:
      return eval({.id = prng.below(2), .steps = {{set(key, value)}}, .runs_for = time});
    case 12:
      return request(prng.below(2) == 0 ? Action::save : Action::script_kill);
    default:
      return run(begin_or_get(key, value, time));
  }
}

ServerOptions options_of(std::uint64_t kind) {
  ServerOptions options;
  options.busy_after = milliseconds(300);
  switch (kind % 5) {
    case 0:
      options.disk = {Log::every_second, false, milliseconds(700)};
      break;
    case 1:
      options.disk = {Log::always, false, milliseconds(100)};
      break;
    case 2:
      options.disk.saves = true;
      break;
    case 3:
      options.memory = {1, Eviction::allkeys_lru};
      break;
    default:
      options.memory = {1, Eviction::volatile_ttl};
      break;
  }
  return options;
}

/// Requests of two connections that wait for their answers, time, and the ends of the server.
struct Walk {
  explicit Walk(std::uint64_t kind) : store(options_of(kind)) {}

  Connected store;

  std::string make(Prng& prng, std::uint64_t by) {
    store.steps = by;
    const std::uint64_t kind = prng.below(16);
    const SessionId session = prng.below(2) == 0 ? kA : kB;
    const Request what = random_request(prng);
    if (kind < 4) store.wait(milliseconds(static_cast<std::int64_t>(250 * kind)));
    if (kind == 4) store.server.leave(session, store.touched);
    if (kind == 5) store.server.remove_dead(store.now);
    if (kind == 6 || kind == 7) {
      const Stop how = kind == 6 ? Stop::killed : Stop::power_loss;
      store.server.restart(how, store.now, store.touched);
    }
    if (kind >= 8 && kind < 11) {
      const auto woken = store.server.wake({store.now, step(by)}, store.touched);
      return woken ? to_text(woken->answer) : "nothing";
    }
    return kind >= 11 ? store.ask(session, what) : "";
  }
};

Walk random_walk(std::uint64_t seed) {
  Prng prng(seed);
  Walk walk(prng.below(5));
  const std::uint64_t length = 3 + prng.below(4);
  for (std::uint64_t i = 1; i <= length; ++i) walk.make(prng, i);
  return walk;
}

TEST(KvServerRandomTest, EqualStatesBehaveAlike) {
  std::map<std::pair<Hash128, Instant>, Walk> first;
  std::size_t equal = 0;
  for (std::uint64_t seed = 1; seed <= 30'000; ++seed) {
    // What is set up is not part of the state, so each kind of server is compared with itself.
    Walk walk = random_walk(seed);
    StateHasher hasher;
    walk.store.server.hash_state(hasher);
    hasher.add(Prng(seed).below(5));
    const auto [known, is_new] = first.try_emplace({hasher.value(), walk.store.now}, walk);
    if (is_new) continue;
    ++equal;
    Walk other = known->second;
    Prng one(seed + 1'000'000);
    Prng two(seed + 1'000'000);
    for (std::uint64_t i = 201; i <= 220; ++i) {
      const std::string says = walk.make(one, i);
      ASSERT_EQ(other.make(two, i), says) << "seed " << seed << " step " << i;
      ASSERT_EQ(walk.store.server.next_wake(), other.store.server.next_wake()) << "seed " << seed;
    }
  }
  EXPECT_GT(equal, 1'000u);
}

}  // namespace
}  // namespace idemsim::kv
