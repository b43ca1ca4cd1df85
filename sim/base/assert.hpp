// Assertions that stay on in every build: a broken rule of the program must never become a verdict.
#pragma once

namespace idemsim {

/// Prints the broken rule with its place and aborts. Never returns.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line) noexcept;

}  // namespace idemsim

/// One assert, one fact. Programmer errors only: bad input is a `Result`, a simulated failure is
/// data.
#define IDEMSIM_ASSERT(expression) \
  ((expression) ? void(0) : ::idemsim::assertion_failed(#expression, __FILE__, __LINE__))
