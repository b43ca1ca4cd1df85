// From recorded words to commands of the engine, and from its replies to recorded outcomes.
#include "tests/engines/case_redis_server.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace idemsim::tests {

namespace {

using nlohmann::json;

constexpr std::int64_t kNsPerMs = 1'000'000;

/// A command, or the error that its words are.
struct Parsed {
  kv::Command command;
  bool is_syntax_error = false;
};

std::string upper(std::string word) {
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return word;
}

std::optional<std::int64_t> integer_of(const std::string& word) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return n;
}

json outcome_of(json reply) { return {{"kind", "ok"}, {"reply", std::move(reply)}}; }
json error_outcome() { return {{"kind", "error"}, {"code", "ERR"}}; }
json integer_reply(std::int64_t n) { return {{"type", "int"}, {"value", n}}; }
json bulk_reply(const std::string& text) { return {{"type", "bulk"}, {"value", text}}; }

json reply_of(const kv::Reply& reply) {
  switch (reply.kind) {
    case kv::Reply::Kind::status:
      return {{"type", "status"}, {"value", "OK"}};
    case kv::Reply::Kind::integer:
      return integer_reply(reply.as_integer());
    case kv::Reply::Kind::bulk:
      return bulk_reply(kv::to_text(reply));
    case kv::Reply::Kind::nil:
      return {{"type", "nil"}};
    case kv::Reply::Kind::error:
      return {{"type", "error"}, {"value", "ERR"}};
  }
  return nullptr;
}

json outcome_of(const kv::Reply& reply) {
  return reply.is_error() ? error_outcome() : outcome_of(reply_of(reply));
}

/// EX, PX, EXAT, PXAT with their number.
std::optional<kv::Command> with_ttl(const kv::Command& c, const std::string& word,
                                    const std::string& number) {
  const std::optional<std::int64_t> n = integer_of(number);
  if (!n) return std::nullopt;
  if (word == "EX") return c.px(seconds(*n));
  if (word == "PX") return c.px(milliseconds(*n));
  if (word == "EXAT") return c.pxat({*n * 1000 * kNsPerMs});
  if (word == "PXAT") return c.pxat({*n * kNsPerMs});
  return std::nullopt;
}

/// Options of SET and GETEX from `argv[first]` on. Nothing if one of them is not modelled.
std::optional<Parsed> with_options(kv::Command c, const Argv& argv, std::size_t first) {
  Parsed parsed{c, false};
  int conditions = 0;
  int ttls = 0;
  for (std::size_t i = first; i < argv.size(); ++i) {
    const std::string word = upper(argv[i]);
    if (word == "NX" || word == "XX") {
      if (++conditions == 1) c = word == "NX" ? c.nx() : c.xx();
    } else if (word == "GET") {
      c = c.returning_old();
    } else if (word == "KEEPTTL") {
      ++ttls;
      c = c.keepttl();
    } else if (word == "PERSIST") {
      ++ttls;
      c = kv::getex_persist(c.key);
    } else if (i + 1 < argv.size()) {
      const std::optional<kv::Command> more = with_ttl(c, word, argv[++i]);
      if (!more) return std::nullopt;
      ++ttls;
      c = *more;
    } else {
      return std::nullopt;
    }
  }
  parsed.command = c;
  parsed.is_syntax_error = conditions > 1 || ttls > 1;
  return parsed;
}

/// NX, XX, GT, LT of the EXPIRE family, of which the engine takes one.
std::optional<Parsed> with_condition(const kv::Command& c, const Argv& argv) {
  if (argv.size() == 3) return Parsed{c, false};
  if (argv.size() > 4) return Parsed{c, true};
  const std::string word = upper(argv[3]);
  if (word == "NX") return Parsed{c.nx(), false};
  if (word == "XX") return Parsed{c.xx(), false};
  if (word == "GT") return Parsed{c.gt(), false};
  if (word == "LT") return Parsed{c.lt(), false};
  return std::nullopt;
}

