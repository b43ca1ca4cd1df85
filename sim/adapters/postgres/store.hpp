// PostgreSQL behind the interface of a database: one connection a session, one more that watches.
#pragma once

#include "sim/adapters/patience.hpp"
#include "sim/adapters/postgres/connection.hpp"
#include "sim/adapters/postgres/schema.hpp"
#include "sim/adapters/process.hpp"
#include "sim/adapters/store.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace idemsim::adapters::postgres {

class Store final : public SqlStore {
 public:
  explicit Store(const StoreOptions& options);
  ~Store() override;

  /// Starts a server if there is no URL, connects, and looks whether it is new enough.
  [[nodiscard]] Result<void> open();

  [[nodiscard]] std::string about() const override;
  [[nodiscard]] Result<void> prepare(const SqlPlan& plan) override;
  [[nodiscard]] Result<SqlOutcome> execute(sql::SessionId session, const sql::Statement& statement,
                                           bool begins) override;
  [[nodiscard]] Result<SqlOutcome> resume(sql::SessionId session) override;
  [[nodiscard]] Result<SqlOutcome> resume_victim(sql::SessionId session) override;
  [[nodiscard]] Result<void> close(sql::SessionId session) override;
  void deadline(std::uint64_t bits, Duration after) override;
  [[nodiscard]] Duration pass(std::uint64_t bits) override;
  [[nodiscard]] Result<std::vector<sql::Row>> rows(const sql::TableDefinition& table) override;
  void remove() override;

 private:
  struct Session {
    std::unique_ptr<Connection> connection;
    sql::Statement statement;  ///< the last one
    bool pending = false;      ///< sent, not yet taken
    int looks = 0;             ///< how often in a row it was seen waiting
    int pid = 0;
    bool left = false;  ///< the client has closed the connection; its backend is perhaps there
  };
  struct Deadline {
    Duration after;
    Duration due;  ///< on the clock of `elapsed`, with what was skipped until then
  };

  [[nodiscard]] Result<void> connect_monitor();
  [[nodiscard]] Result<void> make_schema();
  [[nodiscard]] Result<void> make_tables(const SqlPlan& plan);
  [[nodiscard]] Result<Session*> session_of(sql::SessionId id);
  [[nodiscard]] Result<void> set_up(Session& session, sql::SessionId id);
  [[nodiscard]] Result<void> settle();
  [[nodiscard]] bool unsettled(Session& session) const;
  [[nodiscard]] Result<void> look();
  [[nodiscard]] Result<SqlOutcome> outcome(Session& session);
  [[nodiscard]] sql::Reply reply_of(const Answer& answer, const Session& session) const;
  [[nodiscard]] std::vector<sql::Row> rows_of(const Answer& answer, const Session& session);
  [[nodiscard]] std::string value_text(const sql::TableDefinition& table, Name column,
                                       const Value& value) const;
  [[nodiscard]] std::string text_of(const sql::Statement& statement);
  [[nodiscard]] Duration elapsed() const;

  StoreOptions options_;
  Patience patience_;
  boost::asio::io_context context_;
  std::optional<Process> server_;
  std::string url_;
  std::string schema_name_;  ///< empty until it is made
  std::vector<std::string> tables_made_;
  const sql::Schema* schema_ = nullptr;
  std::vector<sql::SessionId> victims_;
  Types types_;
  Words words_;
  Connection monitor_;
  std::map<sql::SessionId, Session> sessions_;
  std::map<std::uint64_t, Deadline> deadlines_;
  Duration skipped_;  ///< time that has passed without being waited for
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A server of its own in a new folder; its URL.
struct OwnServer {
  Process process;
  std::string url;
};
[[nodiscard]] Result<OwnServer> start_server(const StoreOptions& options);

}  // namespace idemsim::adapters::postgres
