// mkdtemp, and a name from the clock and the process.
#include "cli/temporary_folder.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace idemsim {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string path = (std::filesystem::temp_directory_path(error) / "idemsim-XXXXXX").string();
  if (error || mkdtemp(path.data()) == nullptr) return;
  chmod(path.c_str(), 0711);  // a database runs as another user, in a folder of its own below
  path_ = path;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (!path_.empty()) std::filesystem::remove_all(path_, error);
}

std::string unique_name() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("idemsim_{:x}_{:x}", static_cast<std::uint64_t>(getpid()),
                     static_cast<std::uint64_t>(now.count()));
}

}  // namespace idemsim
