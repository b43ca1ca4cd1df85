// Step ids, tokens and hashes: the texts and numbers by which a run is found again.
#include "sim/model/token.hpp"

#include "sim/model/history.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace idemsim {
namespace {

rc::Gen<StepId> any_step() {
  const auto below = [](std::uint32_t bound) {
    return rc::gen::oneOf(rc::gen::just(0u), rc::gen::inRange(0u, bound));
  };
  const auto client = rc::gen::oneOf(rc::gen::just(kFaultClient), rc::gen::inRange(0u, 1u << 20));
  return rc::gen::map(
      rc::gen::tuple(client, below(1u << 16), below(1u << 14), below(1u << 14), below(1u << 24),
                     below(1u << 24), below(1u << 16)),
      [](const std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                          std::uint32_t, std::uint32_t>& t) {
        const Origin from =
            Origin::of({std::get<0>(t), std::get<1>(t)}, std::get<2>(t), std::get<3>(t));
        return StepId::of(from, std::get<4>(t), std::get<5>(t), std::get<6>(t));
      });
}

RC_GTEST_PROP(StepIdText, RoundTrips, ()) {
  const StepId id = *any_step();
  const std::string text = to_string(id);
  const Result<StepId> again = parse_step_id(text);
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == id);
  RC_ASSERT(std::all_of(text.begin(), text.end(), [](unsigned char c) { return isalnum(c); }));
}

TEST(StepIdText, LeavesOutZeroPartsOtherThanClientAndCounter) {
  EXPECT_EQ(to_string(StepId::of(Origin::of({0, 0}, 0, 0), 0, 0)), "c0n0");
  EXPECT_EQ(to_string(StepId::of(Origin::of({0, 0}, 1, 0), 0x1a, 3, 2)), "c0a1p1an3x2");
  EXPECT_EQ(to_string(StepId::of(Origin::of({kFaultClient, 0}, 0, 0), 0, 4)), "fn4");
  EXPECT_EQ(*parse_step_id("c0o0a1n3"), *parse_step_id("c0a1n3"));
}

TEST(StepIdText, SaysWhatIsWrong) {
  EXPECT_EQ(parse_step_id("c0a1").error()[0].message,
            "\"c0a1\" is no step: its counter is missing; expected a step like c0o1a2n3 (client "
            "0, operation 1, attempt 2, counter 3) or fn0 (a fault)");
  for (const char* bad : {"", "c", "x1n1", "c0n1a2", "c0o70000n1", "c1048575n0", "c0n", "c0n1 "}) {
    EXPECT_FALSE(parse_step_id(bad).has_value()) << bad;
  }
}

rc::Gen<std::string> any_word() {
  return rc::gen::nonEmpty(rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("abcdefghijklmnopqrstuvwxyz0123456789_"))));
}

/// Names of sites: any text without NUL.
rc::Gen<std::string> any_site() {
  return rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::oneOf(
      rc::gen::elementOf(std::string("abcz09_-+^ .,:=/@")), rc::gen::inRange<char>(1, 127))));
}

Token any_token() {
  Token token;
  token.semantics = *rc::gen::arbitrary<std::uint32_t>();
  token.scenario_hash = *rc::gen::arbitrary<std::uint32_t>();
  token.strategy = *any_word();
  token.faults = *any_word();
  token.switches = *rc::gen::container<std::vector<std::pair<std::string, std::int64_t>>>(
      rc::gen::pair(any_word(), rc::gen::arbitrary<std::int64_t>()));
  token.overrides = *rc::gen::container<std::vector<std::pair<std::string, std::string>>>(
      rc::gen::pair(any_word(), any_word()));
  token.seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto texts = std::make_shared<const std::vector<std::string>>(
      *rc::gen::container<std::vector<std::string>>(any_site()));
  for (std::size_t i = 0; i + 1 < texts->size(); i += 2) {
    token.schedule.takes.push_back({*any_step(), Name((*texts)[i].c_str()),
                                    *rc::gen::inRange(0u, 9u), Name((*texts)[i + 1].c_str())});
    token.schedule.runs.push_back({*any_step(), *any_step()});
  }
  token.texts = texts;
  if (*rc::gen::arbitrary<bool>()) {
    token.hash =
        Hash128{*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::arbitrary<std::uint64_t>()};
  }
  return token;
}

RC_GTEST_PROP(TokenText, RoundTripsAndIsShellSafe, ()) {
  const Token token = any_token();
  const std::string text = to_string(token);
  const Result<Token> again = parse_token(text);
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == token);
  RC_ASSERT(to_string(*again) == text);
  RC_ASSERT(std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return isalnum(c) ||
           std::string_view("_-,:=+@.^/").find(static_cast<char>(c)) != std::string_view::npos;
  }));
}

