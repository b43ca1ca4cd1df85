// What the engine's reads and writes mean to serializable transactions (P2, P22 to P26).
#include "sim/engines/sql/engine.hpp"

#include <algorithm>

namespace idemsim::sql {

namespace {

using Verdict = SerialTransactions::Verdict;
using Kind = ReadTarget::Kind;

constexpr std::uint64_t kReadSpace = hash_text("sql reads");
constexpr Resource kSerialOrder = Resource::of(ResourceKind::table, hash_text("serial order"));

}  // namespace

/// Marks of reads commute, and so do writes that look for marks, but not one with the other. What
/// changes antidependencies or the order of commits conflicts with every serializable access.
void Engine::touch_serial(Call& call, Access marks) const {
  call.touched.add(Resource::of(ResourceKind::table, kReadSpace, call.table), marks);
  call.touched.add(kSerialOrder, Access::read);
}

/// The SIREAD marks of a scan, and the concurrent writers that it reads around. A read by key
/// marks the key's page in the index whether or not there is such a row.
bool Engine::read_serially(Call& call, std::size_t index, const Row& key) {
  const SerialNumber me = call.session.serial;
  if (me == kNotSerial) return true;
  const bool by_key = index != kNoIndex;
  const std::uint32_t item = by_key ? static_cast<std::uint32_t>(index) : 0;
  touch_serial(call, Access::append);
  serials_.mark(me, {by_key ? Kind::index : Kind::table, call.table, item});
  bool fails = false;
  const auto judge = [&](VersionIndex, SerialNumber writer) {
    fails = fails || serials_.doomed(me) || serials_.may_not_read_around(me, writer);
  };
  for_each_met(call, index, key, judge);
  if (fails) return false;
  for_each_met(call, index, key, [&](VersionIndex i, SerialNumber writer) {
    const Version& v = tables_[call.table].versions[i];
    const bool seen = visible(call, v) && v.creator != call.id;
    if (by_key && seen) serials_.mark(me, {Kind::row, call.table, i});
    if (serials_.read_around(me, writer)) call.touched.add(kSerialOrder, Access::write);
  });
  return true;
}

/// Visits what a scan meets, and who made it what the snapshot does not show: its end if it is
/// visible, else its beginning.
template <class Visitor>
void Engine::for_each_met(const Call& call, std::size_t index, const Row& key,
                          Visitor visit) const {
  const std::vector<Version>& versions = tables_[call.table].versions;
  const bool by_key = index != kNoIndex;
  for (VersionIndex i = 0; i < versions.size(); ++i) {
    const Version& v = versions[i];
    if (!v.used || (by_key && !same_key(call.table, index, key, v.values))) continue;
    const bool seen = visible(call, v);
    const bool old = v.ended() && v.created_at <= call.session.snapshot.as_of;
    if (!seen && (old || (by_key && follows_visible(call, i)))) continue;
    visit(i, seen ? v.ended_by : v.created_by);
  }
}

/// A read by key follows a chain of updates to the version that it can see and no further.
bool Engine::follows_visible(const Call& call, VersionIndex index) const {
  const std::vector<Version>& versions = tables_[call.table].versions;
  return std::any_of(versions.begin(), versions.end(), [&](const Version& v) {
    if (!v.used || !visible(call, v)) return false;
    VersionIndex next = v.next;
    while (next != kNoVersion && next != index) next = versions[next].next;
    return next == index;
  });
}

bool Engine::write_serially(Call& call, ReadTarget target) {
  const SerialNumber me = call.session.serial;
  if (me == kNotSerial) return true;
  touch_serial(call, Access::read);
  const Verdict verdict = serials_.write(me, target);
  if (verdict == Verdict::flagged) call.touched.add(kSerialOrder, Access::write);
  return verdict != Verdict::fails;
}

/// A new version goes to each index, unless an update has left all keys alone.
bool Engine::write_keys_serially(Call& call) {
  const std::size_t indexes = schema_.tables[call.table].indexes.size();
  for (std::uint32_t index = 0; index < indexes; ++index) {
    if (!write_serially(call, {Kind::index, call.table, index})) return false;
  }
  return true;
}

/// An UPDATE or DELETE of a row meets those who read the row, its page or the table. The own mark
/// on the row goes, unless a savepoint may yet undo the write.
bool Engine::write_row_serially(Call& call, RowRef row) {
  const SerialNumber me = call.session.serial;
  if (me == kNotSerial) return true;
  touch_row(call.touched, row, Access::read);  // it is not locked, even if the write fails
  const ReadTarget target{Kind::row, row.table, row.version};
  if (!write_serially(call, target)) return false;
  if (!write_serially(call, {Kind::page, row.table, 0})) return false;
  if (!write_serially(call, {Kind::table, row.table, 0})) return false;
  if (call.session.savepoints.empty()) serials_.unmark(me, target);
  return true;
}

void Engine::begin_serial(Call& call) {
  call.session.serial = serials_.begin(call.id);
  call.touched.add(kSerialOrder, Access::read);
}

bool Engine::commit_serial(Call& call) {
  Session& session = call.session;
  if (session.serial == kNotSerial) return true;
  call.touched.add(kSerialOrder, Access::write);
  if (!serials_.try_commit(session.serial)) return false;
  session.serial = kNotSerial;
  return true;
}

void Engine::abort_serial(Call& call) {
  if (call.session.serial == kNotSerial) return;
  call.touched.add(kSerialOrder, Access::write);
  serials_.abort(call.session.serial);
  call.session.serial = kNotSerial;
}

}  // namespace idemsim::sql
