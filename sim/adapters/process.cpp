// posix_spawn of setpriv, which changes the user and arranges for the signal at our death.
#include "sim/adapters/process.hpp"

#include <fmt/format.h>
#include <glob.h>
#include <pwd.h>
#include <spawn.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace idemsim::adapters {
namespace {

constexpr std::chrono::milliseconds kLook{5};
constexpr int kLooksMax = 1'000;  ///< five seconds to go in peace

Problems failed(std::string_view what, int error) {
  Problem problem;
  problem.message = fmt::format("cannot {}: {}", what, std::strerror(error));
  return {problem};
}

std::vector<std::string> command_line(const Launch& launch) {
  std::vector<std::string> words = {"setpriv", "--pdeathsig", launch.death_signal};
  if (!launch.user.empty()) {
    words.insert(words.end(), {"--reuid", launch.user, "--regid", launch.user, "--init-groups"});
  }
  words.emplace_back("--");
  words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
  return words;
}

/// A group of its own: Ctrl-C in the terminal is for us, and we end the server.
int spawn(const Launch& launch, const std::string& log, pid_t& pid) {
  std::vector<std::string> words = command_line(launch);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::string path = "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
  std::string locale = "LC_ALL=C";
  const std::array<char*, 3> environment = {path.data(), locale.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawn_file_actions_addchdir_np(&actions, launch.folder.c_str());
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error =
      posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

Result<Process> Process::start(const Launch& launch) {
  std::string log = launch.folder + "/log";
  pid_t pid = 0;
  const int error = spawn(launch, log, pid);
  if (error != 0) return failed("run setpriv, which starts " + launch.arguments.front(), error);
  return Process(pid, std::move(log));
}

bool Process::reap(int& status) {
  if (pid_ == 0) return true;
  if (waitpid(pid_, &status, WNOHANG) == 0) return false;
  pid_ = 0;
  succeeded_ = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return true;
}

bool Process::running() {
  int status = 0;
  return !reap(status);
}

bool Process::finish(const std::atomic<bool>* interrupted) {
  while (running()) {
    if (interrupted != nullptr && *interrupted) return false;
    std::this_thread::sleep_for(kLook);
  }
  return succeeded_;
}

void Process::stop() {
  if (!running()) return;
  kill(pid_, SIGINT);
  for (int look = 0; look < kLooksMax; ++look) {
    if (!running()) return;
    std::this_thread::sleep_for(kLook);
  }
  kill(pid_, SIGKILL);
  while (running()) std::this_thread::sleep_for(kLook);
}

std::string Process::last_words() const {
  std::ifstream file(log_);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

Result<void> make_folder(const std::string& path, const std::string& user) {
  if (mkdir(path.c_str(), 0700) != 0) return failed("make the folder " + path, errno);
  if (user.empty()) return {};
  const passwd* entry = getpwnam(user.c_str());
  if (entry == nullptr || chown(path.c_str(), entry->pw_uid, entry->pw_gid) != 0) {
    return failed("give the folder " + path + " to " + user, errno);
  }
  return {};
}

bool user_exists(const std::string& user) { return getpwnam(user.c_str()) != nullptr; }

bool is_root() { return geteuid() == 0; }

std::string last_match(const std::string& pattern) {
  glob_t found{};
  std::string last;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0 && found.gl_pathc > 0) {
    last = found.gl_pathv[found.gl_pathc - 1];
  }
  globfree(&found);
  return last;
}

}  // namespace idemsim::adapters
