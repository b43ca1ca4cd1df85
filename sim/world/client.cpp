// What clients do: attempts under a retry and a key policy, and the probes of the settle phase.
#include "sim/base/assert.hpp"
#include "sim/world/world.hpp"
#include "sim/world/world_steps.hpp"

#include <algorithm>

namespace idemsim {
namespace {

/// Task path of the client's own steps: no handler and no child of one has it.
constexpr std::uint32_t kClientPath = 0xc;
/// Task path of the wait before a later click of a double click.
constexpr std::uint32_t kClickPath = 0xa;

EventType event_of_answer(Status status) {
  switch (status) {
    case Status::done:
    case Status::stored:
      return EventType::ok;
    case Status::failed:
    case Status::rejected:
      return EventType::fail;
    case Status::in_progress:
    case Status::unknown:
      break;
  }
  return EventType::info;
}

std::uint64_t fold(const Answer& answer) {
  return combine(static_cast<std::uint64_t>(answer.status), answer.body.fold());
}

}  // namespace

Request World::request_of(OperationId operation, std::uint32_t attempt) const {
  const Scenario& s = *setup_.scenario;
  const std::uint64_t ordinal =
      std::uint64_t{operation.client} * s.clients.operations + operation.number;
  Request request;
  request.kind = s.operation;
  switch (s.clients.key) {
    case KeyPolicy::stable:
      request.key = Value::key(ordinal + 1);
      break;
    case KeyPolicy::per_attempt:
      request.key = Value::key((ordinal + 1) * 100 + attempt);
      break;
    case KeyPolicy::none:
      break;
    case KeyPolicy::reused:
      request.key = Value::key(operation.client + 1);
      break;
    case KeyPolicy::shared:
      request.key = Value::key(1);
      break;
  }
  request.principal = Value::integer(operation.client + 1);
  switch (s.operation) {
    case OperationKind::create_order:
      request.route = Value::word("POST /orders");
      break;
    case OperationKind::charge:
      request.route = Value::word("POST /charges");
      break;
    case OperationKind::payment_callback:
      request.route = Value::word("POST /callback");
      break;
  }
  request.payload = Value::digest(mix64(ordinal + 1));
  request.business_id = Value::integer(static_cast<std::int64_t>(ordinal + 1));
  request.amount = 4200;
  return request;
}

Window World::backoff_after(std::uint32_t tries) const {
  const RetryPolicy& retry = setup_.scenario->clients.retry;
  Window window = retry.backoff;
  // Growth ends here, or the 60th attempt would overflow; a longer first back-off stays as it is.
  constexpr Duration kBackoffMax = seconds(86'400);
  const auto grown = [&](Duration d) {
    return d.ns > kBackoffMax.ns / retry.backoff_factor
               ? std::max(d, kBackoffMax)
               : Duration{d.ns * std::int64_t{retry.backoff_factor}};
  };
  for (std::uint32_t i = 1; i < tries; ++i) {
    window = {grown(window.earliest), grown(window.latest)};
  }
  return window;
}

auto World::await_answer(TaskState& task, Origin attempt, Duration timeout) {
  struct Start {
    World* world;
    Origin attempt;
    Duration timeout;
    void operator()(AnswerSuspension& node) const {
      node.site = "timeout";
      node.attempt = attempt;
      node.window = {timeout, timeout};
      world->start_answer_wait(node);
    }
  };
  return detail::operation<AnswerSuspension, Answer>(task, Start{this, attempt, timeout});
}

void World::start_answer_wait(AnswerSuspension& node) {
  node.fire = [](Step* step) {
    auto& self = static_cast<AnswerSuspension&>(*step);
    self.task->world->timed_out(self);
  };
  make_pending(node);
  Mailbox& box = mailbox_of(node.attempt);
  IDEMSIM_ASSERT(box.waiting == nullptr && box.responses == nullptr);
  box.waiting = &node;
}

void World::complete_answer(AnswerSuspension& node, const Answer& answer) {
  mailbox_of(node.attempt).waiting = nullptr;
  TaskState& task = *node.task;
  resume_with(task, fold(answer));
  node.complete(node, answer);
}

void World::timed_out(AnswerSuspension& node) {
  begin_fire(node);
  kernel_.touch(mailbox(node.attempt), Access::write);
  // Nobody waits for a response to this attempt any more: it would change nothing.
  drop_responses(mailbox_of(node.attempt));
  node.task->cause = -1;
  complete_answer(node, {Status::unknown, {}});
}

Task<Answer> World::one_attempt(TaskState& task, OperationId operation, std::uint32_t attempt) {
  const Origin origin = Origin::of(operation, attempt, 0);
  task.origin = origin;
  task.path = kClientPath;
  task.counter = 0;
  if (operation.number >= invoked_[operation.client]) {
    invoked_[operation.client] = operation.number + 1;
    operations_.push_back(operation);
  }
  const Request request = request_of(operation, attempt);
  Event invoke;
  invoke.type = EventType::invoke;
  invoke.site = "send";
  invoke.key = request.key;
  invoke.body = Value::integer(attempt + 1);
  const EventIndex sent = record_for(task, invoke);
  send_request(origin, sent, task.probe);
  auto wait = await_answer(task, origin, setup_.scenario->clients.retry.timeout);
  Answer answer = co_await std::move(wait);
  Event heard;
  heard.type = event_of_answer(answer.status);
  heard.site = task.cause < 0 ? Name("timeout") : Name("answer");
  heard.key = request.key;
  heard.status = answer.status;
  heard.body = answer.body;
  heard.cause = task.cause;
  task.cause = -1;
  record_for(task, heard);
  co_return answer;
}

Task<void> World::run_client(TaskState& task, std::uint32_t client, std::uint32_t click) {
  const ClientSpec& spec = setup_.scenario->clients;
  const std::uint32_t clicks = spec.at_once();
  for (std::uint32_t number = 0; number < spec.operations; ++number) {
    const OperationId operation{client, number};
    if (click > 0 && spec.second_click.latest > Duration{}) {
      task.origin = Origin::of(operation, click, 0);
      task.path = kClickPath;
      task.counter = 0;
      auto wait = task.context->sleep("click", spec.second_click);
      co_await std::move(wait);
    }
    for (std::uint32_t tries = 1; tries <= spec.retry.attempts; ++tries) {
      const std::uint32_t attempt = (tries - 1) * clicks + click;
      auto trying = one_attempt(task, operation, attempt);
      const Answer answer = co_await std::move(trying);
      if (is_final(answer.status) || tries == spec.retry.attempts) break;
      auto pause = task.context->sleep("back off", backoff_after(tries));
      co_await std::move(pause);
    }
  }
  finish_task(task);
}

Task<void> World::run_probe(TaskState& task, OperationId operation) {
  const ClientSpec& spec = setup_.scenario->clients;
  const std::uint32_t clicks = spec.at_once();
  auto trying = one_attempt(task, operation, spec.retry.attempts * clicks);
  co_await std::move(trying);
  finish_task(task);
}

/// The transaction that creates the business row commits while callbacks about it may come already.
Task<void> World::run_checkout(TaskState& task, OperationId operation) {
  co_await task.context->sleep("check out", setup_.scenario->world.intent_after);
  // A handler may have created the row in the meantime.
  const sql::Statement row = intent_row(operation).on_conflict_do_nothing();
  co_await task.context->db().execute("create intent", row);
  finish_task(task);
}

}  // namespace idemsim