std::optional<Parsed> parse_expire(const std::string& verb, Value key, const Argv& argv) {
  const std::optional<std::int64_t> n = argv.size() < 3 ? std::nullopt : integer_of(argv[2]);
  if (!n) return std::nullopt;
  if (verb == "EXPIRE") return with_condition(kv::pexpire(key, seconds(*n)), argv);
  if (verb == "PEXPIRE") return with_condition(kv::pexpire(key, milliseconds(*n)), argv);
  if (verb == "EXPIREAT") return with_condition(kv::pexpireat(key, {*n * 1000 * kNsPerMs}), argv);
  if (verb == "PEXPIREAT") return with_condition(kv::pexpireat(key, {*n * kNsPerMs}), argv);
  return std::nullopt;
}

std::optional<kv::Command> parse_key_only(const std::string& verb, Value key) {
  if (verb == "GET") return kv::get(key);
  if (verb == "GETDEL") return kv::getdel(key);
  if (verb == "INCR") return kv::incr(key);
  if (verb == "PTTL") return kv::pttl(key);
  if (verb == "TTL") return kv::ttl(key);
  if (verb == "PERSIST") return kv::persist(key);
  return std::nullopt;
}

/// A script with every run of white space as one space.
std::string squeeze(const std::string& script) {
  std::string text;
  for (const char c : script) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (space && (text.empty() || text.back() == ' ')) continue;
    text += space ? ' ' : c;
  }
  return text;
}

constexpr const char* kCompareAndDelete =
    "if redis.call('GET',KEYS[1])==ARGV[1] then return redis.call('DEL',KEYS[1]) else return 0 end";
constexpr const char* kCompareAndExtend =
    "if redis.call('GET',KEYS[1])==ARGV[1] then return redis.call('PEXPIRE',KEYS[1],ARGV[2]) "
    "else return 0 end";
constexpr const char* kBeginOrGet =
    "local v=redis.call('GET',KEYS[1]) if v then return v end "
    "redis.call('SET',KEYS[1],'pending','PX',ARGV[1]) return 'NEW'";

}  // namespace

std::optional<json> RedisServer::execute(const Argv& argv) {
  const std::string verb = upper(argv.at(0));
  if (argv.size() == 1 || verb == "KEYS" || verb == "SCAN" || verb == "DEBUG") {
    return execute_keyspace(verb, argv);
  }
  if (verb == "DEL" || verb == "EXISTS" || verb == "MGET") return execute_several(verb, argv);
  if (verb == "APPEND" || verb == "STRLEN") return execute_text(verb, argv);
  if (verb == "EVAL") return execute_script(argv);
  const Value key = value_of(argv[1]);
  std::optional<Parsed> parsed;
  if (argv.size() == 2) {
    if (const auto command = parse_key_only(verb, key)) parsed = Parsed{*command, false};
  }
  if (argv.size() == 3 && verb == "SETNX")
    parsed = Parsed{kv::setnx(key, value_of(argv[2])), false};
  if (argv.size() == 3 && verb == "GETSET") {
    parsed = Parsed{kv::getset(key, value_of(argv[2])), false};
  }
  if (argv.size() >= 3 && verb == "SET") {
    parsed = with_options(kv::set(key, value_of(argv[2])), argv, 3);
  }
  if (verb == "GETEX") parsed = with_options(kv::getex(key), argv, 2);
  if (verb.ends_with("EXPIRE") || verb.ends_with("EXPIREAT")) {
    parsed = parse_expire(verb, key, argv);
  }
  if (!parsed) return std::nullopt;
  if (parsed->is_syntax_error) return error_outcome();
  return outcome_of(apply(parsed->command));
}

void RedisServer::settle() {
  if (expires_in_background_) engine_.remove_dead(now_);
}

