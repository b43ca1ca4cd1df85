// Recording what happens: small events always, texts only for a run that will be reported.
#include "sim/world/world.hpp"
#include "sim/world/world_steps.hpp"

namespace idemsim {

EventIndex World::record(Event event) {
  event.at = kernel_.now();
  event.step = kernel_.running();
  events_.push_back(event);
  event_steps_.push_back(static_cast<std::uint32_t>(kernel_.running_ordinal()));
  if (narrate_) texts_.emplace_back();
  if (hindsight_ != nullptr) look_back(event);
  return static_cast<EventIndex>(events_.size()) - 1;
}

EventIndex World::record_for(TaskState& task, Event event) {
  event.process = task.process;
  event.before = task.last_event;
  event.probe = task.probe;
  if (event.protection && !task.probe) protection_worked_ = true;
  task.last_event = record(event);
  return task.last_event;
}

EventIndex World::record_fault(const FaultSpec& spec, EventIndex cause) {
  Event event;
  event.type = EventType::fault;
  event.fault = spec.kind;
  event.site = "fault";
  event.cause = cause;
  event.process = network_process();
  return record(event);
}

void World::say(EventIndex event, std::string text) {
  if (narrate_) texts_[static_cast<std::size_t>(event)] = std::move(text);
}

EventIndex World::event_of(StepId step) const {
  for (std::size_t i = events_.size(); i-- > 0;) {
    const Event& e = events_[i];
    if (e.step == step &&
        (e.type == EventType::step || e.type == EventType::effect || e.type == EventType::expire)) {
      return static_cast<EventIndex>(i);
    }
  }
  return -1;
}

EventIndex World::writer_event(std::span<const StepId> writers) const {
  EventIndex newest = -1;
  if (!narrate_) return newest;
  for (const StepId& writer : writers) newest = std::max(newest, event_of(writer));
  return newest;
}

void World::enter_section(TaskState& task, Value key) {
  kernel_.touch(Resource::of(ResourceKind::observer, key.fold()), Access::write);
  for (const Section& s : sections_) {
    if (s.key == key && s.holder != task.origin) overlapped_ = true;
  }
  sections_.push_back({key, task.origin});
  Event event;
  event.type = EventType::enter;
  event.site = "enter";
  event.key = key;
  record_for(task, event);
}

void World::leave_section(TaskState& task, Value key) {
  kernel_.touch(Resource::of(ResourceKind::observer, key.fold()), Access::write);
  std::erase_if(sections_,
                [&](const Section& s) { return s.key == key && s.holder == task.origin; });
  Event event;
  event.type = EventType::leave;
  event.site = "leave";
  event.key = key;
  record_for(task, event);
}

std::string World::process_name(ProcessId process) const {
  const std::size_t clients = client_processes();
  const std::size_t servers = server_processes();
  const std::size_t i = process.index;
  if (i < clients) return clients == 1 ? "client" : "client-" + std::to_string(i + 1);
  if (i < clients + servers) return "server-" + std::to_string(i - clients + 1);
  if (process == database_process()) return "database";
  if (process == redis_process()) return "redis";
  if (process == provider_process()) return "provider";
  return "network";
}

}  // namespace idemsim
