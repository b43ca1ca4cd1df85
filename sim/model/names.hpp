// The words of every enumeration that appears in files, reports and on the command line.
#pragma once

#include "sim/model/fault_plan.hpp"
#include "sim/model/history.hpp"
#include "sim/model/request.hpp"
#include "sim/model/result.hpp"
#include "sim/model/scenario.hpp"
#include "sim/model/verdict.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace idemsim {

/// The words of an enumeration; the index of a word is the value of its enumerator.
template <class Enum>
[[nodiscard]] std::span<const std::string_view> words_of();

template <>
std::span<const std::string_view> words_of<FaultKind>();
template <>
std::span<const std::string_view> words_of<Store>();
template <>
std::span<const std::string_view> words_of<EventType>();
template <>
std::span<const std::string_view> words_of<OperationKind>();
template <>
std::span<const std::string_view> words_of<Status>();
template <>
std::span<const std::string_view> words_of<Cut>();
template <>
std::span<const std::string_view> words_of<Arrival>();
template <>
std::span<const std::string_view> words_of<KeyPolicy>();
template <>
std::span<const std::string_view> words_of<Dialect>();
template <>
std::span<const std::string_view> words_of<Isolation>();
template <>
std::span<const std::string_view> words_of<Mode>();
template <>
std::span<const std::string_view> words_of<TimeModel>();
template <>
std::span<const std::string_view> words_of<Expectation::Is>();
template <>
std::span<const std::string_view> words_of<Property>();
template <>
std::span<const std::string_view> words_of<Verdict>();
template <>
std::span<const std::string_view> words_of<FindingKind>();

/// The enumerator with that word; nothing if there is none.
template <class Enum>
[[nodiscard]] std::optional<Enum> enumerator_named(std::string_view word) {
  const std::span<const std::string_view> words = words_of<Enum>();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

/// One sentence about an operation kind, for `idemsim list operations`.
[[nodiscard]] std::string_view summary_of(OperationKind kind);
/// One sentence about a kind of finding: how the effect came to happen twice, or not at all.
[[nodiscard]] std::string_view summary_of(FindingKind kind);

}  // namespace idemsim
