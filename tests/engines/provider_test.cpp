// The payment provider: charges commute, keys follow the dialect's rules, the ledger never shrinks.
#include "sim/base/prng.hpp"
#include "sim/engines/provider/engine.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace idemsim::provider {
namespace {

using Kind = Answer::Kind;

constexpr KeyRules kNoKeys{};
constexpr KeyRules kOwnKeys{.enabled = true};

const Value kKey = Value::key(1);
const Request kRequest{kKey, 100, Value::digest(7)};
const Request kOtherPayload{kKey, 999, Value::digest(8)};

Caller caller(std::uint64_t n, std::uint32_t operation = 0) {
  return {{.origin = 5, .place = n}, {0, operation}};
}

/// A provider whose calls each have a footprint of their own.
struct Desk {
  Engine engine;
  Footprint touched;

  explicit Desk(KeyRules rules) : engine(rules) {}
  Answer charge(const Request& request, Caller by) {
    touched.clear();
    return engine.charge(request, by, touched);
  }
  Answer begin(const Request& request, Caller by) {
    touched.clear();
    return engine.begin(request, by, touched);
  }
  Answer fail(const Request& request, Failure failure, Caller by) {
    touched.clear();
    engine.begin(request, by, touched);
    return engine.fail(request, failure, by, touched);
  }
  Hash128 hash() const {
    StateHasher hasher;
    engine.hash_state(hasher);
    return hasher.value();
  }
};

TEST(ProviderTest, ChargesCommute) {
  Desk one(kNoKeys);
  Desk other(kNoKeys);
  const Answer first = one.charge(kRequest, caller(1));
  const Footprint first_touched = one.touched;
  const Answer second = one.charge(kRequest, caller(2));
  EXPECT_FALSE(conflict(first_touched, one.touched));
  EXPECT_EQ(other.charge(kRequest, caller(2)).reference, second.reference);
  EXPECT_EQ(other.charge(kRequest, caller(1)).reference, first.reference);
  EXPECT_EQ(one.hash(), other.hash());
}

TEST(ProviderTest, ChargesWithDifferentKeysCommuteUnderOwnKeys) {
  Desk one(kOwnKeys);
  Desk other(kOwnKeys);
  const Request second{Value::key(2), 100, Value::digest(7)};
  one.charge(kRequest, caller(1));
  const Footprint first_touched = one.touched;
  one.charge(second, caller(2));
  EXPECT_FALSE(conflict(first_touched, one.touched));
  other.charge(second, caller(2));
  other.charge(kRequest, caller(1));
  EXPECT_EQ(one.hash(), other.hash());
}

TEST(ProviderTest, ChargesWithOneKeyConflictUnderOwnKeys) {
  Desk desk(kOwnKeys);
  desk.charge(kRequest, caller(1));
  const Footprint first_touched = desk.touched;
  desk.charge(kRequest, caller(2));
  EXPECT_TRUE(conflict(first_touched, desk.touched));
}

TEST(ProviderTest, WithoutOwnKeysEachRequestCharges) {
  Desk desk(kNoKeys);
  desk.charge(kRequest, caller(1));
  EXPECT_EQ(desk.charge(kRequest, caller(2)).kind, Kind::ok);
  EXPECT_EQ(desk.engine.ledger().size(), 2u);
}

TEST(ProviderTest, WithOwnKeysARequestWithoutAKeyCharges) {
  Desk desk(kOwnKeys);
  const Request no_key{Value::null(), 100, Value::digest(7)};
  desk.charge(no_key, caller(1));
  EXPECT_EQ(desk.charge(no_key, caller(2)).kind, Kind::ok);
}

TEST(ProviderTest, TheSameKeyAgainGivesTheStoredAnswer) {
  Desk desk(kOwnKeys);
  const Answer first = desk.charge(kRequest, caller(1));
  const Answer second = desk.charge(kRequest, caller(2));
  EXPECT_EQ(second.kind, Kind::stored);
  EXPECT_EQ(second.reference, first.reference);
  EXPECT_EQ(second.written_by, caller(1).by);
  EXPECT_EQ(desk.engine.ledger().size(), 1u);
}

TEST(ProviderTest, TheSameKeyWithAnotherPayloadIsRefusedWithTheDialectsStatus) {
  KeyRules stripe = kOwnKeys;
  stripe.conflict_status = 400;
  Desk desk(stripe);
  desk.charge(kRequest, caller(1));
  const Answer second = desk.charge(kOtherPayload, caller(2));
  EXPECT_EQ(second.kind, Kind::key_conflict);
  EXPECT_EQ(second.status, 400);
  EXPECT_EQ(desk.engine.ledger().size(), 1u);
}

TEST(ProviderTest, ACarelessProviderGivesTheStoredAnswerForAnotherPayload) {
  KeyRules careless = kOwnKeys;
  careless.other_payload = OtherPayload::give_stored;
  Desk desk(careless);
  desk.charge(kRequest, caller(1));
  EXPECT_EQ(desk.charge(kOtherPayload, caller(2)).kind, Kind::stored);
}

TEST(ProviderTest, AnUnfinishedRequestKeepsItsKey) {
  Desk desk(kOwnKeys);
  EXPECT_EQ(desk.begin(kRequest, caller(1)).kind, Kind::started);
  const Answer meanwhile = desk.charge(kRequest, caller(2));
  EXPECT_EQ(meanwhile.kind, Kind::in_flight);
  EXPECT_EQ(meanwhile.status, 409);
  const Answer finished = desk.engine.finish(kRequest, caller(3), desk.touched);
  EXPECT_EQ(finished.reference, reference_of(caller(3).by));
  EXPECT_EQ(desk.charge(kRequest, caller(4)).reference, finished.reference);
}

Kind after_failure(AfterFailure rule, Failure::Stage stage) {
  KeyRules rules = kOwnKeys;
  rules.after_failure = rule;
  Desk desk(rules);
  EXPECT_EQ(desk.fail(kRequest, {stage, 500}, caller(1)).kind, Kind::failed);
  EXPECT_TRUE(desk.engine.ledger().empty());
  return desk.charge(kRequest, caller(2)).kind;
}

TEST(ProviderTest, AFailureIsReplayedIfTheDialectStoresFailures) {
  constexpr AfterFailure kRule = AfterFailure::replay;
  EXPECT_EQ(after_failure(kRule, Failure::Stage::before_execution), Kind::stored_failure);
  EXPECT_EQ(after_failure(kRule, Failure::Stage::during_execution), Kind::stored_failure);
}

TEST(ProviderTest, AFailedChargeIsExecutedAgainIfTheDialectStoresNoFailures) {
  constexpr AfterFailure kRule = AfterFailure::re_execute;
  EXPECT_EQ(after_failure(kRule, Failure::Stage::before_execution), Kind::ok);
  EXPECT_EQ(after_failure(kRule, Failure::Stage::during_execution), Kind::ok);
}

TEST(ProviderTest, OnlyFailuresOfExecutionAreStoredInStripesDialect) {
  constexpr AfterFailure kRule = AfterFailure::not_saved_before_execution;
  EXPECT_EQ(after_failure(kRule, Failure::Stage::before_execution), Kind::ok);
  EXPECT_EQ(after_failure(kRule, Failure::Stage::during_execution), Kind::stored_failure);
}

TEST(ProviderTest, AForgottenKeyChargesAgain) {
  Desk desk(kOwnKeys);
  desk.charge(kRequest, caller(1));
  EXPECT_EQ(desk.engine.generation_of(kKey), caller(1).by);
  EXPECT_TRUE(desk.engine.forget(kKey, caller(1).by, desk.touched));
  EXPECT_EQ(desk.charge(kRequest, caller(2)).kind, Kind::ok);
  EXPECT_EQ(desk.engine.ledger().size(), 2u);
}

TEST(ProviderTest, RetentionOfAnEarlierRecordSparesTheNextOne) {
  Desk desk(kOwnKeys);
  desk.charge(kRequest, caller(1));
  desk.engine.forget(kKey, caller(1).by, desk.touched);
  desk.charge(kRequest, caller(2));
  EXPECT_FALSE(desk.engine.forget(kKey, caller(1).by, desk.touched));
}

TEST(ProviderTest, AnUnfinishedRequestIsNotForgotten) {
  Desk desk(kOwnKeys);
  desk.begin(kRequest, caller(1));
  EXPECT_FALSE(desk.engine.forget(kKey, caller(1).by, desk.touched));
}

TEST(ProviderTest, ALookupByKeyConflictsWithTheChargeItMayMiss) {
  Desk desk(kNoKeys);
  Footprint lookup;
  EXPECT_FALSE(desk.engine.find_by_key(kKey, lookup).has_value());
  desk.charge(kRequest, caller(1));
  EXPECT_TRUE(conflict(lookup, desk.touched));
  EXPECT_EQ(desk.engine.find_by_key(kKey, lookup)->by, caller(1).by);
}

TEST(ProviderTest, ALookupByKeyDoesNotShowTheOrderOfCharges) {
  Desk one(kNoKeys);
  Desk other(kNoKeys);
  one.charge(kRequest, caller(1));
  one.charge(kRequest, caller(2));
  other.charge(kRequest, caller(2));
  other.charge(kRequest, caller(1));
  EXPECT_EQ(one.engine.find_by_key(kKey, one.touched)->reference,
            other.engine.find_by_key(kKey, other.touched)->reference);
}

TEST(ProviderTest, AReferenceFindsItsCharge) {
  Desk desk(kNoKeys);
  const Answer answer = desk.charge(kRequest, caller(1, 3));
  EXPECT_EQ(desk.engine.find_by_reference(answer.reference)->operation, (OperationId{0, 3}));
  EXPECT_FALSE(desk.engine.find_by_reference(Value::reference(1)).has_value());
}

TEST(ProviderTest, TheStateCountsEqualChargesAsOftenAsTheyHappened) {
  Desk desk(kNoKeys);
  const Hash128 empty = desk.hash();
  desk.charge(kRequest, caller(1));
  const Hash128 once = desk.hash();
  desk.charge(kRequest, caller(1));
  EXPECT_NE(once, empty);
  EXPECT_NE(desk.hash(), once);
  desk.engine.reset();
  EXPECT_EQ(desk.hash(), empty);
}

/// A step drawn at random: a charge, the end of a retention, or a lookup by key.
struct Move {
  std::uint64_t kind = 0;
  Request request;
  Caller by;

