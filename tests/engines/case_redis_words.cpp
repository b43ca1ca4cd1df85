// Commands of the recordings, parsed into the typed requests of the engine.
#include "tests/engines/case_redis_words.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace idemsim::tests {

namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

/// A command, or the error that its words are.
struct Parsed {
  kv::Command command;
  bool is_syntax_error = false;
};

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
  if (verb == "DEL") return kv::del(key);
  if (verb == "EXISTS") return kv::exists(key);
  if (verb == "INCR") return kv::incr(key);
  if (verb == "PTTL") return kv::pttl(key);
  if (verb == "TTL") return kv::ttl(key);
  if (verb == "PERSIST") return kv::persist(key);
  return std::nullopt;
}

/// Seconds with a fraction, as DEBUG SLEEP takes them.
std::optional<std::int64_t> milliseconds_of(const std::string& seconds) {
  const std::size_t point = std::min(seconds.find('.'), seconds.size());
  std::string fraction = point < seconds.size() ? seconds.substr(point + 1) : "";
  fraction.resize(3, '0');
  const std::optional<std::int64_t> whole = integer_of(seconds.substr(0, point));
  const std::optional<std::int64_t> part = integer_of(fraction);
  if (!whole || !part) return std::nullopt;
  return *whole * 1000 + *part;
}

/// What Redis itself refuses as a bad use of options.
kv::Request request_from(const Parsed& parsed) {
  return parsed.is_syntax_error ? kv::request(kv::Action::bad_syntax) : kv::run(parsed.command);
}

}  // namespace

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

Value RedisWords::value_of(const std::string& word) {
  const std::string& kept = *words_.insert(word).first;
  const std::optional<std::int64_t> n = integer_of(word);
  if (n && std::to_string(*n) == word) return Value::integer(*n);
  return Value::word(kept.c_str());
}

std::optional<kv::Request> RedisWords::request_of(const Argv& argv) {
  const std::string verb = upper(argv.at(0));
  if (const auto transaction = transaction_of(verb, argv)) return transaction;
  if (!is_redis_command(verb)) return kv::request(kv::Action::unknown);
  if (const auto server = server_of(verb, argv)) return server;
  if (argv.size() == 1) return std::nullopt;
  if (verb == "EVAL" || verb == "EVALSHA" || verb == "SCRIPT") return script_of(verb, argv);
  const Value key = value_of(argv[1]);
  std::optional<Parsed> parsed;
  if (argv.size() == 2) {
    if (const auto command = parse_key_only(verb, key)) parsed = Parsed{*command, false};
  }
  if (argv.size() == 3 && verb == "SETNX") {
    parsed = Parsed{kv::setnx(key, value_of(argv[2])), false};
  }
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
  return request_from(*parsed);
}

std::optional<kv::Request> RedisWords::transaction_of(const std::string& verb, const Argv& argv) {
  if (verb == "WATCH" && argv.size() == 2) return kv::watch(value_of(argv[1]));
  if (argv.size() != 1) return std::nullopt;
  if (verb == "UNWATCH") return kv::request(kv::Action::unwatch);
  if (verb == "MULTI") return kv::request(kv::Action::multi);
  if (verb == "EXEC") return kv::request(kv::Action::exec);
  if (verb == "DISCARD") return kv::request(kv::Action::discard);
  return std::nullopt;
}

/// EVAL, EVALSHA and SCRIPT: a script that has been seen is known by its digest.
std::optional<kv::Request> RedisWords::script_of(const std::string& verb, const Argv& argv) {
  if (verb == "SCRIPT") {
    const std::string what = upper(argv[1]);
    if (what == "FLUSH") return kv::request(kv::Action::script_flush);
    if (what == "KILL") return kv::request(kv::Action::script_kill);
    if (what != "LOAD" || argv.size() != 3) return std::nullopt;
    const std::string digest = script_digest(argv[2]);
    scripts_[digest] = argv[2];
    return kv::script_load(hash_text(digest));
  }
  const std::string digest = verb == "EVAL" ? script_digest(argv[1]) : argv[1];
  if (verb == "EVAL") scripts_[digest] = argv[1];
  const auto text = scripts_.find(digest);
  if (text == scripts_.end()) return kv::evalsha({.id = hash_text(digest)});
  const Argv arguments(argv.begin() + std::min<std::ptrdiff_t>(3, std::ssize(argv)), argv.end());
  std::optional<kv::Script> script = typed_script(*this, text->second, arguments);
  if (!script) return std::nullopt;
  script->id = hash_text(digest);
  return verb == "EVAL" ? kv::eval(*script) : kv::evalsha(*script);
}

/// Commands for the server as a whole.
std::optional<kv::Request> RedisWords::server_of(const std::string& verb, const Argv& argv) {
  if (verb == "WAIT" && argv.size() == 3) {
    const std::optional<std::int64_t> count = integer_of(argv[1]);
    const std::optional<std::int64_t> ms = integer_of(argv[2]);
    if (count && ms) return kv::wait_for(*count, milliseconds(*ms));
  }
  if (verb == "PING" && argv.size() == 1) return kv::request(kv::Action::ping);
  if (verb == "SAVE") return kv::request(kv::Action::save);
  if (verb == "BGSAVE") return kv::request(kv::Action::save_later);
  const std::string what = argv.size() > 1 ? upper(argv[1]) : "";
  if (verb == "DEBUG" && what == "SLEEP" && argv.size() == 3) {
    const std::optional<std::int64_t> ms = milliseconds_of(argv[2]);
    if (ms) return kv::stall(kv::Action::sleep, milliseconds(*ms));
  }
  if (verb == "CLIENT" && what == "PAUSE" && argv.size() >= 3) {
    const std::optional<std::int64_t> ms = integer_of(argv[2]);
    const bool writes = argv.size() == 4 && upper(argv[3]) == "WRITE";
    if (!ms || (argv.size() > 3 && !writes)) return std::nullopt;
    const kv::Action action = writes ? kv::Action::pause_writes : kv::Action::pause;
    return kv::stall(action, milliseconds(*ms));
  }
  return std::nullopt;
}

}  // namespace idemsim::tests
