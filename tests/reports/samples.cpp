// The literal results: numbers are invented, their shapes are those of real campaigns.
#include "tests/reports/samples.hpp"

#include <initializer_list>
#include <utility>

namespace idemsim::samples {
namespace {

constexpr std::int64_t ms(std::int64_t n) { return n * 1'000'000; }

/// A cell whose search was exhausted and in which every property holds.
CellResult holding_cell(const std::string& strategy, const std::string& faults,
                        std::uint64_t executions) {
  CellResult cell;
  cell.id = strategy + "@" + faults;
  cell.strategy = cell.strategy_name = strategy;
  cell.faults = faults;
  cell.exhausted = true;
  cell.executions = executions;
  cell.pruned = executions * 2;
  cell.states = executions * 17 + 3;
  cell.steps = executions * 31;
  for (const Property property : kProperties) {
    PropertyOutcome outcome;
    outcome.property = property;
    outcome.verdict = Verdict::holds;
    cell.properties.push_back(outcome);
  }
  return cell;
}

PropertyOutcome& outcome(CellResult& cell, Property property) {
  return cell.properties[static_cast<std::size_t>(property)];
}

void expect(CellResult& cell, Property property, Expectation::Is is, std::optional<bool> met) {
  outcome(cell, property).expect = is;
  outcome(cell, property).met = met;
}

void violate(CellResult& cell, Property property, std::uint64_t violations,
             const std::string& finding) {
  PropertyOutcome& it = outcome(cell, property);
  it.verdict = Verdict::violated;
  it.violations = violations;
  it.finding = finding;
}

TraceEvent event(std::int64_t at_ms, const char* process, EventType type, const char* site,
                 const char* text) {
  TraceEvent made;
  made.at_ns = ms(at_ms);
  made.process = process;
  made.type = type;
  made.site = site;
  made.text = text;
  return made;
}

/// Numbers the events and joins each to the one before it in its process and to its sender.
void link(Trace& trace) {
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    TraceEvent& it = trace.events[i];
    it.n = static_cast<std::uint32_t>(i + 1);
    for (std::size_t j = i; j-- > 0;) {
      if (trace.events[j].process != it.process) continue;
      it.hb.push_back(trace.events[j].n);
      break;
    }
    if (it.message_from != 0) it.hb.push_back(it.message_from);
  }
}

Trace double_click_trace() {
  using enum EventType;
  Trace trace{
      "t1", {"client-1", "server-1", "server-2"}, "6f1d2c0b9a8877665544332211009f3e", true, {}};
  trace.events = {
      event(0, "client-1", invoke, "click", "POST K1"),
      event(0, "client-1", invoke, "click", "POST K1"),
      event(4, "server-1", receive, "receive", "receive K1"),
      event(5, "server-2", receive, "receive", "receive K1"),
      event(7, "server-1", step, "find record", "SELECT ref FROM payments WHERE key=K1 → 0 rows"),
      event(8, "server-2", step, "find record", "SELECT ref FROM payments WHERE key=K1 → 0 rows"),
      event(9, "server-1", effect, "charge", "charge 4200 → ch_1"),
      event(12, "server-1", step, "record", "INSERT INTO payments (K1, ch_1) → 1 row"),
      event(14, "server-2", effect, "charge", "charge 4200 → ch_2"),
      event(17, "server-2", step, "record", "INSERT INTO payments (K1, ch_2) → 1 row"),
      event(19, "client-1", ok, "response", "done ch_1"),
      event(23, "client-1", ok, "response", "done ch_2"),
  };
  trace.events[2].message_from = 1;
  trace.events[3].message_from = 2;
  trace.events[10].message_from = 8;
  trace.events[11].message_from = 10;
  trace.events[6].guilty = trace.events[8].guilty = true;
  link(trace);
  return trace;
}

Finding double_click_finding() {
  Finding f;
  f.id = "f1";
  f.fingerprint = "at_most_once/toctou/find record/charge";
  f.property = Property::at_most_once;
  f.kind = FindingKind::toctou;
  f.cell = "check_then_write@none";
  f.token = "ids1.2.7f3a91c2.check_then_write@none..42.c0o0a1n3~c0o0a0n5.h6f1d2c0b";
  f.choices = f.preemptions = 1;
  f.shrunk = {5, 1, 34, true};
  f.executions = 18;
  f.expected = true;
  f.headline = "operation 1 charged twice: ch_1 (#7) and ch_2 (#9)";
  f.race = Race{6, 8, 9, 5, 7, ms(5), ms(6), "server-1 (A)", "server-2 (B)"};
  f.text = {
      "B checked K1 at #6 (8.0 ms) and was told \"0 rows\".",
      "A had checked at #5, but its record was visible only from #8 (12.0 ms): B's check fell "
      "inside A's 5.0 ms gap between check and record.",
      "However, B used that answer at #9 (14.0 ms), after A's effect #7: for 6.0 ms B relied on a "
      "fact that nothing was protecting.",
  };
  f.fix = "make check and claim one atomic step (see strategy insert_first)";
  f.counterfactual =
      Counterfactual{"had #8 come before #6", "B would have answered the stored response ch_1",
                     "ids1.2.7f3a91c2.check_then_write@none..42.c0o0a1n3~c0o0a0n6.h0c44d1aa"};
  f.trace = "t1";
  return f;
}

CampaignResult empty_result(const std::string& name) {
  CampaignResult result;
  result.tool_version = "0.1.0";
  result.scenario_name = name;
  result.scenario_path = "scenarios/" + name + ".json";
  result.scenario_sha256 = "7f3a91c2b1d5e60f7f3a91c2b1d5e60f7f3a91c2b1d5e60f7f3a91c2b1d5e60f";
  result.seed = 42;
  result.meta = {812, 2, "2024-05-01T10:00:00Z"};
  return result;
}

}  // namespace

