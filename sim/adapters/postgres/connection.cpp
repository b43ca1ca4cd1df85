// libpq says what it waits for, Asio says when that has come.
#include "sim/adapters/postgres/connection.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <charconv>

namespace idemsim::adapters::postgres {
namespace {

using Descriptor = boost::asio::posix::stream_descriptor;

struct Clear {
  void operator()(PGresult* result) const { PQclear(result); }
};
using ResultPtr = std::unique_ptr<PGresult, Clear>;

/// One line: libpq ends its messages with one or more line feeds.
std::string line_of(const char* text) {
  std::string line = text == nullptr ? "" : text;
  while (!line.empty() && line.back() == '\n') line.pop_back();
  for (char& c : line) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return line;
}

std::string field_of(const PGresult* result, int code) {
  return line_of(PQresultErrorField(result, code));
}

Answer answer_of(PGresult* result) {
  Answer answer;
  const ExecStatusType status = PQresultStatus(result);
  answer.ok = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
  if (!answer.ok) {
    answer.sqlstate = field_of(result, PG_DIAG_SQLSTATE);
    answer.message = field_of(result, PG_DIAG_MESSAGE_PRIMARY);
    answer.constraint = field_of(result, PG_DIAG_CONSTRAINT_NAME);
    return answer;
  }
  answer.tag = PQcmdStatus(result);
  const std::string_view count = PQcmdTuples(result);
  std::from_chars(count.data(), count.data() + count.size(), answer.affected);
  const int columns = PQnfields(result);
  for (int c = 0; c < columns; ++c) answer.columns.emplace_back(PQfname(result, c));
  for (int r = 0; r < PQntuples(result); ++r) {
    auto& row = answer.rows.emplace_back();
    for (int c = 0; c < columns; ++c) {
      const bool null = PQgetisnull(result, r, c) == 1;
      row.push_back(null ? std::nullopt : std::optional<std::string>(PQgetvalue(result, r, c)));
    }
  }
  return answer;
}

}  // namespace

/// Asio's view of the socket, which belongs to libpq. A handler may outlive the connection.
struct Connection::Watch : std::enable_shared_from_this<Watch> {
  Descriptor descriptor;
  bool armed = false;
  bool came = false;
  Watch(boost::asio::io_context& context, int socket) : descriptor(context, socket) {}
  void arm(Descriptor::wait_type type) {
    if (armed) return;
    armed = true;
    came = false;
    descriptor.async_wait(type, [self = shared_from_this()](const boost::system::error_code&) {
      self->armed = false;
      self->came = true;
    });
  }
  void let_go() {
    boost::system::error_code ignored;
    descriptor.cancel(ignored);
    descriptor.release();
  }
};

Connection::Connection(boost::asio::io_context& context, const Patience& patience)
    : context_(context), patience_(patience) {}

Connection::~Connection() { close(); }

void Connection::close() {
  if (watch_ != nullptr) watch_->let_go();
  watch_.reset();
  connection_.reset();
}

Problems Connection::lost() const {
  Problem problem;
  const std::string words = line_of(PQerrorMessage(connection_.get()));
  problem.message = "the connection to PostgreSQL is lost: " +
                    (words.empty() ? std::string("the server closed it") : words);
  return {problem};
}

Result<void> Connection::wait_for(PostgresPollingStatusType direction, const std::string& what) {
  if (watch_ != nullptr) watch_->let_go();
  watch_ = std::make_shared<Watch>(context_, PQsocket(connection_.get()));
  watch_->arm(direction == PGRES_POLLING_WRITING ? Descriptor::wait_write : Descriptor::wait_read);
  return patience_.wait(context_, what, [this] { return watch_->came; });
}

Result<void> Connection::open(const std::string& url) {
  connection_.reset(PQconnectStart(url.c_str()));
  Problem problem;
  PostgresPollingStatusType state = PGRES_POLLING_WRITING;
  while (PQstatus(connection_.get()) != CONNECTION_BAD && state != PGRES_POLLING_OK) {
    const Result<void> waited = wait_for(state, "PostgreSQL while connecting");
    if (!waited) return waited.error();
    state = PQconnectPoll(connection_.get());
    if (state == PGRES_POLLING_FAILED) break;
  }
  if (PQstatus(connection_.get()) != CONNECTION_OK) {
    problem.message = "cannot connect to PostgreSQL: " + line_of(PQerrorMessage(connection_.get()));
    close();
    return Problems{problem};
  }
  watch_->let_go();
  watch_ = std::make_shared<Watch>(context_, PQsocket(connection_.get()));
  PQsetnonblocking(connection_.get(), 1);
  PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  return {};
}

Result<void> Connection::send(const std::string& sql) {
  if (PQsendQuery(connection_.get(), sql.c_str()) == 0) return lost();
  int left = PQflush(connection_.get());
  while (left == 1) {
    const Result<void> waited = wait_for(PGRES_POLLING_WRITING, "PostgreSQL while sending");
    if (!waited) return waited.error();
    left = PQflush(connection_.get());
  }
  if (left != 0) return lost();
  watch_->came = false;
  watch_->arm(Descriptor::wait_read);
  return {};
}

bool Connection::ready() {
  if (watch_->came) {
    watch_->came = false;
    if (PQconsumeInput(connection_.get()) == 0) return true;
  }
  if (PQisBusy(connection_.get()) == 0) return true;
  watch_->arm(Descriptor::wait_read);
  return false;
}

Result<Answer> Connection::take() {
  std::optional<Answer> answer;
  // Of several results the last one counts, unless an error came before.
  while (const ResultPtr result{PQgetResult(connection_.get())}) {
    if (!answer || answer->ok) answer = answer_of(result.get());
  }
  if (PQstatus(connection_.get()) != CONNECTION_OK || !answer) return lost();
  return *answer;
}

Result<Answer> Connection::ask(const std::string& sql) {
  const Result<void> sent = send(sql);
  if (!sent) return sent.error();
  const Result<void> waited =
      patience_.wait(context_, "PostgreSQL to " + sql, [this] { return ready(); });
  if (!waited) return waited.error();
  return take();
}

Result<Answer> Connection::demand(const std::string& sql) {
  Result<Answer> answer = ask(sql);
  if (!answer || answer->ok) return answer;
  Problem problem;
  problem.message = "PostgreSQL refuses " + sql + ": " + answer->message;
  return Problems{problem};
}

std::string Connection::parameter(const char* name) const {
  return line_of(PQparameterStatus(connection_.get(), name));
}

}  // namespace idemsim::adapters::postgres
