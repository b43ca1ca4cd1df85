// The keys in memory: finding, expiring, taking out and putting back; no command's semantics.
#include "sim/engines/kv/engine.hpp"

#include <algorithm>

namespace idemsim::kv {

namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

}  // namespace

bool Engine::expire(const ArmedExpiry& expiry, StepId by, Footprint& touched) {
  Entry* entry = find(expiry.key);
  const bool dies = entry != nullptr && entry->present && entry->expires &&
                    entry->generation == expiry.generation;
  touched.add(resource_of(expiry.key), dies ? Access::write : Access::read);
  if (!dies) return false;
  entry->present = false;
  entry->expires = false;
  entry->writer = by;
  return true;
}

std::vector<Value> Engine::remove_dead(Instant now) {
  std::vector<Value> removed;
  for (Entry& entry : entries_) {
    if (entry.present && entry.expires && now.ns / kNsPerMs > entry.deadline_ms) {
      entry.present = false;
      entry.expires = false;
      removed.push_back(entry.key);
    }
  }
  return removed;
}

std::optional<Value> Engine::peek(Value key, Instant now) const {
  const Entry* entry = find(key);
  if (entry == nullptr || !entry->present) return std::nullopt;
  if (entry->expires && now.ns / kNsPerMs > entry->deadline_ms) return std::nullopt;
  return entry->value;
}

std::size_t Engine::stored() const {
  const auto present = [](const Entry& entry) { return entry.present; };
  return static_cast<std::size_t>(std::ranges::count_if(entries_, present));
}

StepId Engine::writer_of(Value key) const {
  const Entry* entry = find(key);
  return entry == nullptr ? StepId{} : entry->writer;
}

Change Engine::change_of(Value key) const {
  const Entry* entry = find(key);
  return entry == nullptr ? Change{.key = key} : change_of(*entry);
}

void Engine::restore(const Change& change) {
  Entry& entry = entry_of(change.key);
  entry.value = change.value;
  entry.present = change.present;
  entry.expires = change.expires;
  entry.deadline_ms = change.deadline_ms;
  entry.generation = change.generation;
  entry.writer = change.writer;
}

std::vector<Change> Engine::snapshot() const {
  std::vector<Change> changes;
  for (const Entry& entry : entries_) {
    if (entry.present) changes.push_back(change_of(entry));
  }
  return changes;
}

Change Engine::change_of(const Entry& entry) {
  Change change{.key = entry.key, .present = entry.present, .writer = entry.writer};
  if (!entry.present) return change;
  change.value = entry.value;
  change.expires = entry.expires;
  if (!entry.expires) return change;
  change.deadline_ms = entry.deadline_ms;
  change.generation = entry.generation;
  return change;
}

Resource Engine::resource_of(Value key) const {
  return Resource::of(ResourceKind::store_key, space_, key.fold());
}

void Engine::hash_state(StateHasher& hasher) const {
  hasher.add(stored());
  for (const Entry& entry : entries_) {
    if (!entry.present) continue;
    hasher.add(entry.fold);
    hasher.add(entry.value.fold());
    hasher.add(entry.expires ? 1 : 0);
    if (!entry.expires) continue;
    hasher.add(static_cast<std::uint64_t>(entry.deadline_ms));
    hasher.add(entry.generation.origin);
    hasher.add(entry.generation.place);
  }
}

}  // namespace idemsim::kv
