// The key-value store's semantics, as recorded on Redis 7.0 (facts R1 to R7 of the recordings).
#include "sim/engines/kv/engine.hpp"

#include "sim/base/assert.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace idemsim::kv {

namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr Name kNew = "NEW";

/// SET, GETSET and scripts refuse a TTL that is not positive; PEXPIRE deletes instead.
bool is_invalid_expire(const Command& c) {
  return c.ttl_change == TtlChange::relative && c.ttl.ns <= 0;
}

}  // namespace

void Engine::reset() {
  entries_.clear();
  armed_.reset();
  disarmed_.reset();
  changed_ = false;
}

Reply Engine::apply_part(const Command& command, Instant now, const Part& part,
                         Footprint& touched) {
  IDEMSIM_ASSERT(now.ns >= 0);
  armed_.reset();
  disarmed_.reset();
  changed_ = false;
  Call call{command, now.ns / kNsPerMs, part};
  const Reply reply = dispatch(call);
  changed_ = changed_ || call.wrote;
  touched.add(resource_of(command.key), call.wrote ? Access::write : Access::read);
  return reply;
}

Reply Engine::dispatch(Call& call) {
  switch (call.command.verb) {
    case Verb::get:
    case Verb::getdel:
    case Verb::getex:
    case Verb::exists:
    case Verb::del:
      return read(call);
    case Verb::set:
    case Verb::setnx:
    case Verb::getset:
    case Verb::begin_or_get:
      return set(call);
    case Verb::incr:
      return increment(call);
    case Verb::pexpire:
    case Verb::pexpireat:
    case Verb::persist:
      return set_deadline(call);
    case Verb::pttl:
    case Verb::ttl:
      return time_left(call);
    case Verb::compare_and_delete:
    case Verb::compare_and_extend:
    case Verb::compare_and_set:
      return compare(call);
  }
  return Reply::failed(Error::syntax);
}

/// Commands that look at a key and may remove it or change its TTL, but never its value.
Reply Engine::read(Call& call) {
  const Verb verb = call.command.verb;
  const bool counts = verb == Verb::exists || verb == Verb::del;
  if (verb == Verb::getex && is_invalid_expire(call.command)) {
    return Reply::failed(Error::invalid_expire);
  }
  Entry* entry = alive(call);
  if (entry == nullptr) return counts ? Reply::integer(0) : Reply::nil();
  const Value value = entry->value;
  if (verb == Verb::getex) change_ttl(call, *entry);
  if (verb == Verb::getdel || verb == Verb::del) erase(call, *entry);
  return counts ? Reply::integer(1) : Reply::bulk(value);
}

Reply Engine::set(Call& call) {
  const Command& c = call.command;
  if (is_invalid_expire(c)) return Reply::failed(Error::invalid_expire);
  if (c.only == Only::if_later || c.only == Only::if_earlier) return Reply::failed(Error::syntax);
  const Entry* entry = alive(call);
  const bool found = entry != nullptr;
  const Reply old = found ? Reply::bulk(entry->value) : Reply::nil();
  const bool only_absent =
      c.only == Only::if_absent || c.verb == Verb::setnx || c.verb == Verb::begin_or_get;
  const bool writes = found ? !only_absent : c.only != Only::if_present;
  if (writes) store(call, c.value);
  if (c.verb == Verb::setnx) return Reply::integer(writes ? 1 : 0);
  if (c.verb == Verb::begin_or_get) return writes ? Reply::bulk(Value::word(kNew)) : old;
  if (c.verb == Verb::getset || c.returns_old) return old;
  return writes ? Reply::ok() : Reply::nil();
}

Reply Engine::increment(Call& call) {
  const Entry* entry = alive(call);
  if (entry != nullptr && entry->value.kind != Value::Kind::integer) {
    return Reply::failed(Error::not_an_integer);
  }
  const std::int64_t old = entry == nullptr ? 0 : entry->value.as_integer();
  if (old == std::numeric_limits<std::int64_t>::max()) return Reply::failed(Error::overflow);
  store(call, Value::integer(old + 1));
  return Reply::integer(old + 1);
}

/// PEXPIRE, PEXPIREAT, PERSIST, and the second half of compare_and_extend.
Reply Engine::set_deadline(Call& call) {
  const Command& c = call.command;
  Entry* entry = alive(call);
  if (entry == nullptr) return Reply::integer(0);
  if (c.verb == Verb::persist) {
    if (!entry->expires) return Reply::integer(0);
    change_ttl(call, *entry);
    return Reply::integer(1);
  }
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  const std::int64_t deadline_ms = c.ttl_change == TtlChange::absolute
                                       ? c.deadline.ns / kNsPerMs
                                       : call.now_ms + c.ttl.ns / kNsPerMs;
  const std::int64_t current_ms = entry->expires ? entry->deadline_ms : kNever;
  if (c.only == Only::if_absent && entry->expires) return Reply::integer(0);
  if (c.only == Only::if_present && !entry->expires) return Reply::integer(0);
  if (c.only == Only::if_later && deadline_ms <= current_ms) return Reply::integer(0);
  if (c.only == Only::if_earlier && deadline_ms >= current_ms) return Reply::integer(0);
  if (deadline_ms <= call.now_ms) {
    erase(call, *entry);
  } else {
    give_deadline(call, *entry, deadline_ms);
  }
  return Reply::integer(1);
}

