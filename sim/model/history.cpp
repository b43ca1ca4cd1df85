// The identity of a run: a hash over what its events say, not over how they lie in memory.
#define XXH_STATIC_LINKING_ONLY  // the streaming state lives on the stack
#include "sim/model/history.hpp"

#include "sim/base/assert.hpp"

#include <xxhash.h>

#include <array>
#include <bit>

namespace idemsim {

namespace {

constexpr std::uint64_t low32(std::int32_t n) { return static_cast<std::uint32_t>(n); }

/// Every field as words; bytes are little-endian, so that the hash is the same on every machine.
std::array<std::uint64_t, 10> words_of(const Event& e) {
  std::array<std::uint64_t, 10> words = {
      e.step.origin,
      e.step.place,
      static_cast<std::uint64_t>(e.at.ns),
      e.site.hash,
      e.key.bits,
      e.body.bits,
      low32(e.cause) << 32 | low32(e.before),
      low32(e.read_from) << 32 | e.process.index,
      std::uint64_t{static_cast<std::uint8_t>(e.key.kind)} << 8 |
          static_cast<std::uint8_t>(e.body.kind),
      std::uint64_t{static_cast<std::uint8_t>(e.type)} << 40 |
          std::uint64_t{static_cast<std::uint8_t>(e.status)} << 32 |
          std::uint64_t{static_cast<std::uint8_t>(e.fault)} << 24 | std::uint64_t{e.code} << 16 |
          std::uint64_t{e.probe} << 8 | std::uint64_t{e.protection},
  };
  if constexpr (std::endian::native == std::endian::big) {
    for (std::uint64_t& word : words) word = __builtin_bswap64(word);
  }
  return words;
}

}  // namespace

Hash128 hash_of(std::span<const Event> events) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (const Event& event : events) {
    const auto words = words_of(event);
    const XXH_errorcode code = XXH3_128bits_update(&state, words.data(), sizeof(words));
    IDEMSIM_ASSERT(code == XXH_OK);
  }
  const XXH128_hash_t h = XXH3_128bits_digest(&state);
  return {h.high64, h.low64};
}

}  // namespace idemsim
