// The replay of recorded cases must be able to fail: falsified and unmodelled cases are told apart.
#include "tests/engines/case.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace idemsim::tests {
namespace {

using nlohmann::json;
using Status = CaseOutcome::Status;

json status_ok() { return {{"kind", "ok"}, {"reply", {{"type", "status"}, {"value", "OK"}}}}; }
json integer(int n) { return {{"kind", "ok"}, {"reply", {{"type", "int"}, {"value", n}}}}; }

json by(const char* session, json argv, json outcome) {
  return {{"session", session},
          {"op", {{"op", "redis"}}},
          {"argv", std::move(argv)},
          {"command", "recorded"},
          {"outcome", std::move(outcome)}};
}

json control(json op) {
  return {{"session", "@"}, {"op", std::move(op)}, {"outcome", {{"kind", "ok"}}}};
}

json recorded(json steps) {
  return {{"servers", {{"m", json::object()}}},
          {"setup", {{"commands", json::array()}}},
          {"steps", std::move(steps)},
          {"final", json::array()}};
}

const json kSet = by("A", {"SET", "k", "v", "PX", 100}, status_ok());

TEST(RedisCaseTest, ATrueRecordingPasses) {
  const json steps{kSet, control({{"op", "clock"}, {"advance_ms", 40}}),
                   by("B", {"PTTL", "k"}, integer(60))};
  EXPECT_EQ(run_redis_case(recorded(steps)).status, Status::passed);
}

TEST(RedisCaseTest, AFalseReplyIsReportedWithItsStep) {
  const json steps{kSet, by("B", {"PTTL", "k"}, integer(99))};
  const CaseOutcome outcome = run_redis_case(recorded(steps));
  EXPECT_EQ(outcome.status, Status::differs);
  EXPECT_TRUE(outcome.text.starts_with("step 1 (recorded): expected")) << outcome.text;
}

TEST(RedisCaseTest, AFalseFinalStateIsReported) {
  json lie = recorded({kSet});
  lie["final"] =
      json::array({{{"query", "GET k"}, {"argv", {"GET", "k"}}, {"reply", {{"type", "nil"}}}}});
  EXPECT_EQ(run_redis_case(lie).status, Status::differs);
}

TEST(RedisCaseTest, AHeldRequestRunsWhenTheLinkPasses) {
  const json held{{"kind", "blocked"}, {"released_by_step", 3}, {"then", integer(0)}};
  const json steps{control({{"op", "hold_request"}, {"target", "A"}}), by("A", {"DEL", "k"}, held),
                   by("B", {"EXISTS", "k"}, integer(0)),
                   control({{"op", "pass"}, {"target", "A"}})};
  EXPECT_EQ(run_redis_case(recorded(steps)).status, Status::passed);
}

TEST(RedisCaseTest, AHeldRequestThatIsReleasedAtAnotherStepDiffers) {
  const json held{{"kind", "blocked"}, {"released_by_step", 2}, {"then", integer(0)}};
  const json steps{control({{"op", "hold_request"}, {"target", "A"}}), by("A", {"DEL", "k"}, held),
                   by("B", {"EXISTS", "k"}, integer(0)),
                   control({{"op", "pass"}, {"target", "A"}})};
  EXPECT_EQ(run_redis_case(recorded(steps)).status, Status::differs);
}

TEST(RedisCaseTest, ADroppedReplyHidesAnExecutedCommandAndADroppedRequestDoesNot) {
  const json lost{{"kind", "connection_lost"}};
  const json steps{control({{"op", "drop_reply"}, {"target", "A"}}),
                   by("A", {"INCR", "k"}, lost),
                   control({{"op", "drop_request"}, {"target", "B"}}),
                   by("B", {"INCR", "k"}, lost),
                   control({{"op", "reconnect"}, {"target", "A"}}),
                   by("A", {"INCR", "k"}, integer(2)),
                   by("B", {"INCR", "k"}, lost)};
  EXPECT_EQ(run_redis_case(recorded(steps)).status, Status::passed);
}

TEST(RedisCaseTest, AnUnmodelledCommandIsNotCoveredAndNamed) {
  const CaseOutcome outcome =
      run_redis_case(recorded(json::array({by("A", {"GETRANGE", "k", 0, 1}, status_ok())})));
  EXPECT_EQ(outcome.status, Status::not_covered);
  EXPECT_EQ(outcome.text, "the command GETRANGE is not modelled here");
}

TEST(RedisCaseTest, AnUnknownScriptIsNotCovered) {
  const json steps = json::array({by("A", {"EVAL", "return 1", 1, "k", "v"}, integer(1))});
  EXPECT_EQ(run_redis_case(recorded(steps)).status, Status::not_covered);
}

TEST(RedisCaseTest, AnUnmodelledSettingIsNotCoveredAndNamed) {
  json other = recorded(json::array());
  other["servers"]["m"]["io-threads"] = "4";
  EXPECT_EQ(run_redis_case(other).text, "the server setting io-threads is not modelled");
}

TEST(RedisCaseTest, AWriteThatIsHeldOnItsWayToTheReplicaIsNotThereAfterAFailover) {
  const auto on_server = [](const char* op) { return json{{"op", op}, {"server", "r"}}; };
  json two = recorded(json::array({control(on_server("hold_link")), kSet,
                                   control({{"op", "kill9"}, {"server", "m"}}),
                                   control({{"op", "replicaof"}, {"server", "r"}, {"of", nullptr}}),
                                   by("B", {"EXISTS", "k"}, integer(0))}));
  two["servers"]["r"] = {{"replicaof", "m"}};
  two["session_server"] = {{"A", "m"}, {"B", "r"}};
  EXPECT_EQ(run_redis_case(two).status, Status::passed);
  two["steps"].erase(0);
  EXPECT_EQ(run_redis_case(two).status, Status::differs);
}

}  // namespace
}  // namespace idemsim::tests
