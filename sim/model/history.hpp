// The history of one run: small fixed-size events in order, and what the ledgers hold at the end.
#pragma once

#include "sim/base/hash.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/name.hpp"
#include "sim/base/time.hpp"
#include "sim/base/value.hpp"
#include "sim/model/fault_plan.hpp"
#include "sim/model/request.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace idemsim {

/// Jepsen's invoke, ok, fail, info for the client side; the rest is what happened between.
enum class EventType : std::uint8_t {
  invoke,   ///< a client sends an attempt; `key` as sent
  ok,       ///< the client got an answer `done` or `stored`
  fail,     ///< the client got a definite `failed` or `rejected`
  info,     ///< the client does not know: timeout, `unknown`, `in_progress`
  receive,  ///< a server takes a delivery in; `cause` = the invoke
  step,     ///< a statement, command or call executed at a store
  effect,   ///< an effect entered a ledger (a local one is final only with its commit)
  answer,   ///< a server answers; `status`, `body`
  blocked,  ///< a statement waits; comes back as `step`
  fault,    ///< a fault happened; `fault`
  expire,   ///< a TTL, lease or record expiry took place
  enter,    ///< a handler believes that it owns the key: start of its critical section
  leave,    ///< end of that critical section
  settle,   ///< faults are off from here: the settle phase begins
};
[[nodiscard]] std::string_view to_string(EventType type);

/// Index of an event in its history; -1 = none.
using EventIndex = std::int32_t;

/// One event. `text` is not stored: it is made when a finding is re-run for its report.
struct Event {
  StepId step;                ///< the step that recorded it
  Instant at;                 ///< nominal instant (solved instants replace it in reports)
  Name site;                  ///< the place in the strategy or world, e.g. "find record"
  Value key;                  ///< what it is about: key, row, resource
  Value body;                 ///< result, answer body, reference of an effect
  EventIndex cause = -1;      ///< the event that sent, woke or armed this one
  EventIndex before = -1;     ///< the previous event of the same task or process
  EventIndex read_from = -1;  ///< the event whose write this one read
  ProcessId process;
  EventType type = EventType::step;
  Status status = Status::unknown;  ///< ok, fail, info, answer
  FaultKind fault{};                ///< fault
  std::uint8_t code = 0;            ///< outcome code of the store (0 = fine)
  bool probe = false;               ///< belongs to the settle phase's probe
  bool protection = false;          ///< this event is the protection at work (see `exercised`)
};

enum class Ledger : std::uint8_t { local, provider };

/// One effect at quiescence, attributed by ghost data.
struct LedgerEntry {
  Ledger ledger = Ledger::local;
  OperationId operation;
  StepId step;      ///< the step that made it
  Value reference;  ///< charge or row reference; equal for a charge and its local row
  std::int64_t amount = 0;
};

/// What an oracle sees: the finished history and the ledgers at quiescence. Nothing else.
struct FinishedRun {
  std::span<const Event> events;
  std::span<const LedgerEntry> ledger;
  std::span<const OperationId> operations;  ///< every operation that was invoked
  OperationKind kind = OperationKind::create_order;
  bool completed = true;  ///< false: cut by a limit, nothing may be concluded
};

/// 128-bit hash over all events: identifies the run. Independent of addresses and threads.
[[nodiscard]] Hash128 hash_of(std::span<const Event> events);

}  // namespace idemsim
