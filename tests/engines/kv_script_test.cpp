// Scripts and stalls, fact by fact (R3, R11, R12 and R13 of the recordings).
#include "tests/engines/kv_server.hpp"

#include <gtest/gtest.h>

#include <string>

namespace idemsim::kv {
namespace {

const Value kKey = Value::key(1);
const Value kOther = Value::key(2);
const Value kOne = Value::integer(1);

Script endless(std::vector<ScriptStep> steps) {
  return {.id = 7, .steps = std::move(steps), .runs_for = kForever};
}

/// Lets the clock run to the next late answer and returns it.
std::string next_answer(Connected& store) {
  const std::optional<Instant> at = store.server.next_wake();
  if (!at) return "never";
  store.now = std::max(store.now, *at);
  const auto released = store.server.wake({store.now, step(++store.steps)}, store.touched);
  return released ? std::to_string(released->session.number) + ": " + to_text(released->answer)
                  : "nobody";
}

TEST(KvScriptTest, AnErrorEndsAScriptAndUndoesNothing) {
  Connected store;
  store.ask(kA, set(kOther, Value::word("text")));
  const Script script{.steps = {{set(kKey, kOne)}, {incr(kOther)}, {set(kOther, kOne)}}};
  EXPECT_EQ(store.ask(kA, eval(script)), "ERR value is not an integer");
  EXPECT_EQ(store.ask(kA, get(kKey)), "1");
  EXPECT_EQ(store.ask(kA, get(kOther)), "text");
}

TEST(KvScriptTest, ValuesOfScriptsLoseTheirFractionsAndWhatFollowsANil) {
  Connected store;
  const auto value = [&](ScriptValue v) {
    return store.ask(kA, eval({.result = Script::Result::value, .values = {v}}));
  };
  EXPECT_EQ(value(ScriptValue::boolean(1)), "1");
  EXPECT_EQ(value(ScriptValue::boolean(0)), "nil");
  EXPECT_EQ(value({ScriptValue::Kind::number, 399, 100}), "3");
  const std::vector<ScriptValue> table{ScriptValue::number(1), {}, ScriptValue::number(3)};
  EXPECT_EQ(store.ask(kA, eval({.result = Script::Result::table, .values = table})), "[1]");
}

TEST(KvScriptTest, TheClockOfAScriptStandsStillAndTheServersDoesNot) {
  Connected store;
  store.ask(kA, set(kKey, kOne).px(milliseconds(30)));
  const Script slow{.steps = {{exists(kKey)}}, .runs_for = milliseconds(80)};
  EXPECT_EQ(store.ask(kA, eval(slow)), "parked");
  EXPECT_EQ(next_answer(store), "1: 1");
  EXPECT_EQ(store.now, Instant{} + milliseconds(80));
  EXPECT_EQ(store.ask(kA, exists(kKey)), "0");
}

TEST(KvScriptTest, ADigestIsKnownFromLoadOrEvalUntilTheFlush) {
  Connected store;
  const Script script{.id = 7, .steps = {{get(kKey)}}};
  EXPECT_EQ(store.ask(kA, evalsha(script)), "NOSCRIPT no matching script");
  store.ask(kA, script_load(7));
  EXPECT_EQ(store.ask(kB, evalsha(script)), "nil");
  store.ask(kA, Action::script_flush);
  EXPECT_EQ(store.ask(kB, evalsha(script)), "NOSCRIPT no matching script");
  store.ask(kA, eval(script));
  EXPECT_EQ(store.ask(kB, evalsha(script)), "nil");
}

TEST(KvScriptTest, OthersOfALongScriptWaitThenLearnThatTheServerIsBusy) {
  Connected store;
  EXPECT_EQ(store.ask(kA, eval(endless({}))), "parked");
  EXPECT_EQ(store.ask(kB, get(kKey)), "parked");
  EXPECT_EQ(next_answer(store), "2: BUSY busy running a script");
  EXPECT_EQ(store.now, Instant{} + seconds(5));
  EXPECT_EQ(store.ask(kB, get(kKey)), "BUSY busy running a script");
}

TEST(KvScriptTest, AScriptThatHasNotWrittenCanBeKilled) {
  Connected store;
  store.ask(kA, eval(endless({{get(kKey)}})));
  store.wait(seconds(5));
  EXPECT_EQ(store.ask(kB, Action::script_kill), "OK");
  EXPECT_EQ(next_answer(store), "1: ERR script killed by user");
  EXPECT_EQ(store.ask(kB, get(kKey)), "nil");
}

TEST(KvScriptTest, AScriptThatHasWrittenCannotBeKilled) {
  Connected store;
  store.ask(kA, eval(endless({{set(kKey, kOne)}})));
  store.wait(seconds(5));
  EXPECT_EQ(store.ask(kB, Action::script_kill), "UNKILLABLE the script has already written");
  EXPECT_EQ(next_answer(store), "never");
}

TEST(KvScriptTest, ALockExpiresDuringAStall) {
  Connected store;
  store.ask(kA, set(kKey, kOne).nx().px(milliseconds(250)));
  EXPECT_EQ(store.ask(kB, stall(Action::sleep, milliseconds(600))), "parked");
  EXPECT_EQ(store.ask(kA, get(kKey)), "parked");
  EXPECT_EQ(next_answer(store), "2: OK");
  EXPECT_EQ(next_answer(store), "1: nil");
}

TEST(KvScriptTest, APauseOfWritesLetsReadsThroughAndHidesDeadKeysWithoutDeletingThem) {
  Connected store;
  store.ask(kA, set(kKey, kOne).px(milliseconds(250)));
  EXPECT_EQ(store.ask(kB, stall(Action::pause_writes, milliseconds(700))), "OK");
  EXPECT_EQ(store.ask(kA, get(kKey)), "1");
  EXPECT_EQ(store.ask(kB, set(kOther, kOne)), "parked");
  store.wait(milliseconds(300));
  EXPECT_EQ(store.ask(kA, get(kKey)), "nil");
  EXPECT_EQ(store.server.engine().stored(), 1u);
  EXPECT_EQ(next_answer(store), "2: OK");
  EXPECT_EQ(store.now, Instant{} + milliseconds(700));
}

TEST(KvScriptTest, AStallIsPartOfTheStateAndConflictsWithEverything) {
  Connected store;
  const Hash128 before = store.hash();
  store.ask(kB, stall(Action::sleep, milliseconds(600)));
  EXPECT_NE(store.hash(), before);
  const Footprint stalled = store.touched;
  Connected other;
  other.ask(kA, get(kKey));
  EXPECT_TRUE(conflict(stalled, other.touched));
}

TEST(KvScriptTest, AClientThatLeavesIsNotAnswered) {
  Connected store;
  store.ask(kB, stall(Action::sleep, milliseconds(600)));
  store.ask(kA, set(kKey, kOne));
  store.server.leave(kA, store.touched);
  EXPECT_EQ(next_answer(store), "2: OK");
  EXPECT_EQ(next_answer(store), "never");
  EXPECT_EQ(store.ask(kB, get(kKey)), "nil");
}

}  // namespace
}  // namespace idemsim::kv
