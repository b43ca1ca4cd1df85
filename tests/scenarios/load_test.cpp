// Good scenarios become values with all defaults; bad ones get one clear line each.
#include "scenarios/load.hpp"

#include "scenarios/digest.hpp"
#include "scenarios/document.hpp"
#include "scenarios/schema.hpp"
#include "sim/base/text.hpp"
#include "tests/scenarios/catalogue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace idemsim {
namespace {

const std::string kFolder = IDEMSIM_SOURCE_DIR "/tests/scenarios/";

const std::string kMinimal =
    R"({ "format": "idemsim.scenario/1", "name": "minimal", "operation": "create_order",
         "strategies": { "check_then_write": {} } })";

/// The example of the scenario format, with everything that can be set.
const std::string kDoubleClick = R"({ "$schema": "./idemsim.scenario.schema.json",
  "format": "idemsim.scenario/1", "name": "double_click", "about": "A user\nclicks twice.",
  "seed": 42, "operation": "charge",
  "clients": { "count": 1, "operations": 1, "arrival": "double_click", "key": "stable",
               "retry": { "timeout": "1s", "attempts": 1, "backoff": "10ms..20ms", "factor": 3 } },
  "world": { "servers": 2,
             "latency": { "client-server": "1ms..20ms", "server-db": "1ms..5ms",
                          "server-redis": "1ms..3ms", "server-provider": "2ms..60ms" },
             "database": { "dialect": "postgresql", "isolation": "read_committed" },
             "provider": { "keys": true }, "intent_after": "5ms" },
  "strategies": { "check_then_write": {}, "insert_first": { "on_in_flight": "wait" },
                  "no_takeover": { "strategy": "insert_first", "takeover": false, "lease": "5s" } },
  "faults": { "none": [], "duplicate": ["duplicate_request"],
              "slow": [{ "pause": { "by": "31s", "at_most": 2, "probability": 0.05,
                                    "at": { "site": "charge", "process": "server-1" } } },
                       { "orphaned": { "probability": "2/40", "at": { "store": "redis" } } },
                       { "delay_request": { "by": "1ms..2ms" } }] },
  "properties": ["ledgers_agree", "at_most_once"],
  "explore": { "mode": "exhaustive", "time": "bounded", "runs": 7, "steps_max": 8,
               "states_max": 9 },
  "expect": [ { "property": "at_most_once", "is": "holds" },
    { "when": { "strategies": ["check_then_write"], "faults": ["none"] },
      "property": "at_most_once", "is": "violated", "because": "toctou" } ] })";

Result<Scenario> parsed(const std::string& text) {
  return parse_scenario(text, "s.json", small_catalogue());
}
std::string problems_of(const std::string& text) {
  const Result<Scenario> result = parsed(text);
  return result ? "" : format_problems(result.error());
}

/// The minimal scenario with one more member.
std::string minimal_with(const std::string& member) {
  return kMinimal.substr(0, kMinimal.rfind('}')) + ", " + member + "}";
}

TEST(LoadScenario, TheMinimalOneHasAllDefaults) {
  const Result<Scenario> scenario = parsed(kMinimal);
  ASSERT_TRUE(scenario.has_value()) << problems_of(kMinimal);
  EXPECT_EQ(scenario->seed, 1u);
  EXPECT_EQ(scenario->operation, OperationKind::create_order);
  EXPECT_EQ(scenario->clients.retry.attempts, 3u);
  EXPECT_EQ(scenario->clients.retry.timeout, seconds(1));
  EXPECT_EQ(scenario->world.servers, 2u);
  EXPECT_EQ(scenario->world.latency.client_server, (Window{milliseconds(1), milliseconds(20)}));
  ASSERT_EQ(scenario->faults.size(), 1u);
  EXPECT_EQ(scenario->faults[0].label, "none");
  EXPECT_EQ(scenario->properties.size(), kProperties.size());
  EXPECT_EQ(scenario->explore.mode, Mode::exhaustive);
  EXPECT_EQ(scenario->explore.time, TimeModel::bounded);
  EXPECT_EQ(scenario->explore.runs, 0u);
  EXPECT_EQ(scenario->path, "s.json");
}

