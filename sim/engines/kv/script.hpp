// Scripts as values: a few commands at one instant, and what becomes of their replies.
#pragma once

#include "sim/base/hash.hpp"
#include "sim/base/time.hpp"
#include "sim/engines/kv/command.hpp"

#include <cstdint>
#include <vector>

namespace idemsim::kv {

/// What a script makes of the reply of a command before it goes on.
enum class Then : std::uint8_t {
  as_is,
  is_nil,           ///< a truth value
  is_not_negative,  ///< 1 or 0, of an integer
};

struct ScriptStep {
  Command command;
  Then then = Then::as_is;
};

/// A value made by the script itself. Numbers are exact quotients.
struct ScriptValue {
  enum class Kind : std::uint8_t { nil, boolean, number };
  Kind kind = Kind::nil;
  std::int64_t numerator = 0;  ///< of a boolean: 1 or 0
  std::int64_t denominator = 1;

  static ScriptValue nil() { return {}; }
  static ScriptValue boolean(std::int64_t one_or_zero) { return {Kind::boolean, one_or_zero, 1}; }
  static ScriptValue number(std::int64_t n) { return {Kind::number, n, 1}; }
};

/// One call of a script, its arguments filled in. It stops at the first error; what it has written
/// until then stays. Its clock stands still, however long it runs.
struct Script {
  enum class Result : std::uint8_t {
    last,   ///< the reply of the last step; without steps nil
    each,   ///< the replies of all steps
    value,  ///< the only one of `values`
    table,  ///< `values` up to the first nil
  };
  std::uint64_t id = 0;  ///< stands for its text, as the digest that EVALSHA takes
  std::vector<ScriptStep> steps = {};
  Result result = Result::last;
  std::vector<ScriptValue> values = {};
  Duration runs_for = {};  ///< the server does nothing else meanwhile; `kForever`: until killed
};

/// What a caller is told: true is 1, false and nil are nil, numbers lose their fraction.
[[nodiscard]] Reply reply_of(const ScriptValue& value);
/// The reply after the step's `then`.
[[nodiscard]] Reply reply_of(const ScriptStep& step, const Reply& reply);
/// The replies of `Result::table`.
[[nodiscard]] std::vector<Reply> replies_of(const std::vector<ScriptValue>& table);

/// Everything that makes two of them differ.
void hash(const Command& command, StateHasher& hasher);
void hash(const Script& script, StateHasher& hasher);

}  // namespace idemsim::kv
