// Runs recorded commands on the engine, and turns its answers into recorded outcomes.
#include "tests/engines/case_redis_server.hpp"

namespace idemsim::tests {

namespace {

using nlohmann::json;

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

std::optional<json> RedisServer::execute(kv::SessionId session, const Argv& argv) {
  const std::string verb = upper(argv.at(0));
  if (const std::optional<kv::Request> request = words_.request_of(argv)) {
    const json outcome = outcome_of(apply(session, *request));
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
