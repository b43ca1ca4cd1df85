// Tests against real servers are skipped, with the reason, where the packages are missing.
#pragma once

#include "sim/adapters/process.hpp"

#include <string>

namespace idemsim {

/// Empty, or what is not installed.
inline std::string missing_servers() {
  if (adapters::last_match("/usr/lib/postgresql/*/bin/initdb").empty()) {
    return "PostgreSQL is not installed";
  }
  if (adapters::last_match("/usr/bin/redis-server").empty()) return "Redis is not installed";
  return "";
}

}  // namespace idemsim

#define IDEMSIM_NEEDS_SERVERS()                                                 \
  if (const std::string missing = idemsim::missing_servers(); !missing.empty()) \
  GTEST_SKIP() << missing