std::optional<json> RedisServer::execute_keyspace(const std::string& verb, const Argv& argv) {
  if (verb == "DBSIZE")
    return outcome_of(integer_reply(static_cast<std::int64_t>(engine_.stored())));
  if (verb == "DEBUG" && argv.size() == 3 && upper(argv[1]) == "SET-ACTIVE-EXPIRE") {
    expires_in_background_ = argv[2] != "0";
    return outcome_of(json{{"type", "status"}, {"value", "OK"}});
  }
  const bool lists_all = (verb == "KEYS" && argv.size() == 2 && argv[1] == "*") ||
                         (verb == "SCAN" && argv.size() == 2 && argv[1] == "0");
  if (!lists_all) return std::nullopt;
  engine_.remove_dead(now_);  // a key is touched by being listed
  json keys = json::array();
  for (const std::string& word : words_) {
    if (engine_.peek(value_of(word), now_)) keys.push_back(bulk_reply(word));
  }
  const json list{{"type", "array"}, {"value", keys}};
  if (verb == "KEYS") return outcome_of(list);
  return outcome_of(json{{"type", "array"}, {"value", json::array({bulk_reply("0"), list})}});
}

/// Commands with several keys are as many commands at one instant.
std::optional<json> RedisServer::execute_several(const std::string& verb, const Argv& argv) {
  std::int64_t sum = 0;
  json values = json::array();
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const Value key = value_of(argv[i]);
    if (verb == "MGET") {
      values.push_back(reply_of(apply(kv::get(key))));
    } else {
      sum += apply(verb == "DEL" ? kv::del(key) : kv::exists(key)).as_integer();
    }
  }
  if (verb == "MGET") return outcome_of(json{{"type", "array"}, {"value", values}});
  return outcome_of(integer_reply(sum));
}

/// The engine's values are whole words, so the text is put together here: APPEND is GET and then
/// SET with KEEPTTL at one instant.
std::optional<json> RedisServer::execute_text(const std::string& verb, const Argv& argv) {
  const Value key = value_of(argv[1]);
  const kv::Reply old = apply(kv::get(key));
  std::string text = old.is_nil() ? std::string() : kv::to_text(old);
  if (verb == "APPEND") {
    if (argv.size() != 3) return std::nullopt;
    text += argv[2];
    apply(kv::set(key, value_of(text)).keepttl());
  }
  return outcome_of(integer_reply(static_cast<std::int64_t>(text.size())));
}

std::optional<json> RedisServer::execute_script(const Argv& argv) {
  if (argv.size() < 5 || argv[2] != "1") return std::nullopt;
  const std::string script = squeeze(argv[1]);
  const Value key = value_of(argv[3]);
  const Value first = value_of(argv[4]);
  if (script == kCompareAndDelete && argv.size() == 5) {
    return outcome_of(apply(kv::compare_and_delete(key, first)));
  }
  const std::optional<std::int64_t> ttl_ms = integer_of(argv.back());
  if (!ttl_ms) return std::nullopt;
  if (script == kCompareAndExtend && argv.size() == 6) {
    return outcome_of(apply(kv::compare_and_extend(key, first, milliseconds(*ttl_ms))));
  }
  if (script == kBeginOrGet && argv.size() == 5) {
    const Value pending = value_of("pending");
    return outcome_of(apply(kv::begin_or_get(key, pending, milliseconds(*ttl_ms))));
  }
  return std::nullopt;
}

kv::Reply RedisServer::apply(const kv::Command& command) {
  Footprint touched;
  return engine_.apply(command, now_, StepId{.origin = 1, .place = ++steps_}, touched);
}

/// Numbers are integers only if they print as they were typed.
Value RedisServer::value_of(const std::string& word) {
  const std::string& kept = *words_.insert(word).first;
  const std::optional<std::int64_t> n = integer_of(word);
  if (n && std::to_string(*n) == word) return Value::integer(*n);
  return Value::word(kept.c_str());
}

}  // namespace idemsim::tests
