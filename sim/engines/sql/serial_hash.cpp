// The part of the canonical state that only lasting snapshots and serializable transactions have.
#include "sim/engines/sql/engine.hpp"
#include "sim/engines/sql/set_hasher.hpp"

namespace idemsim::sql {

/// A lasting snapshot is where it differs from the newest committed versions. A serializable
/// transaction also meets versions that came and went after its snapshot, and follows chains.
void Engine::hash_snapshot(const Session& session, StateHasher& hasher) const {
  hasher.add(number(session.isolation) | std::uint64_t{session.has_snapshot} << 8);
  if (!session.has_snapshot) return;
  const bool serial = session.serial != kNotSerial;
  const CommitNumber as_of = session.snapshot.as_of;
  SetHasher versions;
  for (const Table& table : tables_) {
    for (const Version& v : table.versions) {
      if (!v.used || v.creator != kNobody) continue;
      const bool seen = v.created_at <= as_of && (!v.ended() || v.ended_at > as_of);
      const bool passed_by = serial && v.ended() && v.created_at > as_of;
      if (seen != v.ended() && !passed_by) continue;
      StateHasher member;
      member.add(table.resource.bits);
      member.add(number(v.ended()) | std::uint64_t{seen} << 1);
      add_version(member, v);
      for (VersionIndex next = v.next; serial && seen && next != kNoVersion;) {
        add_version(member, table.versions[next]);
        next = table.versions[next].next;
      }
      versions.add(member);
    }
  }
  versions.add_to(hasher);
}

void Engine::add_version(StateHasher& hasher, const Version& v) const {
  hasher.add(v.content);
  add_step(hasher, v.writer);
  if (isolation_ == Isolation::serializable) add_serials(hasher, v);
}

void Engine::add_serials(StateHasher& hasher, const Version& v) const {
  hasher.add(name_of_serial(v.created_by));
  hasher.add(name_of_serial(v.ended_by));
}

/// An open transaction is called by its session, a committed one by its place in the commit order.
std::uint64_t Engine::name_of_serial(SerialNumber number) const {
  const SerialTransaction* const t = serials_.find(number);
  if (t == nullptr) return 0;
  return t->committed() ? combine(2, serials_.commits_until(t->committed_at)) : name_of(t->session);
}

void Engine::hash_serials(StateHasher& hasher) const {
  SetHasher set;
  for (const SerialTransaction& t : serials_.transactions()) {
    StateHasher member;
    member.add(name_of_serial(t.number));
    member.add(serials_.commits_until(t.commits_before));
    member.add(number(t.wrote) | std::uint64_t{t.doomed} << 1 | std::uint64_t{t.overtaken} << 2);
    set.add(member);
  }
  set.add_to(hasher);
  SetHasher edges;
  for (const Antidependency& edge : serials_.antidependencies()) {
    StateHasher member;
    member.add(name_of_serial(edge.reader));
    member.add(name_of_serial(edge.writer));
    edges.add(member);
  }
  edges.add_to(hasher);
  hash_marks(hasher);
}

/// Nobody can write an ended version any more; a mark on one only counts against its open holder.
void Engine::hash_marks(StateHasher& hasher) const {
  SetHasher marks;
  for (const ReadMark& mark : serials_.marks()) {
    const ReadTarget& target = mark.target;
    const bool of_row = target.kind == ReadTarget::Kind::row;
    StateHasher member;
    member.add(name_of_serial(mark.holder));
    member.add(number(target.kind) | std::uint64_t{target.table} << 8);
    if (of_row) {
      const Version& v = version({target.table, target.item});
      if (v.ended() && serials_.find(mark.holder)->committed()) continue;
      member.add(number(v.ended()));
      add_version(member, v);
    } else {
      member.add(target.item);
    }
    marks.add(member);
  }
  marks.add_to(hasher);
}

}  // namespace idemsim::sql
