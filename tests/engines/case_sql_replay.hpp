// Drives the SQL engine through one recorded script: clients, links, virtual time, wake orders.
#pragma once

#include "sim/engines/sql/engine.hpp"
#include "tests/engines/case_sql_statement.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace idemsim::tests {

/// One run of a script. `choices` picks among woken sessions; beyond its end the first goes.
class Replay {
 public:
  Replay(const nlohmann::json& recorded, std::vector<std::size_t> choices);

  /// Outcome of each step in the recorded form.
  [[nodiscard]] std::vector<nlohmann::json> run();
  /// Rows of the final queries; after `run`.
  [[nodiscard]] std::vector<nlohmann::json> final_rows();
  /// How many sessions could have gone at each choice; after `run`.
  [[nodiscard]] const std::vector<std::size_t>& widths() const { return widths_; }

 private:
  enum class Link { pass, hold_request, hold_reply, drop_request, drop_reply, blackhole };
  /// Timeouts in milliseconds; 0 = never.
  struct Settings {
    std::int64_t deadlock = 1000;
    std::int64_t lock = 0;
    std::int64_t statement = 0;
    std::int64_t idle_in_transaction = 0;
    std::int64_t check_connection = 0;
  };
  /// The server's side of a connection.
  struct Backend {
    sql::SessionId id;
    std::size_t client = 0;
    Settings settings = {};
    nlohmann::json op = {};  ///< the statement that runs or ran last
    std::int64_t statement_began = 0;
    std::int64_t wait_began = 0;
    std::int64_t idle_since = 0;
    bool deadlock_checked = false;
  };
  struct Client {
    std::string name;
    std::size_t backend = 0;
    Link link = Link::pass;
    bool connected = true;
    sql::Code farewell = sql::Code::none;     ///< last words of the server, not read yet
    std::optional<std::size_t> pending = {};  ///< step whose answer has not come
    std::optional<nlohmann::json> held_request = {};
    std::optional<nlohmann::json> held_reply = {};
  };
  struct Timer {
    enum class Kind { deadlock, lock, statement, idle };
    std::int64_t at = 0;
    std::size_t backend = 0;
    Kind kind = Kind::deadlock;
  };

  // Steps of the script.
  void run_step(const nlohmann::json& step);
  void submit(Client& client, const nlohmann::json& op);
  nlohmann::json control(const nlohmann::json& op);
  void control_client(Client& client, const std::string& name);
  nlohmann::json await(const nlohmann::json& op);
  nlohmann::json cut(Client& client);
  void pass(Client& client);
  void crash();

  // The server and the way back to the client.
  void connect(Client& client);
  void execute(std::size_t backend, const nlohmann::json& op);
  void set(Backend& backend, const nlohmann::json& op);
  void handle(std::size_t backend, const sql::Reply& reply);
  void deliver(Client& client, const nlohmann::json& outcome);
  void answer(Client& client, const nlohmann::json& outcome);
  void lose(Client& client, sql::Code code);

  // Time and waking.
  void advance(std::int64_t ms);
  [[nodiscard]] std::optional<Timer> next_timer() const;
  void fire(const Timer& timer);
  void collect();
  void settle();
  void note_blocked(const Client& client);
  [[nodiscard]] nlohmann::json blockers(const Client& client) const;
  [[nodiscard]] Client& client_of(const nlohmann::json& name);

  const nlohmann::json& recorded_;
  std::vector<std::size_t> choices_;
  std::vector<std::size_t> widths_;
  sql::Engine engine_;
  Translator translator_;
  Footprint touched_;
  std::vector<Client> clients_;
  std::vector<Backend> backends_;  ///< in the order of the engine's session ids
  std::deque<sql::SessionId> runnable_;
  std::vector<nlohmann::json> outcomes_;
  std::size_t step_ = 0;
  std::int64_t now_ms_ = 0;
};

}  // namespace idemsim::tests
