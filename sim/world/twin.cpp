// Handing to the twin what the simulated stores have just done; only `confirm` has one.
#include "sim/engines/twin.hpp"

#include "sim/world/world.hpp"
#include "sim/world/world_steps.hpp"

namespace idemsim {

void World::mirror(const SqlCall& call) {
  SqlCall complete = call;
  complete.step = kernel_.running();
  if (!call.simulated.reply.blocked()) complete.simulated.rows = sql_.rows();
  twin_answer_ = twin_->statement(complete);
}

/// What the caller of the statement that has just ended is told.
SqlReply World::answer_to(const sql::Reply& reply) const {
  SqlReply answer;
  answer.reply = twin_ == nullptr ? reply : twin_answer_.reply;
  answer.rows = twin_ == nullptr ? sql_.rows() : twin_answer_.rows;
  return answer;
}

kv::Reply World::mirror(const kv::Command& command, Name site, const kv::Reply& reply) {
  KvCall call;
  call.step = kernel_.running();
  call.site = site;
  // What a task left on the wire came over the connection of that task.
  const std::uint32_t path = call.step.path();
  call.connection = {call.step.from(), (path & 0xf) == kOrphanDigit ? path >> 4 : path};
  call.command = &command;
  call.simulated = reply;
  return twin_->command(call);
}

/// The store notices that the client's end of the connection is gone.
void World::drop_session(sql::SessionId session) {
  sql_.client_gone(session, kernel_.touched());
  wake_sessions();
  if (twin_ != nullptr) twin_->close(session);
}

void World::drop_kv(const TaskState& task) { twin_->close(KvConnection{task.origin, task.path}); }

}  // namespace idemsim
