// Virtual time: integer nanoseconds, so that every machine computes the same instants.
#pragma once

#include <compare>
#include <cstdint>

namespace idemsim {

/// A length of virtual time in nanoseconds. Never negative in a scenario; differences may be.
struct Duration {
  std::int64_t ns = 0;
  friend constexpr auto operator<=>(Duration, Duration) = default;
  friend constexpr Duration operator+(Duration a, Duration b) { return {a.ns + b.ns}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return {a.ns - b.ns}; }
};

/// A point of virtual time in nanoseconds since the start of the run.
struct Instant {
  std::int64_t ns = 0;
  friend constexpr auto operator<=>(Instant, Instant) = default;
  friend constexpr Duration operator-(Instant a, Instant b) { return {a.ns - b.ns}; }
};

/// "No bound": far enough below the largest value that two of them can be added without overflow.
inline constexpr Duration kForever{INT64_MAX / 4};

/// Adds and saturates at `kForever`, so that an unbounded window stays unbounded.
constexpr Duration saturating_add(Duration a, Duration b) {
  return a >= kForever || b >= kForever ? kForever : a + b;
}
constexpr Instant operator+(Instant t, Duration d) {
  return {saturating_add(Duration{t.ns}, d).ns};
}

/// A closed interval of durations: a latency, a jitter, a delay. `earliest <= latest`.
struct Window {
  Duration earliest;
  Duration latest;
  friend constexpr auto operator<=>(const Window&, const Window&) = default;
};
constexpr Window operator+(Window a, Window b) {
  return {saturating_add(a.earliest, b.earliest), saturating_add(a.latest, b.latest)};
}

constexpr Duration milliseconds(std::int64_t n) { return {n * 1'000'000}; }
constexpr Duration seconds(std::int64_t n) { return {n * 1'000'000'000}; }

}  // namespace idemsim
