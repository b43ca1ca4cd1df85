// Memory for the nodes of a world: size classes that are kept from run to run.
#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <vector>

namespace idemsim {

/// Free lists by size class of 64 bytes up to 2 KiB; larger blocks come from the heap.
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (std::vector<void*>& list : free_) {
      for (void* block : list) ::operator delete(block);
    }
  }

  void* allocate(std::size_t size_bytes) {
    const std::size_t index = class_of(size_bytes);
    if (index >= kClasses) return ::operator new(size_bytes);
    std::vector<void*>& list = free_[index];
    if (list.empty()) return ::operator new((index + 1) * kGrain);
    void* block = list.back();
    list.pop_back();
    return block;
  }
  void release(void* block, std::size_t size_bytes) {
    const std::size_t index = class_of(size_bytes);
    if (index >= kClasses) {
      ::operator delete(block);
      return;
    }
    free_[index].push_back(block);
  }

 private:
  static constexpr std::size_t kGrain = 64;
  static constexpr std::size_t kClasses = 32;
  static constexpr std::size_t class_of(std::size_t size_bytes) {
    return (size_bytes + kGrain - 1) / kGrain - 1;
  }
  std::array<std::vector<void*>, kClasses> free_;
};

}  // namespace idemsim
