// Watches compare writers instead of counting touches, so that equal futures have equal states.
#include "sim/engines/kv/session.hpp"

#include <algorithm>

namespace idemsim::kv {

void Session::watch(const Engine& engine, Value key, Instant now) {
  const auto before = [](const Watch& w, std::uint64_t fold) { return w.key.fold() < fold; };
  const auto place = std::lower_bound(watches_.begin(), watches_.end(), key.fold(), before);
  if (place != watches_.end() && place->key == key) return;
  watches_.insert(place, {key, engine.writer_of(key), engine.peek(key, now).has_value()});
}

void Session::unwatch() {
  watches_.clear();
  replaced_ = false;
}

void Session::break_watches() { replaced_ = !watches_.empty(); }

bool Session::touched_since(const Engine& engine, const Watch& watch) const {
  if (engine.writer_of(watch.key) != watch.writer) return true;
  return watch.was_alive && !engine.change_of(watch.key).present;
}

bool Session::broken(const Engine& engine, Instant now) const {
  if (replaced_) return true;
  return std::ranges::any_of(watches_, [&](const Watch& watch) {
    return touched_since(engine, watch) ||
           (watch.was_alive && !engine.peek(watch.key, now).has_value());
  });
}

void Session::add_watched(const Engine& engine, Footprint& touched) const {
  for (const Watch& watch : watches_) touched.add(engine.resource_of(watch.key), Access::read);
}

void Session::end() {
  unwatch();
  queue_.clear();
  queues_ = false;
  doomed_ = false;
}

void Session::hash_state(const Engine& engine, StateHasher& hasher) const {
  hasher.add(queues_ ? 1 : 0);
  hasher.add(doomed_ ? 1 : 0);
  hasher.add(queue_.size());
  for (const Request& request : queue_) hash(request, hasher);
  const bool is_broken = replaced_ || std::ranges::any_of(watches_, [&](const Watch& watch) {
                           return touched_since(engine, watch);
                         });
  hasher.add(is_broken ? 1 : 0);
  hasher.add(watches_.size());
  if (is_broken) return;
  for (const Watch& watch : watches_) {
    hasher.add(watch.key.fold());
    hasher.add(watch.was_alive ? 1 : 0);
  }
}

}  // namespace idemsim::kv
