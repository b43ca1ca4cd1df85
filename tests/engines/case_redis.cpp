// Replays a recorded Redis case: several connections, their links, and one server with a clock.
#include "tests/engines/case.hpp"
#include "tests/engines/case_redis_server.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace idemsim::tests {

namespace {

using nlohmann::json;

/// What happens to the bytes between a client and the server.
enum class Link : std::uint8_t { pass, hold_request, hold_reply, drop_request, drop_reply, closed };

/// A command whose answer is not there yet: its request or its reply is under way.
struct Held {
  std::size_t step;
  RedisConnection from;
  Argv request;
  std::optional<json> outcome;  ///< set if the server has executed it
  bool by_server = false;       ///< the server has it and will answer later
};

struct Session {
  RedisConnection at;
  Link link = Link::pass;
  std::optional<Held> held;
};

Argv words_of(const json& argv) {
  Argv words;
  for (const json& word : argv) {
    words.push_back(word.is_string() ? word.get<std::string>() : word.dump());
  }
  return words;
}

json lost() { return {{"kind", "connection_lost"}}; }

class Replay {
 public:
  explicit Replay(const json& recorded) : recorded_(recorded) {}

  CaseOutcome run() {
    if (const std::string reason = unmodelled_setup(); !reason.empty()) return not_covered(reason);
    for (const json& name : recorded_.value("sessions", json::array())) session_of(name);
    for (std::size_t i = 0; i < recorded_["steps"].size(); ++i) {
      const json& step = recorded_["steps"][i];
      if (step["session"] == "@") {
        control(step["op"], i);
      } else {
        submit(step, i);
      }
      if (stopped_) return *stopped_;
    }
    for (const auto& [name, session] : sessions_) {
      if (!session.held) continue;
      const json& outcome = recorded_["steps"][session.held->step]["outcome"];
      if (!outcome.value("still_blocked_at_end", false)) {
        differs(session.held->step, outcome, json{{"still_blocked_at_end", true}});
      }
    }
    compare_final();
    return stopped_.value_or(CaseOutcome{});
  }

 private:
  static CaseOutcome not_covered(const std::string& reason) {
    return {CaseOutcome::Status::not_covered, reason};
  }

  /// Why the case cannot even start, or nothing.
  std::string unmodelled_setup() {
    const std::string unknown = servers_.set_up(recorded_["servers"]);
    if (!unknown.empty()) return "the server setting " + unknown + " is not modelled";
    for (const json& command : recorded_["setup"]["commands"]) {
      Argv words = words_of(command);
      const RedisConnection recorder{servers_.node_of(words[0]), {}};
      words.erase(words.begin());
      if (!servers_.execute(recorder, words)) {
        return "the setup command " + words[0] + " is not modelled";
      }
    }
    return "";
  }

  void submit(const json& step, std::size_t index) {
    Session& session = session_of(step["session"]);
    const Argv words = words_of(step["argv"]);
    if (session.held) return expect(index, json{{"kind", "skipped"}});
    switch (session.link) {
      case Link::pass:
        return ask(session, words, index);
      case Link::closed:
        return expect(index, lost());
      case Link::drop_request:
        session.link = Link::closed;
        return expect(index, lost());
      case Link::drop_reply:
        session.link = Link::closed;
        execute(session.at, words);
        return expect(index, lost());
      case Link::hold_request:
        session.held = Held{index, session.at, words, std::nullopt};
        break;
      case Link::hold_reply:
        session.held = Held{index, session.at, words, execute(session.at, words)};
        break;
    }
    expect(index, json{{"kind", "blocked"}});
  }

  /// The recorder called a command blocked if it had no answer after this time.
  static constexpr Duration kPatience = milliseconds(200);

  void ask(Session& session, const Argv& words, std::size_t index) {
    if (upper(words[0]) == "SHUTDOWN") {
      const bool saves = words.size() < 2 || upper(words[1]) != "NOSAVE";
      expect(index, lost());
      return end_server(session, saves ? "sigterm" : "kill9", index);
    }
    const json got = execute(session.at, words);
    if (stopped_) return;
    if (got["kind"] != "parked") {
      expect(index, got);
    } else {
      session.held = Held{index, session.at, words, std::nullopt, true};
      wait(index, servers_.now() + kPatience, {&session});
      if (session.held) expect(index, json{{"kind", "blocked"}});
    }
    wait(index, servers_.now(), {});
  }

  void end_server(const Session& session, const char* how, std::size_t index) {
    for (const auto& [name, unused] : recorded_["servers"].items()) {
      if (servers_.node_of(name) == session.at.node) {
        control({{"op", how}, {"server", name}}, index);
      }
    }
  }

  /// Lets time pass until `end`, or until none of `sessions` waits any more.
  void wait(std::size_t index, Instant end, const std::vector<Session*>& sessions) {
    const auto waits = [](const Session* session) { return session->held.has_value(); };
    while (!stopped_ && (sessions.empty() || std::ranges::any_of(sessions, waits))) {
      const std::optional<Instant> next = servers_.next_wake();
      if (!next || *next > end) break;
      if (*next > servers_.now()) servers_.advance(*next - servers_.now());
      if (const auto woken = servers_.wake()) wake(*woken, index);
    }
    const bool over = !sessions.empty() && std::ranges::none_of(sessions, waits);
    if (!over && end > servers_.now()) servers_.advance(end - servers_.now());
  }

