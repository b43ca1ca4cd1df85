// Runs recorded commands on the servers of a case.
#include "tests/engines/case_redis_server.hpp"

namespace idemsim::tests {

namespace {

using nlohmann::json;

json integer_reply(std::int64_t n) { return {{"type", "int"}, {"value", n}}; }
json bulk_reply(const std::string& text) { return {{"type", "bulk"}, {"value", text}}; }

}  // namespace

std::optional<json> RedisServers::execute(RedisConnection connection, const Argv& argv) {
  const std::string verb = upper(argv.at(0));
  const kv::Server& server = cluster_.server(connection.node);
  if (const std::optional<kv::Request> request = words_.request_of(argv)) {
    const json outcome = outcome_of(apply(connection, *request));
    const bool pongs = request->action == kv::Action::ping && outcome["kind"] == "ok";
    if (pongs && !server.queues(connection.session)) return ok_outcome(status_reply("PONG"));
    const bool loads = request->action == kv::Action::script_load && outcome["kind"] == "ok";
    return loads ? ok_outcome(bulk_reply(script_digest(argv[2]))) : outcome;
  }
  if (server.queues(connection.session)) return std::nullopt;
  if (verb == "DEL" || verb == "EXISTS" || verb == "MGET") {
    return execute_several(connection, argv);
  }
  if (verb == "APPEND" || verb == "STRLEN") return execute_text(connection, argv);
  return execute_keyspace(connection.node, argv);
}

std::optional<RedisServers::Woken> RedisServers::wake() {
  Footprint touched;
  for (const auto& [name, node] : nodes_) {
    const auto released = cluster_.wake(node, moment(), touched);
    deliver();
    if (released) return Woken{{node, released->session}, outcome_of(released->answer)};
  }
  return std::nullopt;
}

std::optional<Instant> RedisServers::next_wake() const {
  std::optional<Instant> first;
  for (const auto& [name, node] : nodes_) {
    const std::optional<Instant> next = cluster_.next_wake(node);
    if (next && (!first || *next < *first)) first = next;
  }
  return first;
}

void RedisServers::leave(RedisConnection connection) {
  Footprint touched;
  cluster_.leave(connection.node, connection.session, touched);
}

std::optional<json> RedisServers::execute_keyspace(kv::NodeId node, const Argv& argv) {
  const std::string verb = upper(argv[0]);
  const kv::Server& server = cluster_.server(node);
  if (verb == "DBSIZE") {
    return ok_outcome(integer_reply(static_cast<std::int64_t>(server.engine().stored())));
  }
  if (verb == "DEBUG" && argv.size() == 3 && upper(argv[1]) == "SET-ACTIVE-EXPIRE") {
    known_[node].expires_in_background = argv[2] != "0";
    return ok_outcome(status_reply("OK"));
  }
  const bool lists_all = (verb == "KEYS" && argv.size() == 2 && argv[1] == "*") ||
                         (verb == "SCAN" && argv.size() == 2 && argv[1] == "0");
  if (!lists_all) return std::nullopt;
  cluster_.remove_dead(node, now_);  // a key is touched by being listed
  json keys = json::array();
  for (const std::string& word : words_.all()) {
    if (server.engine().peek(words_.value_of(word), now_)) keys.push_back(bulk_reply(word));
  }
  const json list{{"type", "array"}, {"value", keys}};
  if (verb == "KEYS") return ok_outcome(list);
  return ok_outcome(json{{"type", "array"}, {"value", json::array({bulk_reply("0"), list})}});
}

/// Commands with several keys are as many commands at one instant.
std::optional<json> RedisServers::execute_several(RedisConnection connection, const Argv& argv) {
  const std::string verb = upper(argv[0]);
  std::int64_t sum = 0;
  json values = json::array();
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const Value key = words_.value_of(argv[i]);
    if (verb == "MGET") {
      values.push_back(reply_of(run(connection, kv::get(key))));
    } else {
      sum += run(connection, verb == "DEL" ? kv::del(key) : kv::exists(key)).as_integer();
    }
  }
  if (verb == "MGET") return ok_outcome(json{{"type", "array"}, {"value", values}});
  return ok_outcome(integer_reply(sum));
}

/// The engine's values are whole words, so the text is put together here: APPEND is GET and then
/// SET with KEEPTTL at one instant.
std::optional<json> RedisServers::execute_text(RedisConnection connection, const Argv& argv) {
  const Value key = words_.value_of(argv[1]);
  const kv::Reply old = run(connection, kv::get(key));
  std::string text = old.is_nil() ? std::string() : kv::to_text(old);
  if (upper(argv[0]) == "APPEND") {
    if (argv.size() != 3) return std::nullopt;
    text += argv[2];
    run(connection, kv::set(key, words_.value_of(text)).keepttl());
  }
  return ok_outcome(integer_reply(static_cast<std::int64_t>(text.size())));
}

kv::Reply RedisServers::run(RedisConnection connection, const kv::Command& command) {
  return apply(connection, kv::run(command)).reply;
}

kv::Answer RedisServers::apply(RedisConnection connection, const kv::Request& request) {
  Footprint touched;
  const kv::Answer answer =
      cluster_.apply(connection.node, connection.session, request, moment(), touched);
  deliver();
  return answer;
}

/// What is on the way to a replica arrives, unless its link is held or cut.
void RedisServers::deliver() {
  Footprint touched;
  for (const auto& [name, node] : nodes_) {
    while (cluster_.deliver(node, moment(), touched)) {
    }
  }
}

kv::Moment RedisServers::moment() { return {now_, StepId{.origin = 1, .place = ++steps_}}; }

}  // namespace idemsim::tests