CampaignResult double_click() {
  CampaignResult result = empty_result("double_click");
  result.scenario_about = "A user clicks twice; both requests carry the same key.";
  result.verdict = Verdict::violated;
  result.strategy_labels = {"check_then_write", "insert_first", "optimistic_lock"};
  result.fault_labels = {"none", "duplicate"};
  const std::initializer_list<std::pair<std::uint64_t, std::uint64_t>> sizes = {
      {20, 1482}, {20, 1671}, {36, 2310}};
  std::size_t row = 0;
  for (const auto& [quiet, duplicated] : sizes) {
    const std::string& strategy = result.strategy_labels[row++];
    result.cells.push_back(holding_cell(strategy, "none", quiet));
    result.cells.push_back(holding_cell(strategy, "duplicate", duplicated));
  }
  for (CellResult& cell : result.cells) {
    expect(cell, Property::at_most_once, Expectation::Is::holds, true);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    CellResult& cell = result.cells[i];
    violate(cell, Property::at_most_once, i == 0 ? 18 : 1204, i == 0 ? "f1" : "f2");
    violate(cell, Property::stable_response, i == 0 ? 18 : 1204, "");
    for (const Property property : {Property::at_most_once, Property::stable_response}) {
      expect(cell, property, Expectation::Is::violated, true);
    }
    outcome(cell, Property::at_most_once).expect_because = FindingKind::toctou;
  }
  result.cells[2].params = {{"on_in_flight", "conflict"}};
  result.findings = {double_click_finding(), double_click_finding()};
  Finding& second = result.findings[1];
  second.id = "f2";
  second.cell = "check_then_write@duplicate";
  second.token = "ids1.2.7f3a91c2.check_then_write@duplicate..42.c0o0a0n1:duplicate.h2b90ffe1";
  second.faults = second.choices = 1;
  second.executions = 1204;
  result.traces = {double_click_trace()};
  result.expectations_met = 8;
  return result;
}

