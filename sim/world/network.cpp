// Messages between clients and servers: delivered, dropped, delayed, duplicated, overtaken.
#include "sim/base/assert.hpp"
#include "sim/world/world.hpp"
#include "sim/world/world_steps.hpp"

#include <algorithm>
#include <array>

namespace idemsim {
namespace {

/// Task path of a delivery's handler.
constexpr std::uint32_t kHandlerPath = 0;

}  // namespace

ProcessId World::server_for(Origin delivery) const {
  // Round robin by what is delivered, not by when: the order of arrival must not change the route.
  const std::uint32_t turn =
      delivery.client() + delivery.operation() + delivery.attempt() + delivery.copy();
  const std::uint32_t server = turn % setup_.scenario->world.servers;
  return {static_cast<std::uint16_t>(client_processes() + server)};
}

void World::send_request(Origin attempt, EventIndex cause, bool probe) {
  const Window link = setup_.scenario->world.latency.client_server;
  static constexpr std::array kKinds = {FaultKind::drop_request, FaultKind::delay_request,
                                        FaultKind::duplicate_request, FaultKind::reorder_request};
  const FaultSpec* fault = decide_message("request", kKinds, server_for(attempt));
  if (fault == nullptr) {
    add_request(attempt, link, cause, probe);
    return;
  }
  const EventIndex event = record_fault(*fault, cause);
  switch (fault->kind) {
    case FaultKind::delay_request:
      add_request(attempt, link + fault->by, event, probe);
      break;
    case FaultKind::reorder_request: {
      const Window wide{link.earliest, saturating_add(link.latest, fault->by.latest)};
      add_request(attempt, wide, event, probe);
      break;
    }
    case FaultKind::duplicate_request:
      add_request(attempt, link, cause, probe);
      add_request(Origin::of(attempt.operation_id(), attempt.attempt(), 1), link, event, probe);
      break;
    default:  // drop_request: nothing arrives
      break;
  }
}

void World::add_request(Origin delivery, Window window, EventIndex cause, bool probe) {
  auto* message = detail::make_step<Message>(kernel_);
  message->world = this;
  message->id = StepId::of(delivery, kHandlerPath, 0);
  message->site = "deliver request";
  message->process = server_for(delivery);
  message->window = window;
  message->origin = delivery;
  message->cause = cause;
  message->probe = probe;
  message->declared.add(Resource::of(ResourceKind::process, message->process.index), Access::read);
  message->declared.add(Resource::of(ResourceKind::task, delivery.bits, kHandlerPath),
                        Access::write);
  message->fire = [](Step* step) {
    auto& self = static_cast<Message&>(*step);
    self.world->deliver_request(self);
  };
  message->discard = [](Step* step) {
    auto& self = static_cast<Message&>(*step);
    detail::free_step(self.world->kernel_, &self);
  };
  kernel_.add(message);
}

void World::deliver_request(Message& message) {
  TaskState& task = new_task(message.origin, kHandlerPath, message.process);
  kernel_.touch(task.resource, Access::write);
  task.probe = message.probe;
  task.request = request_of(message.origin.operation_id(), message.origin.attempt());
  Event event;
  event.type = EventType::receive;
  event.site = "receive";
  event.key = task.request.key;
  event.cause = message.cause;
  record_for(task, event);
  message.discard(&message);
  spawn(task, serve(task));
}

Task<void> World::serve(TaskState& task) {
  auto handling = setup_.handle(*task.context, task.request);
  const Answer answer = co_await std::move(handling);
  send_response(task, answer);
  finish_task(task);
}

void World::send_response(TaskState& handler, const Answer& answer) {
  Event event;
  event.type = EventType::answer;
  event.site = "answer";
  event.key = handler.request.key;
  event.status = answer.status;
  event.body = answer.body;
  // Who refuses a request because it has no key protects against nothing.
  event.protection = answer.status == Status::stored || answer.status == Status::in_progress ||
                     (answer.status == Status::rejected && !handler.request.key.is_null());
  EventIndex cause = record_for(handler, event);
  kernel_.touch(mailbox(handler.origin), Access::read);
  if (waiter_for(handler.origin) == nullptr) return;
  static constexpr std::array kKinds = {FaultKind::drop_response, FaultKind::delay_response};
  const FaultSpec* fault = decide_message("response", kKinds, handler.process);
  Window window = setup_.scenario->world.latency.client_server;
  if (fault != nullptr) {
    cause = record_fault(*fault, cause);
    if (fault->kind == FaultKind::drop_response) return;
    window = window + fault->by;
  }
  add_response(handler, answer, window, cause);
}

void World::add_response(TaskState& handler, const Answer& answer, Window window,
                         EventIndex cause) {
  const ProcessId client{static_cast<std::uint16_t>(handler.origin.client())};
  const TaskState& waiting = *waiter_for(handler.origin)->task;
  auto* message = detail::make_step<Message>(kernel_);
  message->world = this;
  message->id = derived_id();
  message->site = "deliver response";
  message->process = client;
  message->window = window;
  message->origin = handler.origin;
  message->answer = answer;
  message->cause = cause;
  message->content = combine(static_cast<std::uint64_t>(answer.status), answer.body.fold());
  message->declared.add(Resource::of(ResourceKind::process, client.index), Access::read);
  message->declared.add(waiting.resource, Access::write);
  message->fire = [](Step* step) {
    auto& self = static_cast<Message&>(*step);
    self.world->deliver_response(self);
  };
  message->discard = [](Step* step) {
    auto& self = static_cast<Message&>(*step);
    detail::free_step(self.world->kernel_, &self);
  };
  kernel_.add(message);
  Mailbox& box = mailbox_of(handler.origin);
  message->next_response = box.responses;
  box.responses = message;
}

World::Mailbox& World::mailbox_of(Origin attempt) {
  const std::uint32_t clicks = setup_.scenario->clients.at_once();
  return mailboxes_[attempt.client() * clicks + attempt.attempt() % clicks];
}

AnswerSuspension* World::waiter_for(Origin delivery) {
  AnswerSuspension* node = mailbox_of(delivery).waiting;
  return node != nullptr && same_attempt(node->attempt, delivery) ? node : nullptr;
}

/// The first response decides, or nobody waits any more: the others would change nothing.
void World::drop_responses(Mailbox& box) {
  while (box.responses != nullptr) {
    Message* message = box.responses;
    box.responses = message->next_response;
    kernel_.remove(message);
    kernel_.bury(message);
  }
}

void World::deliver_response(Message& message) {
  const Message copy = message;
  Mailbox& box = mailbox_of(copy.origin);
  for (Message** link = &box.responses; *link != nullptr; link = &(*link)->next_response) {
    if (*link != &message) continue;
    *link = message.next_response;
    break;
  }
  message.discard(&message);
  drop_responses(box);
  AnswerSuspension& node = *box.waiting;
  IDEMSIM_ASSERT(same_attempt(node.attempt, copy.origin));
  kernel_.remove(&node);
  begin_fire(node);
  kernel_.touch(mailbox(node.attempt), Access::write);
  node.task->cause = copy.cause;
  complete_answer(node, copy.answer);
}

}  // namespace idemsim
