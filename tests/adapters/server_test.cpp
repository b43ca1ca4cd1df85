// Servers that belong to somebody else, refuse us, are too old, or die in the middle.
#include "sim/adapters/postgres/store.hpp"
#include "sim/adapters/redis/store.hpp"
#include "tests/adapters/servers.hpp"
#include "tests/cli/command_line.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace idemsim::adapters {
namespace {

using ::testing::HasSubstr;

/// A PostgreSQL that was there before: for us it is one that has a URL.
class Foreign : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    IDEMSIM_NEEDS_SERVERS();
    std::filesystem::permissions(folder_, std::filesystem::perms::others_exec,
                                 std::filesystem::perm_options::add);
    StoreOptions options;
    options.folder = folder_.string();
    Result<postgres::OwnServer> server = postgres::start_server(options);
    ASSERT_TRUE(server) << server.error().front().message;
    url_ = server->url;
    server_.emplace(std::move(server->process));
    for (int look = 0; look < 1'000 && !connect(); ++look) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  bool connect() {
    watcher_ = std::make_unique<postgres::Connection>(context_, patience_);
    return watcher_->open(url_).has_value();
  }
  void TearDown() override {
    watcher_.reset();
    server_.reset();
    CommandLine::TearDown();
  }
  [[nodiscard]] StoreOptions options() const {
    StoreOptions options;
    options.url = url_;
    options.name = "idemsim_test";
    return options;
  }
  std::string ask(const std::string& sql) {
    const Result<postgres::Answer> answer = watcher_->demand(sql);
    EXPECT_TRUE(answer) << answer.error().front().message;
    return answer && !answer->rows.empty() ? answer->rows[0][0].value_or("NULL") : "";
  }
  /// One table, ready for one INSERT.
  Result<void> prepare(postgres::Store& store) {
    if (schema_.tables.empty()) {
      schema_.tables.emplace_back("orders");
      schema_.tables.back().column("id");
    }
    SqlPlan plan;
    plan.schema = &schema_;
    plan.statements = {insert_};
    plan.victims = victims_;
    return store.prepare(plan);
  }

  boost::asio::io_context context_;
  Patience patience_{nullptr};
  std::string url_;
  std::optional<Process> server_;
  std::unique_ptr<postgres::Connection> watcher_;
  sql::Schema schema_;
  std::vector<sql::SessionId> victims_;
  sql::Statement insert_ = sql::insert_into("orders").set("id", Value::integer(1));
};

TEST_F(Foreign, OnlyASchemaOfOurOwnIsTouchedAndGoneAgain) {
  (void)ask("CREATE TABLE orders (id bigint)");
  {
    postgres::Store store(options());
    ASSERT_TRUE(store.open());
    ASSERT_TRUE(prepare(store));
    const Result<SqlOutcome> outcome = store.execute({0}, insert_, false);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->reply.affected, 1u);
    EXPECT_EQ(ask("SELECT count(*) FROM idemsim_test.orders"), "1");
  }
  EXPECT_EQ(ask("SELECT count(*) FROM orders"), "0");
  EXPECT_EQ(ask("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'idemsim%'"), "0");
}

TEST_F(Foreign, AllowedDatabaseMustBeTheOneOfTheUrl) {
  StoreOptions elsewhere = options();
  elsewhere.allow_database = "shop";
  postgres::Store store(elsewhere);
  const Result<void> opened = store.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().front().message,
            "--allow-database names \"shop\", but the URL leads to \"postgres\"");
}

TEST_F(Foreign, TableOfTheSameNameIsRefusedInAnAllowedDatabase) {
  (void)ask("CREATE TABLE orders (id bigint)");
  StoreOptions allowed = options();
  allowed.allow_database = "postgres";
  {
    postgres::Store store(allowed);
    ASSERT_TRUE(store.open());
    const Result<void> prepared = prepare(store);
    ASSERT_FALSE(prepared);
    EXPECT_THAT(prepared.error().front().message, HasSubstr("already exists"));
  }
  EXPECT_EQ(ask("SELECT count(*) FROM orders"), "0");
}

TEST_F(Foreign, UnknownUserIsOneSentence) {
  StoreOptions stranger = options();
  stranger.url += " user=stranger";
  postgres::Store store(stranger);
  const Result<void> opened = store.open();
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().front().message, HasSubstr("role \"stranger\" does not exist"));
}

TEST_F(Foreign, WrongPasswordIsOneSentence) {
  (void)ask("CREATE ROLE guarded LOGIN PASSWORD 'right'");
  write(folder_.string() + "/postgres/data/pg_hba.conf",
        "local all guarded scram-sha-256\nlocal all all trust\n");
  (void)ask("SELECT pg_reload_conf()");
  StoreOptions guessing = options();
  guessing.url += " user=guarded password=wrong";
  std::string sentence = "fine";
  for (int look = 0; look < 500 && !sentence.ends_with("\"guarded\""); ++look) {
    postgres::Store store(guessing);  // the server reads the file a moment later
    const Result<void> opened = store.open();
    if (!opened) sentence = opened.error().front().message;
  }
  EXPECT_THAT(sentence, HasSubstr("password authentication failed for user \"guarded\""));
}

TEST_F(Foreign, ServerThatIsKilledInTheMiddleIsNoticed) {
  postgres::Store store(options());
  ASSERT_TRUE(store.open());
  ASSERT_TRUE(prepare(store));
  ASSERT_TRUE(store.execute({0}, insert_, false));
  server_->stop();
  const Result<SqlOutcome> outcome = store.execute({0}, insert_, false);
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().front().message, HasSubstr("the connection to PostgreSQL is lost"));
}