  std::string run(Engine& engine, Footprint& touched) const {
    if (kind == 0) return engine.forget(request.key, caller(1).by, touched) ? "gone" : "kept";
    if (kind == 1) {
      const std::optional<Entry> entry = engine.find_by_key(request.key, touched);
      return entry ? std::to_string(entry->reference.bits) : "none";
    }
    const Answer answer = engine.charge(request, by, touched);
    return std::to_string(answer.status) + " " + std::to_string(answer.reference.bits);
  }
};

Move random_move(Prng& prng, std::uint64_t n) {
  const std::uint64_t kind = prng.below(5);
  const bool has_key = kind < 2 || prng.below(3) > 0;
  const Value key = has_key ? Value::key(prng.below(2)) : Value::null();
  const Value digest = Value::digest(prng.below(2));
  return {kind, {key, 100, digest}, caller(n, static_cast<std::uint32_t>(prng.below(2)))};
}

TEST(ProviderTest, StepsThatDoNotConflictCommute) {
  std::size_t independent = 0;
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    Prng prng(seed);
    Desk desk(prng.below(2) == 0 ? kOwnKeys : kNoKeys);
    for (std::uint64_t n = 1; n <= 2; ++n) random_move(prng, n).run(desk.engine, desk.touched);
    const Move a = random_move(prng, 101);
    const Move b = random_move(prng, 102);
    Desk swapped = desk;
    Footprint a_first;
    Footprint b_second;
    const std::string a_says = a.run(desk.engine, a_first);
    const std::string b_says = b.run(desk.engine, b_second);
    if (conflict(a_first, b_second)) continue;
    ++independent;
    ASSERT_EQ(b.run(swapped.engine, swapped.touched), b_says) << "seed " << seed;
    ASSERT_EQ(a.run(swapped.engine, swapped.touched), a_says) << "seed " << seed;
    ASSERT_EQ(desk.hash(), swapped.hash()) << "seed " << seed;
  }
  EXPECT_GT(independent, 5'000u);
}

}  // namespace
}  // namespace idemsim::provider
