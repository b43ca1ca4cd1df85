// Replays a recorded script step by step and settles after each, as the recording did.
#include "tests/engines/case_sql_replay.hpp"

#include "sim/base/assert.hpp"

#include <algorithm>
#include <utility>

namespace idemsim::tests {

using nlohmann::json;

namespace {

constexpr std::int64_t kStepMs = 1;      ///< so that of two waits the first began first
constexpr std::int64_t kCutMs = 250;     ///< the recording looks at the backend after that
constexpr std::int64_t kAwaitMs = 4000;  ///< the recording gives up after that

json ok() { return {{"kind", "ok"}}; }

}  // namespace

Replay::Replay(const json& recorded, std::vector<std::size_t> choices)
    : recorded_(recorded),
      choices_(std::move(choices)),
      engine_(recorded_schema(), isolation_of(recorded.at("isolation_key"))) {
  for (const json& op : recorded.at("setup").at("rows")) {
    engine_.seed_row(translator_.statement(op));
  }
  for (const json& name : recorded.at("sessions")) clients_.push_back({.name = name});
  for (Client& client : clients_) connect(client);
  outcomes_.resize(recorded.at("steps").size());
}

std::vector<json> Replay::run() {
  const json& steps = recorded_.at("steps");
  for (step_ = 0; step_ < steps.size(); ++step_) {
    advance(kStepMs);
    run_step(steps[step_]);
    settle();
  }
  for (const Client& client : clients_) {
    if (client.pending) outcomes_[*client.pending]["still_blocked_at_end"] = true;
  }
  return outcomes_;
}

std::vector<json> Replay::final_rows() {
  std::vector<json> out;
  const sql::SessionId id = engine_.connect(backends_.size());
  for (const json& query : recorded_.at("final")) {
    const json& op = query.at("op");
    const sql::Reply reply = engine_.apply(id, translator_.statement(op), StepId{}, touched_);
    IDEMSIM_ASSERT(reply.ok());
    out.push_back(translator_.outcome(op, reply, engine_.rows()).at("rows"));
  }
  return out;
}

void Replay::run_step(const json& step) {
  const json& op = step.at("op");
  if (step.at("session") == "@") {
    outcomes_[step_] = control(op);
    return;
  }
  Client& client = client_of(step.at("session"));
  if (client.pending) {
    outcomes_[step_] = {{"kind", "skipped"}, {"why", "session still blocked"}};
    return;
  }
  submit(client, op);
}

void Replay::submit(Client& client, const json& op) {
  client.pending = step_;
  if (!client.connected) return lose(client, sql::Code::none);
  switch (client.link) {
    case Link::hold_request:
    case Link::blackhole:
      client.held_request = op;
      return;
    case Link::drop_request:
      engine_.client_gone(backends_[client.backend].id, touched_);
      collect();
      return lose(client, sql::Code::none);
    case Link::pass:
    case Link::hold_reply:
    case Link::drop_reply:
      break;
  }
  execute(client.backend, op);
}

json Replay::control(const json& op) {
  const std::string name = op.at("op");
  if (name == "await") return await(op);
  if (name == "sleep") {
    advance(op.at("ms"));
    return ok();
  }
  if (name == "start_server") return ok();
  if (name == "crash_server" || name == "kill9_backend") {
    crash();
    return ok();
  }
  Client& client = client_of(op.at("target"));
  if (name == "cut") return cut(client);
  control_client(client, name);
  json out = ok();
  if (name == "kill" || name == "cancel") out["result"] = true;
  return out;
}

void Replay::control_client(Client& client, const std::string& name) {
  Backend& backend = backends_[client.backend];
  if (name == "kill") {
    engine_.kill(backend.id, touched_);
    collect();
    client.farewell = sql::Code::admin_shutdown;
    if (client.pending && !client.held_request) lose(client, sql::Code::admin_shutdown);
  } else if (name == "cancel") {
    handle(client.backend, engine_.interrupt(backend.id, sql::Code::query_canceled, touched_));
  } else if (name == "reconnect") {
    connect(client);
  } else if (name == "pass") {
    pass(client);
  } else if (name == "hold_request") {
    client.link = Link::hold_request;
  } else if (name == "hold_reply") {
    client.link = Link::hold_reply;
  } else if (name == "drop_request") {
    client.link = Link::drop_request;
  } else if (name == "drop_reply") {
    client.link = Link::drop_reply;
  } else {
    IDEMSIM_ASSERT(name == "blackhole");
    client.link = Link::blackhole;
  }
}

json Replay::await(const json& op) {
  std::vector<Client*> targets;
  for (const json& name : op.at("targets")) {
    if (client_of(name).pending) targets.push_back(&client_of(name));
  }
  const auto done = [](const Client* client) { return !client->pending.has_value(); };
  const bool all = op.value("all", false);
  const std::int64_t deadline = now_ms_ + op.value("max_ms", kAwaitMs);
  while (!targets.empty()) {
    if (all ? std::all_of(targets.begin(), targets.end(), done)
            : std::any_of(targets.begin(), targets.end(), done)) {
      break;
    }
    const std::optional<Timer> timer = next_timer();
    if (!timer || timer->at > deadline) return {{"kind", "timeout"}};
    advance(timer->at - now_ms_);
  }
  return ok();
}

json Replay::cut(Client& client) {
  Backend& backend = backends_[client.backend];
  const bool noticed = backend.settings.check_connection > 0;
  if (noticed) {
    engine_.kill(backend.id, touched_, sql::Code::none);
  } else {
    engine_.client_gone(backend.id, touched_);
  }
  collect();
  if (client.pending) lose(client, sql::Code::none);
  client.connected = false;
  client.link = Link::pass;
  advance(kCutMs);
  json out = ok();
  out["backend_after_250ms"] = engine_.is_open(backend.id) ? "still running" : "gone";
  return out;
}

void Replay::pass(Client& client) {
  client.link = Link::pass;
  if (client.held_request) {
    const json op = *std::exchange(client.held_request, std::nullopt);
    execute(client.backend, op);
  } else if (client.held_reply) {
    const json outcome = *std::exchange(client.held_reply, std::nullopt);
    answer(client, outcome);
  }
}

void Replay::crash() {
  engine_.crash(touched_);
  collect();
  for (Client& client : clients_) {
    if (client.pending) lose(client, sql::Code::none);
    client.connected = false;
  }
}

void Replay::connect(Client& client) {
  client.backend = backends_.size();
  client.link = Link::pass;
  client.connected = true;
  client.farewell = sql::Code::none;
  const auto index = static_cast<std::size_t>(&client - clients_.data());
  backends_.push_back({.id = engine_.connect(backends_.size()), .client = index});
}

void Replay::execute(std::size_t index, const json& op) {
  Backend& backend = backends_[index];
  Client& client = clients_[backend.client];
  if (!engine_.is_open(backend.id)) return lose(client, client.farewell);
  backend.op = op;
  backend.statement_began = now_ms_;
  if (op.at("op") == "set") return set(backend, op);
  const sql::Statement statement = translator_.statement(op);
  const StepId by = StepId::of(Origin::of({static_cast<std::uint32_t>(backend.client), 0}, 0, 0), 0,
                               static_cast<std::uint32_t>(step_));
  const sql::Reply reply = engine_.apply(backend.id, statement, by, touched_);
  handle(index, reply);
}

void Replay::set(Backend& backend, const json& op) {
  Client& client = clients_[backend.client];
  sql::Reply reply{.transaction = engine_.transaction_state(backend.id)};
  if (reply.transaction == sql::TransactionState::in_error) {
    reply.kind = sql::Reply::Kind::error;
    reply.code = sql::Code::in_failed_transaction;
    return deliver(client, translator_.outcome(op, reply, {}));
  }
  const std::string name = op.at("name");
  const std::string text = op.at("value");
  const bool in_ms = text.find("ms") != std::string::npos;
  const std::int64_t ms = std::stoll(text) * (in_ms || text.back() != 's' ? 1 : 1000);
  Settings& s = backend.settings;
  std::int64_t& setting = name == "deadlock_timeout"                      ? s.deadlock
                          : name == "lock_timeout"                        ? s.lock
                          : name == "statement_timeout"                   ? s.statement
                          : name == "idle_in_transaction_session_timeout" ? s.idle_in_transaction
                                                                          : s.check_connection;
  setting = ms;
  json outcome = translator_.outcome(op, reply, {});
  outcome["tag"] = "SET";
  deliver(client, outcome);
}

void Replay::handle(std::size_t index, const sql::Reply& reply) {
  collect();
  Backend& backend = backends_[index];
  if (reply.blocked()) {
    backend.wait_began = now_ms_;
    backend.deadlock_checked = false;
    return;
  }
  backend.idle_since = now_ms_;
  Client& client = clients_[backend.client];
  const bool listening = client.connected && client.backend == index && client.pending;
  if (listening) deliver(client, translator_.outcome(backend.op, reply, engine_.rows()));
}

void Replay::deliver(Client& client, const json& outcome) {
  if (client.link == Link::drop_reply) {
    engine_.client_gone(backends_[client.backend].id, touched_);
    collect();
    return lose(client, sql::Code::none);
  }
  if (client.link == Link::hold_reply || client.link == Link::blackhole) {
    client.held_reply = outcome;
    return;
  }
  answer(client, outcome);
}

void Replay::answer(Client& client, const json& outcome) {
  json& slot = outcomes_[*std::exchange(client.pending, std::nullopt)];
  if (slot.is_null()) {
    slot = outcome;
    return;
  }
  slot["released_by_step"] = step_;
  slot["then"] = outcome;
}

void Replay::lose(Client& client, sql::Code code) {
  json outcome = {{"kind", "connection_lost"}};
  if (client.connected && code != sql::Code::none) {
    outcome["sqlstate"] = std::string(sql::sqlstate(code));
  }
  client.connected = false;
  client.held_request.reset();
  client.held_reply.reset();
  answer(client, outcome);
}

Replay::Client& Replay::client_of(const json& name) {
  const auto found = std::find_if(clients_.begin(), clients_.end(),
                                  [&](const Client& client) { return name == client.name; });
  IDEMSIM_ASSERT(found != clients_.end());
  return *found;
}

}  // namespace idemsim::tests
