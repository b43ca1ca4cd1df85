// Starting or finding a server, executing commands, cutting a TTL short, and cleaning up.
#include "sim/adapters/redis/store.hpp"

#include <fmt/format.h>
#include <hiredis/hiredis.h>

#include <charconv>
#include <thread>

namespace idemsim::adapters::redis {
namespace {

/// Longer than a run takes: a key lives until the simulation says that it has expired.
constexpr Duration kTtlMin = seconds(60);
constexpr int kMajorMin = 6;
constexpr int kMinorMin = 2;  ///< GETDEL and GETEX

/// A server on a socket in its own folder and nowhere else.
Result<Process> start_server(const StoreOptions& options, Address& address) {
  std::string program = last_match("/usr/bin/redis-server");
  if (program.empty()) program = last_match("/usr/local/bin/redis-server");
  if (program.empty()) {
    return trouble(
        "Redis is not installed: run `apt-get install redis-server`, or give the URL of a server "
        "by --redis");
  }
  Launch launch;
  launch.folder = options.folder + "/redis";
  const Result<void> folder = make_folder(launch.folder, "");
  if (!folder) return folder.error();
  address.path = launch.folder + "/socket";
  launch.arguments = {program, "--port", "0",           "--unixsocket", address.path, "--save",
                      "",      "--dir",  launch.folder, "--appendonly", "no"};
  return Process::start(launch);
}

Duration since(std::chrono::steady_clock::time_point start) {
  const auto length = std::chrono::steady_clock::now() - start;
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(length).count()};
}

bool gives_ttl(const kv::Command& command) {
  return command.ttl_change == kv::TtlChange::relative && command.ttl > Duration{};
}

}  // namespace

Store::Store(const StoreOptions& options) : options_(options), patience_(options.interrupted) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  spelling_.prefix = options.name + ":";
  spelling_.ttl_min = kTtlMin;
  spelling_.epoch_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

Store::~Store() { remove(); }

Result<void> Store::open() {
  if (options_.url.empty()) {
    Result<Process> server = start_server(options_, address_);
    if (!server) return server.error();
    server_.emplace(std::move(*server));
  } else {
    const Result<Address> address = parse_url(options_.url);
    if (!address) return address.error();
    address_ = *address;
  }
  const Result<void> connected = connect_monitor();
  if (!connected) return connected.error();
  return check_version();
}

/// A server of our own needs a moment before it listens.
Result<void> Store::connect_monitor() {
  const auto end = std::chrono::steady_clock::now() + kAnswerMax;
  for (;;) {
    monitor_ = std::make_unique<Connection>(context_, patience_);
    Result<void> connected = monitor_->open(address_);
    if (connected || !server_) return connected;
    if (!server_->running()) {
      return trouble("the throw-away Redis has ended: " + server_->last_words());
    }
    if (patience_.interrupted() || std::chrono::steady_clock::now() > end) return connected;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

Result<void> Store::check_version() {
  const Result<ReplyPtr> info = monitor_->demand({"INFO", "server"});
  if (!info) return info.error();
  const std::string_view text((*info)->str, (*info)->len);
  constexpr std::string_view kField = "redis_version:";
  const std::size_t at = text.find(kField);
  if (at == std::string_view::npos) return trouble("this is no Redis: INFO tells no version");
  version_ = text.substr(at + kField.size(), text.find('\r', at) - at - kField.size());
  int major = 0;
  int minor = 0;
  const char* end = version_.data() + version_.size();
  const auto [dot, error] = std::from_chars(version_.data(), end, major);
  if (error == std::errc() && dot != end) std::from_chars(dot + 1, end, minor);
  if (major > kMajorMin || (major == kMajorMin && minor >= kMinorMin)) return {};
  return trouble(
      fmt::format("Redis {} is too old: {}.{} or newer is needed", version_, kMajorMin, kMinorMin));
}

std::string Store::about() const {
  return fmt::format("Redis {} ({})", version_,
                     server_ ? "throw-away server" : "keys " + spelling_.prefix + "*");
}

Result<kv::Reply> Store::execute(KvConnection connection, const kv::Command& command) {
  std::unique_ptr<Connection>& own = connections_[connection];
  if (own == nullptr) {
    own = std::make_unique<Connection>(context_, patience_);
    const Result<void> opened = own->open(address_);
    if (!opened) return opened.error();
  }
  Key& key = keys_[to_plain(command.key)];
  const Result<ReplyPtr> reply = own->ask(words_of(command, spelling_));
  if (!reply) return reply.error();
  Result<kv::Reply> said = reply_of(**reply, words_);
  // A command that was refused has given no TTL: the one before goes on.
  const bool refused = said && (said->is_nil() || said->value == Value::integer(0));
  if (gives_ttl(command) && !refused) {
    key.ttl = command.ttl;
    key.since = std::chrono::steady_clock::now();
  }
  return said;
}

void Store::close(KvConnection connection) { connections_.erase(connection); }

Result<std::int64_t> Store::number(const std::vector<std::string>& words) {
  const Result<ReplyPtr> reply = monitor_->demand(words);
  if (!reply) return reply.error();
  // Problems could be made from a number as well: it has to be said which it is.
  return Result<std::int64_t>(boost::system::in_place_value, (*reply)->integer);
}

Result<Expired> Store::expire(Value key) {
  const std::string name = to_plain(key);
  const std::string real = spelling_.prefix + name;
  const Result<std::int64_t> left = number({"PTTL", real});
  if (!left) return left.error();
  Expired expired;
  if (*left < 0) return expired;  // no such key, or no TTL: the answers to come will tell
  const Result<std::int64_t> cut = number({"PEXPIRE", real, "1"});
  if (!cut) return cut.error();
  for (;;) {
    const Result<std::int64_t> there = number({"EXISTS", real});
    if (!there) return there.error();
    if (*there == 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  expired.existed = true;
  expired.ttl = keys_[name].ttl;
  expired.lived = since(keys_[name].since);
  return expired;
}

void Store::remove() {
  patience_.clean_up();
  connections_.clear();
  if (!server_ && monitor_ != nullptr && monitor_->is_open()) {
    for (const auto& [key, known] : keys_) {
      if (!monitor_->ask({"DEL", spelling_.prefix + key})) break;
    }
  }
  keys_.clear();
  monitor_.reset();
  server_.reset();
}

}  // namespace idemsim::adapters::redis
