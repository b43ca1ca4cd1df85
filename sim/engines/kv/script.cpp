// How scripts turn their own values into replies, and the hash of scripts.
#include "sim/engines/kv/script.hpp"

#include "sim/base/assert.hpp"

namespace idemsim::kv {

Reply reply_of(const ScriptValue& value) {
  switch (value.kind) {
    case ScriptValue::Kind::nil:
      return Reply::nil();
    case ScriptValue::Kind::boolean:
      return value.numerator != 0 ? Reply::integer(1) : Reply::nil();
    case ScriptValue::Kind::number:
      IDEMSIM_ASSERT(value.denominator > 0);
      return Reply::integer(value.numerator / value.denominator);
  }
  return Reply::nil();
}

Reply reply_of(const ScriptStep& step, const Reply& reply) {
  switch (step.then) {
    case Then::as_is:
      return reply;
    case Then::is_nil:
      return reply_of(ScriptValue::boolean(reply.is_nil() ? 1 : 0));
    case Then::is_not_negative:
      IDEMSIM_ASSERT(reply.kind == Reply::Kind::integer);
      return Reply::integer(reply.as_integer() >= 0 ? 1 : 0);
  }
  return reply;
}

std::vector<Reply> replies_of(const std::vector<ScriptValue>& table) {
  std::vector<Reply> replies;
  for (const ScriptValue& value : table) {
    if (value.kind == ScriptValue::Kind::nil) break;
    replies.push_back(reply_of(value));
  }
  return replies;
}

void hash(const Command& c, StateHasher& hasher) {
  hasher.add(static_cast<std::uint64_t>(c.verb));
  hasher.add(static_cast<std::uint64_t>(c.only));
  hasher.add(static_cast<std::uint64_t>(c.ttl_change));
  hasher.add(c.returns_old ? 1 : 0);
  for (const Value& value : {c.key, c.value, c.expected}) hasher.add(value.fold());
  hasher.add(static_cast<std::uint64_t>(c.ttl.ns));
  hasher.add(static_cast<std::uint64_t>(c.deadline.ns));
}

void hash(const Script& script, StateHasher& hasher) {
  hasher.add(script.id);
  hasher.add(script.steps.size());
  for (const ScriptStep& step : script.steps) {
    hash(step.command, hasher);
    hasher.add(static_cast<std::uint64_t>(step.then));
  }
  hasher.add(static_cast<std::uint64_t>(script.result));
  hasher.add(script.values.size());
  for (const ScriptValue& value : script.values) {
    hasher.add(static_cast<std::uint64_t>(value.kind));
    hasher.add(static_cast<std::uint64_t>(value.numerator));
    hasher.add(static_cast<std::uint64_t>(value.denominator));
  }
  hasher.add(static_cast<std::uint64_t>(script.runs_for.ns));
}

}  // namespace idemsim::kv
