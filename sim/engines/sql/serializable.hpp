// Serializable snapshot isolation: who read what, who overwrote it, and who must fail for it.
#pragma once

#include "sim/engines/sql/storage.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace idemsim::sql {

/// Something that a transaction has read. Rows share one page, and so do the keys of an index:
/// tables are small here, and PostgreSQL locks by page (P25).
struct ReadTarget {
  enum class Kind : std::uint8_t {
    table,  ///< everything, by a sequential scan
    page,   ///< the rows that exist, after more than two of them were read by key
    index,  ///< the only leaf page of an index, `item` = which; keys found and absent
    row,    ///< one version, `item` = which
  };
  Kind kind = Kind::table;
  std::uint16_t table = 0;
  std::uint32_t item = 0;
  friend constexpr auto operator<=>(ReadTarget, ReadTarget) = default;
};

/// One serializable transaction; kept after its commit while a concurrent one is open.
struct SerialTransaction {
  SerialNumber number = kNotSerial;
  SessionId session;
  std::uint32_t commits_before = 0;  ///< serializable commits before its snapshot
  std::uint32_t committed_at = 0;    ///< position among serializable commits; 0 while open
  bool wrote = false;
  bool doomed = false;     ///< will fail at its next read, write or COMMIT
  bool overtaken = false;  ///< committed after one whose write it did not see

  [[nodiscard]] bool committed() const { return committed_at != 0; }
  [[nodiscard]] bool read_only() const { return committed() && !wrote; }
};

/// `reader` did not see what the concurrent `writer` wrote.
struct Antidependency {
  SerialNumber reader;
  SerialNumber writer;
};

/// An SIREAD lock. It blocks nobody.
struct ReadMark {
  SerialNumber holder;
  ReadTarget target;
};

/// The rules of PostgreSQL's predicate.c (Ports and Grittner 2012), for writable transactions. It
/// knows nothing of rows; the engine tells it what was read and written.
class SerialTransactions {
 public:
  /// What a write has led to.
  enum class Verdict : std::uint8_t {
    quiet,    ///< nothing new
    flagged,  ///< a new antidependency
    fails,    ///< the transaction that asks must be rolled back with 40001
  };

  void clear();
  /// A transaction takes its snapshot.
  SerialNumber begin(SessionId session);
  [[nodiscard]] bool doomed(SerialNumber me) const { return find(me)->doomed; }

  /// Remembers that `me` has read the target.
  void mark(SerialNumber me, ReadTarget target);
  /// Must `me` fail because it meets a version that `writer` made or ended and that its snapshot
  /// does not show so.
  [[nodiscard]] bool may_not_read_around(SerialNumber me, SerialNumber writer) const;
  /// It need not: notes that `me` reads around the `writer`. True if that is news.
  bool read_around(SerialNumber me, SerialNumber writer);
  /// `me` writes to the target.
  Verdict write(SerialNumber me, ReadTarget target);
  /// A row that `me` is about to write needs no mark any more: others will wait for it.
  void unmark(SerialNumber me, ReadTarget row);
  /// The slot of a version is free: nobody can write it any more.
  void forget_row(ReadTarget row);

  /// May `me` commit now. Dooms pivots between two open transactions and this one.
  bool try_commit(SerialNumber me);
  void abort(SerialNumber me);

  [[nodiscard]] const std::vector<SerialTransaction>& transactions() const { return all_; }
  [[nodiscard]] const std::vector<Antidependency>& antidependencies() const { return edges_; }
  [[nodiscard]] const std::vector<ReadMark>& marks() const { return marks_; }
  /// The transaction of this number, or null if nobody can conflict with it any more.
  [[nodiscard]] const SerialTransaction* find(SerialNumber number) const;
  /// How many of the remembered transactions had committed by then.
  [[nodiscard]] std::uint32_t commits_until(std::uint32_t committed_at) const;

 private:
  [[nodiscard]] SerialTransaction* find(SerialNumber number);
  [[nodiscard]] bool has_edge(SerialNumber reader, SerialNumber writer) const;
  [[nodiscard]] bool covered(SerialNumber me, ReadTarget target) const;
  [[nodiscard]] bool matters(const SerialTransaction& me, const SerialTransaction* other) const;
  [[nodiscard]] bool meets(const ReadMark& mark, const SerialTransaction& writer,
                           ReadTarget target) const;
  [[nodiscard]] bool is_dangerous(const SerialTransaction& reader,
                                  const SerialTransaction& writer) const;
  [[nodiscard]] bool is_pivot_to_first_committer(const SerialTransaction& reader,
                                                 const SerialTransaction& writer) const;
  [[nodiscard]] bool has_dangerous_reader(const SerialTransaction& reader,
                                          const SerialTransaction& writer) const;
  void doom_pivots(SerialNumber me);
  void forget_finished();
  void drop(SerialNumber number);

  std::vector<SerialTransaction> all_;
  std::vector<Antidependency> edges_;
  std::vector<ReadMark> marks_;
  std::vector<SerialNumber> pivots_;  ///< scratch memory of `doom_pivots`
  SerialNumber last_number_ = kNotSerial;
  std::uint32_t commits_ = 0;
};

}  // namespace idemsim::sql