TEST(LoadScenario, EverySettingArrives) {
  const Result<Scenario> result = parsed(kDoubleClick);
  ASSERT_TRUE(result.has_value()) << problems_of(kDoubleClick);
  const Scenario& s = *result;
  EXPECT_EQ(s.about, "A user\nclicks twice.");
  EXPECT_EQ(s.clients.arrival, Arrival::double_click);
  EXPECT_EQ(s.clients.retry.backoff, (Window{milliseconds(10), milliseconds(20)}));
  EXPECT_EQ(s.clients.retry.backoff_factor, 3u);
  EXPECT_EQ(s.world.latency.server_provider, (Window{milliseconds(2), milliseconds(60)}));
  EXPECT_TRUE(s.world.provider_keys);
  EXPECT_EQ(s.world.intent_after, (Window{milliseconds(5), milliseconds(5)}));
  ASSERT_EQ(s.strategies.size(), 3u);
  EXPECT_EQ(s.strategies[1].strategy, "insert_first");
  EXPECT_EQ(s.strategies[2].label, "no_takeover");
  using Parameters = std::vector<std::pair<std::string, std::int64_t>>;
  EXPECT_EQ(s.strategies[1].parameters, (Parameters{{"on_in_flight", 1}}));
  EXPECT_EQ(s.strategies[2].parameters, (Parameters{{"lease", seconds(5).ns}, {"takeover", 0}}));
  ASSERT_EQ(s.faults.size(), 3u);
  const FaultSpec& pause = s.faults[2].faults[0];
  EXPECT_EQ(pause.at_most, 2u);
  EXPECT_EQ(pause.by, (Window{seconds(31), seconds(31)}));
  EXPECT_EQ(pause.site + "@" + pause.process, "charge@server-1");
  for (const FaultSpec& fault : {pause, s.faults[2].faults[1]}) {
    EXPECT_EQ(fault.probability.numerator, 1u);
    EXPECT_EQ(fault.probability.denominator, 20u);
  }
  EXPECT_EQ(s.faults[2].faults[1].store, Store::redis);
  EXPECT_EQ(s.properties, (std::vector{Property::at_most_once, Property::ledgers_agree}));
  EXPECT_EQ(s.explore.runs + s.explore.steps_max + s.explore.states_max, 24u);
  ASSERT_EQ(s.expect.size(), 2u);
  EXPECT_EQ(s.expect[1].strategies, std::vector<std::string>{"check_then_write"});
  EXPECT_EQ(s.expect[1].because, FindingKind::toctou);
  EXPECT_EQ(s.expect[1].pointer, "/expect/1");
}

TEST(LoadScenario, WritingTheDefaultsDownChangesOnlyTheBytes) {
  const Scenario plain = *parsed(kMinimal);
  const std::string spelled = minimal_with(
      R"("about": "same", "seed": 1, "protocol": "none", "faults": { "none": [] },
         "clients": { "count": 1, "operations": 1, "arrival": "single", "key": "stable",
           "retry": { "timeout": "1000ms", "attempts": 3, "backoff": "100ms", "factor": 2 } },
         "world": { "servers": 2, "latency": { "client-server": "1ms..20ms",
           "server-db": "1ms..5ms", "server-redis": "1ms..5ms", "server-provider": "1ms..5ms" },
           "database": { "dialect": "postgresql", "isolation": "read_committed" },
           "provider": { "keys": false }, "intent_after": "0ms" },
         "explore": { "mode": "exhaustive", "time": "bounded", "runs": 0, "steps_max": 10000,
           "states_max": 20000000 },
         "expect": [{ "property": "exercised", "is": "holds" }])");
  ASSERT_EQ(problems_of(spelled), "");
  const Scenario same = *parsed(spelled);
  EXPECT_EQ(canonical_text(same, small_catalogue()), canonical_text(plain, small_catalogue()));
  EXPECT_EQ(same.canonical_hash, plain.canonical_hash);
  EXPECT_NE(same.sha256, plain.sha256);
}

