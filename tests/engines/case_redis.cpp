// Replays a recorded Redis case: several connections, their links, and one server with a clock.
#include "tests/engines/case.hpp"
#include "tests/engines/case_redis_server.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace idemsim::tests {

namespace {

using nlohmann::json;

/// What happens to the bytes between a client and the server.
enum class Link : std::uint8_t { pass, hold_request, hold_reply, drop_request, drop_reply, closed };

/// A command whose answer is not there yet: its request or its reply is under way.
struct Held {
  std::size_t step;
  Argv request;
  std::optional<json> outcome;  ///< set if the server has executed it
};

struct Session {
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

/// Is `got` what was recorded? Messages are not compared, ranges and "not compared" are honoured.
bool agrees(const json& recorded, const json& got) {
  if (recorded.value("kind", "") != got.value("kind", "")) return false;
  if (recorded.contains("code")) return recorded["code"] == got.value("code", "");
  if (!recorded.contains("reply")) return true;
  const json& want = recorded["reply"];
  const json& reply = got["reply"];
  if (want.contains("in_range")) {
    return reply["type"] == "int" && want["in_range"][0] <= reply["value"] &&
           reply["value"] <= want["in_range"][1];
  }
  if (want.value("value", json()) == "<not compared>") return want["type"] == reply["type"];
  return want == reply;
}

class Replay {
 public:
  explicit Replay(const json& recorded) : recorded_(recorded) {}

  CaseOutcome run() {
    if (const std::string reason = unmodelled_setup(); !reason.empty()) return not_covered(reason);
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
    if (recorded_["servers"].size() != 1) return "replication is not modelled";
    for (const auto& [server, settings] : recorded_["servers"].items()) {
      for (const auto& [name, unused] : settings.items()) {
        if (name != "env") return "the server setting " + name + " is not modelled";
      }
    }
    for (const json& command : recorded_["setup"]["commands"]) {
      Argv words = words_of(command);
      words.erase(words.begin());  // the server
      if (!server_.execute(words)) return "the setup command " + words[0] + " is not modelled";
    }
    return "";
  }

  void submit(const json& step, std::size_t index) {
    Session& session = sessions_[step["session"]];
    const Argv words = words_of(step["argv"]);
    if (session.held) return expect(index, json{{"kind", "skipped"}});
    switch (session.link) {
      case Link::pass:
        return expect(index, execute(words));
      case Link::closed:
        return expect(index, lost());
      case Link::drop_request:
        session.link = Link::closed;
        return expect(index, lost());
      case Link::drop_reply:
        session.link = Link::closed;
        execute(words);
        return expect(index, lost());
      case Link::hold_request:
        session.held = Held{index, words, std::nullopt};
        break;
      case Link::hold_reply:
        session.held = Held{index, words, execute(words)};
        break;
    }
    expect(index, json{{"kind", "blocked"}});
  }

  void control(const json& op, std::size_t index) {
    const std::string name = op["op"];
    if (name == "clock") {
      server_.advance(milliseconds(op["advance_ms"]));
      if (op.contains("settle_ms")) server_.settle();
      return;
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
      stopped_ = not_covered("the controller's " + name + " is not modelled");
      return;
    }
    Session& session = sessions_[op["target"]];
    session.link = link->second;
    if (session.held && (name == "pass" || name == "cut" || name == "reconnect")) {
      const Held held = *session.held;
      session.held.reset();
      release(held, index, name == "pass");
    }
  }

  /// A held command goes on (the link passes again) or is given up (the connection is gone).
  void release(const Held& held, std::size_t index, bool passes) {
    const json& recorded = recorded_["steps"][held.step]["outcome"];
    json got = lost();
    if (passes) got = held.outcome ? *held.outcome : execute(held.request);
    if (stopped_) return;
    const bool in_time = recorded.value("released_by_step", std::size_t{0}) == index;
    if (!in_time || !agrees(recorded.value("then", json::object()), got)) {
      differs(held.step, recorded, json{{"released_by_step", index}, {"then", got}});
    }
  }

  json execute(const Argv& words) {
    const std::optional<json> outcome = server_.execute(words);
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
      const json got = execute(words_of(query["argv"]));
      const json recorded{{"kind", "ok"}, {"reply", query["reply"]}};
      if (stopped_ || agrees(recorded, got)) continue;
      stopped_ = CaseOutcome{CaseOutcome::Status::differs,
                             "final " + query["query"].get<std::string>() + ": expected " +
                                 query["reply"].dump() + " got " + got.dump()};
    }
  }

  const json& recorded_;
  RedisServer server_;
  std::map<std::string, Session> sessions_;
  std::optional<CaseOutcome> stopped_;
};

}  // namespace

CaseOutcome run_redis_case(const json& recorded) { return Replay(recorded).run(); }

}  // namespace idemsim::tests
