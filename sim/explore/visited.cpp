// Inclusion of constraint matrices (bounded_time: prune what an earlier visit covers).
#include "sim/explore/visited.hpp"

#include "sim/world/state_class.hpp"

namespace idemsim {

bool VisitedSet::insert(Hash128 state, std::span<const std::int64_t> bounds) {
  const auto [at, fresh] = heads_.try_emplace(state, kNone);
  std::uint32_t* link = &at->second;
  while (*link != kNone) {
    Entry& entry = entries_[*link];
    const std::span<const std::int64_t> known(bounds_.data() + entry.offset, entry.length);
    if (covers(known, bounds)) return false;
    if (covers(bounds, known)) {
      *link = entry.next;
      --size_;
    } else {
      link = &entry.next;
    }
  }
  const std::uint32_t index = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({bounds_.size(), static_cast<std::uint32_t>(bounds.size()), at->second});
  bounds_.insert(bounds_.end(), bounds.begin(), bounds.end());
  at->second = index;
  ++size_;
  return true;
}

void VisitedSet::clear() {
  heads_.clear();
  entries_.clear();
  bounds_.clear();
  size_ = 0;
}

}  // namespace idemsim
