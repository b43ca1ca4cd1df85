// The scripts of the recordings by their text: which typed script each one is.
#include "tests/engines/case_redis_words.hpp"

#include <boost/uuid/detail/sha1.hpp>

#include <array>
#include <cctype>
#include <cstdio>
#include <string_view>

namespace idemsim::tests {

namespace {

using kv::Script;
using kv::ScriptStep;
using kv::ScriptValue;

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

/// What a script needs to be made from its arguments.
struct Call {
  RedisWords& words;
  const Argv& arguments;

  [[nodiscard]] Value value(std::size_t i) const { return words.value_of(arguments.at(i)); }
  [[nodiscard]] Value word(const char* text) const { return words.value_of(text); }
  [[nodiscard]] Duration ms(std::size_t i) const {
    return milliseconds(integer_of(arguments.at(i)).value_or(0));
  }
};

Script of(std::vector<ScriptStep> steps) { return {.steps = std::move(steps)}; }
Script of(const kv::Command& command) { return of({{command}}); }
Script of(ScriptValue value) { return {.result = Script::Result::value, .values = {value}}; }

struct Known {
  std::string_view text;
  std::size_t arguments;
  Script (*make)(const Call&);
};

constexpr std::array kPlain = {
    Known{"if redis.call('GET',KEYS[1])==ARGV[1] then return redis.call('DEL',KEYS[1]) "
          "else return 0 end",
          2, [](const Call& c) { return of(kv::compare_and_delete(c.value(0), c.value(1))); }},
    Known{
        "if redis.call('GET',KEYS[1])==ARGV[1] then return "
        "redis.call('PEXPIRE',KEYS[1],ARGV[2]) else return 0 end",
        3,
        [](const Call& c) { return of(kv::compare_and_extend(c.value(0), c.value(1), c.ms(2))); }},
    Known{
        "local v=redis.call('GET',KEYS[1]) if v then return v end "
        "redis.call('SET',KEYS[1],'pending','PX',ARGV[1]) return 'NEW'",
        2,
        [](const Call& c) { return of(kv::begin_or_get(c.value(0), c.word("pending"), c.ms(1))); }},
    Known{"return redis.call('SET',KEYS[1],'1')", 1,
          [](const Call& c) { return of(kv::set(c.value(0), c.word("1"))); }},
    Known{"return redis.call('SET','k','v')", 0,
          [](const Call& c) { return of(kv::set(c.word("k"), c.word("v"))); }},
    Known{"return redis.call('GET',KEYS[1])", 1,
          [](const Call& c) { return of(kv::get(c.value(0))); }},
    Known{"return redis.call('DEL',KEYS[1])", 1,
          [](const Call& c) { return of(kv::del(c.value(0))); }},
    Known{"redis.call('SET',KEYS[1],'1') return redis.call('INCR',KEYS[2])", 2,
          [](const Call& c) {
            return of({{kv::set(c.value(0), c.word("1"))}, {kv::incr(c.value(1))}});
          }},
};

constexpr std::array kSpecial = {
    Known{"return 1", 0, [](const Call&) { return of(ScriptValue::number(1)); }},
    Known{"return true", 0, [](const Call&) { return of(ScriptValue::boolean(1)); }},
    Known{"return false", 0, [](const Call&) { return of(ScriptValue::boolean(0)); }},
    Known{"return 3.99", 0,
          [](const Call&) {
            return of(ScriptValue{ScriptValue::Kind::number, 399, 100});
          }},
    Known{"return {1,nil,3}", 0,
          [](const Call&) {
            return Script{.result = Script::Result::table,
                          .values = {ScriptValue::number(1), {}, ScriptValue::number(3)}};
          }},
    Known{"return redis.call('GET','x')==false", 0,
          [](const Call& c) {
            return of({{kv::get(c.word("x")), kv::Then::is_nil}});
          }},
    Known{"while true do end", 0, [](const Call&) { return Script{.runs_for = kForever}; }},
    Known{"redis.call('SET','k','1') while true do end", 0,
          [](const Call& c) {
            return Script{.steps = {{kv::set(c.word("k"), c.word("1"))}}, .runs_for = kForever};
          }},
    Known{"local t0=redis.call('TIME') local s=t0[1]*1000000+t0[2] local n=0 repeat local "
          "t=redis.call('TIME') n=t[1]*1000000+t[2]-s until n>80000 return "
          "{redis.call('EXISTS',KEYS[1]), redis.call('PTTL',KEYS[1])>=0 and 1 or 0}",
          1,
          [](const Call& c) {
            return Script{.steps = {{kv::exists(c.value(0))},
                                    {kv::pttl(c.value(0)), kv::Then::is_not_negative}},
                          .result = Script::Result::each,
                          .runs_for = milliseconds(81)};
          }},
};

}  // namespace

std::string script_digest(const std::string& text) {
  boost::uuids::detail::sha1 sha1;
  sha1.process_bytes(text.data(), text.size());
  boost::uuids::detail::sha1::digest_type words{};
  sha1.get_digest(words);
  std::string digest;
  for (const unsigned word : words) {
    std::array<char, 9> hex{};
    std::snprintf(hex.data(), hex.size(), "%08x", word);
    digest += hex.data();
  }
  return digest;
}

std::optional<Script> typed_script(RedisWords& words, const std::string& text,
                                   const Argv& arguments) {
  const std::string squeezed = squeeze(text);
  const Call call{words, arguments};
  for (const Known& known : kPlain) {
    if (known.text == squeezed && known.arguments == arguments.size()) return known.make(call);
  }
  for (const Known& known : kSpecial) {
    if (known.text == squeezed && known.arguments == arguments.size()) return known.make(call);
  }
  return std::nullopt;
}

}  // namespace idemsim::tests
