// Sentences for events, made from their fields and from the texts of the stores.
#include "sim/explain/words.hpp"

#include "sim/engines/sql/render.hpp"

#include <fmt/format.h>

namespace idemsim {
namespace {

std::string attempt_name(const World& world, Origin delivery) {
  const ClientSpec& clients = world.setup().scenario->clients;
  if (delivery.attempt() >= clients.retry.attempts * clients.at_once()) return "the probe";
  return fmt::format("attempt {}", delivery.attempt() + 1);
}

}  // namespace

/// Keys as K1, effects by the number of their event, everything else as in SQL.
std::string EventWords::value(const Value& value) const {
  switch (value.kind) {
    case Value::Kind::null:
      return "nothing";
    case Value::Kind::key:
      return "K" + std::to_string(value.bits);
    case Value::Kind::reference: {
      const std::span<const Event> events = world_->events();
      for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].type == EventType::effect && events[i].body == value && (*numbers_)[i] != 0) {
          return fmt::format("the reference of #{}", (*numbers_)[i]);
        }
      }
      return "a reference";
    }
    default:
      return sql::to_sql(value);
  }
}

std::string EventWords::answer(const Event& event) const {
  if (event.body.is_null()) return std::string(to_string(event.status));
  return fmt::format("{}, {}", to_string(event.status), value(event.body));
}

/// The step that sends is older than its attempt: the attempt is in the body.
std::string EventWords::sending(const Event& event) const {
  const Origin attempt =
      Origin::of({event.process.index, 0}, static_cast<std::uint32_t>(event.body.bits) - 1, 0);
  const std::string name = attempt_name(*world_, attempt);
  return event.key.is_null() ? fmt::format("sends {} without a key", name)
                             : fmt::format("sends {} with key {}", name, value(event.key));
}

std::string EventWords::fault(const Event& event) const {
  const std::string process = world_->process_name(event.process);
  switch (event.fault) {
    case FaultKind::crash:
      return process + " crashes";
    case FaultKind::pause:
      return process + " stands still";
    case FaultKind::drop_request:
      return "the request is lost";
    case FaultKind::drop_response:
      return "the response is lost";
    case FaultKind::delay_request:
      return "the request is late";
    case FaultKind::delay_response:
      return "the response is late";
    case FaultKind::duplicate_request:
      return "the request is duplicated";
    case FaultKind::reorder_request:
      return "the request may be overtaken";
    case FaultKind::lost_before:
      return "the connection breaks before the statement executes";
    case FaultKind::lost_after:
      return "the connection breaks, the statement executes";
    case FaultKind::orphaned:
      return "the connection breaks, the statement is still on its way";
  }
  return "";
}

std::string EventWords::of(EventIndex index) const {
  const auto i = static_cast<std::size_t>(index);
  const Event& event = world_->events()[i];
  const std::string& text = world_->texts()[i];
  switch (event.type) {
    case EventType::invoke:
      return sending(event);
    case EventType::ok:
    case EventType::fail:
      return "is told: " + answer(event);
    case EventType::info:
      return event.cause < 0 ? "hears nothing in time" : "is told: " + answer(event);
    case EventType::receive:
      return "receives " + delivery_name(*world_, event.step.from());
    case EventType::step:
    case EventType::effect:
    case EventType::blocked:
      return text.empty() ? std::string(event.site.view()) : text;
    case EventType::answer:
      return "answers: " + answer(event);
    case EventType::fault:
      return fault(event);
    case EventType::expire:
      return event.key.kind == Value::Kind::deadline
                 ? "a deadline in a row passes"
                 : fmt::format("the time to live of {} ends", value(event.key));
    case EventType::enter:
      return fmt::format("believes that it alone works on {}", value(event.key));
    case EventType::leave:
      return fmt::format("is done with {}", value(event.key));
    case EventType::settle:
      return "faults end; each operation is tried once more";
  }
  return "";
}

std::string delivery_name(const World& world, Origin delivery) {
  std::string name = attempt_name(world, delivery);
  if (world.setup().scenario->clients.operations > 1) {
    name += fmt::format(" of operation {}", delivery.operation() + 1);
  }
  return delivery.copy() == 0 ? name : "the copy of " + name;
}

std::string told_at(const World& world, EventIndex event) {
  const std::string& text = world.texts()[static_cast<std::size_t>(event)];
  const std::size_t arrow = text.rfind(" -> ");
  return arrow == std::string::npos ? "" : text.substr(arrow + 4);
}

}  // namespace idemsim
