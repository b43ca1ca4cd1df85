// Restarts, fact by fact (R16 to R18 of the recordings).
#include "tests/engines/kv_server.hpp"

#include <gtest/gtest.h>

namespace idemsim::kv {
namespace {

const Value kOld = Value::key(1);
const Value kNew = Value::key(2);
const Value kOne = Value::integer(1);

ServerOptions with(Log log, Duration sync_takes = milliseconds(1)) {
  ServerOptions options;
  options.disk = {log, false, sync_takes};
  return options;
}

void restart(Connected& store, Stop how) {
  store.touched.clear();
  store.server.restart(how, store.now, store.touched);
}

std::string both(Connected& store) {
  return store.ask(kA, get(kOld)) + " " + store.ask(kA, get(kNew));
}

/// One write, some time, one write, an end.
std::string after(const ServerOptions& options, Duration between, Stop how) {
  Connected store(options);
  store.ask(kA, set(kOld, kOne));
  store.wait(between);
  store.ask(kA, set(kNew, kOne));
  restart(store, how);
  return both(store);
}

TEST(KvDiskTest, WithoutPersistenceNothingIsLeft) {
  EXPECT_EQ(after({}, seconds(1), Stop::orderly), "nil nil");
}

TEST(KvDiskTest, AServerWithoutSyncsSurvivesItsDeathButNotAPowerLoss) {
  EXPECT_EQ(after(with(Log::no_sync), milliseconds(2300), Stop::killed), "1 1");
  EXPECT_EQ(after(with(Log::no_sync), milliseconds(2300), Stop::power_loss), "nil nil");
}

TEST(KvDiskTest, WithASyncASecondAPowerLossLosesTheLastSecond) {
  EXPECT_EQ(after(with(Log::every_second), milliseconds(2300), Stop::killed), "1 1");
  EXPECT_EQ(after(with(Log::every_second), milliseconds(2300), Stop::power_loss), "1 nil");
  EXPECT_EQ(after(with(Log::every_second), milliseconds(300), Stop::power_loss), "nil nil");
}

TEST(KvDiskTest, WhileASlowSyncRunsWritesAreOnlyInMemory) {
  const ServerOptions slow = with(Log::every_second, milliseconds(1500));
  EXPECT_EQ(after(slow, milliseconds(1300), Stop::killed), "1 nil");
  EXPECT_EQ(after(slow, milliseconds(900), Stop::killed), "1 1");
}

TEST(KvDiskTest, WritesAreNotHeldBackForMoreThanTwoSeconds) {
  Connected store(with(Log::every_second, seconds(60)));
  store.ask(kA, set(kOld, kOne));
  store.wait(milliseconds(1300));
  store.ask(kA, set(kNew, kOne));
  store.wait(milliseconds(2000));
  restart(store, Stop::killed);
  EXPECT_EQ(both(store), "1 1");
}

TEST(KvDiskTest, ASyncForEachWriteDelaysItsAnswerAndLosesNothing) {
  Connected store(with(Log::always, milliseconds(500)));
  EXPECT_EQ(store.ask(kA, set(kOld, kOne)), "parked");
  EXPECT_EQ(store.server.next_wake(), Instant{} + milliseconds(500));
  store.wait(milliseconds(500));
  const auto released = store.server.wake({store.now, step(99)}, store.touched);
  ASSERT_TRUE(released);
  EXPECT_EQ(to_text(released->answer), "OK");
  restart(store, Stop::power_loss);
  EXPECT_EQ(both(store), "1 nil");
}

TEST(KvDiskTest, ATransactionIsLostWholeOrKeptWhole) {
  Connected store(with(Log::every_second, milliseconds(1500)));
  store.ask(kA, set(kOld, Value::integer(7)));
  store.wait(milliseconds(1300));
  store.ask(kA, Action::multi);
  store.ask(kA, set(kOld, kOne));
  store.ask(kA, set(kNew, kOne));
  store.ask(kA, Action::exec);
  restart(store, Stop::killed);
  EXPECT_EQ(both(store), "7 nil");
}

TEST(KvDiskTest, ATtlRunsWhileTheServerIsDown) {
  Connected store(with(Log::no_sync));
  store.ask(kA, set(kOld, kOne).px(seconds(5)));
  restart(store, Stop::killed);
  store.wait(seconds(2));
  EXPECT_EQ(store.ask(kA, pttl(kOld)), "3000");
  store.wait(seconds(4));
  EXPECT_EQ(store.ask(kA, get(kOld)), "nil");
}

TEST(KvDiskTest, ASnapshotKeepsWhatWasThereWhenItWasSaved) {
  ServerOptions options;
  options.disk.saves = true;
  Connected store(options);
  store.ask(kA, set(kOld, kOne));
  store.ask(kA, Action::save);
  store.ask(kA, set(kNew, kOne));
  restart(store, Stop::killed);
  EXPECT_EQ(both(store), "1 nil");
  store.ask(kA, set(kNew, kOne));
  restart(store, Stop::orderly);
  EXPECT_EQ(both(store), "1 1");
}

TEST(KvDiskTest, AfterASnapshotThatFailedWritesAndDeletionsAreRefused) {
  ServerOptions options;
  options.disk.saves = true;
  Connected store(options);
  store.ask(kA, set(kOld, kOne));
  store.server.break_disk();
  EXPECT_EQ(store.ask(kA, Action::save_later), "OK");
  const std::string refused = "MISCONF the last snapshot could not be saved";
  EXPECT_EQ(store.ask(kA, set(kNew, kOne).nx()), refused);
  EXPECT_EQ(store.ask(kA, del(kOld)), refused);
  EXPECT_EQ(store.ask(kA, get(kOld)), "1");
}

TEST(KvDiskTest, ARestartForgetsConnectionsAndScripts) {
  Connected store(with(Log::no_sync));
  store.ask(kA, script_load(7));
  store.ask(kA, Action::multi);
  restart(store, Stop::orderly);
  EXPECT_EQ(store.ask(kA, evalsha({.id = 7})), "NOSCRIPT no matching script");
}

TEST(KvDiskTest, ARestartEndsAPauseAndDeadKeysAreDeletedAgain) {
  Connected store(with(Log::no_sync));
  store.ask(kA, set(kOld, kOne).px(milliseconds(100)));
  store.ask(kA, stall(Action::pause, seconds(9)));
  restart(store, Stop::killed);
  store.wait(milliseconds(101));
  EXPECT_EQ(store.ask(kA, get(kOld)), "nil");
  EXPECT_EQ(store.server.engine().stored(), 0u);
}

TEST(KvDiskTest, WhatIsNotSyncedYetIsPartOfTheState) {
  Connected early(with(Log::every_second));
  Connected late(with(Log::every_second));
  early.ask(kA, set(kOld, kOne));
  late.ask(kA, get(kOld));
  for (Connected* store : {&early, &late}) store->wait(milliseconds(1500));
  early.ask(kA, get(kOld));
  late.ask(kA, set(kOld, kOne));
  EXPECT_EQ(early.ask(kA, get(kOld)), late.ask(kA, get(kOld)));
  EXPECT_NE(early.hash(), late.hash());
}

}  // namespace
}  // namespace idemsim::kv
