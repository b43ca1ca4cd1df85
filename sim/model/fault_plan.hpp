// Faults as data: which may happen, how often, where. The nemesis and the network carry them out.
#pragma once

#include "sim/base/prng.hpp"
#include "sim/base/time.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idemsim {

/// Fault kinds of this version. Names in a scenario file are the enumerators.
enum class FaultKind : std::uint8_t {
  drop_request,       ///< network: the request never arrives
  drop_response,      ///< network: the response never arrives
  delay_request,      ///< network: the request comes `by` later
  delay_response,     ///< network: the response comes `by` later
  duplicate_request,  ///< network: the request arrives twice, the copy with the same window
  reorder_request,    ///< network: the request may be overtaken: its latest instant moves by `by`
  crash,              ///< a server instance dies between two steps and comes back empty
  pause,              ///< a server instance stands still for `by`, the world's timers go on
  lost_before,        ///< store connection lost before the statement executed
  lost_after,         ///< store connection lost after the statement executed
  orphaned,           ///< the caller sees the loss now, the statement executes later
};
inline constexpr std::array kFaultKinds = {
    FaultKind::drop_request,
    FaultKind::drop_response,
    FaultKind::delay_request,
    FaultKind::delay_response,
    FaultKind::duplicate_request,
    FaultKind::reorder_request,
    FaultKind::crash,
    FaultKind::pause,
    FaultKind::lost_before,
    FaultKind::lost_after,
    FaultKind::orphaned,
};

[[nodiscard]] std::string_view to_string(FaultKind kind);
[[nodiscard]] std::string_view summary_of(FaultKind kind);
[[nodiscard]] std::optional<FaultKind> fault_named(std::string_view name);

/// Which store connections a connection fault may hit.
enum class Store : std::uint8_t { any, database, redis, provider };
[[nodiscard]] std::string_view to_string(Store store);

/// One fault of a plan. A bare name in the scenario means `at_most` 1 and probability 1/10.
struct FaultSpec {
  FaultKind kind = FaultKind::drop_request;
  std::uint32_t at_most = 1;  ///< budget per run, >= 1
  Ratio probability{1, 10};   ///< in sampled modes, at each place where it could happen
  Window by{};                ///< delay, pause length (earliest == latest), reorder width
  std::string site;           ///< `at.site`: only steps of this name; empty = everywhere
  std::string process;        ///< `at.process`: "server-1", ...; empty = every
  Store store = Store::any;   ///< `at.store`
};

/// A labelled set of faults: one column of the matrix.
struct FaultPlan {
  std::string label;
  std::vector<FaultSpec> faults;
};

}  // namespace idemsim
