// From recorded words to requests of the key-value engine.
#pragma once

#include "sim/base/value.hpp"
#include "sim/engines/kv/request.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace idemsim::tests {

/// A command as typed, words only.
using Argv = std::vector<std::string>;

[[nodiscard]] std::string upper(std::string word);
[[nodiscard]] std::optional<std::int64_t> integer_of(const std::string& word);

/// Is it the name of a command of Redis 7.0, modelled or not?
[[nodiscard]] bool is_redis_command(const std::string& upper_case_name);

/// The digest by which EVALSHA names a script.
[[nodiscard]] std::string script_digest(const std::string& text);

class RedisWords;
/// The typed script that a recorded script is, or nothing if it is not modelled. `arguments` are
/// its keys and then its other arguments.
[[nodiscard]] std::optional<kv::Script> typed_script(RedisWords& words, const std::string& text,
                                                     const Argv& arguments);

/// Keeps the text of all values of a case alive.
class RedisWords {
 public:
  /// Numbers are integers only if they print as they were typed.
  Value value_of(const std::string& word);
  [[nodiscard]] const std::set<std::string>& all() const { return words_; }

  /// The one request that the words are, or nothing if they (or this use of them) are not modelled.
  std::optional<kv::Request> request_of(const Argv& argv);

 private:
  std::optional<kv::Request> server_of(const std::string& verb, const Argv& argv);
  std::optional<kv::Request> script_of(const std::string& verb, const Argv& argv);
  std::optional<kv::Request> transaction_of(const std::string& verb, const Argv& argv);

  std::set<std::string> words_;                 ///< nodes never move
  std::map<std::string, std::string> scripts_;  ///< text by digest
};

}  // namespace idemsim::tests
