// The well-known scripts, and the options of SET and PEXPIRE in the order of their manual.
#include "sim/adapters/redis/protocol.hpp"

#include <fmt/format.h>
#include <hiredis/hiredis.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace idemsim::adapters::redis {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

constexpr const char* kCompareAndDelete =
    "if redis.call('GET',KEYS[1])==ARGV[1] then return redis.call('DEL',KEYS[1]) else return 0 end";
constexpr const char* kCompareAndExtend =
    "if redis.call('GET',KEYS[1])==ARGV[1] then return redis.call('PEXPIRE',KEYS[1],ARGV[2]) "
    "else return 0 end";
constexpr const char* kCompareAndSet =
    "if redis.call('GET',KEYS[1])~=ARGV[1] then return 0 end "
    "if ARGV[3] then redis.call('SET',KEYS[1],ARGV[2],'PX',ARGV[3]) "
    "else redis.call('SET',KEYS[1],ARGV[2]) end return 1";
constexpr const char* kBeginOrGet =
    "local v=redis.call('GET',KEYS[1]) if v then return v end "
    "redis.call('SET',KEYS[1],ARGV[1],'PX',ARGV[2]) return 'NEW'";

/// Builds the words of one command.
class Builder {
 public:
  Builder(const kv::Command& command, const Spelling& spelling)
      : command_(command), spelling_(spelling), key_(spelling.prefix + to_plain(command.key)) {}

  [[nodiscard]] std::vector<std::string> simple(const char* verb) const { return {verb, key_}; }
  [[nodiscard]] std::vector<std::string> with_value(const char* verb) const {
    return {verb, key_, to_plain(command_.value)};
  }
  [[nodiscard]] std::vector<std::string> set() const {
    std::vector<std::string> words = with_value("SET");
    add_only(words);
    if (command_.returns_old) words.emplace_back("GET");
    if (command_.ttl_change == kv::TtlChange::keep) words.emplace_back("KEEPTTL");
    add_ttl(words);
    return words;
  }
  [[nodiscard]] std::vector<std::string> getex() const {
    std::vector<std::string> words = simple("GETEX");
    if (command_.ttl_change == kv::TtlChange::drop) words.emplace_back("PERSIST");
    add_ttl(words);
    return words;
  }
  [[nodiscard]] std::vector<std::string> limit(const char* verb, std::string time) const {
    std::vector<std::string> words = {verb, key_, std::move(time)};
    add_only(words);
    return words;
  }
  [[nodiscard]] std::vector<std::string> script(const char* text,
                                                std::vector<std::string> arguments) const {
    std::vector<std::string> words = {"EVAL", text, "1", key_};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
  }
  /// A TTL of zero or less is an error or a deletion, so it stays what it is.
  [[nodiscard]] std::string ttl() const {
    const Duration ttl = command_.ttl;
    const Duration real = ttl > Duration{} ? std::max(ttl, spelling_.ttl_min) : ttl;
    return std::to_string(real.ns / kNsPerMs);
  }
  [[nodiscard]] std::string deadline() const {
    return std::to_string(spelling_.epoch_ms + command_.deadline.ns / kNsPerMs);
  }

 private:
  void add_only(std::vector<std::string>& words) const {
    static constexpr std::array<const char*, 5> kWords = {"", "NX", "XX", "GT", "LT"};
    const char* word = kWords[static_cast<std::size_t>(command_.only)];
    if (*word != '\0') words.emplace_back(word);
  }
  void add_ttl(std::vector<std::string>& words) const {
    if (command_.ttl_change == kv::TtlChange::relative) {
      words.insert(words.end(), {"PX", ttl()});
    } else if (command_.ttl_change == kv::TtlChange::absolute) {
      words.insert(words.end(), {"PXAT", deadline()});
    }
  }

  const kv::Command& command_;
  const Spelling& spelling_;
  std::string key_;
};

std::vector<std::string> swap_arguments(const kv::Command& command, const Builder& builder) {
  std::vector<std::string> arguments = {to_plain(command.expected), to_plain(command.value)};
  if (command.ttl_change == kv::TtlChange::relative) arguments.push_back(builder.ttl());
  return arguments;
}

}  // namespace

std::vector<std::string> words_of(const kv::Command& command, const Spelling& spelling) {
  const Builder builder(command, spelling);
  switch (command.verb) {
    case kv::Verb::get:
      return builder.simple("GET");
    case kv::Verb::getdel:
      return builder.simple("GETDEL");
    case kv::Verb::getset:
      return builder.with_value("GETSET");
    case kv::Verb::getex:
      return builder.getex();
    case kv::Verb::set:
      return builder.set();
    case kv::Verb::setnx:
      return builder.with_value("SETNX");
    case kv::Verb::del:
      return builder.simple("DEL");
    case kv::Verb::exists:
      return builder.simple("EXISTS");
    case kv::Verb::incr:
      return builder.simple("INCR");
    case kv::Verb::pexpire:
      return builder.limit("PEXPIRE", builder.ttl());
    case kv::Verb::pexpireat:
      return builder.limit("PEXPIREAT", builder.deadline());
    case kv::Verb::pttl:
      return builder.simple("PTTL");
    case kv::Verb::ttl:
      return builder.simple("TTL");
    case kv::Verb::persist:
      return builder.simple("PERSIST");
    case kv::Verb::compare_and_delete:
      return builder.script(kCompareAndDelete, {to_plain(command.expected)});
    case kv::Verb::compare_and_extend:
      return builder.script(kCompareAndExtend, {to_plain(command.expected), builder.ttl()});
    case kv::Verb::compare_and_set:
      return builder.script(kCompareAndSet, swap_arguments(command, builder));
    case kv::Verb::begin_or_get:
      return builder.script(kBeginOrGet, {to_plain(command.value), builder.ttl()});
  }
  return {};
}

Result<kv::Reply> reply_of(const redisReply& reply, Words& words) {
  const std::string_view text =
      reply.str == nullptr ? std::string_view() : std::string_view(reply.str, reply.len);
  switch (reply.type) {
    case REDIS_REPLY_STATUS:
      return kv::Reply::ok();
    case REDIS_REPLY_INTEGER:
      return kv::Reply::integer(reply.integer);
    case REDIS_REPLY_STRING:
      return kv::Reply::bulk(from_plain(text, words));
    case REDIS_REPLY_NIL:
      return kv::Reply::nil();
    default:
      break;
  }
  static constexpr std::array<std::pair<std::string_view, kv::Error>, 4> kErrors = {
      {{"not an integer", kv::Error::not_an_integer},
       {"overflow", kv::Error::overflow},
       {"invalid expire", kv::Error::invalid_expire},
       {"syntax error", kv::Error::syntax}}};
  for (const auto& [part, error] : kErrors) {
    if (text.find(part) != std::string_view::npos) return kv::Reply::failed(error);
  }
  Problem problem;
  problem.message = fmt::format("Redis refuses a command: {}", text);
  return Problems{problem};
}

}  // namespace idemsim::adapters::redis
