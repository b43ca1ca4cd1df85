// Hashing that is the same on every machine: names at compile time, histories at run time.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace idemsim {

/// FNV-1a, usable at compile time; for names only.
constexpr std::uint64_t hash_text(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

/// Finalizer of SplitMix64 (Steele, Lea, Flood 2014): a cheap, well mixing bijection.
constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Order-sensitive combination of a running hash with one more word.
constexpr std::uint64_t combine(std::uint64_t h, std::uint64_t word) {
  return mix64(h ^ (word + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2)));
}

/// 128 bits that identify a history or a state.
struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend constexpr auto operator<=>(const Hash128&, const Hash128&) = default;
};

/// XXH3-128 of raw bytes that contain no padding and no address.
[[nodiscard]] Hash128 hash_bytes(const void* data, std::size_t size_bytes);

/// 32 hexadecimal digits.
[[nodiscard]] std::string to_hex(Hash128 hash);

/// Incremental hash of a canonical state: two independent 64-bit lanes, order-sensitive.
class StateHasher {
 public:
  constexpr void add(std::uint64_t word) {
    a_ = combine(a_, word);
    b_ = mix64(b_ * 0x9e3779b97f4a7c15u + word + 0x2545f4914f6cdd1du);
  }
  [[nodiscard]] constexpr Hash128 value() const { return {a_, b_}; }

 private:
  std::uint64_t a_ = 0x6a09e667f3bcc908u;
  std::uint64_t b_ = 0xbb67ae8584caa73bu;
};

}  // namespace idemsim
