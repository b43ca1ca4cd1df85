// Equal state hashes: whatever led to the state, the same happens afterwards.
#include "tests/engines/sql_actions.hpp"
#include "tests/engines/sql_fixture.hpp"

#include <array>
#include <map>

namespace idemsim::sql {

namespace {

constexpr std::uint64_t kSeeds = 40;
constexpr int kWalks = 60;
constexpr int kWalkLength = 12;
constexpr int kAfterwards = 15;

class SqlStates : public SqlEngine, public ::testing::WithParamInterface<Case> {
 protected:
  SqlStates() : SqlEngine(GetParam().isolation) {}

  void expect_same_future(Engine x, Engine y, AnyActions world) {
    const std::array<SessionId, 3> sessions = {a, b, c};
    for (int i = 0; i < kAfterwards; ++i) {
      const SessionId id = sessions[world.below(3)];
      if (!x.is_open(id)) continue;
      const Action action = world.any_action(x, id);
      const Effect first = perform(x, action);
      const Effect second = perform(y, action);
      ASSERT_TRUE(same(first, second)) << "afterwards " << i;
      ASSERT_EQ(hash_of(x), hash_of(y)) << "afterwards " << i;
    }
  }
};

TEST_P(SqlStates, EqualStatesHaveTheSameFuture) {
  AnyActions world{Prng(GetParam().seed), GetParam().isolation};
  const std::array<SessionId, 3> sessions = {a, b, c};
  const Engine initial = engine;
  std::map<Hash128, Engine> known;
  int met_again = 0;
  for (int walk = 0; walk < kWalks; ++walk) {
    engine = initial;
    for (int i = 0; i < kWalkLength; ++i) {
      const SessionId id = sessions[world.below(3)];
      if (!engine.is_open(id)) continue;
      perform(engine, world.any_action(engine, id));
      const auto [state, is_new] = known.try_emplace(hash_of(engine), engine);
      if (is_new) continue;
      ++met_again;
      expect_same_future(state->second, engine, world);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(met_again, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SqlStates, ::testing::ValuesIn(cases(kSeeds)));

}  // namespace

}  // namespace idemsim::sql
