// A payment provider: a ledger of irrevocable effects, with or without idempotency keys of its own.
#pragma once

#include "sim/base/footprint.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/value.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace idemsim::provider {

/// What the provider does with a key that it knows when the payload differs.
enum class OtherPayload : std::uint8_t {
  refuse,       ///< key_conflict with `KeyRules::conflict_status`
  give_stored,  ///< the stored answer, whatever the payload
};

/// What the provider keeps under a key when the charge fails.
enum class AfterFailure : std::uint8_t {
  replay,                      ///< every failure is stored and given again
  re_execute,                  ///< no failure is stored
  not_saved_before_execution,  ///< stored once execution began, not if refused before that
};

/// How a provider treats idempotency keys; the presets of the dialects fill it in.
struct KeyRules {
  bool enabled = false;  ///< false: a key is a label that can be looked up, nothing more
  OtherPayload other_payload = OtherPayload::refuse;
  AfterFailure after_failure = AfterFailure::replay;
  std::uint16_t conflict_status = 422;  ///< IETF draft 422, Stripe v1 400
  std::uint16_t in_flight_status = 409;
  friend constexpr bool operator==(const KeyRules&, const KeyRules&) = default;
};

/// What a client asks for.
struct Request {
  Value key;  ///< null: no idempotency key
  std::int64_t amount = 0;
  Value digest;  ///< fingerprint of the payload
};

/// Where a simulated failure hits, and how it is answered.
struct Failure {
  enum class Stage : std::uint8_t { before_execution, during_execution };
  Stage stage = Stage::during_execution;
  std::uint16_t status = 500;
};

/// Who acts, as the world knows it and the strategy does not.
struct Caller {
  StepId by;
  OperationId operation;  ///< ghost
};

/// What the provider answers.
struct Answer {
  enum class Kind : std::uint8_t {
    ok,              ///< charged now
    stored,          ///< the answer of an earlier charge with this key
    started,         ///< only from `begin`: the key is ours until `finish` or `fail`
    in_flight,       ///< another request with this key has not finished
    key_conflict,    ///< the key belongs to another payload
    failed,          ///< failed now, nothing was charged
    stored_failure,  ///< the failure of an earlier request with this key
  };
  Kind kind = Kind::ok;
  std::uint16_t status = 200;  ///< 0 for `started`, which is no answer yet
  Value reference;             ///< of the charge, for `ok` and `stored`
  StepId written_by;  ///< whose record the answer shows (reads-from edge); StepId{}: nobody's

  [[nodiscard]] bool charged() const { return kind == Kind::ok || kind == Kind::stored; }
};

/// One irrevocable effect.
struct Entry {
  OperationId operation;  ///< ghost: which operation caused it; strategies cannot see it
  StepId by;              ///< the step that charged
  std::int64_t amount = 0;
  Value key;  ///< null without a key
  Value digest;
  Value reference;  ///< depends on `by` only, never on the order of charges
};

/// Pure state machine; no time. The ledger is an append-only multiset and a reference is a hash of
/// the step that charged, so that charges with different keys (or none) commute.
class Engine {
 public:
  /// `space` keeps the resources of two providers apart.
  explicit Engine(KeyRules rules = {}, std::uint64_t space = 0) : rules_(rules), space_(space) {}

  /// Forgets everything and keeps the memory.
  void reset();

  /// `begin` and `finish` in one step.
  Answer charge(const Request& request, Caller caller, Footprint& touched);

  /// First half of a charge that takes two steps: claims the key. Without own keys, or without a
  /// key in the request, it always answers `started`.
  Answer begin(const Request& request, Caller caller, Footprint& touched);
  /// Second half, after `started`: appends to the ledger and stores the answer. Always `ok`.
  Answer finish(const Request& request, Caller caller, Footprint& touched);
  /// Second half, after `started`: the charge fails and nothing is appended. Always `failed`.
  Answer fail(const Request& request, Failure failure, Caller caller, Footprint& touched);

  /// A query by key (not null): the charge with the smallest reference, so that the order cannot
  /// show.
  std::optional<Entry> find_by_key(Value key, Footprint& touched) const;
  /// A query by reference. An entry never changes and a reference is known from its charge only, so
  /// the order cannot show and nothing is touched.
  [[nodiscard]] std::optional<Entry> find_by_reference(Value reference) const;

  /// The retention of a key ends: its record is dropped iff the step `generation` made it. The
  /// ledger keeps its entries.
  bool forget(Value key, StepId generation, Footprint& touched);
  /// The step that made the record of a key: the generation of its retention.
  [[nodiscard]] std::optional<StepId> generation_of(Value key) const;

  /// All effects in the order of charging; for oracles.
  [[nodiscard]] std::span<const Entry> ledger() const { return ledger_; }
  [[nodiscard]] const KeyRules& rules() const { return rules_; }
  [[nodiscard]] Resource ledger_resource(OperationId operation) const;
  [[nodiscard]] Resource key_resource(Value key) const;

  /// Canonical: the ledger counts as a multiset, records of keys are sorted.
  void hash_state(StateHasher& hasher) const;

 private:
  enum class State : std::uint8_t { in_flight, succeeded, failed };
  struct Record {
    std::uint64_t fold = 0;  ///< of the key: the order of records
    Value digest;
    State state = State::in_flight;
    std::uint16_t status = 0;
    Value reference;
    StepId generation;
    StepId writer;
  };

  [[nodiscard]] bool keeps_record(const Request& request) const;
  [[nodiscard]] Answer answer_from(const Record& record, const Request& request) const;
  Record* find(Value key);

  KeyRules rules_;
  std::uint64_t space_;
  std::vector<Entry> ledger_;
  std::vector<Record> records_;  ///< sorted by fold
};

/// The reference of a charge made by a step.
[[nodiscard]] Value reference_of(StepId by);

}  // namespace idemsim::provider
