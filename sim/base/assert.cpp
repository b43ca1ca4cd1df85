// The one place where the program gives up: it says which rule was broken and where.
#include "sim/base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace idemsim {

void assertion_failed(const char* expression, const char* file, int line) noexcept {
  std::fprintf(stderr, "idemsim: internal error: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace idemsim
