// One table per enumeration: word, and where people ask for it, one sentence about it.
#include "sim/model/names.hpp"

#include "sim/base/assert.hpp"

#include <array>
#include <cstddef>
#include <type_traits>

namespace idemsim {

namespace {

template <class Enum>
struct Row {
  Enum value;
  std::string_view word;
  std::string_view summary = "";
};
// clang 16 does not deduce the arguments of an aggregate by itself.
template <class Enum>
Row(Enum, std::string_view) -> Row<Enum>;
template <class Enum>
Row(Enum, std::string_view, std::string_view) -> Row<Enum>;

/// A table is right if row i is about enumerator i and the last row is the last enumerator.
template <class Enum, std::size_t N>
constexpr bool in_order(const std::array<Row<Enum>, N>& table, Enum last) {
  for (std::size_t i = 0; i < N; ++i) {
    if (static_cast<std::size_t>(table[i].value) != i || table[i].word.empty()) return false;
  }
  return table[N - 1].value == last;
}

template <class Enum, std::size_t N>
constexpr std::array<std::string_view, N> words(const std::array<Row<Enum>, N>& table) {
  std::array<std::string_view, N> result;
  for (std::size_t i = 0; i < N; ++i) result[i] = table[i].word;
  return result;
}

constexpr std::array kFaults = {
    Row{FaultKind::drop_request, "drop_request",
        "the network loses a request: the server never sees that attempt"},
    Row{FaultKind::drop_response, "drop_response",
        "the network loses a response: the work is done, the client does not know"},
    Row{FaultKind::delay_request, "delay_request",
        "a request arrives `by` later than its latency allows"},
    Row{FaultKind::delay_response, "delay_response",
        "a response arrives `by` later than its latency allows"},
    Row{FaultKind::duplicate_request, "duplicate_request",
        "the network delivers a request twice, each copy within the latency of the original"},
    Row{FaultKind::reorder_request, "reorder_request",
        "a request may be overtaken: its latest arrival moves by `by`"},
    Row{FaultKind::crash, "crash",
        "a server dies between two steps, loses its memory and comes back empty"},
    Row{FaultKind::pause, "pause",
        "a server stands still for `by` while the timers of the world go on"},
    Row{FaultKind::lost_before, "lost_before",
        "the connection to a store is lost before the statement was executed"},
    Row{FaultKind::lost_after, "lost_after",
        "the connection to a store is lost after the statement was executed"},
    Row{FaultKind::orphaned, "orphaned",
        "the caller sees a lost connection now, the store executes the statement later"},
};
static_assert(in_order(kFaults, FaultKind::orphaned));
static_assert(kFaults.size() == kFaultKinds.size());

constexpr std::array kStores = {
    Row{Store::any, "any"},
    Row{Store::database, "database"},
    Row{Store::redis, "redis"},
    Row{Store::provider, "provider"},
};
static_assert(in_order(kStores, Store::provider));

constexpr std::array kEvents = {
    Row{EventType::invoke, "invoke"},   Row{EventType::ok, "ok"},
    Row{EventType::fail, "fail"},       Row{EventType::info, "info"},
    Row{EventType::receive, "receive"}, Row{EventType::step, "step"},
    Row{EventType::effect, "effect"},   Row{EventType::answer, "answer"},
    Row{EventType::blocked, "blocked"}, Row{EventType::fault, "fault"},
    Row{EventType::expire, "expire"},   Row{EventType::enter, "enter"},
    Row{EventType::leave, "leave"},     Row{EventType::settle, "settle"},
};
static_assert(in_order(kEvents, EventType::settle));

constexpr std::array kOperations = {
    Row{OperationKind::create_order, "create_order",
        "insert one row into the table of orders: a local effect"},
    Row{OperationKind::charge, "charge",
        "charge at the payment provider, then record it in one local row"},
    Row{OperationKind::payment_callback, "payment_callback",
        "the provider reports a payment: mark the order as paid and grant one coupon"},
};
static_assert(in_order(kOperations, OperationKind::payment_callback));

constexpr std::array kStatuses = {
    Row{Status::done, "done"},
    Row{Status::stored, "stored"},
    Row{Status::in_progress, "in_progress"},
    Row{Status::rejected, "rejected"},
    Row{Status::failed, "failed"},
    Row{Status::unknown, "unknown"},
};
static_assert(in_order(kStatuses, Status::unknown));

constexpr std::array kCuts = {
    Row{Cut::none, "none"},     Row{Cut::runs, "runs"},     Row{Cut::steps, "steps"},
    Row{Cut::states, "states"}, Row{Cut::budget, "budget"}, Row{Cut::interrupted, "interrupted"},
};
static_assert(in_order(kCuts, Cut::interrupted));

constexpr std::array kArrivals = {
    Row{Arrival::single, "single"},
    Row{Arrival::double_click, "double_click"},
};
static_assert(in_order(kArrivals, Arrival::double_click));

constexpr std::array kKeyPolicies = {
    Row{KeyPolicy::stable, "stable"}, Row{KeyPolicy::per_attempt, "per_attempt"},
    Row{KeyPolicy::none, "none"},     Row{KeyPolicy::reused, "reused"},
    Row{KeyPolicy::shared, "shared"},
};
static_assert(in_order(kKeyPolicies, KeyPolicy::shared));

constexpr std::array kDialects = {Row{Dialect::postgresql, "postgresql"}};
static_assert(in_order(kDialects, Dialect::postgresql));

constexpr std::array kIsolations = {Row{Isolation::read_committed, "read_committed"}};
static_assert(in_order(kIsolations, Isolation::read_committed));

constexpr std::array kModes = {
    Row{Mode::fifo, "fifo"},
    Row{Mode::random, "random"},
    Row{Mode::exhaustive, "exhaustive"},
};
static_assert(in_order(kModes, Mode::exhaustive));

constexpr std::array kTimes = {
    Row{TimeModel::sampled, "sampled"},
    Row{TimeModel::bounded, "bounded"},
    Row{TimeModel::asynchronous, "asynchronous"},
};
static_assert(in_order(kTimes, TimeModel::asynchronous));

constexpr std::array kExpectations = {
    Row{Expectation::Is::holds, "holds"},
    Row{Expectation::Is::violated, "violated"},
    Row{Expectation::Is::not_violated, "not_violated"},
};
static_assert(in_order(kExpectations, Expectation::Is::not_violated));

constexpr std::array kPropertyRows = {
    Row{Property::at_most_once, "at_most_once",
        "no operation has more than one effect, however often it was sent"},
    Row{Property::no_lost_effect, "no_lost_effect",
        "whoever was told that the work is done finds its effect in the end"},
    Row{Property::no_false_failure, "no_false_failure",
        "nobody is told of a definite failure while the effect was applied"},
    Row{Property::stable_response, "stable_response",
        "all final answers to one operation name the same effect"},
    Row{Property::no_stuck_key, "no_stuck_key",
        "once the faults have stopped, a further attempt of each operation gets a final answer"},
    Row{Property::mutual_exclusion, "mutual_exclusion",
        "no two handlers believe at the same time that they own one key"},
    Row{Property::ledgers_agree, "ledgers_agree",
        "in the end the local rows and the provider's ledger tell of the same charges"},
    Row{Property::exercised, "exercised",
        "the protection worked at least once; otherwise the other verdicts say nothing"},
};
static_assert(in_order(kPropertyRows, Property::exercised));
static_assert(kPropertyRows.size() == kProperties.size());

constexpr std::array kVerdicts = {
    Row{Verdict::violated, "violated"},
    Row{Verdict::holds, "holds"},
    Row{Verdict::not_seen, "not_seen"},
};
static_assert(in_order(kVerdicts, Verdict::not_seen));

constexpr std::array kFindings = {
    Row{FindingKind::new_key, "new_key",
        "the attempts carried different keys, so nothing could tell that they are one operation"},
    Row{FindingKind::no_check, "no_check", "no check stands between the request and its effect"},
    Row{FindingKind::wrong_scope, "wrong_scope",
        "the check looked in a scope that does not cover the other attempt"},
    Row{FindingKind::inner_layer, "inner_layer",
        "a layer below the check executed the effect again"},
    Row{FindingKind::re_execution, "re_execution",
        "a framework or an inner retry ran the handler again behind the check"},
    Row{FindingKind::lost_record, "lost_record",
        "a crash or a loss came between the effect and the record of it"},
    Row{FindingKind::ambiguous_outcome, "ambiguous_outcome",
        "an outcome that was not known was treated as a failure"},
    Row{FindingKind::stale_read, "stale_read",
        "the check read a version that was already out of date"},
    Row{FindingKind::expired_record, "expired_record",
        "the record of the first attempt had expired before the next one asked"},
    Row{FindingKind::early_release, "early_release",
        "the lock or claim was released before the effect was final"},
    Row{FindingKind::lost_lease, "lost_lease",
        "the lease ended while its owner still believed that it holds the key"},
    Row{FindingKind::toctou, "toctou",
        "the other attempt recorded its work between this attempt's check and its use"},
    Row{FindingKind::lost_effect, "lost_effect",
        "the effect that was promised does not exist in the end"},
    Row{FindingKind::false_reply, "false_reply",
        "the answer says something else than what happened"},
    Row{FindingKind::unexplained, "unexplained",
        "no kind could be proved; the trace is all that is known"},
};
static_assert(in_order(kFindings, FindingKind::unexplained));

template <class Enum, std::size_t N>
std::string_view word_in(const std::array<Row<Enum>, N>& table, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  IDEMSIM_ASSERT(index < N);
  return table[index].word;
}

template <class Enum, std::size_t N>
std::string_view summary_in(const std::array<Row<Enum>, N>& table, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  IDEMSIM_ASSERT(index < N);
  return table[index].summary;
}

}  // namespace

std::string_view to_string(FaultKind kind) { return word_in(kFaults, kind); }
std::string_view to_string(Store store) { return word_in(kStores, store); }
std::string_view to_string(EventType type) { return word_in(kEvents, type); }
std::string_view to_string(OperationKind kind) { return word_in(kOperations, kind); }
std::string_view to_string(Status status) { return word_in(kStatuses, status); }
std::string_view to_string(Cut cut) { return word_in(kCuts, cut); }
std::string_view to_string(Arrival arrival) { return word_in(kArrivals, arrival); }
std::string_view to_string(KeyPolicy policy) { return word_in(kKeyPolicies, policy); }
std::string_view to_string(Dialect dialect) { return word_in(kDialects, dialect); }
std::string_view to_string(Isolation isolation) { return word_in(kIsolations, isolation); }
std::string_view to_string(Mode mode) { return word_in(kModes, mode); }
std::string_view to_string(TimeModel time) { return word_in(kTimes, time); }
std::string_view to_string(Expectation::Is is) { return word_in(kExpectations, is); }
std::string_view to_string(Property property) { return word_in(kPropertyRows, property); }
std::string_view to_string(Verdict verdict) { return word_in(kVerdicts, verdict); }
std::string_view to_string(FindingKind kind) { return word_in(kFindings, kind); }

std::string_view summary_of(FaultKind kind) { return summary_in(kFaults, kind); }
std::string_view summary_of(OperationKind kind) { return summary_in(kOperations, kind); }
std::string_view summary_of(Property property) { return summary_in(kPropertyRows, property); }
std::string_view summary_of(FindingKind kind) { return summary_in(kFindings, kind); }

std::optional<FaultKind> fault_named(std::string_view name) {
  return enumerator_named<FaultKind>(name);
}
std::optional<Property> property_named(std::string_view name) {
  return enumerator_named<Property>(name);
}
std::optional<FindingKind> finding_kind_named(std::string_view name) {
  return enumerator_named<FindingKind>(name);
}

#define IDEMSIM_WORDS(Enum, table)                     \
  template <>                                          \
  std::span<const std::string_view> words_of<Enum>() { \
    static constexpr auto kWords = words(table);       \
    return kWords;                                     \
  }
IDEMSIM_WORDS(FaultKind, kFaults)
IDEMSIM_WORDS(Store, kStores)
IDEMSIM_WORDS(EventType, kEvents)
IDEMSIM_WORDS(OperationKind, kOperations)
IDEMSIM_WORDS(Status, kStatuses)
IDEMSIM_WORDS(Cut, kCuts)
IDEMSIM_WORDS(Arrival, kArrivals)
IDEMSIM_WORDS(KeyPolicy, kKeyPolicies)
IDEMSIM_WORDS(Dialect, kDialects)
IDEMSIM_WORDS(Isolation, kIsolations)
IDEMSIM_WORDS(Mode, kModes)
IDEMSIM_WORDS(TimeModel, kTimes)
IDEMSIM_WORDS(Expectation::Is, kExpectations)
IDEMSIM_WORDS(Property, kPropertyRows)
IDEMSIM_WORDS(Verdict, kVerdicts)
IDEMSIM_WORDS(FindingKind, kFindings)
#undef IDEMSIM_WORDS

}  // namespace idemsim
