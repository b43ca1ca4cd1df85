// The values that stores keep and strategies compare: small, comparable, equal on every machine.
#pragma once

#include "sim/base/hash.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/name.hpp"

#include <compare>
#include <cstdint>
#include <string>

namespace idemsim {

/// A cell of a row, a value of a key, a field of a request or answer.
struct Value {
  enum class Kind : std::uint8_t {
    null,       ///< SQL NULL, "no value"
    integer,    ///< `bits` is an int64
    text,       ///< `bits` is the hash of `text`
    key,        ///< idempotency or business key number `bits`; prints as K1, K2, ...
    token,      ///< owner token: `bits` is the Origin that drew it; prints as attempt
    reference,  ///< reference to an effect (charge, order): hash of the step that made it
    deadline,   ///< `bits` names a deadline whose expiry is a step of its own
    digest,     ///< fingerprint of a payload
  };
  Kind kind = Kind::null;
  std::uint64_t bits = 0;
  const char* text = "";  ///< only for Kind::text; lives at least as long as the world

  static constexpr Value null() { return {}; }
  static constexpr Value integer(std::int64_t n) {
    return {Kind::integer, static_cast<std::uint64_t>(n), ""};
  }
  static constexpr Value word(Name name) { return {Kind::text, name.hash, name.text}; }
  static constexpr Value key(std::uint64_t n) { return {Kind::key, n, ""}; }
  static constexpr Value token(Origin origin) { return {Kind::token, origin.bits, ""}; }
  static constexpr Value reference(std::uint64_t h) { return {Kind::reference, h, ""}; }
  static constexpr Value deadline(std::uint64_t h) { return {Kind::deadline, h, ""}; }
  static constexpr Value digest(std::uint64_t h) { return {Kind::digest, h, ""}; }

  [[nodiscard]] constexpr bool is_null() const { return kind == Kind::null; }
  [[nodiscard]] constexpr std::int64_t as_integer() const {
    return static_cast<std::int64_t>(bits);
  }
  /// One word that stands for the value in hashes and resource names.
  [[nodiscard]] constexpr std::uint64_t fold() const {
    return mix64(bits + (static_cast<std::uint64_t>(kind) + 1) * 0x9e3779b97f4a7c15u);
  }
  friend constexpr bool operator==(const Value& a, const Value& b) {
    return a.kind == b.kind && a.bits == b.bits;
  }
};

}  // namespace idemsim
