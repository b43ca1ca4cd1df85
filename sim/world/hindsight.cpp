// Listening to statements, asking one of them at another moment, and replacing one result.
#include "sim/world/hindsight.hpp"

#include "sim/world/world.hpp"

#include <algorithm>

namespace idemsim {
namespace {

/// Identity of a session that no delivery has.
constexpr std::uint64_t kNobodysSession = ~std::uint64_t{0};

}  // namespace

bool Told::same_as(const Told& other) const {
  if (in_database != other.in_database) return false;
  if (!in_database) {
    return kv.lost == other.kv.lost && kv.timed_out == other.kv.timed_out &&
           kv.reply == other.kv.reply;
  }
  const auto same_row = [](const sql::Row& a, const sql::Row& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  return sql.lost == other.sql.lost && sql.timed_out == other.sql.timed_out &&
         sql.reply.kind == other.sql.reply.kind && sql.reply.code == other.sql.reply.code &&
         sql.reply.affected == other.sql.reply.affected &&
         std::equal(rows.begin(), rows.end(), other.rows.begin(), other.rows.end(), same_row);
}

const Heard* Hindsight::statement_of(StepId step) const {
  const auto at =
      std::find_if(heard.begin(), heard.end(), [step](const Heard& h) { return h.step == step; });
  return at == heard.end() ? nullptr : &*at;
}

void Hindsight::begin() {
  heard.clear();
  answer.reset();
  replaced = false;
}

void Hindsight::hear(StepId step, const sql::Statement& statement, const SqlReply& reply) {
  Heard& h = heard.emplace_back();
  h.step = step;
  h.statement = statement;
  h.told.sql = reply;
  h.told.sql.rows = {};
  h.told.rows.assign(reply.rows.begin(), reply.rows.end());
}

void Hindsight::hear(StepId step, const kv::Command& command, const kv::Reply& reply) {
  Heard& h = heard.emplace_back();
  h.step = step;
  h.command = command;
  h.told.in_database = false;
  h.told.kv.reply = reply;
}

/// Called with each store event: is this the moment at which the question is to be asked?
void World::look_back(const Event& event) {
  const bool at_a_store = event.type == EventType::step || event.type == EventType::effect ||
                          event.type == EventType::expire;
  if (!at_a_store || event.step != hindsight_->moment) return;
  if (!hindsight_->question || hindsight_->answer) return;
  const Heard& question = *hindsight_->question;
  Footprint nothing;
  Told told;
  told.in_database = question.told.in_database;
  if (!told.in_database) {
    kv::Engine copy = kv_;
    told.kv.reply = copy.apply(question.command, Instant{}, kernel_.running(), nothing);
    hindsight_->answer = told;
    return;
  }
  sql::Engine copy = sql_;
  const sql::SessionId session = copy.connect(kNobodysSession);
  told.sql.reply = copy.apply(session, question.statement, kernel_.running(), nothing);
  if (told.sql.reply.blocked()) return;
  told.rows.assign(copy.rows().begin(), copy.rows().end());
  hindsight_->answer = told;
}

/// What the caller of the statement is told: its own reply, unless it is to be replaced.
SqlReply World::told(const SqlSuspension& node, const SqlReply& reply) {
  if (hindsight_->instead != node.id) return reply;
  hindsight_->replaced = true;
  SqlReply other = hindsight_->replacement.sql;
  other.rows = hindsight_->replacement.rows;
  return other;
}

KvReply World::told(const KvSuspension& node, const KvReply& reply) {
  if (hindsight_->instead != node.id) return reply;
  hindsight_->replaced = true;
  return hindsight_->replacement.kv;
}

}  // namespace idemsim
