// What a scenario file may look like: one value from which the schema and the checks are made.
#pragma once

#include "sim/base/result.hpp"
#include "sim/model/catalogue.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace idemsim {

struct Field;

/// The form of one JSON value. Which members count depends on `kind`.
struct Shape {
  enum class Kind : std::uint8_t {
    object,       ///< exactly the `fields`
    labels,       ///< an object with 1 to `most` labels of a-z0-9_ as keys, `inner[0]` as value
    list,         ///< `inner[0]` as element; `least` to `most` elements, no word twice
    line,         ///< text of `least` to `most` bytes without control characters
    text,         ///< text of any lines
    word,         ///< one of `words`
    integer,      ///< from `least` to `most`
    boolean,      ///< true or false
    duration,     ///< text with a unit, from `least` to `most` nanoseconds
    window,       ///< a duration, or two with `..` between them
    probability,  ///< number from 0 to 1, or a text like "1/10"
    strategy,     ///< one of the `inner` objects: by field `strategy`, else by the label
    fault,        ///< a word, or an object with one key: one of the `inner` objects
  };
  Kind kind = Kind::object;
  std::string noun;   ///< what it is called in messages: "strategy"; of an object: of its fields
  std::string about;  ///< one sentence for the schema
  std::uint64_t least = 0;
  std::uint64_t most = UINT64_MAX;
  std::vector<std::string> words;
  std::vector<Field> fields;
  std::vector<Shape> inner;

  /// The field with that name; null if there is none.
  [[nodiscard]] const Field* find(std::string_view field) const;
  /// The inner shape with that noun (the strategy or fault of that name); null if there is none.
  [[nodiscard]] const Shape* variant(std::string_view name) const;
  /// Names of the fields of an object, of the variants, or the words.
  [[nodiscard]] std::vector<std::string_view> names() const;
  /// Does it have a field that must be there?
  [[nodiscard]] bool has_required() const;
};

struct Field {
  std::string name;
  Shape shape;
  bool required = false;
};

/// The form of a scenario file that may name these strategies.
[[nodiscard]] Shape scenario_shape(const Catalogue& catalogue);

/// A probability as written, exactly: "0.05", "1e-3" or "1/10"; at most nine decimals.
[[nodiscard]] Result<Ratio> parse_probability(std::string_view text);

inline constexpr std::string_view kScenarioFormat = "idemsim.scenario/1";

}  // namespace idemsim
