// One connection to PostgreSQL: libpq without blocking, its socket watched by Asio.
#pragma once

#include "sim/adapters/patience.hpp"
#include "sim/base/result.hpp"

#include <libpq-fe.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idemsim::adapters::postgres {

/// The answer to one statement, as text.
struct Answer {
  bool ok = true;
  std::string sqlstate;    ///< of an error
  std::string message;     ///< of an error, in the server's words
  std::string constraint;  ///< of an error
  std::string tag;         ///< command tag, such as `INSERT 0 1`
  std::uint32_t affected = 0;
  std::vector<std::string> columns;
  std::vector<std::vector<std::optional<std::string>>> rows;
};

class Connection {
 public:
  Connection(boost::asio::io_context& context, const Patience& patience);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// `url` is whatever libpq takes.
  [[nodiscard]] Result<void> open(const std::string& url);
  /// Sends a statement; its answer is taken later.
  [[nodiscard]] Result<void> send(const std::string& sql);
  /// Whether the answer has come, or never will.
  [[nodiscard]] bool ready();
  [[nodiscard]] Result<Answer> take();
  /// Sends, waits, and takes.
  [[nodiscard]] Result<Answer> ask(const std::string& sql);
  /// As `ask`, for a statement of this program: an error is a problem.
  [[nodiscard]] Result<Answer> demand(const std::string& sql);

  [[nodiscard]] bool is_open() const { return connection_ != nullptr; }
  [[nodiscard]] int pid() const { return PQbackendPID(connection_.get()); }
  [[nodiscard]] int version() const { return PQserverVersion(connection_.get()); }
  [[nodiscard]] std::string parameter(const char* name) const;
  [[nodiscard]] std::string database() const { return PQdb(connection_.get()); }
  [[nodiscard]] PGTransactionStatusType transaction() const {
    return PQtransactionStatus(connection_.get());
  }
  void close();

 private:
  struct Watch;  ///< of the socket
  struct Finish {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  [[nodiscard]] Result<void> wait_for(PostgresPollingStatusType direction, const std::string& what);
  [[nodiscard]] Problems lost() const;

  boost::asio::io_context& context_;
  const Patience& patience_;
  std::unique_ptr<PGconn, Finish> connection_;
  std::shared_ptr<Watch> watch_;
};

}  // namespace idemsim::adapters::postgres
