// Dangerous structures: two antidependencies in a row whose last transaction committed first.
#include "sim/engines/sql/serializable.hpp"

#include "sim/base/assert.hpp"

#include <algorithm>

namespace idemsim::sql {

namespace {

/// PostgreSQL's max_pred_locks_per_page.
constexpr std::ptrdiff_t kRowMarksMax = 2;

bool is_of_rows(ReadTarget target) {
  return target.kind == ReadTarget::Kind::page || target.kind == ReadTarget::Kind::row;
}

ReadTarget whole_table(ReadTarget target) { return {ReadTarget::Kind::table, target.table, 0}; }

ReadTarget page_of(ReadTarget target) { return {ReadTarget::Kind::page, target.table, 0}; }

}  // namespace

void SerialTransactions::clear() {
  all_.clear();
  edges_.clear();
  marks_.clear();
  last_number_ = kNotSerial;
  commits_ = 0;
}

SerialNumber SerialTransactions::begin(SessionId session) {
  all_.push_back({.number = ++last_number_, .session = session, .commits_before = commits_});
  return last_number_;
}

/// A coarser mark replaces the finer ones of the same holder, also when there are too many.
void SerialTransactions::mark(SerialNumber me, ReadTarget target) {
  if (covered(me, target)) return;
  const auto is_mine = [&](const ReadMark& m, auto finer) {
    return m.holder == me && m.target.table == target.table && finer(m.target.kind);
  };
  if (target.kind == ReadTarget::Kind::row) {
    const auto rows = std::count_if(marks_.begin(), marks_.end(), [&](const ReadMark& m) {
      return is_mine(m, [](ReadTarget::Kind k) { return k == ReadTarget::Kind::row; });
    });
    if (rows >= kRowMarksMax) target = page_of(target);
  }
  const bool coarse =
      target.kind == ReadTarget::Kind::table || target.kind == ReadTarget::Kind::page;
  if (coarse) {
    std::erase_if(marks_, [&](const ReadMark& m) {
      return is_mine(m, [](ReadTarget::Kind k) {
        return k == ReadTarget::Kind::row || k == ReadTarget::Kind::page;
      });
    });
  }
  marks_.push_back({me, target});
}

bool SerialTransactions::covered(SerialNumber me, ReadTarget target) const {
  return std::any_of(marks_.begin(), marks_.end(), [&](const ReadMark& m) {
    if (m.holder != me) return false;
    if (m.target == target) return true;
    return is_of_rows(target) && (m.target == whole_table(target) || m.target == page_of(target));
  });
}

/// Is `other` concurrent with the open transaction `me`, and will it not be rolled back.
bool SerialTransactions::matters(const SerialTransaction& me,
                                 const SerialTransaction* other) const {
  if (other == nullptr || other->number == me.number || other->doomed) return false;
  return !other->committed() || other->committed_at > me.commits_before;
}

bool SerialTransactions::may_not_read_around(SerialNumber me, SerialNumber writer) const {
  const SerialTransaction& reader = *find(me);
  const SerialTransaction* const other = find(writer);
  if (!matters(reader, other) || has_edge(me, writer)) return false;
  return other->committed() && is_dangerous(reader, *other);
}

/// An open writer of a dangerous structure is doomed. A reader that finds a committed one has
/// failed before it comes here.
bool SerialTransactions::read_around(SerialNumber me, SerialNumber writer) {
  SerialTransaction* const other = find(writer);
  const SerialTransaction& reader = *find(me);
  if (!matters(reader, other) || has_edge(me, writer)) return false;
  if (!other->committed()) other->doomed = is_dangerous(reader, *other);
  edges_.push_back({me, writer});
  return true;
}

/// All readers are judged before any is noted, so that their order does not matter.
SerialTransactions::Verdict SerialTransactions::write(SerialNumber me, ReadTarget target) {
  SerialTransaction& writer = *find(me);
  if (writer.doomed) return Verdict::fails;
  writer.wrote = true;
  const bool fails = std::any_of(marks_.begin(), marks_.end(), [&](const ReadMark& m) {
    return meets(m, writer, target) && is_dangerous(*find(m.holder), writer);
  });
  if (fails) return Verdict::fails;
  Verdict verdict = Verdict::quiet;
  for (const ReadMark& m : marks_) {
    if (!meets(m, writer, target)) continue;
    edges_.push_back({m.holder, me});
    verdict = Verdict::flagged;
  }
  return verdict;
}

bool SerialTransactions::meets(const ReadMark& mark, const SerialTransaction& writer,
                               ReadTarget target) const {
  return mark.target == target && matters(writer, find(mark.holder)) &&
         !has_edge(mark.holder, writer.number);
}

void SerialTransactions::unmark(SerialNumber me, ReadTarget row) {
  std::erase_if(marks_, [&](const ReadMark& m) { return m.holder == me && m.target == row; });
}

void SerialTransactions::forget_row(ReadTarget row) {
  std::erase_if(marks_, [&](const ReadMark& m) { return m.target == row; });
}

/// Would reader -> writer complete a dangerous structure. Then the writer dies: at once if it is
/// writing, later if it is open, and if it has committed the reader dies in its place.
bool SerialTransactions::is_dangerous(const SerialTransaction& reader,
                                      const SerialTransaction& writer) const {
  if (writer.committed() && writer.overtaken) return true;
  if (is_pivot_to_first_committer(reader, writer)) return true;
  return writer.committed() && !reader.read_only() && has_dangerous_reader(reader, writer);
}

/// reader -> writer -> third, and the third committed first of all. For a reader that wrote
/// nothing it must have committed even before the reader's snapshot.
bool SerialTransactions::is_pivot_to_first_committer(const SerialTransaction& reader,
                                                     const SerialTransaction& writer) const {
  return std::any_of(edges_.begin(), edges_.end(), [&](const Antidependency& edge) {
    if (edge.reader != writer.number) return false;
    const SerialTransaction& third = *find(edge.writer);
    return third.committed() &&
           (!reader.committed() || third.committed_at <= reader.committed_at) &&
           (!writer.committed() || third.committed_at <= writer.committed_at) &&
           (!reader.read_only() || third.committed_at <= reader.commits_before);
  });
}

/// first -> reader -> writer, and the writer committed first of all.
bool SerialTransactions::has_dangerous_reader(const SerialTransaction& reader,
                                              const SerialTransaction& writer) const {
  return std::any_of(edges_.begin(), edges_.end(), [&](const Antidependency& edge) {
    if (edge.writer != reader.number) return false;
    const SerialTransaction& first = *find(edge.reader);
    return !first.doomed && (!first.committed() || first.committed_at >= writer.committed_at) &&
           (!first.read_only() || first.commits_before >= writer.committed_at);
  });
}

bool SerialTransactions::try_commit(SerialNumber me) {
  if (doomed(me)) return false;
  doom_pivots(me);
  SerialTransaction& mine = *find(me);
  const auto is_done = [&](SerialNumber other) { return find(other)->committed(); };
  mine.overtaken = mine.wrote && std::any_of(edges_.begin(), edges_.end(), [&](const auto& edge) {
                     return edge.reader == me && is_done(edge.writer);
                   });
  std::erase_if(edges_, [&](const Antidependency& edge) {
    return (edge.reader == me && is_done(edge.writer)) ||
           (edge.writer == me && is_done(edge.reader));
  });
  mine.committed_at = ++commits_;
  forget_finished();
  return true;
}

/// first -> pivot -> me: with me the first to commit, the pivot must not. All are found before any
/// is doomed, so that the order in which their antidependencies came does not matter.
void SerialTransactions::doom_pivots(SerialNumber me) {
  pivots_.clear();
  for (const Antidependency& near : edges_) {
    if (near.writer != me) continue;
    const SerialTransaction& pivot = *find(near.reader);
    if (pivot.committed() || pivot.doomed) continue;
    const bool closed = std::any_of(edges_.begin(), edges_.end(), [&](const Antidependency& far) {
      if (far.writer != pivot.number) return false;
      const SerialTransaction& first = *find(far.reader);
      return first.number == me || (!first.committed() && !first.doomed);
    });
    if (closed) pivots_.push_back(pivot.number);
  }
  for (const SerialNumber pivot : pivots_) find(pivot)->doomed = true;
}

void SerialTransactions::abort(SerialNumber me) {
  drop(me);
  std::erase_if(all_, [&](const SerialTransaction& t) { return t.number == me; });
  forget_finished();
}

/// Who committed before every open snapshot is concurrent with nobody.
void SerialTransactions::forget_finished() {
  std::uint32_t oldest = commits_;
  for (const SerialTransaction& t : all_) {
    if (!t.committed()) oldest = std::min(oldest, t.commits_before);
  }
  for (const SerialTransaction& t : all_) {
    if (t.committed() && t.committed_at <= oldest) drop(t.number);
  }
  std::erase_if(
      all_, [&](const SerialTransaction& t) { return t.committed() && t.committed_at <= oldest; });
}

void SerialTransactions::drop(SerialNumber number) {
  std::erase_if(edges_, [&](const Antidependency& edge) {
    return edge.reader == number || edge.writer == number;
  });
  std::erase_if(marks_, [&](const ReadMark& m) { return m.holder == number; });
}

bool SerialTransactions::has_edge(SerialNumber reader, SerialNumber writer) const {
  return std::any_of(edges_.begin(), edges_.end(), [&](const Antidependency& edge) {
    return edge.reader == reader && edge.writer == writer;
  });
}

const SerialTransaction* SerialTransactions::find(SerialNumber number) const {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const SerialTransaction& t) { return t.number == number; });
  return found == all_.end() ? nullptr : &*found;
}

SerialTransaction* SerialTransactions::find(SerialNumber number) {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const SerialTransaction& t) { return t.number == number; });
  return found == all_.end() ? nullptr : &*found;
}

std::uint32_t SerialTransactions::commits_until(std::uint32_t committed_at) const {
  return static_cast<std::uint32_t>(std::count_if(
      all_.begin(), all_.end(),
      [&](const SerialTransaction& t) { return t.committed() && t.committed_at <= committed_at; }));
}

}  // namespace idemsim::sql
