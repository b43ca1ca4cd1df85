// Redis behind the interface of a key-value store: one connection a task, one more that watches.
#pragma once

#include "sim/adapters/patience.hpp"
#include "sim/adapters/process.hpp"
#include "sim/adapters/redis/connection.hpp"
#include "sim/adapters/redis/protocol.hpp"
#include "sim/adapters/store.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace idemsim::adapters::redis {

class Store final : public KvStore {
 public:
  explicit Store(const StoreOptions& options);
  ~Store() override;

  /// Starts a server if there is no URL, connects, and looks whether it is new enough.
  [[nodiscard]] Result<void> open();

  [[nodiscard]] std::string about() const override;
  [[nodiscard]] Result<kv::Reply> execute(KvConnection connection,
                                          const kv::Command& command) override;
  void close(KvConnection connection) override;
  [[nodiscard]] Result<Expired> expire(Value key) override;
  void remove() override;

 private:
  /// What is known of a key that this run has named.
  struct Key {
    Duration ttl;  ///< that it was given last
    std::chrono::steady_clock::time_point since;
  };

  [[nodiscard]] Result<void> connect_monitor();
  [[nodiscard]] Result<void> check_version();
  [[nodiscard]] Result<std::int64_t> number(const std::vector<std::string>& words);

  StoreOptions options_;
  Patience patience_;
  boost::asio::io_context context_;
  std::optional<Process> server_;
  Address address_;
  std::string version_;
  Spelling spelling_;
  Words words_;
  std::unique_ptr<Connection> monitor_;
  std::map<KvConnection, std::unique_ptr<Connection>> connections_;
  std::map<std::string, Key> keys_;
};

}  // namespace idemsim::adapters::redis
