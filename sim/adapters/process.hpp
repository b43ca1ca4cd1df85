// Programs of a throw-away server: started as another user if need be, and never left behind.
#pragma once

#include "sim/base/result.hpp"

#include <atomic>
#include <string>
#include <sys/types.h>
#include <vector>

namespace idemsim::adapters {

struct Launch {
  std::vector<std::string> arguments;  ///< the first one is the program
  std::string folder;                  ///< where it runs, and where its log goes
  std::string user;                    ///< empty: who we are
  std::string death_signal = "TERM";   ///< what it gets if this program dies
};

/// One running program. The destructor ends it.
class Process {
 public:
  /// A program that is not there is noticed by `running` or `finish`, not here.
  [[nodiscard]] static Result<Process> start(const Launch& launch);
  Process(Process&& other) noexcept : pid_(other.pid_), log_(std::move(other.log_)) {
    other.pid_ = 0;
  }
  Process& operator=(Process&&) = delete;
  ~Process() { stop(); }

  [[nodiscard]] bool running();
  /// Waits for its end; whether it succeeded.
  [[nodiscard]] bool finish(const std::atomic<bool>* interrupted);
  /// Asks with SIGINT, which a database takes for "at once", and kills what does not listen.
  void stop();
  /// The last line that it wrote.
  [[nodiscard]] std::string last_words() const;

 private:
  Process(pid_t pid, std::string log) : pid_(pid), log_(std::move(log)) {}
  bool reap(int& status);

  pid_t pid_ = 0;  ///< 0: has ended
  std::string log_;
  bool succeeded_ = false;
};

/// Makes a folder that the user owns; empty user: we do.
[[nodiscard]] Result<void> make_folder(const std::string& path, const std::string& user);
[[nodiscard]] bool user_exists(const std::string& user);
[[nodiscard]] bool is_root();
/// The newest file of a pattern, by name; empty if there is none.
[[nodiscard]] std::string last_match(const std::string& pattern);

}  // namespace idemsim::adapters
