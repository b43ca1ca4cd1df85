// Which resources a step touched, and how: the only source of independence between steps.
#pragma once

#include "sim/base/hash.hpp"
#include "sim/base/value.hpp"

#include <array>
#include <cstdint>

namespace idemsim {

/// What a resource is; part of its name, so that a row and a lock never collide.
enum class ResourceKind : std::uint8_t {
  process,       ///< read by each step of the process, written by its crash or pause
  connection,    ///< a session of a store
  row,           ///< a row (table, primary key)
  index_key,     ///< a key of a unique index, found or absent
  table,         ///< a whole table (scan)
  store_key,     ///< a key of the key-value store, found or absent
  ledger,        ///< entries of one operation in a ledger; appends commute
  provider_key,  ///< the provider's own idempotency key
  waits_for,     ///< the waits-for graph
  budget,        ///< what is left of a fault budget
  memory,        ///< private memory of one instance
  observer,      ///< order seen by an order-sensitive oracle
  deadline,      ///< one deadline judged by one clock
  task,          ///< a task that is woken, stopped or awaited
};

/// A resource by name. Equal names on every run, thread and machine.
struct Resource {
  std::uint64_t bits = 0;
  friend constexpr auto operator<=>(Resource, Resource) = default;

  static constexpr Resource of(ResourceKind kind, std::uint64_t space, std::uint64_t item = 0) {
    const std::uint64_t h = combine(mix64(space + 1), item);
    return {(std::uint64_t{static_cast<std::uint8_t>(kind)} << 56) | (h >> 8)};
  }
  [[nodiscard]] constexpr ResourceKind kind() const {
    return static_cast<ResourceKind>(bits >> 56);
  }
};

/// `append` commutes with `append` (a ledger entry); everything else follows read and write.
enum class Access : std::uint8_t { read = 1, write = 2, append = 4 };

/// A small set of (resource, access). When it is full it conflicts with everything, which is sound.
class Footprint {
 public:
  struct Entry {
    Resource resource;
    std::uint8_t modes;
  };
  static constexpr std::size_t kEntriesMax = 20;

  constexpr void add(Resource resource, Access access) {
    for (std::uint8_t i = 0; i < size_; ++i) {
      if (entries_[i].resource == resource) {
        entries_[i].modes = static_cast<std::uint8_t>(entries_[i].modes | modes_of(access));
        return;
      }
    }
    if (size_ == kEntriesMax) {
      overflow_ = true;
      return;
    }
    entries_[size_++] = {resource, modes_of(access)};
  }
  constexpr void add(const Footprint& other) {
    overflow_ = overflow_ || other.overflow_;
    for (const Entry& e : other) {
      for (const Access a : {Access::read, Access::write, Access::append}) {
        if ((e.modes & modes_of(a)) != 0) add(e.resource, a);
      }
    }
  }
  constexpr void clear() {
    size_ = 0;
    overflow_ = false;
  }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0 && !overflow_; }
  [[nodiscard]] constexpr const Entry* begin() const { return entries_.data(); }
  [[nodiscard]] constexpr const Entry* end() const { return entries_.data() + size_; }
  /// True if it has an entry for `resource` with any of the given access.
  [[nodiscard]] constexpr bool has(Resource resource, Access access) const {
    for (const Entry& e : *this) {
      if (e.resource == resource) return (e.modes & modes_of(access)) != 0;
    }
    return false;
  }
  /// Do the two steps conflict: one writes (or one appends and one reads) what the other touches.
  friend constexpr bool conflict(const Footprint& a, const Footprint& b) {
    if (a.overflow_ || b.overflow_) return true;
    for (const Entry& x : a) {
      for (const Entry& y : b) {
        if (x.resource != y.resource) continue;
        const int both = x.modes | y.modes;
        if (both != modes_of(Access::read) && both != modes_of(Access::append)) return true;
      }
    }
    return false;
  }

 private:
  static constexpr std::uint8_t modes_of(Access a) { return static_cast<std::uint8_t>(a); }
  std::array<Entry, kEntriesMax> entries_;
  std::uint8_t size_ = 0;
  bool overflow_ = false;
};

}  // namespace idemsim
