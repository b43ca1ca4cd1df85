// Builders of the key-value store's commands, and what kind of command each is.
#include "sim/engines/kv/command.hpp"

#include "sim/base/assert.hpp"

namespace idemsim::kv {

namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

Command of(Verb verb, Value key) {
  Command c;
  c.verb = verb;
  c.key = key;
  return c;
}

Command of(Verb verb, Value key, Value value) {
  Command c = of(verb, key);
  c.value = value;
  return c;
}

}  // namespace

Command Command::nx() const {
  IDEMSIM_ASSERT(only == Only::always);
  Command c = *this;
  c.only = Only::if_absent;
  return c;
}

Command Command::xx() const {
  IDEMSIM_ASSERT(only == Only::always);
  Command c = *this;
  c.only = Only::if_present;
  return c;
}

Command Command::gt() const {
  IDEMSIM_ASSERT(only == Only::always);
  Command c = *this;
  c.only = Only::if_later;
  return c;
}

Command Command::lt() const {
  IDEMSIM_ASSERT(only == Only::always);
  Command c = *this;
  c.only = Only::if_earlier;
  return c;
}

Command Command::px(Duration time_to_live) const {
  IDEMSIM_ASSERT(time_to_live.ns % kNsPerMs == 0);
  Command c = *this;
  c.ttl_change = TtlChange::relative;
  c.ttl = time_to_live;
  return c;
}

Command Command::pxat(Instant at) const {
  IDEMSIM_ASSERT(at.ns % kNsPerMs == 0);
  Command c = *this;
  c.ttl_change = TtlChange::absolute;
  c.deadline = at;
  return c;
}

Command Command::keepttl() const {
  Command c = *this;
  c.ttl_change = TtlChange::keep;
  return c;
}

Command Command::returning_old() const {
  IDEMSIM_ASSERT(verb == Verb::set);
  Command c = *this;
  c.returns_old = true;
  return c;
}

Command get(Value key) { return of(Verb::get, key); }
Command getdel(Value key) { return of(Verb::getdel, key); }
Command getset(Value key, Value value) { return of(Verb::getset, key, value); }
Command getex(Value key) { return of(Verb::getex, key).keepttl(); }
Command getex_persist(Value key) { return of(Verb::getex, key); }
Command set(Value key, Value value) { return of(Verb::set, key, value); }
Command setnx(Value key, Value value) { return of(Verb::setnx, key, value); }
Command del(Value key) { return of(Verb::del, key); }
Command exists(Value key) { return of(Verb::exists, key); }
Command incr(Value key) { return of(Verb::incr, key).keepttl(); }
Command pexpire(Value key, Duration ttl) { return of(Verb::pexpire, key).px(ttl); }
Command pexpireat(Value key, Instant deadline) { return of(Verb::pexpireat, key).pxat(deadline); }
Command pttl(Value key) { return of(Verb::pttl, key); }
Command ttl(Value key) { return of(Verb::ttl, key); }
Command persist(Value key) { return of(Verb::persist, key); }

Command compare_and_delete(Value key, Value expected) {
  Command c = of(Verb::compare_and_delete, key);
  c.expected = expected;
  return c;
}

Command compare_and_extend(Value key, Value expected, Duration ttl) {
  Command c = of(Verb::compare_and_extend, key).px(ttl);
  c.expected = expected;
  return c;
}

Command compare_and_set(Value key, Swap swap) {
  Command c = of(Verb::compare_and_set, key, swap.value);
  c.expected = swap.expected;
  return c;
}

Command begin_or_get(Value key, Value value, Duration ttl) {
  return of(Verb::begin_or_get, key, value).px(ttl);
}

bool may_write(Verb verb) {
  switch (verb) {
    case Verb::get:
    case Verb::exists:
    case Verb::pttl:
    case Verb::ttl:
      return false;
    case Verb::getdel:
    case Verb::getset:
    case Verb::getex:
    case Verb::set:
    case Verb::setnx:
    case Verb::del:
    case Verb::incr:
    case Verb::pexpire:
    case Verb::pexpireat:
    case Verb::persist:
    case Verb::compare_and_delete:
    case Verb::compare_and_extend:
    case Verb::compare_and_set:
    case Verb::begin_or_get:
      return true;
  }
  return true;
}

bool is_script(Verb verb) {
  return verb == Verb::compare_and_delete || verb == Verb::compare_and_extend ||
         verb == Verb::compare_and_set || verb == Verb::begin_or_get;
}

}  // namespace idemsim::kv
