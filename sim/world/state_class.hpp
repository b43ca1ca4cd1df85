// Which step may go next when each has a window of time: exact, without choosing any instant.
#pragma once

#include "sim/base/hash.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace idemsim {

/// A step that becomes pending (or pending again) at the instant of the step that has just fired.
struct Created {
  StepId id;
  Window window;  ///< from that instant; `latest` may be kForever
  /// At equal instants a smaller rank goes first; with equal ranks both orders are possible.
  std::uint8_t tie_rank = 0;
};

/// A state class of a time Petri net with strong semantics (Berthomieu and Diaz 1991): the exact
/// set of firing instants that the pending steps can still have, as a canonical matrix of
/// difference bounds. A pending step fires by its latest instant unless another step's firing kills
/// it.
///
/// Rows are the pending steps in StepId order, so that the matrix does not depend on the history.
/// Blocked steps are not in it: a step that fires and blocks is gone, and is created again when it
/// wakes. No call allocates once the largest number of pending steps has been seen.
class StateClass {
 public:
  /// Nothing is pending; the "last fired instant" is the start of the run.
  void reset();

  /// Adds steps that become pending at the last fired instant. None of them may be pending.
  void create(std::span<const Created> created);

  /// Can `step` fire before (or at the same instant as) every other pending step? O(n).
  [[nodiscard]] bool feasible(StepId step) const;
  /// The same by row, `row < size()`.
  [[nodiscard]] bool feasible_row(std::size_t row) const;
  /// Bit r is set iff row r is feasible. At most 64 pending steps.
  [[nodiscard]] std::uint64_t feasible_mask() const;

  /// Fires a feasible step: its instant becomes the last fired one, `killed` (all pending, in any
  /// order) leave without firing, `created` (in any order) enter. O(n^2), result canonical. A step
  /// that was fired or killed may be created again by the same call.
  void fire(StepId step, std::span<const StepId> killed, std::span<const Created> created);

  /// A pause of fixed length: each of the pending steps `paused` happens `by` later than it would
  /// have. Call it right after `fire` of the step that pauses; the others keep their instants.
  /// Exact for a fixed length only: a pause of [a, b] is not a set of difference bounds (it ties
  /// sums of two differences) and must be offered as a finite choice of lengths.
  void shift(std::span<const StepId> paused, Duration by);

  /// Ids of the pending steps, ascending: row r of the matrix.
  [[nodiscard]] std::span<const StepId> pending() const { return ids_; }
  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  [[nodiscard]] bool contains(StepId step) const;
  /// Earliest and latest instant of a row, counted from the last fired instant.
  [[nodiscard]] Window due(std::size_t row) const;

  /// The matrix, row-major, (size() + 1)^2 entries in ns: entry (i, j) bounds x_i - x_j. Index 0 is
  /// the last fired instant, index r + 1 is row r; kForever.ns is "no bound".
  [[nodiscard]] std::span<const std::int64_t> bounds() const { return bounds_; }

  /// Does this class hold every solution of `other`? False if other steps are pending.
  [[nodiscard]] bool includes(const StateClass& other) const;
  /// Same pending steps, ranks and bounds.
  friend bool operator==(const StateClass& a, const StateClass& b) {
    return a.ids_ == b.ids_ && a.ranks_ == b.ranks_ && a.bounds_ == b.bounds_;
  }

  /// Adds the pending ids and ranks to a canonical hash: the key under which classes are compared.
  void hash_pending(StateHasher& hasher) const;
  /// Adds the bounds as well.
  void hash_state(StateHasher& hasher) const;

 private:
  /// A row of the next matrix.
  struct NextRow {
    StepId id;
    std::uint8_t rank;
    std::size_t old_row;  ///< or SIZE_MAX for a created step
    std::int64_t upper;   ///< bounds x_row - x_fired
    std::int64_t lower;   ///< bounds x_fired - x_row
  };

  [[nodiscard]] std::size_t row_of(StepId step) const;
  [[nodiscard]] std::int64_t tie_gap(std::size_t fired, std::size_t other) const;
  void rebuild(std::span<const Created> created);

  std::vector<StepId> ids_;
  std::vector<std::uint8_t> ranks_;
  std::vector<std::int64_t> bounds_{0};
  std::vector<NextRow> next_rows_;         ///< kept between calls only to keep the memory
  std::vector<std::int64_t> next_bounds_;  ///< likewise
};

/// Is every bound of `inner` at most that of `outer`? Both over the same steps.
[[nodiscard]] bool covers(std::span<const std::int64_t> outer, std::span<const std::int64_t> inner);

}  // namespace idemsim
