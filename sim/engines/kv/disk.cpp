// Positions of the log (facts R16 to R18 of the recordings).
#include "sim/engines/kv/disk.hpp"

#include "sim/base/assert.hpp"

#include <algorithm>

namespace idemsim::kv {

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
/// A server does not hold its writes back for longer, however slow the disk is.
constexpr Duration kHeldMax = seconds(2);

void hash(const Change& change, StateHasher& hasher) {
  hasher.add(change.key.fold());
  hasher.add(change.present ? 1 : 0);
  if (!change.present) return;
  hasher.add(change.value.fold());
  hasher.add(change.expires ? 1 : 0);
  if (change.expires) hasher.add(static_cast<std::uint64_t>(change.deadline_ms));
}

}  // namespace

void Disk::start(Instant now) { last_sync_second_ = now.ns / kNsPerSecond; }

void Disk::write(const std::vector<Change>& changes) {
  if (options_.log == Log::off) return;
  tail_.insert(tail_.end(), changes.begin(), changes.end());
}

void Disk::pass(Instant now) {
  if (options_.log == Log::off) return;
  if (options_.log == Log::every_second) return pass_seconds(now);
  cached_ = tail_.size();
  if (sync_ends_ && *sync_ends_ <= now) end_sync();
  if (options_.log != Log::always || cached_ == 0 || sync_ends_) return;
  begin_sync(now);
  if (*sync_ends_ <= now) end_sync();
}

/// The first write of a new second starts a sync; so does the new second itself if there is
/// something to sync.
void Disk::pass_seconds(Instant now) {
  // What was in the page cache already has waited for the next second; what is new comes now.
  Instant from = cached_ > 0 ? Instant{} : now;
  while (true) {
    if (sync_ends_) {
      if (*sync_ends_ > now) break;
      from = *sync_ends_;
      end_sync();
    }
    cached_ = tail_.size();
    const Instant next{(last_sync_second_ + 1) * kNsPerSecond};
    const Instant begin = std::max(next, from);
    if (cached_ == 0 || begin > now) return;
    begin_sync(begin);
  }
  if (cached_ == tail_.size()) return;
  if (!held_since_) held_since_ = now;
  if (now >= *held_since_ + kHeldMax) cached_ = tail_.size();
}

Instant Disk::answers_at(Instant now) const {
  return options_.log == Log::always && sync_ends_ ? *sync_ends_ : now;
}

bool Disk::save(const Engine& engine) {
  save_failed_ = broken_;
  if (!broken_) saved_ = engine.snapshot();
  return !broken_;
}

std::vector<Change> Disk::recover(Stop how) {
  if (options_.log == Log::off) return saved_.value_or(std::vector<Change>{});
  const std::size_t kept = how == Stop::orderly      ? tail_.size()
                           : how == Stop::power_loss ? 0
                                                     : cached_;
  for (std::size_t i = 0; i < kept; ++i) keep(synced_, tail_[i]);
  tail_.clear();
  cached_ = 0;
  syncing_ = 0;
  sync_ends_.reset();
  held_since_.reset();
  return synced_;
}

void Disk::hash_state(StateHasher& hasher) const {
  if (options_.log == Log::off && !options_.saves && !saved_) return;
  for (const Change& change : synced_) hash(change, hasher);
  hasher.add(tail_.size());
  for (const Change& change : tail_) hash(change, hasher);
  hasher.add(cached_);
  hasher.add(syncing_);
  hasher.add(static_cast<std::uint64_t>(sync_ends_ ? sync_ends_->ns + 1 : 0));
  hasher.add(static_cast<std::uint64_t>(held_since_ ? held_since_->ns + 1 : 0));
  hasher.add(static_cast<std::uint64_t>(last_sync_second_));
  hasher.add(saved_ ? saved_->size() + 1 : 0);
  if (saved_) {
    for (const Change& change : *saved_) hash(change, hasher);
  }
  hasher.add((broken_ ? 1 : 0) + (save_failed_ ? 2 : 0));
}

void Disk::begin_sync(Instant at) {
  IDEMSIM_ASSERT(!sync_ends_);
  syncing_ = cached_;
  sync_ends_ = at + options_.sync_takes;
  last_sync_second_ = at.ns / kNsPerSecond;
}

/// Writes that waited for the sync reach the page cache.
void Disk::end_sync() {
  for (std::size_t i = 0; i < syncing_; ++i) keep(synced_, tail_[i]);
  tail_.erase(tail_.begin(), tail_.begin() + static_cast<std::ptrdiff_t>(syncing_));
  cached_ = tail_.size();
  syncing_ = 0;
  sync_ends_.reset();
  held_since_.reset();
}

void Disk::keep(std::vector<Change>& state, const Change& change) {
  const auto before = [](const Change& c, std::uint64_t fold) { return c.key.fold() < fold; };
  const auto place = std::lower_bound(state.begin(), state.end(), change.key.fold(), before);
  const bool found = place != state.end() && place->key == change.key;
  if (found && change.present) {
    *place = change;
  } else if (found) {
    state.erase(place);
  } else if (change.present) {
    state.insert(place, change);
  }
}

}  // namespace idemsim::kv