TEST(LoadScenario, EachSettingChangesTheCanonicalHash) {
  std::map<std::uint32_t, std::string> seen = {{parsed(kMinimal)->canonical_hash, ""}};
  for (const std::string member :
       {R"("seed": 2)", R"("clients": { "count": 2 })", R"("clients": { "key": "none" })",
        R"("clients": { "retry": { "timeout": "2s" } })", R"("world": { "servers": 3 })",
        R"("world": { "latency": { "server-db": "1ms" } })",
        R"("world": { "provider": { "keys": true } })", R"("faults": { "f": ["crash"] })",
        R"("faults": { "f": [{ "crash": { "at_most": 2 } }] })",
        R"("faults": { "f": [{ "crash": { "at": { "site": "charge" } } }] })",
        R"("faults": { "f": [{ "crash": { "at": { "process": "server-1" } } }] })",
        R"("properties": ["exercised"])", R"("explore": { "mode": "fifo" })"}) {
    const std::string text = minimal_with(member);
    ASSERT_EQ(problems_of(text), "");
    const auto [place, added] = seen.emplace(parsed(text)->canonical_hash, member);
    EXPECT_TRUE(added) << member << " and " << place->second;
  }
}

TEST(LoadScenario, TheDigestIsThatOfTheStandard) {
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(LoadScenario, AMissingFileIsOneProblemWithoutPosition) {
  const Result<Scenario> result = load_scenario("no/such.json", small_catalogue());
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(format_problems(result.error()),
            "no/such.json: cannot read the file: No such file or directory\n");
  EXPECT_EQ(format_problems(load_scenario(kFolder, small_catalogue()).error()),
            kFolder + ": cannot read the file: Is a directory\n");
}

/// The golden table `bad/expected.txt`: one line per file, sorted by name of the file.
std::map<std::string, std::string> expected_lines() {
  std::map<std::string, std::string> lines;
  std::ifstream file(kFolder + "bad/expected.txt");
  for (std::string line; std::getline(file, line);) lines[line.substr(0, line.find(':'))] = line;
  return lines;
}

TEST(BadScenario, EachGetsExactlyTheOneLineExpected) {
  const std::map<std::string, std::string> expected = expected_lines();
  ASSERT_GE(expected.size(), 30u);
  std::map<std::string, std::string> actual;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder + "bad")) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().filename().string();
    const Result<std::string> bytes = read_file(entry.path().string());
    ASSERT_TRUE(bytes.has_value());
    const Result<Scenario> result = parse_scenario(*bytes, name, small_catalogue());
    ASSERT_FALSE(result.has_value()) << name;
    std::string text = format_problems(result.error());
    text.pop_back();
    actual[name] = text;
    const auto line = expected.find(name);
    EXPECT_EQ(text, line == expected.end() ? "" : line->second);
    EXPECT_GT(result.error()[0].line, 0) << name;
  }
  EXPECT_EQ(actual.size(), expected.size());
}