Reply Engine::compare(Call& call) {
  const Command& c = call.command;
  if (c.verb == Verb::compare_and_set && is_invalid_expire(c)) {
    return Reply::failed(Error::invalid_expire);
  }
  Entry* entry = alive(call);
  if (entry == nullptr || entry->value != c.expected) return Reply::integer(0);
  if (c.verb == Verb::compare_and_extend) return set_deadline(call);
  if (c.verb == Verb::compare_and_delete) {
    erase(call, *entry);
  } else {
    store(call, c.value);
  }
  return Reply::integer(1);
}

Reply Engine::time_left(const Call& call) {
  const Entry* entry = alive(call);
  if (entry == nullptr) return Reply::integer(-2);
  if (!entry->expires) return Reply::integer(-1);
  const std::int64_t left_ms = entry->deadline_ms - call.now_ms;
  IDEMSIM_ASSERT(left_ms >= 0);
  return Reply::integer(call.command.verb == Verb::ttl ? (left_ms + 500) / 1000 : left_ms);
}

/// Writes a value and applies the command's change of the TTL.
void Engine::store(Call& call, Value value) {
  Entry& entry = entry_of(call.command.key);
  entry.present = true;
  entry.value = value;
  entry.writer = call.part.by;
  call.wrote = true;
  change_ttl(call, entry);
}

void Engine::change_ttl(Call& call, Entry& entry) {
  const Command& c = call.command;
  switch (c.ttl_change) {
    case TtlChange::keep:
      return;
    case TtlChange::drop:
      call.wrote = call.wrote || entry.expires;
      entry.writer = entry.expires ? call.part.by : entry.writer;
      end_ttl(entry);
      return;
    case TtlChange::relative:
      return give_deadline(call, entry, call.now_ms + c.ttl.ns / kNsPerMs);
    case TtlChange::absolute: {
      const std::int64_t deadline_ms = c.deadline.ns / kNsPerMs;
      // SET ... PXAT to exactly now leaves the key alive; every other command deletes it then.
      const std::int64_t dead_ms = c.verb == Verb::set ? call.now_ms - 1 : call.now_ms;
      if (deadline_ms <= dead_ms) return erase(call, entry);
      return give_deadline(call, entry, deadline_ms);
    }
  }
}

void Engine::give_deadline(Call& call, Entry& entry, std::int64_t deadline_ms) {
  IDEMSIM_ASSERT(entry.present);
  end_ttl(entry);
  entry.expires = true;
  entry.deadline_ms = deadline_ms;
  entry.generation = call.part.generation;
  entry.writer = call.part.by;
  call.wrote = true;
  armed_ = ArmedExpiry{entry.key, milliseconds(deadline_ms - call.now_ms), call.part.generation};
}

void Engine::end_ttl(Entry& entry) {
  if (entry.expires) disarmed_ = entry.generation;
  entry.expires = false;
}

void Engine::erase(Call& call, Entry& entry) {
  IDEMSIM_ASSERT(entry.present);
  end_ttl(entry);
  entry.present = false;
  entry.writer = call.part.by;
  call.wrote = true;
}

/// The key if it is alive now. A dead one is dropped, as a real server does when it meets it.
Engine::Entry* Engine::alive(const Call& call) {
  Entry* entry = find(call.command.key);
  if (entry == nullptr || !entry->present) return nullptr;
  if (!entry->expires || call.now_ms <= entry->deadline_ms) return entry;
  if (keeps_dead_) return nullptr;
  changed_ = true;
  entry->present = false;
  entry->expires = false;
  return nullptr;
}

const Engine::Entry* Engine::find(Value key) const {
  const std::uint64_t fold = key.fold();
  for (const Entry& entry : entries_) {
    if (entry.fold == fold) return &entry;
  }
  return nullptr;
}

Engine::Entry& Engine::entry_of(Value key) {
  if (Entry* entry = find(key); entry != nullptr) return *entry;
  const std::uint64_t fold = key.fold();
  const auto later = [](const Entry& e, std::uint64_t f) { return e.fold < f; };
  const auto place = std::lower_bound(entries_.begin(), entries_.end(), fold, later);
  Entry& entry = *entries_.insert(place, Entry());
  entry.key = key;
  entry.fold = fold;
  return entry;
}

Engine::Entry* Engine::find(Value key) {
  return const_cast<Entry*>(std::as_const(*this).find(key));
}

}  // namespace idemsim::kv
