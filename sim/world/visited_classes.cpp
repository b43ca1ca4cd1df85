// Inclusion between stored matrices of equal size, kept back to back in one vector a key.
#include "sim/world/visited_classes.hpp"

#include "sim/base/assert.hpp"

#include <algorithm>
#include <span>

namespace idemsim {

bool VisitedClasses::insert(Hash128 key, const StateClass& visited) {
  const std::span<const std::int64_t> bounds = visited.bounds();
  std::vector<std::int64_t>& stored = matrices_[key];
  IDEMSIM_ASSERT(stored.size() % bounds.size() == 0);
  std::size_t kept = 0;
  for (std::size_t at = 0; at < stored.size(); at += bounds.size()) {
    const std::span<const std::int64_t> old = std::span(stored).subspan(at, bounds.size());
    if (covers(old, bounds)) {
      IDEMSIM_ASSERT(kept == at);  // what covers the new class covers all that the new one covers
      return false;
    }
    if (covers(bounds, old)) {
      --size_;
      continue;
    }
    std::copy(old.begin(), old.end(), stored.begin() + static_cast<std::ptrdiff_t>(kept));
    kept += bounds.size();
  }
  stored.resize(kept);
  stored.insert(stored.end(), bounds.begin(), bounds.end());
  ++size_;
  return true;
}

void VisitedClasses::reset() {
  matrices_.clear();
  size_ = 0;
}

}  // namespace idemsim
