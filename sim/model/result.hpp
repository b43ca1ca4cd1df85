// The one value that every report is made from; names follow the format idemsim.result/1.
#pragma once

#include "sim/model/history.hpp"
#include "sim/model/scenario.hpp"
#include "sim/model/verdict.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace idemsim {

/// Why a search did not exhaust its space. `none` = it did (or it is sampled and ran all its runs).
enum class Cut : std::uint8_t { none, runs, steps, states, budget, interrupted };
[[nodiscard]] std::string_view to_string(Cut cut);

struct PropertyOutcome {
  Property property = Property::at_most_once;
  Verdict verdict = Verdict::not_seen;
  std::uint64_t violations = 0;   ///< violating executions among those executed
  std::optional<double> upper95;  ///< not_seen only: 95 % upper bound of the probability
  std::optional<Expectation::Is> expect;
  std::optional<FindingKind> expect_because;
  std::optional<bool> met;   ///< empty without expectation, or if undecided
  bool vacuous = false;      ///< the protection never worked in any cell
  bool unmentioned = false;  ///< violated, and the scenario expects things, but nothing here
  std::string finding;       ///< id, or empty
};

struct CellResult {
  std::string id;                                           ///< "strategy@faults", by labels
  std::string strategy;                                     ///< label
  std::string strategy_name;                                ///< file name of the strategy
  std::string faults;                                       ///< label
  std::vector<std::pair<std::string, std::string>> params;  ///< those set, as printed
  Mode mode = Mode::exhaustive;
  TimeModel time = TimeModel::bounded;
  bool exhausted = false;  ///< explored "all"
  Cut cut = Cut::none;
  std::uint64_t executions = 0;  ///< complete executions
  std::uint64_t pruned = 0;      ///< runs cut because their state was already covered
  std::uint64_t states = 0;      ///< stored states (visited set), else 0
  std::uint64_t steps = 0;
  std::uint64_t crash_points_existing = 0;
  std::uint64_t crash_points_tried = 0;
  std::vector<PropertyOutcome> properties;  ///< in the order of kProperties
};

struct TraceEvent {
  std::uint32_t n = 0;  ///< event number, from 1, the same in every report
  std::int64_t at_ns = 0;
  std::string process;
  EventType type = EventType::step;
  std::string site;
  std::string text;                ///< what happened, e.g. the SQL text and its result
  std::vector<std::uint32_t> hb;   ///< direct predecessors in happens-before
  std::uint32_t message_from = 0;  ///< event that sent this (0 = none)
  std::uint32_t read_from = 0;     ///< event whose write this read (0 = none)
  bool guilty = false;             ///< one of the effects or answers that violate
  bool fault = false;
};

struct Trace {
  std::string id;                      ///< "t1", ...
  std::vector<std::string> processes;  ///< columns, clients first, then servers, stores
  std::string hash;                    ///< 32 hexadecimal digits
  bool instants_solved = false;        ///< instants obey every declared bound
  std::vector<TraceEvent> events;
};

/// The TOCTOU explanation: B's check, A's record, B's use, and the two intervals.
struct Race {
  std::uint32_t check = 0;        ///< event number of B's check
  std::uint32_t record = 0;       ///< event number of A's record
  std::uint32_t use = 0;          ///< event number of B's use
  std::uint32_t other_check = 0;  ///< A's own check (0 = none found)
  std::uint32_t other_use = 0;    ///< A's use (0 = none found)
  std::int64_t gap_ns = 0;        ///< A's check to A's record
  std::int64_t window_ns = 0;     ///< B's check to B's use
  std::string process_a;          ///< "server-1 (A)" column names
  std::string process_b;
};

struct Counterfactual {
  std::string change;  ///< "had #8 come before #6"
  std::string result;  ///< "B would have answered the stored response"
  std::string token;
};

struct Finding {
  std::string id;           ///< "f1", ...
  std::string fingerprint;  ///< property/kind/check site/use site
  Property property = Property::at_most_once;
  FindingKind kind = FindingKind::unexplained;
  std::vector<FindingKind> also;
  std::string cell;
  std::string token;
  std::uint32_t choices = 0;      ///< entries of the shrunk schedule
  std::uint32_t faults = 0;       ///< of them faults
  std::uint32_t preemptions = 0;  ///< of them reorderings
  struct Shrunk {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t runs = 0;
    bool minimal = true;  ///< false: the run limit ended the shrinking
  } shrunk;
  std::uint64_t executions = 0;  ///< violating executions with this bucket
  bool expected = false;         ///< the scenario expects this violation
  bool unmentioned = false;      ///< the scenario expects things, but nothing about this
  std::string headline;          ///< "operation 1 charged twice: #7 and #9"
  std::optional<Race> race;
  std::vector<std::string> text;  ///< the reasons in words, one sentence each
  std::string fix;                ///< class of fix, or empty
  std::optional<Counterfactual> counterfactual;
  std::string trace;  ///< id of its trace
};

/// One line about the whole: not deterministic parts live only here.
struct Meta {
  std::int64_t elapsed_ms = 0;
  std::uint32_t jobs = 1;
  std::string started;  ///< ISO 8601, UTC
};

struct CampaignResult {
  std::string tool_version;
  std::string scenario_name;
  std::string scenario_about;
  std::string scenario_path;
  std::string scenario_sha256;
  std::uint64_t seed = 1;
  Verdict verdict = Verdict::not_seen;  ///< the worst over all cells and properties
  int exit_code = 0;
  bool interrupted = false;
  std::vector<std::string> strategy_labels;  ///< rows, in file order
  std::vector<std::string> fault_labels;     ///< columns, in file order
  std::vector<CellResult> cells;             ///< row by row
  std::vector<Finding> findings;
  std::vector<Trace> traces;
  std::uint32_t expectations_met = 0;
  std::uint32_t expectations_refuted = 0;
  std::uint32_t expectations_open = 0;
  Meta meta;
};

}  // namespace idemsim