TEST_F(Foreign, StatementWaitsUntilItsBlockerEnds) {
  postgres::Store store(options());
  ASSERT_TRUE(store.open());
  ASSERT_TRUE(prepare(store));
  ASSERT_TRUE(store.execute({0}, insert_, false));
  const sql::Statement change = sql::update("orders").set("id", Value::integer(2));
  ASSERT_TRUE(store.execute({1}, change, true));
  const Result<SqlOutcome> second = store.execute({2}, change, false);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->waits);
  ASSERT_TRUE(store.close({1})) << "a crash: its transaction is rolled back";
  const Result<SqlOutcome> resumed = store.resume({2});
  ASSERT_TRUE(resumed);
  EXPECT_FALSE(resumed->waits);
  EXPECT_EQ(resumed->reply.affected, 1u);
}

TEST_F(Foreign, VictimOfADeadlockIsTheOneOfTheRecord) {
  victims_ = {{1}};
  postgres::Store store(options());
  ASSERT_TRUE(store.open());
  ASSERT_TRUE(prepare(store));
  const auto add = [](std::int64_t id) {
    return sql::insert_into("orders").set("id", Value::integer(id));
  };
  const auto touch = [](std::int64_t id) {
    return sql::update("orders")
        .set("id", Value::integer(id))
        .where("id", sql::eq, Value::integer(id));
  };
  ASSERT_TRUE(store.execute({0}, add(1), false));
  ASSERT_TRUE(store.execute({0}, add(2), false));
  ASSERT_TRUE(store.execute({1}, touch(1), true));
  ASSERT_TRUE(store.execute({2}, touch(2), true));
  EXPECT_TRUE(store.execute({1}, touch(2), false)->waits);
  EXPECT_TRUE(store.execute({2}, touch(1), false)->waits);
  const Result<SqlOutcome> victim = store.resume_victim({1});
  ASSERT_TRUE(victim) << victim.error().front().message;
  EXPECT_EQ(victim->reply.code, sql::Code::deadlock_detected);
  const Result<SqlOutcome> other = store.resume({2});
  ASSERT_TRUE(other);
  EXPECT_FALSE(other->waits);
  EXPECT_EQ(other->reply.affected, 1u);
}

/// A server that says the same thing to everybody.
class Impostor {
 public:
  explicit Impostor(std::vector<std::string> says) : says_(std::move(says)) {
    thread_ = std::thread([this] { serve(); });
  }
  ~Impostor() { thread_.join(); }
  [[nodiscard]] std::string port() const {
    return std::to_string(acceptor_.local_endpoint().port());
  }

 private:
  /// One answer for each message that comes.
  void serve() {
    boost::system::error_code error;
    boost::asio::ip::tcp::socket socket(context_);
    acceptor_.accept(socket, error);
    std::array<char, 4096> buffer{};
    for (const std::string& text : says_) {
      socket.read_some(boost::asio::buffer(buffer), error);
      if (error) return;
      boost::asio::write(socket, boost::asio::buffer(text), error);
    }
    socket.read_some(boost::asio::buffer(buffer), error);
  }

  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_{context_, {boost::asio::ip::address_v4::loopback(), 0}};
  std::vector<std::string> says_;
  std::thread thread_;
};

std::string sentence_of(const Result<void>& result) {
  return result ? "fine" : result.error().front().message;
}

TEST(ForeignRedis, TooOldAVersionIsRefused) {
  const Impostor server({"+OK\r\n", "$19\r\nredis_version:5.0.7\r\n"});
  StoreOptions options;
  options.url = "redis://127.0.0.1:" + server.port();
  redis::Store store(options);
  EXPECT_EQ(sentence_of(store.open()), "Redis 5.0.7 is too old: 6.2 or newer is needed");
}

TEST(ForeignRedis, WrongPasswordIsOneSentence) {
  const Impostor server({"-WRONGPASS invalid username-password pair\r\n"});
  StoreOptions options;
  options.url = "redis://:guess@127.0.0.1:" + server.port();
  redis::Store store(options);
  EXPECT_EQ(sentence_of(store.open()),
            "cannot connect to Redis: WRONGPASS invalid username-password pair");
}

TEST(ForeignRedis, WhateverElseListensIsNoRedis) {
  const Impostor server({"HTTP/1.1 400 Bad Request\r\n"});
  StoreOptions options;
  options.url = "redis://127.0.0.1:" + server.port();
  redis::Store store(options);
  EXPECT_THAT(sentence_of(store.open()), HasSubstr("this is no Redis"));
}

TEST(ForeignRedis, NobodyListens) {
  StoreOptions options;
  options.url = "unix:///nowhere/socket";
  redis::Store store(options);
  EXPECT_EQ(sentence_of(store.open()), "cannot connect to Redis: No such file or directory");
}

/// A message of PostgreSQL's protocol: its type, its length, its body.
std::string message(char type, const std::string& body) {
  const auto size = static_cast<char>(body.size() + 4);
  return std::string(1, type) + std::string({0, 0, 0, size}) + body;
}

TEST(ForeignPostgres, TooOldAVersionIsRefused) {
  const std::string zero(1, '\0');
  const std::string version = "server_version" + zero + "9.4.26" + zero;
  const std::string ready =
      message('R', zero + zero + zero + zero) + message('S', version) + message('Z', "I");
  const Impostor server({ready});
  StoreOptions options;
  options.url =
      "host=127.0.0.1 port=" + server.port() + " user=x sslmode=disable gssencmode=disable";
  postgres::Store store(options);
  EXPECT_EQ(sentence_of(store.open()), "PostgreSQL 9.4.26 is too old: 10 or newer is needed");
}

}  // namespace
}  // namespace idemsim::adapters