TEST(BadScenario, AllProblemsComeAtOnceInTheOrderOfTheFile) {
  EXPECT_EQ(problems_of("{ \"format\": \"idemsim.scenario/1\", \"name\": 7,\n"
                        "  \"operation\": \"charge\", \"sed\": 1,\n"
                        "  \"strategies\": { \"chek_then_write\": {},\n"
                        "    \"insert_first\": { \"takeover\": \"5s\", \"lease\": \"5\" } },\n"
                        "  \"explore\": { \"time\": \"sampled\" },\n"
                        "  \"expect\": [{ \"property\": \"exercised\", \"is\": \"hold\" }] }\n"),
            "s.json:1:43: /name: expected text, found number 7\n"
            "s.json:2:26: /sed: unknown field \"sed\": expected one of $schema, format, name, "
            "about, seed, operation, protocol, clients, world, strategies, faults, properties, "
            "explore or expect; did you mean \"seed\"?\n"
            "s.json:3:19: /strategies/chek_then_write: unknown strategy \"chek_then_write\": "
            "expected one of check_then_write, insert_first or no_key; did you mean "
            "\"check_then_write\"?\n"
            "s.json:4:35: /strategies/insert_first/takeover: expected true or false, found text "
            "\"5s\"\n"
            "s.json:4:50: /strategies/insert_first/lease: duration \"5\" has no unit: expected an "
            "integer and a unit (ns us ms s m h d); did you mean \"5ms\"?\n"
            "s.json:5:24: /explore/time: an exhaustive search cannot sample latencies: expected "
            "bounded or asynchronous, or mode fifo or random\n"
            "s.json:6:47: /expect/0/is: unknown verdict \"hold\": expected one of holds, violated "
            "or not_violated; did you mean \"holds\"?\n");
}

TEST(BadScenario, TenMegabytesOfNestingFailFast) {
  EXPECT_EQ(problems_of(std::string(10'000'000, '[')),
            "s.json:1:1: the file is too large: expected at most 1048576 bytes\n");
  EXPECT_EQ(problems_of(std::string(1'000'000, '[')),
            "s.json:1:65: the nesting is too deep: expected at most 64 levels\n");
}

TEST(BadScenario, AMegabyteOfProblemsIsCutShort) {
  std::string keys = "{\"a\":0";
  std::string duplicates = "{\"a\":0";
  for (int i = 0; i < 60'000; ++i) {
    keys += ",\"k" + std::to_string(i) + "\":0";
    duplicates += ",\"a\":0";
  }
  EXPECT_EQ(parsed(keys + "}").error().size(), 51u);
  EXPECT_EQ(parsed(duplicates + "}").error().size(), 50u);
}

/// Edits at random places: bytes replaced, removed, doubled, and words of the format put in.
std::string mutated(std::string text) {
  const int edits = *rc::gen::inRange(1, 5);
  for (int i = 0; i < edits && !text.empty(); ++i) {
    const std::size_t at = *rc::gen::inRange<std::size_t>(0, text.size());
    const std::size_t size = *rc::gen::inRange<std::size_t>(0, 12);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        text[at] = *rc::gen::arbitrary<char>();
        break;
      case 1:
        text.erase(at, size);
        break;
      case 2:
        text.insert(at, text.substr(at, size * 8));
        break;
      default:
        text.insert(at, *rc::gen::element<std::string>("null", "[]", "{}", "\"strategy\"", "-1",
                                                       "1e9", ",", ":", "\"31s\"", "\"crash\"",
                                                       "true", "[\"none\"]", "{\"by\":\"1s\"}"));
    }
  }
  return text;
}

RC_GTEST_PROP(BadScenario, AnyEditLoadsOrGivesProblemsWithPosition, ()) {
  const std::string text = mutated(kDoubleClick);
  const Result<Scenario> result = parsed(text);
  if (result) return;
  RC_ASSERT(!result.error().empty());
  for (const Problem& problem : result.error()) {
    RC_ASSERT(problem.line > 0);
    RC_ASSERT(problem.column > 0);
    RC_ASSERT(!problem.message.empty());
  }
  const std::string lines = format_problems(result.error());
  RC_ASSERT(static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n')) ==
            result.error().size());
}

/// Values of every kind, to be put in place of a good one.
std::string any_value() {
  return *rc::gen::element<std::string>("null", "true", "0", "-1", "1.5", "99999999999", "\"\"",
                                        "\"none\"", "\"1s\"", "\"crash\"", "[]", "[null]", "{}",
                                        "{\"x\": 1}", "[\"at_most_once\"]", "[{\"pause\": {}}]");
}

