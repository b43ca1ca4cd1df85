// What the recorder could do to the servers of a case: settings, failures, links, bulk loads.
#include "tests/engines/case_redis_server.hpp"

#include <algorithm>
#include <map>

namespace idemsim::tests {

namespace {

using nlohmann::json;

const json kOk{{"kind", "ok"}};

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

/// Text with `{i}` as a number.
std::string numbered(const json& pattern, int number) {
  std::string text = pattern.is_string() ? pattern.get<std::string>() : pattern.dump();
  const std::size_t at = text.find("{i}");
  return at == std::string::npos ? text : text.replace(at, 3, std::to_string(number));
}

}  // namespace

std::string RedisServers::add(const std::string& name, const json& settings) {
  const std::map<std::string, kv::Eviction> evictions{{"noeviction", kv::Eviction::none},
                                                      {"volatile-lru", kv::Eviction::volatile_lru},
                                                      {"volatile-ttl", kv::Eviction::volatile_ttl},
                                                      {"allkeys-lru", kv::Eviction::allkeys_lru}};
  const std::map<std::string, kv::Log> logs{
      {"no", kv::Log::no_sync}, {"everysec", kv::Log::every_second}, {"always", kv::Log::always}};
  kv::NodeOptions node;
  kv::ServerOptions& options = node.server;
  options.started = now_;
  for (const auto& [setting, value] : settings.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    if (setting == "env") {
      if (value.contains("FSYNC_DELAY_MS")) {
        const std::string delay = value["FSYNC_DELAY_MS"];
        options.disk.sync_takes = milliseconds(std::stoll(delay));
      }
    } else if (setting == "busy-reply-threshold") {
      options.busy_after = milliseconds(std::stoll(text));
    } else if (setting == "maxmemory") {
      options.memory.keys_max = keys_in(text);
    } else if (setting == "maxmemory-policy" && evictions.contains(text)) {
      options.memory.eviction = evictions.at(text);
    } else if (setting == "appendfsync" && logs.contains(text)) {
      options.disk.log = logs.at(text);
    } else if (setting == "replicaof") {
      node.master = node_of(text);
    } else if (setting == "min-replicas-to-write") {
      node.replicas_min = static_cast<std::size_t>(std::stoll(text));
    } else if (setting == "min-replicas-max-lag") {
      node.lag_max = seconds(std::stoll(text));
    } else if (setting == "save") {
      options.disk.saves = !text.empty();
    } else if (setting != "maxmemory-samples" && setting != "appendonly") {
      return setting;
    }
  }
  nodes_[name] = cluster_.add(node);
  known_[nodes_[name]].memory = options.memory;
  return "";
}

std::string RedisServers::set_up(const json& servers) {
  for (const bool replicas : {false, true}) {
    for (const auto& [name, settings] : servers.items()) {
      if (settings.contains("replicaof") != replicas) continue;
      const std::string unknown = add(name, settings);
      if (!unknown.empty()) return unknown;
    }
  }
  return "";
}

std::optional<json> RedisServers::control(const json& op) {
  if (op["op"] == "clock") {
    const Duration by = milliseconds(op["advance_ms"]);
    if (op.contains("server")) {
      Footprint touched;
      cluster_.move_clock(node_of(op["server"]), by, touched);
    } else {
      advance(by);
    }
    for (const auto& [name, node] : nodes_) {
      const bool works = op.contains("settle_ms") && known_[node].expires_in_background;
      if (works) cluster_.remove_dead(node, now_);
    }
    deliver();
    return kOk;
  }
  if (!op.contains("server")) return std::nullopt;
  const std::optional<json> outcome = control_of(node_of(op["server"]), op);
  deliver();
  return outcome;
}

std::optional<json> RedisServers::control_of(kv::NodeId node, const json& op) {
  const std::string name = op["op"];
  Footprint touched;
  const std::map<std::string, kv::Stop> stops{{"sigterm", kv::Stop::orderly},
                                              {"kill9", kv::Stop::killed},
                                              {"power_loss", kv::Stop::power_loss}};
  if (const auto stop = stops.find(name); stop != stops.end()) {
    cluster_.stop(node, stop->second, moment(), touched);
    return kOk;
  }
  if (name == "start") {
    cluster_.start(node, moment(), touched);
    return kOk;
  }
  if (name == "break_disk") {
    cluster_.server(node).break_disk();
    return kOk;
  }
  if (name == "replicaof") {
    if (op["of"].is_null()) {
      cluster_.promote(node, moment(), touched);
    } else {
      cluster_.rejoin(node, node_of(op["of"]), moment(), touched);
    }
    return ok_outcome(status_reply("OK"));
  }
  if (name == "load") return load(node, op);
  if (name == "count_keys") return count_keys(node, op);
  if (name == "info" || name == "wait_info") return info(node, op);
  if (name == "wait_synced") return json{{"kind", "ok"}, {"synced", cluster_.is_synced(node)}};
  if (name == "admin" && op["argv"].size() == 4 && op["argv"][2] == "maxmemory") {
    kv::MemoryLimit& memory = known_[node].memory;
    memory.keys_max = keys_in(op["argv"][3]);
    cluster_.server(node).limit_memory(memory);
    return ok_outcome(status_reply("OK"));
  }
  return link(node, name);
}

std::optional<json> RedisServers::link(kv::NodeId node, const std::string& name) {
  Footprint touched;
  const std::map<std::string, kv::Link> links{
      {"pass_link", kv::Link::pass}, {"hold_link", kv::Link::hold}, {"cut_link", kv::Link::cut}};
  if (const auto link = links.find(name); link != links.end()) {
    cluster_.set_link(node, link->second, moment(), touched);
    return kOk;
  }
  if (name == "sigstop") {
    cluster_.freeze(node, moment(), touched);
    return kOk;
  }
  if (name == "sigcont") {
    cluster_.thaw(node, moment(), touched);
    return kOk;
  }
  return std::nullopt;
}

std::optional<json> RedisServers::info(kv::NodeId node, const json& op) {
  const std::string field = op["field"];
  const kv::Server& server = cluster_.server(node);
  std::string value;
  if (field == "evicted_keys") {
    value = std::to_string(server.evicted());
  } else if (field == "min_slaves_good_slaves") {
    value = std::to_string(cluster_.good_replicas(node, now_));
  } else if (field == "rdb_last_bgsave_status") {
    value = server.disk().refuses_writes() ? "err" : "ok";
  } else if (field == "master_link_status") {
    value = cluster_.is_synced(node) ? "up" : "down";
  } else {
    return std::nullopt;
  }
  if (op["op"] == "wait_info") return json{{"kind", "ok"}, {"reached", value == op["value"]}};
  return json{{"kind", "ok"}, {"field", field}, {"value", value}, {"positive", value != "0"}};
}

json RedisServers::load(kv::NodeId node, const json& op) {
  int failed = 0;
  const int count = op["count"];
  for (int i = 0; i < count; ++i) {
    Argv words;
    for (const json& word : op["argv"]) words.push_back(numbered(word, i));
    const std::optional<json> outcome = execute({node, {}}, words);
    if (!outcome || (*outcome)["kind"] != "ok") ++failed;
    advance(milliseconds(op.value("interval_ms", 0)));
  }
  return {{"kind", "ok"},
          {"acked", count - failed},
          {"errors", failed},
          {"acked_all", failed == 0},
          {"some_errors", failed > 0}};
}

json RedisServers::count_keys(kv::NodeId node, const json& op) {
  int present = 0;
  const int count = op["count"];
  for (int i = 0; i < count; ++i) {
    const Value key = words_.value_of(numbered(op["pattern"], i));
    present += static_cast<int>(run({node, {}}, kv::exists(key)).as_integer());
  }
  return {{"kind", "ok"},
          {"present", present},
          {"all_present", present == count},
          {"none_present", present == 0}};
}

}  // namespace idemsim::tests
