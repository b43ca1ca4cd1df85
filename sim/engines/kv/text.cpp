// The text form of the key-value store's commands and replies.
#include "sim/engines/kv/command.hpp"

#include <string>

namespace idemsim::kv {

namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

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
    case Error::unknown_command:
      return "unknown command";
    case Error::nested_multi:
      return "MULTI calls can not be nested";
    case Error::watch_in_multi:
      return "WATCH inside MULTI is not allowed";
    case Error::exec_without_multi:
      return "EXEC without MULTI";
    case Error::discard_without_multi:
      return "DISCARD without MULTI";
    case Error::exec_abort:
      return "transaction discarded because of previous errors";
    case Error::wrong_type:
      return "operation against a key holding the wrong kind of value";
    case Error::out_of_memory:
      return "command not allowed when used memory > 'maxmemory'";
    case Error::no_script:
      return "no matching script";
    case Error::busy:
      return "busy running a script";
    case Error::unkillable:
      return "the script has already written";
    case Error::not_busy:
      return "no scripts in execution right now";
    case Error::script_killed:
      return "script killed by user";
    case Error::read_only:
      return "can't write against a read only replica";
    case Error::no_replicas:
      return "not enough good replicas to write";
    case Error::disk_failed:
      return "the last snapshot could not be saved";
    case Error::stale_id:
      return "the id is equal or smaller than the last one";
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

const char* code_of(Error error) {
  switch (error) {
    case Error::none:
    case Error::not_an_integer:
    case Error::overflow:
    case Error::invalid_expire:
    case Error::syntax:
    case Error::unknown_command:
    case Error::nested_multi:
    case Error::watch_in_multi:
    case Error::exec_without_multi:
    case Error::discard_without_multi:
    case Error::script_killed:
    case Error::stale_id:
      return "ERR";
    case Error::exec_abort:
      return "EXECABORT";
    case Error::wrong_type:
      return "WRONGTYPE";
    case Error::out_of_memory:
      return "OOM";
    case Error::no_script:
      return "NOSCRIPT";
    case Error::busy:
      return "BUSY";
    case Error::unkillable:
      return "UNKILLABLE";
    case Error::not_busy:
      return "NOTBUSY";
    case Error::read_only:
      return "READONLY";
    case Error::no_replicas:
      return "NOREPLICAS";
    case Error::disk_failed:
      return "MISCONF";
  }
  return "ERR";
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
    case Reply::Kind::queued:
      return "QUEUED";
    case Reply::Kind::integer:
      return std::to_string(reply.as_integer());
    case Reply::Kind::bulk:
      return text_of(reply.value);
    case Reply::Kind::nil:
      return "nil";
    case Reply::Kind::error:
      return std::string(code_of(reply.error)) + " " + word_of(reply.error);
  }
  return "?";
}

}  // namespace idemsim::kv
