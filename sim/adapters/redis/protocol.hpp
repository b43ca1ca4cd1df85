// Commands as the words that Redis reads, and its replies as values.
#pragma once

#include "sim/adapters/value_text.hpp"
#include "sim/base/result.hpp"
#include "sim/engines/kv/command.hpp"

#include <string>
#include <vector>

struct redisReply;

namespace idemsim::adapters::redis {

/// How the present run writes keys and counts time.
struct Spelling {
  std::string prefix;     ///< of every key
  Duration ttl_min;       ///< no TTL is shorter: it is cut short when the simulation says so
  std::int64_t epoch_ms;  ///< wall clock at the start of the simulation's clock
};

[[nodiscard]] std::vector<std::string> words_of(const kv::Command& command,
                                                const Spelling& spelling);
/// An error that the simulation does not know is a problem.
[[nodiscard]] Result<kv::Reply> reply_of(const redisReply& reply, Words& words);

}  // namespace idemsim::adapters::redis
