// Run-time hashing by xxHash.
#include "sim/base/hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace idemsim {

Hash128 hash_bytes(const void* data, std::size_t size_bytes) {
  const XXH128_hash_t h = XXH3_128bits(data, size_bytes);
  return {h.high64, h.low64};
}

std::string to_hex(Hash128 hash) { return fmt::format("{:016x}{:016x}", hash.high, hash.low); }

}  // namespace idemsim
