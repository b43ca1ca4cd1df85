// What `confirm` has found out, and how it is told.
#pragma once

#include "sim/adapters/lockstep.hpp"
#include "sim/model/result.hpp"

#include <string>
#include <vector>

namespace idemsim {

struct Confirmation {
  std::string cell;
  std::string scenario;
  std::vector<std::string> stores;  ///< what they are, with their versions
  const adapters::LockStep* steps = nullptr;
  std::vector<adapters::TableEnd> tables;
  bool same_history = false;  ///< the run with real answers went as the simulated one
  std::size_t charges = 0;    ///< at the provider, which is a ledger in either case
  std::vector<Property> violated;

  [[nodiscard]] bool same() const;
};

[[nodiscard]] std::string render_confirmation(const Confirmation& confirmation);

}  // namespace idemsim
