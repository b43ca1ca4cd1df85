// Builders and the text form of the key-value store's commands.
#include "sim/engines/kv/command.hpp"

#include "sim/base/assert.hpp"

#include <string>

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

const char* word_of(Verb verb) {
  switch (verb) {
    case Verb::get:
      return "GET";
    case Verb::getdel:
      return "GETDEL";
    case Verb::getset:
      return "GETSET";
    case Verb::getex:
      return "GETEX";
    case Verb::set:
      return "SET";
    case Verb::setnx:
      return "SETNX";
    case Verb::del:
      return "DEL";
    case Verb::exists:
      return "EXISTS";
    case Verb::incr:
      return "INCR";
    case Verb::pexpire:
      return "PEXPIRE";
    case Verb::pexpireat:
      return "PEXPIREAT";
    case Verb::pttl:
      return "PTTL";
    case Verb::ttl:
      return "TTL";
    case Verb::persist:
      return "PERSIST";
    case Verb::compare_and_delete:
      return "EVAL compare_and_delete";
    case Verb::compare_and_extend:
      return "EVAL compare_and_extend";
    case Verb::compare_and_set:
      return "EVAL compare_and_set";
    case Verb::begin_or_get:
      return "EVAL begin_or_get";
  }
  return "?";
}

const char* word_of(Only only) {
  switch (only) {
    case Only::always:
      return "";
    case Only::if_absent:
      return " NX";
    case Only::if_present:
      return " XX";
    case Only::if_later:
      return " GT";
    case Only::if_earlier:
      return " LT";
  }
  return "?";
}

const char* word_of(Error error) {
  switch (error) {
    case Error::none:
      return "none";
    case Error::not_an_integer:
      return "value is not an integer";
    case Error::overflow:
      return "increment would overflow";
    case Error::invalid_expire:
      return "invalid expire time";
    case Error::syntax:
      return "syntax error";
  }
  return "?";
}

std::string hex_word(std::uint64_t bits) { return to_hex(Hash128{bits, 0}).substr(0, 8); }

std::string text_of(Value v) {
  switch (v.kind) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::integer:
      return std::to_string(v.as_integer());
    case Value::Kind::text:
      return v.text;
    case Value::Kind::key:
      return "K" + std::to_string(v.bits);
    case Value::Kind::token: {
      const Origin origin{v.bits};
      const std::string copy =
          origin.copy() == 0 ? std::string() : "." + std::to_string(origin.copy());
      return "t" + std::to_string(origin.attempt()) + copy;
    }
    case Value::Kind::reference:
      return "r" + hex_word(v.bits);
    case Value::Kind::deadline:
      return "d" + hex_word(v.bits);
    case Value::Kind::digest:
      return "h" + hex_word(v.bits);
  }
  return "?";
}

std::string ms(std::int64_t ns) { return std::to_string(ns / kNsPerMs); }

/// The options behind key and values; PEXPIRE has its TTL in front of them.
std::string options_of(const Command& c) {
  std::string text = word_of(c.only);
  if (c.returns_old) text += " GET";
  switch (c.ttl_change) {
    case TtlChange::drop:
      return c.verb == Verb::getex ? text + " PERSIST" : text;
    case TtlChange::keep:
      return c.verb == Verb::getex ? text : text + " KEEPTTL";
    case TtlChange::relative:
      return text + " PX " + ms(c.ttl.ns);
    case TtlChange::absolute:
      return text + " PXAT " + ms(c.deadline.ns);
  }
  return text;
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

std::string to_text(const Command& c) {
  std::string text = word_of(c.verb);
  text += " " + text_of(c.key);
  switch (c.verb) {
    case Verb::get:
    case Verb::getdel:
    case Verb::del:
    case Verb::exists:
    case Verb::incr:
    case Verb::pttl:
    case Verb::ttl:
    case Verb::persist:
      return text;
    case Verb::getex:
      return text + options_of(c);
    case Verb::getset:
    case Verb::setnx:
      return text + " " + text_of(c.value);
    case Verb::set:
    case Verb::begin_or_get:
      return text + " " + text_of(c.value) + options_of(c);
    case Verb::pexpire:
      return text + " " + ms(c.ttl.ns) + word_of(c.only);
    case Verb::pexpireat:
      return text + " " + ms(c.deadline.ns) + word_of(c.only);
    case Verb::compare_and_delete:
      return text + " " + text_of(c.expected);
    case Verb::compare_and_extend:
      return text + " " + text_of(c.expected) + options_of(c);
    case Verb::compare_and_set:
      return text + " " + text_of(c.expected) + " " + text_of(c.value) + options_of(c);
  }
  return text;
}

std::string to_text(const Reply& reply) {
  switch (reply.kind) {
    case Reply::Kind::status:
      return "OK";
    case Reply::Kind::integer:
      return std::to_string(reply.as_integer());
    case Reply::Kind::bulk:
      return text_of(reply.value);
    case Reply::Kind::nil:
      return "nil";
    case Reply::Kind::error:
      return std::string("ERR ") + word_of(reply.error);
  }
  return "?";
}

}  // namespace idemsim::kv
