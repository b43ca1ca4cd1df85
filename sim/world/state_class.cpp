// The firing rule on difference bounds: two row operations and no Floyd-Warshall closure.
#include "sim/world/state_class.hpp"

#include "sim/base/assert.hpp"

#include <algorithm>

namespace idemsim {

namespace {

constexpr std::size_t kNew = SIZE_MAX;

std::int64_t plus(std::int64_t a, std::int64_t b) {
  return saturating_add(Duration{a}, Duration{b}).ns;
}

}  // namespace

void StateClass::reset() {
  ids_.clear();
  ranks_.clear();
  bounds_.assign(1, 0);
}

void StateClass::create(std::span<const Created> created) {
  const std::size_t width = size() + 1;
  next_rows_.clear();
  for (std::size_t row = 0; row < size(); ++row) {
    next_rows_.push_back(
        {ids_[row], ranks_[row], row, bounds_[(row + 1) * width], bounds_[row + 1]});
  }
  rebuild(created);
}

bool StateClass::feasible(StepId step) const { return feasible_row(row_of(step)); }

bool StateClass::feasible_row(std::size_t row) const {
  IDEMSIM_ASSERT(row < size());
  const std::size_t width = size() + 1;
  for (std::size_t other = 0; other < size(); ++other) {
    if (other != row && bounds_[(other + 1) * width + row + 1] < tie_gap(row, other)) return false;
  }
  return true;
}

std::uint64_t StateClass::feasible_mask() const {
  IDEMSIM_ASSERT(size() <= 64);
  std::uint64_t mask = 0;
  for (std::size_t row = 0; row < size(); ++row) {
    if (feasible_row(row)) mask |= std::uint64_t{1} << row;
  }
  return mask;
}

void StateClass::fire(StepId step, std::span<const StepId> killed,
                      std::span<const Created> created) {
  const std::size_t fired = row_of(step);
  IDEMSIM_ASSERT(feasible_row(fired));
  const std::size_t width = size() + 1;
  next_rows_.clear();
  std::size_t killed_found = 0;
  for (std::size_t row = 0; row < size(); ++row) {
    if (row == fired) continue;
    if (std::ranges::find(killed, ids_[row]) != killed.end()) {
      ++killed_found;
      continue;
    }
    // Every pending step, those that die now included, is not before the fired one.
    std::int64_t lower = bounds_[(fired + 1) * width + row + 1];
    for (std::size_t k = 0; k < size(); ++k) {
      if (k == fired) continue;
      lower = std::min(lower, bounds_[(k + 1) * width + row + 1] - tie_gap(fired, k));
    }
    const std::int64_t upper = bounds_[(row + 1) * width + fired + 1];
    next_rows_.push_back({ids_[row], ranks_[row], row, upper, lower});
  }
  IDEMSIM_ASSERT(killed_found == killed.size());
  rebuild(created);
}

void StateClass::shift(std::span<const StepId> paused, Duration by) {
  IDEMSIM_ASSERT(by.ns >= 0);
  IDEMSIM_ASSERT(by < kForever);
  const std::size_t width = size() + 1;
  for (const StepId step : paused) {
    // Pairs of paused steps are moved in both directions, which cancels out.
    const std::size_t index = row_of(step) + 1;
    for (std::size_t other = 0; other < width; ++other) {
      if (other == index) continue;
      std::int64_t& above = bounds_[index * width + other];
      std::int64_t& below = bounds_[other * width + index];
      above = plus(above, by.ns);
      if (below < kForever.ns) below -= by.ns;
    }
  }
}

bool StateClass::contains(StepId step) const {
  return std::binary_search(ids_.begin(), ids_.end(), step);
}

Window StateClass::due(std::size_t row) const {
  IDEMSIM_ASSERT(row < size());
  return {{-bounds_[row + 1]}, {bounds_[(row + 1) * (size() + 1)]}};
}

bool StateClass::includes(const StateClass& other) const {
  return ids_ == other.ids_ && ranks_ == other.ranks_ && covers(bounds_, other.bounds_);
}

void StateClass::hash_pending(StateHasher& hasher) const {
  hasher.add(size());
  for (std::size_t row = 0; row < size(); ++row) {
    hasher.add(ids_[row].origin);
    hasher.add(ids_[row].place);
    hasher.add(ranks_[row]);
  }
}

void StateClass::hash_state(StateHasher& hasher) const {
  hash_pending(hasher);
  const Hash128 matrix = hash_bytes(bounds_.data(), bounds_.size() * sizeof(std::int64_t));
  hasher.add(matrix.high);
  hasher.add(matrix.low);
}

std::size_t StateClass::row_of(StepId step) const {
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), step);
  IDEMSIM_ASSERT(found != ids_.end());
  IDEMSIM_ASSERT(*found == step);
  return static_cast<std::size_t>(found - ids_.begin());
}

/// 1 if at equal instants `other` must go before `fired`: in integer time `<` is `<= -1`.
std::int64_t StateClass::tie_gap(std::size_t fired, std::size_t other) const {
  return ranks_[fired] > ranks_[other] ? 1 : 0;
}

/// Makes the matrix of `next_rows_` (rows that stay, ascending, with their bounds to the last fired
/// instant) and `created`. Canonical, because what stays is and what is new hangs on index 0 only.
void StateClass::rebuild(std::span<const Created> created) {
  for (const Created& c : created) {
    IDEMSIM_ASSERT(c.window.earliest.ns >= 0);
    IDEMSIM_ASSERT(c.window.earliest <= c.window.latest);
    IDEMSIM_ASSERT(c.window.earliest < kForever);
    const NextRow row{c.id, c.tie_rank, kNew, c.window.latest.ns, -c.window.earliest.ns};
    const auto place = std::ranges::lower_bound(next_rows_, c.id, {}, &NextRow::id);
    IDEMSIM_ASSERT(place == next_rows_.end() || place->id != c.id);
    next_rows_.insert(place, row);
  }
  const std::size_t old_width = size() + 1;
  const std::size_t width = next_rows_.size() + 1;
  next_bounds_.resize(width * width);
  next_bounds_[0] = 0;
  for (std::size_t i = 0; i < next_rows_.size(); ++i) {
    const NextRow& a = next_rows_[i];
    next_bounds_[(i + 1) * width] = a.upper;
    next_bounds_[i + 1] = a.lower;
    for (std::size_t j = 0; j < next_rows_.size(); ++j) {
      const NextRow& b = next_rows_[j];
      std::int64_t bound = i == j ? 0 : plus(a.upper, b.lower);
      if (i != j && a.old_row != kNew && b.old_row != kNew) {
        bound = std::min(bound, bounds_[(a.old_row + 1) * old_width + b.old_row + 1]);
      }
      next_bounds_[(i + 1) * width + j + 1] = bound;
    }
  }
  ids_.clear();
  ranks_.clear();
  for (const NextRow& row : next_rows_) {
    ids_.push_back(row.id);
    ranks_.push_back(row.rank);
  }
  bounds_.swap(next_bounds_);
}

bool covers(std::span<const std::int64_t> outer, std::span<const std::int64_t> inner) {
  IDEMSIM_ASSERT(outer.size() == inner.size());
  for (std::size_t i = 0; i < outer.size(); ++i) {
    if (outer[i] < inner[i]) return false;
  }
  return true;
}

}  // namespace idemsim
