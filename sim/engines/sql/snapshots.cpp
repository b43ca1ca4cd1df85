// Snapshots that last for a transaction: REPEATABLE READ, first updater wins (P3, P5, P20).
#include "sim/engines/sql/engine.hpp"

#include <algorithm>

namespace idemsim::sql {

namespace {

constexpr Resource kCommitOrder = Resource::of(ResourceKind::table, hash_text("commit order"));

}  // namespace

/// The first query takes the snapshot, before it waits for anything; BEGIN does not (P20).
void Engine::take_snapshot(Call& call) {
  Session& session = call.session;
  session.progress.snapshot = {commit_number_};
  if (!session.keeps_snapshot()) return;
  if (!session.has_snapshot) {
    session.has_snapshot = true;
    session.snapshot = {commit_number_};
    call.touched.add(kCommitOrder, Access::read);
    if (session.isolation == Isolation::serializable) begin_serial(call);
  }
  session.progress.snapshot = session.snapshot;
}

/// Which side of a lasting snapshot a commit falls on shows in any later statement, whatever it
/// reads. Commits among themselves commute.
void Engine::order_commit(Footprint& touched) const {
  if (isolation_ != Isolation::read_committed) touched.add(kCommitOrder, Access::append);
}

CommitNumber Engine::oldest_snapshot() const {
  CommitNumber oldest = kNever;
  for (const SessionId id : waiting_) {
    oldest = std::min(oldest, sessions_[id.index].progress.snapshot.as_of);
  }
  if (isolation_ == Isolation::read_committed) return oldest;
  for (std::uint32_t i = 0; i < session_count_; ++i) {
    if (sessions_[i].has_snapshot) oldest = std::min(oldest, sessions_[i].snapshot.as_of);
  }
  return oldest;
}

/// Has ON CONFLICT met a row that the lasting snapshot does not show. It never acts on one.
bool Engine::outruns_snapshot(const Call& call, RowRef row) const {
  return call.session.keeps_snapshot() && !visible(call, version(row));
}

}  // namespace idemsim::sql
