// What a session hears back: outcome, error code, affected rows, state of its transaction.
#pragma once

#include "sim/base/name.hpp"
#include "sim/engines/sql/statement.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace idemsim::sql {

/// Index of a session of one engine. Slots are not reused before `Engine::reset`.
struct SessionId {
  std::uint32_t index = 0;
  friend constexpr auto operator<=>(SessionId, SessionId) = default;
};

/// Errors by PostgreSQL's own names (appendix A of its manual).
enum class Code : std::uint8_t {
  none,
  unique_violation,
  not_null_violation,
  serialization_failure,
  deadlock_detected,
  in_failed_transaction,
  no_active_transaction,
  invalid_savepoint,
  lock_not_available,
  query_canceled,
  admin_shutdown,
  idle_in_transaction_timeout,
  cardinality_violation,
  feature_not_supported,
};

/// The five characters of the error, "00000" for none.
[[nodiscard]] std::string_view sqlstate(Code code);

/// State of the session's transaction block after the statement.
enum class TransactionState : std::uint8_t { idle, in_tx, in_error };

/// The answer to a statement. Returned rows are in `Engine::rows()`.
struct Reply {
  enum class Kind : std::uint8_t { ok, error, blocked };
  Kind kind = Kind::ok;
  Code code = Code::none;
  TransactionState transaction = TransactionState::idle;
  Verb verb = Verb::select;    ///< what was done: COMMIT of a failed transaction is a `rollback`
  std::uint32_t affected = 0;  ///< rows inserted, updated, deleted, or returned by a SELECT
  Name constraint = {};        ///< the index of a unique violation

  [[nodiscard]] constexpr bool ok() const { return kind == Kind::ok; }
  [[nodiscard]] constexpr bool blocked() const { return kind == Kind::blocked; }
};

/// Command tag, such as `INSERT 0 1`. For reports only.
[[nodiscard]] std::string tag(const Reply& reply);

}  // namespace idemsim::sql
