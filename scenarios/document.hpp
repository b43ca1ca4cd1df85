// A JSON text as a tree in which every value knows its line and column.
#pragma once

#include "sim/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace idemsim {

/// Line and column (in bytes), both from 1.
struct Position {
  int line = 1;
  int column = 1;
};

/// One JSON value. Objects keep the order of the file and have no duplicate keys.
struct Node {
  enum class Kind : std::uint8_t { null, boolean, integer, number, text, list, object };
  Kind kind = Kind::null;
  bool truth = false;           ///< boolean
  bool negative = false;        ///< integer
  std::uint64_t magnitude = 0;  ///< integer, without its sign
  std::string text;             ///< text: its value; integer and number: as written
  Position at;                  ///< where the value starts
  std::string key;              ///< of a member of an object
  Position key_at;              ///< where that key starts
  std::vector<Node> children;   ///< elements or members

  /// The member with that key; null if there is none or this is no object.
  [[nodiscard]] const Node* find(std::string_view member) const;
};

inline constexpr std::size_t kDocumentBytesMax = 1 << 20;
inline constexpr std::size_t kDocumentDepthMax = 64;

/// Reads strict JSON (RFC 8259): no byte order mark, comments, trailing commas, duplicate keys or
/// broken UTF-8; at most 1 MiB and 64 levels. Duplicate keys are all reported, a syntax error ends
/// the reading.
[[nodiscard]] Result<Node> parse_document(std::string_view bytes, const std::string& file);

/// "/clients/retry": a JSON pointer (RFC 6901) from its parts.
[[nodiscard]] std::string pointer_of(const std::vector<std::string>& path);

}  // namespace idemsim
