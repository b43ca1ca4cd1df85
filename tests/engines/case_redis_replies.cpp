// From the engine's answers to recorded outcomes.
#include "tests/engines/case_redis_server.hpp"

namespace idemsim::tests {

using nlohmann::json;

json ok_outcome(json reply) { return {{"kind", "ok"}, {"reply", std::move(reply)}}; }
static json integer_reply(std::int64_t n) { return {{"type", "int"}, {"value", n}}; }
static json bulk_reply(const std::string& text) { return {{"type", "bulk"}, {"value", text}}; }
json status_reply(const char* text) { return {{"type", "status"}, {"value", text}}; }

json reply_of(const kv::Reply& reply) {
  switch (reply.kind) {
    case kv::Reply::Kind::status:
    case kv::Reply::Kind::queued:
      return status_reply(reply.is_ok() ? "OK" : "QUEUED");
    case kv::Reply::Kind::integer:
      return integer_reply(reply.as_integer());
    case kv::Reply::Kind::bulk:
      return bulk_reply(kv::to_text(reply));
    case kv::Reply::Kind::nil:
      return {{"type", "nil"}};
    case kv::Reply::Kind::error:
      return {{"type", "error"}, {"value", kv::code_of(reply.error)}};
  }
  return nullptr;
}

static json outcome_of(const kv::Reply& reply) {
  if (reply.is_error()) return {{"kind", "error"}, {"code", kv::code_of(reply.error)}};
  return ok_outcome(reply_of(reply));
}

json outcome_of(const kv::Answer& answer) {
  switch (answer.kind) {
    case kv::Answer::Kind::one:
      return outcome_of(answer.reply);
    case kv::Answer::Kind::no_run:
      return ok_outcome(json{{"type", "nil_array"}});
    case kv::Answer::Kind::parked:
      return {{"kind", "parked"}};
    case kv::Answer::Kind::many:
      break;
  }
  json list = json::array();
  for (const kv::Reply& reply : answer.replies) list.push_back(reply_of(reply));
  return ok_outcome(json{{"type", "array"}, {"value", list}});
}

json without_messages(const json& reply) {
  json kept = reply;
  if (!kept.is_object()) return kept;
  if (kept.value("type", "") == "error") {
    const std::string text = kept["value"];
    kept["value"] = text.substr(0, text.find(' '));
  }
  if (kept.value("type", "") == "array") {
    for (json& part : kept["value"]) part = without_messages(part);
  }
  return kept;
}

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
  return without_messages(want) == reply;
}

}  // namespace idemsim::tests
