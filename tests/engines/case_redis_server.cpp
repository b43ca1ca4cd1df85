// Runs recorded commands on the engine, and turns its answers into recorded outcomes.
#include "tests/engines/case_redis_server.hpp"

#include <algorithm>
#include <map>

namespace idemsim::tests {

namespace {

using nlohmann::json;

/// The engine counts memory in keys; these are the sizes of an empty server and of one of the
/// padded keys that fill it in the recordings.
constexpr std::int64_t kEmptyBytes = 900'000;
constexpr std::int64_t kKeyBytes = 1'150;

/// `2mb` or a number of bytes, as a number of keys.
std::size_t keys_in(const std::string& limit) {
  const bool is_mb = limit.ends_with("mb");
  const std::int64_t number = std::stoll(limit);
  const std::int64_t bytes = is_mb ? number * 1024 * 1024 : number;
  return static_cast<std::size_t>(std::max<std::int64_t>(0, bytes - kEmptyBytes) / kKeyBytes);
}

json outcome_of(json reply) { return {{"kind", "ok"}, {"reply", std::move(reply)}}; }
json integer_reply(std::int64_t n) { return {{"type", "int"}, {"value", n}}; }
json bulk_reply(const std::string& text) { return {{"type", "bulk"}, {"value", text}}; }
json status_reply(const char* text) { return {{"type", "status"}, {"value", text}}; }

json reply_of(const kv::Reply& reply) {
  switch (reply.kind) {
    case kv::Reply::Kind::status:
    case kv::Reply::Kind::queued:
      return status_reply(reply.is_ok() ? "OK" : "QUEUED");
    case kv::Reply::Kind::integer:
      return integer_reply(reply.as_integer());
    case kv::Reply::Kind::bulk:
      return bulk_reply(kv::to_text(reply));
    case kv::Reply::Kind::nil:
      return {{"type", "nil"}};
    case kv::Reply::Kind::error:
      return {{"type", "error"}, {"value", kv::code_of(reply.error)}};
  }
  return nullptr;
}

json outcome_of(const kv::Reply& reply) {
  if (reply.is_error()) return {{"kind", "error"}, {"code", kv::code_of(reply.error)}};
  return outcome_of(reply_of(reply));
}

json outcome_of(const kv::Answer& answer) {
  switch (answer.kind) {
    case kv::Answer::Kind::one:
      return outcome_of(answer.reply);
    case kv::Answer::Kind::no_run:
      return outcome_of(json{{"type", "nil_array"}});
    case kv::Answer::Kind::parked:
      return {{"kind", "parked"}};
    case kv::Answer::Kind::many:
      break;
  }
  json list = json::array();
  for (const kv::Reply& reply : answer.replies) list.push_back(reply_of(reply));
  return outcome_of(json{{"type", "array"}, {"value", list}});
}

}  // namespace

std::string RedisServer::set_up(const json& settings) {
  const std::map<std::string, kv::Eviction> evictions{{"noeviction", kv::Eviction::none},
                                                      {"volatile-lru", kv::Eviction::volatile_lru},
                                                      {"volatile-ttl", kv::Eviction::volatile_ttl},
                                                      {"allkeys-lru", kv::Eviction::allkeys_lru}};
  const std::map<std::string, kv::Log> logs{
      {"no", kv::Log::no_sync}, {"everysec", kv::Log::every_second}, {"always", kv::Log::always}};
  kv::ServerOptions options;
  options.started = now_;
  for (const auto& [name, value] : settings.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    if (name == "env") {
      if (value.contains("FSYNC_DELAY_MS")) {
        const std::string delay = value["FSYNC_DELAY_MS"];
        options.disk.sync_takes = milliseconds(std::stoll(delay));
      }
    } else if (name == "busy-reply-threshold") {
      options.busy_after = milliseconds(std::stoll(text));
    } else if (name == "maxmemory") {
      options.memory.keys_max = keys_in(text);
    } else if (name == "maxmemory-policy" && evictions.contains(text)) {
      options.memory.eviction = evictions.at(text);
    } else if (name == "appendfsync" && logs.contains(text)) {
      options.disk.log = logs.at(text);
    } else if (name == "save") {
      options.disk.saves = !text.empty();
    } else if (name != "maxmemory-samples" && name != "appendonly") {
      return name;
    }
  }
  memory_ = options.memory;
  server_ = kv::Server(0, options);
  return "";
}

std::optional<json> RedisServer::control(const json& op) {
  const std::string name = op["op"];
  const std::map<std::string, kv::Stop> stops{{"sigterm", kv::Stop::orderly},
                                              {"kill9", kv::Stop::killed},
                                              {"power_loss", kv::Stop::power_loss}};
  if (const auto stop = stops.find(name); stop != stops.end()) {
    Footprint touched;
    server_.restart(stop->second, now_, touched);
    return json{{"kind", "ok"}};
  }
  if (name == "start" || name == "wait_info") return json{{"kind", "ok"}, {"reached", true}};
  if (name == "break_disk") {
    server_.break_disk();
    return json{{"kind", "ok"}};
  }
  if (name == "load") return load(op);
  if (name == "count_keys") return count_keys(op);
  if (name == "info" && op["field"] == "evicted_keys") {
    return json{{"kind", "ok"},
                {"field", op["field"]},
                {"value", std::to_string(server_.evicted())},
                {"positive", server_.evicted() > 0}};
  }
  if (name == "admin" && op["argv"].size() == 4 && op["argv"][2] == "maxmemory") {
    memory_.keys_max = keys_in(op["argv"][3]);
    server_.limit_memory(memory_);
    return outcome_of(status_reply("OK"));
  }
  return std::nullopt;
}

/// Text with `{i}` as a number.
static std::string numbered(const json& pattern, int number) {
  std::string text = pattern.is_string() ? pattern.get<std::string>() : pattern.dump();
  const std::size_t at = text.find("{i}");
  return at == std::string::npos ? text : text.replace(at, 3, std::to_string(number));
}

json RedisServer::load(const json& op) {
  int failed = 0;
  const int count = op["count"];
  for (int i = 0; i < count; ++i) {
    Argv words;
    for (const json& word : op["argv"]) words.push_back(numbered(word, i));
    const std::optional<json> outcome = execute(kv::SessionId{0}, words);
    if (!outcome || (*outcome)["kind"] != "ok") ++failed;
    advance(milliseconds(op.value("interval_ms", 0)));
  }
  return {{"kind", "ok"},
          {"acked", count - failed},
          {"errors", failed},
          {"acked_all", failed == 0},
          {"some_errors", failed > 0}};
}

json RedisServer::count_keys(const json& op) {
  int present = 0;
  const int count = op["count"];
  for (int i = 0; i < count; ++i) {
    const Value key = words_.value_of(numbered(op["pattern"], i));
    present += static_cast<int>(run(kv::SessionId{0}, kv::exists(key)).as_integer());
  }
  return {{"kind", "ok"},
          {"present", present},
          {"all_present", present == count},
          {"none_present", present == 0}};
}

std::optional<json> RedisServer::execute(kv::SessionId session, const Argv& argv) {
  const std::string verb = upper(argv.at(0));
  if (const std::optional<kv::Request> request = words_.request_of(argv)) {
    const json outcome = outcome_of(apply(session, *request));
    const bool pongs = request->action == kv::Action::ping && outcome["kind"] == "ok";
    if (pongs && !server_.queues(session)) return outcome_of(status_reply("PONG"));
    const bool loads = request->action == kv::Action::script_load && outcome["kind"] == "ok";
    return loads ? outcome_of(bulk_reply(script_digest(argv[2]))) : outcome;
  }
  if (server_.queues(session)) return std::nullopt;
  if (verb == "DEL" || verb == "EXISTS" || verb == "MGET") {
    return execute_several(session, argv);
  }
  if (verb == "APPEND" || verb == "STRLEN") return execute_text(session, argv);
  return execute_keyspace(verb, argv);
}

std::optional<RedisServer::Woken> RedisServer::wake() {
  Footprint touched;
  if (const auto released = server_.wake(moment(), touched)) {
    return Woken{released->session, outcome_of(released->answer)};
  }
  return std::nullopt;
}

void RedisServer::settle() {
  if (expires_in_background_) server_.remove_dead(now_);
}

void RedisServer::leave(kv::SessionId session) {
  Footprint touched;
  server_.leave(session, touched);
}

std::optional<json> RedisServer::execute_keyspace(const std::string& verb, const Argv& argv) {
  if (verb == "DBSIZE") {
    return outcome_of(integer_reply(static_cast<std::int64_t>(server_.engine().stored())));
  }
  if (verb == "DEBUG" && argv.size() == 3 && upper(argv[1]) == "SET-ACTIVE-EXPIRE") {
    expires_in_background_ = argv[2] != "0";
    return outcome_of(status_reply("OK"));
  }
  const bool lists_all = (verb == "KEYS" && argv.size() == 2 && argv[1] == "*") ||
                         (verb == "SCAN" && argv.size() == 2 && argv[1] == "0");
  if (!lists_all) return std::nullopt;
  server_.remove_dead(now_);  // a key is touched by being listed
  json keys = json::array();
  for (const std::string& word : words_.all()) {
    if (server_.engine().peek(words_.value_of(word), now_)) keys.push_back(bulk_reply(word));
  }
  const json list{{"type", "array"}, {"value", keys}};
  if (verb == "KEYS") return outcome_of(list);
  return outcome_of(json{{"type", "array"}, {"value", json::array({bulk_reply("0"), list})}});
}

/// Commands with several keys are as many commands at one instant.
std::optional<json> RedisServer::execute_several(kv::SessionId session, const Argv& argv) {
  const std::string verb = upper(argv[0]);
  std::int64_t sum = 0;
  json values = json::array();
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const Value key = words_.value_of(argv[i]);
    if (verb == "MGET") {
      values.push_back(reply_of(run(session, kv::get(key))));
    } else {
      sum += run(session, verb == "DEL" ? kv::del(key) : kv::exists(key)).as_integer();
    }
  }
  if (verb == "MGET") return outcome_of(json{{"type", "array"}, {"value", values}});
  return outcome_of(integer_reply(sum));
}

/// The engine's values are whole words, so the text is put together here: APPEND is GET and then
/// SET with KEEPTTL at one instant.
std::optional<json> RedisServer::execute_text(kv::SessionId session, const Argv& argv) {
  const Value key = words_.value_of(argv[1]);
  const kv::Reply old = run(session, kv::get(key));
  std::string text = old.is_nil() ? std::string() : kv::to_text(old);
  if (upper(argv[0]) == "APPEND") {
    if (argv.size() != 3) return std::nullopt;
    text += argv[2];
    run(session, kv::set(key, words_.value_of(text)).keepttl());
  }
  return outcome_of(integer_reply(static_cast<std::int64_t>(text.size())));
}

kv::Reply RedisServer::run(kv::SessionId session, const kv::Command& command) {
  return apply(session, kv::run(command)).reply;
}

kv::Answer RedisServer::apply(kv::SessionId session, const kv::Request& request) {
  Footprint touched;
  return server_.apply(session, request, moment(), touched);
}

kv::Moment RedisServer::moment() { return {now_, StepId{.origin = 1, .place = ++steps_}}; }

}  // namespace idemsim::tests
