// Asio moves the bytes; hiredis writes and reads the protocol.
#include "sim/adapters/redis/connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>
#include <hiredis/hiredis.h>

#include <optional>

namespace idemsim::adapters::redis {
namespace {

using ErrorCode = boost::system::error_code;
namespace asio = boost::asio;

Problems problem_of(std::string message) {
  Problem problem;
  problem.message = std::move(message);
  return {problem};
}

/// What an operation has come to; it may outlive who waits for it.
struct Outcome {
  bool done = false;
  ErrorCode error;
  std::size_t size = 0;
};

std::string bytes_of(const std::vector<std::string>& words) {
  std::vector<const char*> values;
  std::vector<std::size_t> lengths;
  for (const std::string& word : words) {
    values.push_back(word.data());
    lengths.push_back(word.size());
  }
  char* formatted = nullptr;
  const auto size = redisFormatCommandArgv(&formatted, static_cast<int>(words.size()),
                                           values.data(), lengths.data());
  std::string bytes(formatted, static_cast<std::size_t>(size));
  redisFreeCommand(formatted);
  return bytes;
}

}  // namespace

void FreeReply::operator()(redisReply* reply) const { freeReplyObject(reply); }

Result<Address> parse_url(const std::string& url) {
  Address address;
  std::string_view rest = url;
  if (rest.starts_with("unix://")) {
    address.path = rest.substr(7);
    return address;
  }
  if (!rest.starts_with("redis://")) {
    return problem_of("the URL of Redis must begin with redis:// or unix://");
  }
  rest.remove_prefix(8);
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    const std::string_view who = rest.substr(0, at);
    const std::size_t colon = who.find(':');
    address.user = who.substr(0, colon);
    if (colon != std::string_view::npos) address.password = who.substr(colon + 1);
    rest.remove_prefix(at + 1);
  }
  if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos) {
    if (slash + 1 < rest.size()) address.database = rest.substr(slash + 1);
    rest = rest.substr(0, slash);
  }
  if (const std::size_t colon = rest.rfind(':'); colon != std::string_view::npos) {
    address.port = rest.substr(colon + 1);
    rest = rest.substr(0, colon);
  }
  address.host = rest;
  if (address.host.empty()) return problem_of("the URL of Redis names no host");
  return address;
}

Connection::Connection(asio::io_context& context, const Patience& patience)
    : context_(context), patience_(patience), socket_(context), reader_(redisReaderCreate()) {}

Connection::~Connection() {
  ErrorCode ignored;
  socket_.close(ignored);
  // What was cancelled still refers to the buffer.
  context_.restart();
  context_.poll(ignored);
  redisReaderFree(reader_);
}

Result<void> Connection::connect(const Address& address) {
  auto outcome = std::make_shared<Outcome>();
  const auto finish = [outcome](const ErrorCode& error) {
    outcome->error = error;
    outcome->done = true;
  };
  if (address.host.empty()) {
    socket_.async_connect(asio::local::stream_protocol::endpoint(address.path), finish);
  } else {
    asio::ip::tcp::resolver resolver(context_);
    ErrorCode error;
    const auto found = resolver.resolve(address.host, address.port, error);
    if (error || found.empty()) {
      return problem_of("cannot connect to Redis: no such host: " + address.host);
    }
    socket_.async_connect(found.begin()->endpoint(), finish);
  }
  const Result<void> waited =
      patience_.wait(context_, "Redis while connecting", [&] { return outcome->done; });
  if (!waited) return waited.error();
  if (outcome->error) {
    ErrorCode ignored;
    socket_.close(ignored);
    return problem_of("cannot connect to Redis: " + outcome->error.message());
  }
  return {};
}

Result<void> Connection::open(const Address& address) {
  const Result<void> connected = connect(address);
  if (!connected) return connected.error();
  if (!address.password.empty()) {
    std::vector<std::string> words = {"AUTH"};
    if (!address.user.empty()) words.push_back(address.user);
    words.push_back(address.password);
    const Result<ReplyPtr> said = ask(words);
    if (!said) return said.error();
    if ((*said)->type == REDIS_REPLY_ERROR) {
      return problem_of(fmt::format("cannot connect to Redis: {}", (*said)->str));
    }
  }
  const Result<ReplyPtr> selected = demand({"SELECT", address.database});
  if (!selected) return selected.error();
  return {};
}

Result<void> Connection::read_more(const std::string& what) {
  auto outcome = std::make_shared<Outcome>();
  socket_.async_read_some(asio::buffer(buffer_),
                          [outcome](const ErrorCode& error, std::size_t size) {
                            *outcome = {true, error, size};
                          });
  const Result<void> waited = patience_.wait(context_, what, [&] { return outcome->done; });
  if (!waited) return waited.error();
  if (outcome->error) {
    return problem_of("the connection to Redis is lost: " + outcome->error.message());
  }
  redisReaderFeed(reader_, buffer_.data(), outcome->size);
  return {};
}

Result<ReplyPtr> Connection::ask(const std::vector<std::string>& words) {
  auto bytes = std::make_shared<std::string>(bytes_of(words));
  auto sent = std::make_shared<Outcome>();
  asio::async_write(socket_, asio::buffer(*bytes),
                    [sent, bytes](const ErrorCode& error, std::size_t size) {
                      *sent = {true, error, size};
                    });
  const std::string what = "Redis to " + words.front();
  const Result<void> waited = patience_.wait(context_, what, [&] { return sent->done; });
  if (!waited) return waited.error();
  if (sent->error) {
    return problem_of("the connection to Redis is lost: " + sent->error.message());
  }
  for (;;) {
    void* reply = nullptr;
    if (redisReaderGetReply(reader_, &reply) != REDIS_OK) {
      return problem_of(fmt::format("this is no Redis: {}", reader_->errstr));
    }
    if (reply != nullptr) return ReplyPtr(static_cast<redisReply*>(reply));
    const Result<void> more = read_more(what);
    if (!more) return more.error();
  }
}

Result<ReplyPtr> Connection::demand(const std::vector<std::string>& words) {
  Result<ReplyPtr> reply = ask(words);
  if (!reply || (*reply)->type != REDIS_REPLY_ERROR) return reply;
  return problem_of(fmt::format("Redis refuses {}: {}", words.front(), (*reply)->str));
}

}  // namespace idemsim::adapters::redis