RC_GTEST_PROP(Schema, AgreesWithTheMessages, ()) {
  // Replace one value of the good scenario, so that it stays valid JSON.
  std::vector<std::size_t> colons;
  for (std::size_t i = 0; i + 1 < kDoubleClick.size(); ++i) {
    if (kDoubleClick[i] == '"' && kDoubleClick[i + 1] == ':') colons.push_back(i + 2);
  }
  const std::size_t start = *rc::gen::elementOf(colons);
  std::size_t end = start;
  int depth = 0;
  bool quoted = false;
  for (; depth > 0 || quoted || (kDoubleClick[end] != ',' && kDoubleClick[end] != '}'); ++end) {
    const char c = kDoubleClick[end];
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '{' || c == '[')) ++depth;
    if (!quoted && (c == '}' || c == ']')) --depth;
  }
  const std::string text =
      kDoubleClick.substr(0, start) + " " + any_value() + kDoubleClick.substr(end);
  const Result<Scenario> result = parsed(text);
  const std::vector<std::string> opinions = judge(text, schema_text(small_catalogue()));
  if (result) {
    RC_ASSERT(opinions.empty());
  } else {
    // The walk must find what the schema refuses; Valijson speaks only where it found nothing.
    for (const Problem& p : result.error()) {
      RC_ASSERT(p.message.find("the schema refuses") == std::string::npos);
    }
  }
}

TEST(Schema, AcceptsTheExampleAndRefusesWhatIsUnknown) {
  const std::string schema = schema_text(small_catalogue());
  EXPECT_TRUE(judge(kDoubleClick, schema).empty());
  EXPECT_TRUE(judge(kMinimal, schema).empty());
  EXPECT_FALSE(judge(minimal_with("\"sed\": 1"), schema).empty());
  EXPECT_FALSE(judge(minimal_with("\"faults\": {\"f\": [{\"pause\": {}}]}"), schema).empty());
  EXPECT_FALSE(judge(minimal_with("\"faults\": {\"f\": [\"pause\"]}"), schema).empty());
}

TEST(Schema, ClosesEveryObjectAndUsesNeitherPatternsNorOneOf) {
  const std::string schema = schema_text(small_catalogue());
  EXPECT_EQ(schema, schema_text(small_catalogue()));
  EXPECT_TRUE(parse_document(schema, "schema").has_value());
  EXPECT_EQ(schema.find("\"pattern"), std::string::npos);
  EXPECT_EQ(schema.find("\"oneOf\""), std::string::npos);
  EXPECT_NE(schema.find("\"http://json-schema.org/draft-07/schema#\""), std::string::npos);
}

TEST(Schema, RefusesTheStructureOfBadFilesToo) {
  // An editor with the schema marks these as well; units and labels are beyond a schema.
  const std::string schema = schema_text(small_catalogue());
  for (const std::string name : {"unknown_field",
                                 "unknown_strategy",
                                 "unknown_strategy_inside",
                                 "unknown_parameter",
                                 "parameter_of_another_strategy",
                                 "unknown_fault",
                                 "unknown_fault_inside",
                                 "no_servers",
                                 "at_most_zero",
                                 "pause_without_by",
                                 "pause_without_length",
                                 "empty_matrix",
                                 "no_columns",
                                 "two_faults_in_one",
                                 "seed_is_text",
                                 "boolean_is_a_duration",
                                 "protocol",
                                 "expect_without_verdict",
                                 "property_twice",
                                 "probability_two"}) {
    const Result<std::string> bytes = read_file(kFolder + "bad/" + name + ".json");
    ASSERT_TRUE(bytes.has_value()) << name;
    EXPECT_FALSE(judge(*bytes, schema).empty()) << name;
  }
}

}  // namespace
}  // namespace idemsim
