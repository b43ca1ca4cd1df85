// A list with a fixed capacity and no heap; a copy costs only what is in it.
#pragma once

#include "sim/base/assert.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

namespace idemsim::sql {

/// Up to `kCapacity` values of a trivially copyable type. Going beyond it is a programmer error.
template <class T, std::size_t kCapacity>
class InlineList {
  static_assert(std::is_trivially_copyable_v<T> && kCapacity < 256);

 public:
  constexpr InlineList() {}  // NOLINT: the slots stay uninitialised on purpose
  constexpr InlineList(std::initializer_list<T> values) {
    for (const T& value : values) push_back(value);
  }
  constexpr InlineList(const InlineList& other) : size_(other.size_) {
    std::copy(other.slots_, other.slots_ + other.size_, slots_);
  }
  constexpr InlineList& operator=(const InlineList& other) {
    if (this == &other) return *this;
    size_ = other.size_;
    std::copy(other.slots_, other.slots_ + other.size_, slots_);
    return *this;
  }

  constexpr void push_back(const T& value) {
    IDEMSIM_ASSERT(size_ < kCapacity);
    slots_[size_++].value = value;
  }
  constexpr void clear() { size_ = 0; }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr T& operator[](std::size_t i) { return slots_[i].value; }
  [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return slots_[i].value; }
  [[nodiscard]] constexpr const T* begin() const { return &slots_[0].value; }
  [[nodiscard]] constexpr const T* end() const { return begin() + size_; }

 private:
  union Slot {
    constexpr Slot() {}  // NOLINT
    T value;
  };
  static_assert(sizeof(Slot) == sizeof(T));

  Slot slots_[kCapacity];
  std::uint8_t size_ = 0;
};

}  // namespace idemsim::sql
