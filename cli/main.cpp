// The program itself: standard streams, the terminal, the environment and signals.
#include "cli/cli.hpp"
#include "cli/exit_status.hpp"
#include "cli/signals.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The first of these that is set decides (POSIX).
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = variable(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string_view::npos ||
           value.find("utf8") != std::string_view::npos;
  }
  return false;
}

int columns_of(int terminal) {
  winsize size{};
  return ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string program_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string();
}

/// A broken assertion has said what it is; the caller gets the status of an internal error.
extern "C" void end_after_abort(int) { _exit(static_cast<int>(idemsim::ExitStatus::internal)); }

}  // namespace

int main(int count, char** values) {
  std::signal(SIGABRT, end_after_abort);
  const std::vector<std::string> arguments(values + (count > 0 ? 1 : 0), values + count);
  const idemsim::SignalWatch signals;
  idemsim::Console console{std::cout, std::cerr};
  console.out_terminal = isatty(STDOUT_FILENO) == 1;
  console.err_terminal = isatty(STDERR_FILENO) == 1;
  console.colour_wanted = variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  console.utf8 = locale_is_utf8();
  if (console.out_terminal) console.width = columns_of(STDOUT_FILENO);
  console.program_folder = program_folder();
  console.interrupted = &signals.interrupted();
  return idemsim::run_cli(arguments, console);
}
