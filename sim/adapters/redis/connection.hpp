// One connection to Redis: RESP over an Asio socket, parsed by hiredis' reader.
#pragma once

#include "sim/adapters/patience.hpp"
#include "sim/base/result.hpp"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

struct redisReader;
struct redisReply;

namespace idemsim::adapters::redis {

/// Where a server is, and who we are there.
struct Address {
  std::string host;  ///< empty: `path` counts
  std::string port = "6379";
  std::string path;  ///< of a unix socket
  std::string user;
  std::string password;
  std::string database = "0";
};
/// redis://[[user]:password@]host[:port][/database] or unix:///path.
[[nodiscard]] Result<Address> parse_url(const std::string& url);

struct FreeReply {
  void operator()(redisReply* reply) const;
};
using ReplyPtr = std::unique_ptr<redisReply, FreeReply>;

class Connection {
 public:
  Connection(boost::asio::io_context& context, const Patience& patience);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Connects, says who we are, and selects the database.
  [[nodiscard]] Result<void> open(const Address& address);
  [[nodiscard]] bool is_open() const { return socket_.is_open(); }
  /// Sends a command and waits for its reply, which may be an error.
  [[nodiscard]] Result<ReplyPtr> ask(const std::vector<std::string>& words);
  /// As `ask`, for a command of this program: an error is a problem.
  [[nodiscard]] Result<ReplyPtr> demand(const std::vector<std::string>& words);

 private:
  [[nodiscard]] Result<void> connect(const Address& address);
  [[nodiscard]] Result<void> read_more(const std::string& what);

  boost::asio::io_context& context_;
  const Patience& patience_;
  boost::asio::generic::stream_protocol::socket socket_;
  redisReader* reader_;
  std::array<char, 4096> buffer_{};
};

}  // namespace idemsim::adapters::redis