RC_GTEST_PROP(TokenText, AnyEditGivesATokenOrProblems, ()) {
  std::string text = to_string(any_token());
  const int edits = *rc::gen::inRange(1, 4);
  for (int i = 0; i < edits; ++i) {
    const std::size_t at = *rc::gen::inRange<std::size_t>(0, text.size());
    text.replace(at, *rc::gen::inRange<std::size_t>(0, 3), *rc::gen::arbitrary<std::string>());
  }
  const Result<Token> result = parse_token(text);
  if (result) {
    RC_ASSERT(*parse_token(to_string(*result)) == *result);
  } else {
    for (const Problem& p : result.error()) RC_ASSERT(!p.message.empty() && !p.pointer.empty());
  }
}

TEST(TokenText, ReadsLikeThis) {
  const std::string text =
      "ids1.2.7f3a91c2.check_then_write,takeover=0@duplicate.attempts=1,arrival=single.42."
      "c0a1n0:c0k1n0,c0a1n3/find+record/0=lost_after";
  const Result<Token> token = parse_token(" " + text + "\n");
  ASSERT_TRUE(token.has_value());
  EXPECT_EQ(token->schedule.takes[0].site, Name("find record"));
  EXPECT_EQ(token->schedule.takes[0].alternative, Name("lost_after"));
  EXPECT_EQ(to_string(*token), text);
}

TEST(TokenText, EmptyPartsAreADash) {
  const Result<Token> token = parse_token("ids1.2.00000000.a@none.-.1.-");
  ASSERT_TRUE(token.has_value());
  EXPECT_EQ(to_string(*token), "ids1.2.00000000.a@none.-.1.-");
}

TEST(TokenText, ReportsEveryBrokenPart) {
  const Result<Token> token = parse_token("ids1.x.7f3a.insert_first..-1.c0a1,c0n0/a=b.hff");
  ASSERT_FALSE(token.has_value());
  std::string text;
  for (const Problem& p : token.error())
    text += p.pointer + ": " + p.message + "|" + p.nearest + "\n";
  EXPECT_EQ(
      text,
      "semantics: \"x\" is no version: expected a number|1\n"
      "scenario: \"7f3a\" is no scenario hash: expected 8 hexadecimal digits|00007f3a\n"
      "seed: \"-1\" is no seed: expected a number from 0 to 18446744073709551615|\n"
      "cell: \"insert_first\" is no cell: expected the label of a strategy, @ and the label "
      "of a fault plan, like insert_first@none|insert_first@none\n"
      "overrides: \"\" is no override: expected NAME=VALUE, like attempts=1, or - for none|-\n"
      "choices: \"c0a1\" is no choice: expected STEP:STEP, STEP/SITE/ORDINAL=ALTERNATIVE or "
      "- for none|\n"
      "choices: \"c0n0/a=b\" is no choice: expected STEP/SITE/ORDINAL=ALTERNATIVE, like "
      "c0a1n3/find+record/0=drop|\n"
      "hash: \"hff\" is no hash: expected h and 32 hexadecimal digits, or nothing|\n");
}

TEST(TokenText, OtherTextIsNoToken) {
  EXPECT_EQ(parse_token("").error()[0].pointer, "format");
  EXPECT_EQ(parse_token("ids2.1").error()[0].pointer, "format");
  EXPECT_EQ(parse_token("ids1.2.2").error()[0].pointer, "token");
  EXPECT_EQ(parse_token("ids1." + std::string(2'000'000, '.')).error().size(), 1u);
}

TEST(HistoryHash, ChangesWithEveryFieldAndIsAConstantOfTheFormat) {
  const Event plain;
  std::array<Event, 16> events;
  events[1].step.place = 1;
  events[2].at.ns = 1;
  events[3].site = "x";
  events[4].key = Value::integer(0);
  events[5].body = Value::integer(0);
  events[6].cause = 0;
  events[7].before = 0;
  events[8].read_from = 0;
  events[9].process = {1};
  events[10].type = EventType::settle;
  events[11].status = Status::done;
  events[12].fault = FaultKind::crash;
  events[13].code = 1;
  events[14].probe = true;
  events[15].protection = true;
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(hash_of(std::span(&events[i], 1)), hash_of(std::span(&events[j], 1))) << i << j;
    }
  }
  EXPECT_EQ(to_hex(hash_of(std::span(&plain, 1))), "33db1066ed5bf330c49788bbbbf19fe2");
}

}  // namespace
}  // namespace idemsim
