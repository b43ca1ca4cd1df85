// Eviction (facts R14 and R15 of the recordings): silent, unexpired keys too.
#include "sim/engines/kv/memory.hpp"

#include <algorithm>

namespace idemsim::kv {

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

template <class Uses>
auto place_of(Uses& uses, std::uint64_t fold) {
  const auto before = [](const auto& use, std::uint64_t f) { return use.fold < f; };
  return std::lower_bound(uses.begin(), uses.end(), fold, before);
}

}  // namespace

void Memory::use(Value key, Instant now) {
  if (!limit_.exists()) return;
  const std::uint64_t fold = key.fold();
  const std::int64_t second = now.ns / kNsPerSecond;
  const auto place = place_of(uses_, fold);
  if (place != uses_.end() && place->fold == fold) {
    place->second = second;
  } else {
    uses_.insert(place, {fold, second});
  }
}

std::optional<Change> Memory::victim(const Engine& engine) const {
  if (limit_.eviction == Eviction::none) return std::nullopt;
  std::optional<Change> first;
  for (const Change& key : engine.snapshot()) {
    if (limit_.eviction != Eviction::allkeys_lru && !key.expires) continue;
    if (!first || rank(key) < rank(*first)) first = key;
  }
  return first;
}

void Memory::hash_state(const Engine& engine, StateHasher& hasher) const {
  if (!limit_.exists()) return;
  hasher.add(limit_.keys_max);
  hasher.add(static_cast<std::uint64_t>(limit_.eviction));
  for (const Change& key : engine.snapshot()) {
    hasher.add(static_cast<std::uint64_t>(last_use(key.key)));
  }
}

std::int64_t Memory::last_use(Value key) const {
  const auto place = place_of(uses_, key.fold());
  return place == uses_.end() || place->fold != key.fold() ? 0 : place->second;
}

std::int64_t Memory::rank(const Change& key) const {
  return limit_.eviction == Eviction::volatile_ttl ? key.deadline_ms : last_use(key.key);
}

bool needs_memory(Verb verb) {
  switch (verb) {
    case Verb::set:
    case Verb::setnx:
    case Verb::getset:
    case Verb::incr:
    case Verb::compare_and_set:
    case Verb::begin_or_get:
      return true;
    case Verb::get:
    case Verb::getdel:
    case Verb::getex:
    case Verb::del:
    case Verb::exists:
    case Verb::pexpire:
    case Verb::pexpireat:
    case Verb::pttl:
    case Verb::ttl:
    case Verb::persist:
    case Verb::compare_and_delete:
    case Verb::compare_and_extend:
      return false;
  }
  return false;
}

}  // namespace idemsim::kv