  void wake(const RedisServers::Woken& woken, std::size_t index) {
    for (auto& [name, session] : sessions_) {
      if (session.at.session != woken.connection.session || !session.held) continue;
      Held held = *session.held;
      session.held.reset();
      held.outcome = woken.outcome;
      if (held.step == index) return expect(index, woken.outcome);
      return release(held, index, true);
    }
  }

  void control(const json& op, std::size_t index) {
    const std::string name = op["op"];
    if (name == "sleep") return wait(index, servers_.now() + milliseconds(op["ms"]), {});
    if (name == "await") {
      std::vector<Session*> targets;
      for (const json& target : op["targets"]) targets.push_back(&session_of(target));
      return wait(index, servers_.now() + seconds(5), targets);
    }
    const std::map<std::string, Link> links{{"pass", Link::pass},
                                            {"hold_request", Link::hold_request},
                                            {"hold_reply", Link::hold_reply},
                                            {"drop_request", Link::drop_request},
                                            {"drop_reply", Link::drop_reply},
                                            {"cut", Link::closed},
                                            {"reconnect", Link::pass},
                                            {"blackhole", Link::hold_request}};
    const auto link = links.find(name);
    if (link == links.end()) {
      if (const std::optional<json> got = servers_.control(op)) return controlled(op, index, *got);
      stopped_ = not_covered("the controller's " + name + " is not modelled");
      return;
    }
    Session& session = session_of(op["target"]);
    session.link = link->second;
    if (name == "cut" || name == "reconnect") servers_.leave(session.at);
    if (op.contains("server")) session.at.node = servers_.node_of(op["server"]);
    if (session.held && session.held->by_server && name == "pass") return;
    if (session.held && (name == "pass" || name == "cut" || name == "reconnect")) {
      const Held held = *session.held;
      session.held.reset();
      release(held, index, name == "pass");
    }
  }

  /// The recorder did something to the server; a server that ends loses its connections.
  void controlled(const json& op, std::size_t index, const json& got) {
    const json& recorded = recorded_["steps"][index]["outcome"];
    for (const char* field : {"acked", "all_present", "acked_all", "some_errors", "value",
                              "positive", "reached", "reply", "synced"}) {
      if (!recorded.contains(field) || !got.contains(field)) continue;
      if (without_messages(recorded[field]) != got[field]) return differs(index, recorded, got);
    }
    const std::string name = op["op"];
    if (name != "sigterm" && name != "kill9" && name != "power_loss") return;
    for (auto& [unused, session] : sessions_) {
      if (op.contains("server") && session.at.node != servers_.node_of(op["server"])) continue;
      session.link = Link::closed;
      if (!session.held) continue;
      const Held held = *session.held;
      session.held.reset();
      release(held, index, false);
    }
  }

  /// A held command goes on (the link passes again) or is given up (the connection is gone).
  void release(const Held& held, std::size_t index, bool passes) {
    const json& recorded = recorded_["steps"][held.step]["outcome"];
    json got = lost();
    if (passes) got = held.outcome ? *held.outcome : execute(held.from, held.request);
    if (stopped_) return;
    const bool in_time = recorded.value("released_by_step", std::size_t{0}) == index;
    if (!in_time || !agrees(recorded.value("then", json::object()), got)) {
      differs(held.step, recorded, json{{"released_by_step", index}, {"then", got}});
    }
  }

  Session& session_of(const std::string& name) {
    Session& session = sessions_[name];
    if (session.at.session.number > 0) return session;
    const json servers = recorded_.value("session_server", json::object());
    const std::string server = servers.value(name, recorded_["servers"].begin().key());
    session.at = {servers_.node_of(server), {++connections_}};
    return session;
  }

  json execute(RedisConnection from, const Argv& words) {
    const std::optional<json> outcome = servers_.execute(from, words);
    if (outcome) return *outcome;
    if (!stopped_) stopped_ = not_covered("the command " + words[0] + " is not modelled here");
    return nullptr;
  }

  void expect(std::size_t index, const json& got) {
    if (stopped_) return;
    const json& recorded = recorded_["steps"][index]["outcome"];
    if (!agrees(recorded, got)) differs(index, recorded, got);
  }

  void differs(std::size_t index, const json& recorded, const json& got) {
    const std::string command = recorded_["steps"][index].value("command", "");
    stopped_ = CaseOutcome{CaseOutcome::Status::differs,
                           "step " + std::to_string(index) + " (" + command + "): expected " +
                               recorded.dump() + " got " + got.dump()};
  }

  void compare_final() {
    for (const json& query : recorded_["final"]) {
      if (stopped_) return;
      const json got = execute({}, words_of(query["argv"]));
      const json recorded{{"kind", "ok"}, {"reply", query["reply"]}};
      if (stopped_ || agrees(recorded, got)) continue;
      stopped_ = CaseOutcome{CaseOutcome::Status::differs,
                             "final " + query["query"].get<std::string>() + ": expected " +
                                 query["reply"].dump() + " got " + got.dump()};
    }
  }

  const json& recorded_;
  RedisServers servers_;
  std::map<std::string, Session> sessions_;
  std::uint32_t connections_ = 0;
  std::optional<CaseOutcome> stopped_;
};

}  // namespace

CaseOutcome run_redis_case(const json& recorded) { return Replay(recorded).run(); }

}  // namespace idemsim::tests