namespace {

Trace crash_trace() {
  using enum EventType;
  Trace trace{
      "t1", {"client-1", "server-1", "server-2"}, "00112233445566778899aabbccddeeff", false, {}};
  trace.events = {
      event(0, "client-1", invoke, "send", "POST K1"),
      event(1, "server-1", receive, "receive", "receive K1"),
      event(3, "server-1", step, "insert record",
            "INSERT INTO idempotency (key, state) VALUES (K1, 'started') ON CONFLICT DO NOTHING → "
            "1 row"),
      event(5, "server-1", effect, "charge", "charge 4200 → ch_1"),
      event(5, "server-1", fault, "crash", "crash"),
      event(1000, "client-1", info, "timeout", "no answer within 1.0 s"),
      event(1100, "client-1", invoke, "send", "POST K1 (attempt 2)"),
      event(1101, "server-2", receive, "receive", "receive K1"),
      event(1103, "server-2", step, "find record",
            "SELECT state FROM idempotency WHERE key=K1 → 'started'"),
      event(1107, "server-2", effect, "charge", "charge 4200 → ch_2"),
      event(1110, "client-1", ok, "response", "done ch_2"),
  };
  trace.events[1].message_from = 1;
  trace.events[7].message_from = 7;
  trace.events[10].message_from = 10;
  trace.events[8].read_from = 3;
  trace.events[4].fault = true;
  trace.events[3].guilty = trace.events[9].guilty = true;
  link(trace);
  return trace;
}

Trace stuck_trace() {
  using enum EventType;
  Trace trace{"t2", {"client-1", "server-1"}, "ffeeddccbbaa99887766554433221100", true, {}};
  trace.events = {
      event(0, "client-1", invoke, "send", "POST K1"),
      event(1, "server-1", receive, "receive", "receive K1"),
      event(3, "server-1", step, "claim", "SET lock:K1 NX → OK"),
      event(3, "server-1", fault, "crash", "crash"),
      event(90000, "client-1", settle, "settle", "faults are off"),
      event(90000, "client-1", invoke, "probe", "POST K1"),
      event(90001, "server-1", step, "claim", "SET lock:K1 NX → nil"),
      event(90003, "client-1", info, "response", "in_progress"),
  };
  trace.events[1].message_from = 1;
  trace.events[3].fault = true;
  trace.events[7].guilty = true;
  link(trace);
  return trace;
}

Finding crash_finding() {
  Finding f;
  f.id = "f1";
  f.fingerprint = "at_most_once/lost_record/find record/charge";
  f.property = Property::at_most_once;
  f.kind = FindingKind::lost_record;
  f.also = {FindingKind::ambiguous_outcome};
  f.cell = "insert_first@crash";
  f.token = "ids1.2.9d20c4e1.insert_first@crash..1.f0n1:crash.h00112233";
  f.choices = f.faults = 1;
  f.shrunk = {41, 1, 200, false};
  f.executions = 9;
  f.headline = "operation 1 charged twice: ch_1 (#4) and ch_2 (#10)";
  f.text = {
      "A charged at #4 and died at #5, before it could record the result.",
      "B found the record 'started' at #9, took the work over, and charged again at #10.",
  };
  f.fix = "send the provider an idempotency key, or ask it before charging again";
  f.trace = "t1";
  return f;
}

Finding stuck_finding() {
  Finding f;
  f.id = "f2";
  f.fingerprint = "no_stuck_key/unexplained//";
  f.property = Property::no_stuck_key;
  f.cell = "distributed_lock@crash";
  f.token = "ids1.2.9d20c4e1.distributed_lock@crash..1.f0n1:crash.hffeeddcc";
  f.choices = f.faults = 1;
  f.shrunk = {12, 1, 20, true};
  f.executions = 4;
  f.headline = "operation 1 is still in_progress after the faults stopped (#8)";
  f.trace = "t2";
  return f;
}

}  // namespace

CampaignResult lost_record() {
  CampaignResult result = empty_result("crash_after_charge");
  result.seed = 1;
  result.verdict = Verdict::violated;
  result.exit_code = 1;
  result.strategy_labels = {"insert_first", "distributed_lock"};
  result.fault_labels = {"none", "crash"};
  result.cells = {
      holding_cell("insert_first", "none", 1), holding_cell("insert_first", "crash", 64),
      holding_cell("distributed_lock", "none", 2), holding_cell("distributed_lock", "crash", 71)};
  violate(result.cells[1], Property::at_most_once, 9, "f1");
  violate(result.cells[1], Property::ledgers_agree, 11, "");
  violate(result.cells[3], Property::no_stuck_key, 4, "f2");
  result.cells[1].crash_points_existing = result.cells[1].crash_points_tried = 12;
  result.cells[3].crash_points_existing = 14;
  result.cells[3].crash_points_tried = 13;
  expect(result.cells[3], Property::at_most_once, Expectation::Is::violated, false);
  result.expectations_refuted = 1;
  result.findings = {crash_finding(), stuck_finding()};
  result.traces = {crash_trace(), stuck_trace()};
  return result;
}

CampaignResult all_holds() {
  CampaignResult result = empty_result("retry_storm");
  result.verdict = Verdict::not_seen;
  result.exit_code = 2;
  result.strategy_labels = {"insert_first", "insert_first_long_ttl", "no_key"};
  result.fault_labels = {"none", "drop_response", "everything"};
  std::uint64_t executions = 3;
  for (const std::string& strategy : result.strategy_labels) {
    for (const std::string& faults : result.fault_labels) {
      result.cells.push_back(holding_cell(strategy, faults, executions));
      executions = executions * 7 + 5;
    }
  }
  CellResult& cut = result.cells[2];
  cut.exhausted = false;
  cut.cut = Cut::states;
  CellResult& sampled = result.cells[5];
  sampled.exhausted = false;
  sampled.mode = Mode::random;
  sampled.time = TimeModel::sampled;
  sampled.executions = 2000;
  sampled.pruned = sampled.states = 0;
  for (const Property property : kProperties) {
    outcome(cut, property).verdict = Verdict::not_seen;
    outcome(sampled, property).verdict = Verdict::not_seen;
    outcome(sampled, property).upper95 = 0.00149674523;
  }
  expect(sampled, Property::at_most_once, Expectation::Is::not_violated, true);
  for (std::size_t i = 6; i < result.cells.size(); ++i) {
    for (PropertyOutcome& it : result.cells[i].properties) it.vacuous = true;
  }
  expect(cut, Property::at_most_once, Expectation::Is::holds, std::nullopt);
  result.expectations_met = result.expectations_open = 1;
  return result;
}

}  // namespace idemsim::samples
