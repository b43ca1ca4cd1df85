// Identities: who acts, and which step of whom. They stay the same under every reordering.
#pragma once

#include <compare>
#include <cstdint>

namespace idemsim {

/// Index of a process of the world: clients, servers, stores, provider, nemesis.
struct ProcessId {
  std::uint16_t index = 0;
  friend constexpr auto operator<=>(ProcessId, ProcessId) = default;
};

/// Which operation of which client; the unit of at-most-once.
struct OperationId {
  std::uint32_t client = 0;
  std::uint32_t number = 0;
  friend constexpr auto operator<=>(OperationId, OperationId) = default;
};

/// One delivery of one attempt of one operation. Everything a delivery causes carries its origin.
/// Ranges: client < 2^20, operation < 2^16, attempt < 2^14, copy < 2^14.
struct Origin {
  std::uint64_t bits = 0;
  friend constexpr auto operator<=>(Origin, Origin) = default;

  static constexpr Origin of(OperationId op, std::uint32_t attempt, std::uint32_t copy) {
    return {(std::uint64_t{op.client} << 44) | (std::uint64_t{op.number} << 28) |
            (std::uint64_t{attempt} << 14) | copy};
  }
  [[nodiscard]] constexpr std::uint32_t client() const {
    return static_cast<std::uint32_t>(bits >> 44);
  }
  [[nodiscard]] constexpr std::uint32_t operation() const {
    return static_cast<std::uint32_t>(bits >> 28) & 0xffff;
  }
  [[nodiscard]] constexpr std::uint32_t attempt() const {
    return static_cast<std::uint32_t>(bits >> 14) & 0x3fff;
  }
  [[nodiscard]] constexpr std::uint32_t copy() const {
    return static_cast<std::uint32_t>(bits) & 0x3fff;
  }
  [[nodiscard]] constexpr OperationId operation_id() const { return {client(), operation()}; }
};

/// Client number that marks fault steps; it sorts after every real client.
inline constexpr std::uint32_t kFaultClient = 0xfffff;

/// (origin, task path, counter, derived): a step is named by what caused it, not by when it came.
/// `path` has one hexadecimal digit per level of child task (0 = the root task of the origin);
/// `derived` is 0 for a step of the task, n + 1 for the n-th message or expiry that it caused.
struct StepId {
  std::uint64_t origin = 0;
  std::uint64_t place = 0;
  friend constexpr auto operator<=>(const StepId&, const StepId&) = default;

  static constexpr StepId of(Origin origin, std::uint32_t path, std::uint32_t counter,
                             std::uint32_t derived = 0) {
    return {origin.bits, (std::uint64_t{path} << 40) | (std::uint64_t{counter} << 16) | derived};
  }
  [[nodiscard]] constexpr Origin from() const { return {origin}; }
  [[nodiscard]] constexpr std::uint32_t path() const {
    return static_cast<std::uint32_t>(place >> 40);
  }
  [[nodiscard]] constexpr std::uint32_t counter() const {
    return static_cast<std::uint32_t>(place >> 16) & 0xffffff;
  }
  [[nodiscard]] constexpr std::uint32_t derived() const {
    return static_cast<std::uint32_t>(place) & 0xffff;
  }
  [[nodiscard]] constexpr bool is_fault() const { return from().client() == kFaultClient; }
};

}  // namespace idemsim
