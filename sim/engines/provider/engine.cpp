// The provider's semantics: key rules first, then one append to the ledger.
#include "sim/engines/provider/engine.hpp"

#include "sim/base/assert.hpp"

#include <algorithm>

namespace idemsim::provider {

namespace {

std::uint64_t hash_of(const Entry& e) {
  std::uint64_t h = combine(e.operation.client, e.operation.number);
  h = combine(h, static_cast<std::uint64_t>(e.amount));
  h = combine(h, e.key.fold());
  h = combine(h, e.digest.fold());
  return combine(h, e.reference.fold());
}

}  // namespace

void Engine::reset() {
  ledger_.clear();
  records_.clear();
}

Answer Engine::charge(const Request& request, Caller caller, Footprint& touched) {
  const Answer first = begin(request, caller, touched);
  if (first.kind != Answer::Kind::started) return first;
  return finish(request, caller, touched);
}

Answer Engine::begin(const Request& request, Caller caller, Footprint& touched) {
  if (!keeps_record(request)) return {Answer::Kind::started, 0, {}, {}};
  if (const Record* known = find(request.key); known != nullptr) {
    touched.add(key_resource(request.key), Access::read);
    return answer_from(*known, request);
  }
  touched.add(key_resource(request.key), Access::write);
  Record record;
  record.fold = request.key.fold();
  record.digest = request.digest;
  record.generation = caller.by;
  record.writer = caller.by;
  const auto sooner = [](const Record& r, std::uint64_t fold) { return r.fold < fold; };
  const auto place = std::lower_bound(records_.begin(), records_.end(), record.fold, sooner);
  records_.insert(place, record);
  return {Answer::Kind::started, 0, {}, {}};
}

Answer Engine::finish(const Request& request, Caller caller, Footprint& touched) {
  const Value reference = reference_of(caller.by);
  ledger_.push_back(
      {caller.operation, caller.by, request.amount, request.key, request.digest, reference});
  touched.add(ledger_resource(caller.operation), Access::append);
  if (!request.key.is_null()) touched.add(key_resource(request.key), Access::append);
  if (keeps_record(request)) {
    Record* record = find(request.key);
    IDEMSIM_ASSERT(record != nullptr);
    IDEMSIM_ASSERT(record->state == State::in_flight);
    record->state = State::succeeded;
    record->status = 200;
    record->reference = reference;
    record->writer = caller.by;
    touched.add(key_resource(request.key), Access::write);
  }
  return {Answer::Kind::ok, 200, reference, {}};
}

Answer Engine::fail(const Request& request, Failure failure, Caller caller, Footprint& touched) {
  if (keeps_record(request)) {
    Record* record = find(request.key);
    IDEMSIM_ASSERT(record != nullptr);
    IDEMSIM_ASSERT(record->state == State::in_flight);
    const AfterFailure rule = rules_.after_failure;
    const bool began = failure.stage == Failure::Stage::during_execution;
    const bool saved =
        rule == AfterFailure::replay || (rule == AfterFailure::not_saved_before_execution && began);
    touched.add(key_resource(request.key), Access::write);
    record->state = State::failed;
    record->status = failure.status;
    record->writer = caller.by;
    if (!saved) records_.erase(records_.begin() + (record - records_.data()));
  }
  return {Answer::Kind::failed, failure.status, {}, {}};
}

std::optional<Entry> Engine::find_by_key(Value key, Footprint& touched) const {
  IDEMSIM_ASSERT(!key.is_null());
  touched.add(key_resource(key), Access::read);
  const Entry* best = nullptr;
  for (const Entry& entry : ledger_) {
    if (entry.key != key) continue;
    if (best == nullptr || entry.reference.bits < best->reference.bits) best = &entry;
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::optional<Entry> Engine::find_by_reference(Value reference) const {
  const auto found = std::ranges::find(ledger_, reference, &Entry::reference);
  if (found == ledger_.end()) return std::nullopt;
  return *found;
}

bool Engine::forget(Value key, StepId generation, Footprint& touched) {
  Record* record = find(key);
  const bool drops =
      record != nullptr && record->generation == generation && record->state != State::in_flight;
  touched.add(key_resource(key), drops ? Access::write : Access::read);
  if (drops) records_.erase(records_.begin() + (record - records_.data()));
  return drops;
}

std::optional<StepId> Engine::generation_of(Value key) const {
  const auto found = std::ranges::find(records_, key.fold(), &Record::fold);
  if (found == records_.end()) return std::nullopt;
  return found->generation;
}

Resource Engine::ledger_resource(OperationId operation) const {
  const std::uint64_t item = (std::uint64_t{operation.client} << 32) | operation.number;
  return Resource::of(ResourceKind::ledger, space_, item);
}

Resource Engine::key_resource(Value key) const {
  return Resource::of(ResourceKind::provider_key, space_, key.fold());
}

void Engine::hash_state(StateHasher& hasher) const {
  // Sums do not depend on the order; two of them, so that a collision must hit both.
  std::uint64_t sum = 0;
  std::uint64_t other_sum = 0;
  for (const Entry& entry : ledger_) {
    const std::uint64_t h = hash_of(entry);
    sum += mix64(h);
    other_sum += mix64(h ^ 0x2545f4914f6cdd1du);
  }
  hasher.add(ledger_.size());
  hasher.add(sum);
  hasher.add(other_sum);
  hasher.add(records_.size());
  for (const Record& record : records_) {
    hasher.add(record.fold);
    hasher.add(record.digest.fold());
    hasher.add((std::uint64_t{record.status} << 8) | static_cast<std::uint64_t>(record.state));
    hasher.add(record.reference.fold());
    hasher.add(record.generation.origin);
    hasher.add(record.generation.place);
  }
}

bool Engine::keeps_record(const Request& request) const {
  return rules_.enabled && !request.key.is_null();
}

Answer Engine::answer_from(const Record& record, const Request& request) const {
  if (record.digest != request.digest && rules_.other_payload == OtherPayload::refuse) {
    return {Answer::Kind::key_conflict, rules_.conflict_status, {}, record.generation};
  }
  switch (record.state) {
    case State::in_flight:
      return {Answer::Kind::in_flight, rules_.in_flight_status, {}, record.writer};
    case State::succeeded:
      return {Answer::Kind::stored, record.status, record.reference, record.writer};
    case State::failed:
      return {Answer::Kind::stored_failure, record.status, {}, record.writer};
  }
  return {};
}

Engine::Record* Engine::find(Value key) {
  const auto found = std::ranges::find(records_, key.fold(), &Record::fold);
  return found == records_.end() ? nullptr : &*found;
}

Value reference_of(StepId by) { return Value::reference(combine(mix64(by.origin + 1), by.place)); }

}  // namespace idemsim::provider
