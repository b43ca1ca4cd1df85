// Writes into a temporary folder and swaps it in with one system call where that is possible.
#include "cli/output.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <stdio.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace idemsim {
namespace {

namespace fs = std::filesystem;

Problem cannot_write(const fs::path& path, const std::error_code& error) {
  Problem problem;
  problem.file = path.string();
  problem.message = "cannot write the report: " + error.message();
  return problem;
}

std::error_code last_error() { return {errno, std::generic_category()}; }

/// A file that an earlier report may have left.
bool is_ours(std::string_view name) {
  if (name == "report.txt" || name == "result.json" || name == "scenario.json") return true;
  if (!name.starts_with("race-") || !name.ends_with(".dot")) return false;
  name = name.substr(5, name.size() - 9);
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  return names;
}

/// May the whole folder be exchanged? Not if it holds other files, is a link or a mount point.
bool replaceable(const fs::path& folder) {
  const std::vector<std::string> names = names_in(folder);
  if (!std::all_of(names.begin(), names.end(), is_ours)) return false;
  const fs::path parent = folder / "..";
  struct stat link {};
  struct stat above {};
  if (lstat(folder.c_str(), &link) != 0 || stat(parent.c_str(), &above) != 0) return false;
  return S_ISDIR(link.st_mode) && link.st_dev == above.st_dev && link.st_ino != above.st_ino &&
         access(parent.c_str(), W_OK | X_OK) == 0;
}

std::error_code write_file(const fs::path& path, const std::string& bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return last_error();
  std::error_code error;
  std::string_view rest = bytes;
  while (!rest.empty() && !error) {
    const ssize_t written = write(file, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) error = last_error();
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (close(file) != 0 && !error) error = last_error();
  return error;
}

/// A folder of its own that is gone at the end, whatever it is called and holds by then.
class Scratch {
 public:
  explicit Scratch(fs::path path) : path_(std::move(path)) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

  [[nodiscard]] std::error_code fill(const std::vector<OutputFile>& files) const {
    std::error_code error;
    fs::remove_all(path_, error);  // of a process of the same number that was killed
    if (!error && mkdir(path_.c_str(), 0777) != 0) error = last_error();
    for (const OutputFile& file : files) {
      if (!error) error = write_file(path_ / file.name, file.bytes);
    }
    return error;
  }

 private:
  fs::path path_;
};

std::string scratch_name(const fs::path& folder) {
  return "." + folder.filename().string() + "." + std::to_string(getpid()) + ".tmp";
}

/// The folder is swapped as a whole.
std::error_code exchange(const Scratch& scratch, const fs::path& folder) {
  const unsigned flags = fs::exists(folder) ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (renameat2(AT_FDCWD, scratch.path().c_str(), AT_FDCWD, folder.c_str(), flags) == 0) return {};
  return last_error();
}

/// Each file is swapped by itself, and what is left of an earlier report goes.
std::error_code move_files(const Scratch& scratch, const fs::path& folder,
                           const std::vector<OutputFile>& files) {
  std::error_code error;
  for (const OutputFile& file : files) {
    if (!error) fs::rename(scratch.path() / file.name, folder / file.name, error);
  }
  if (error) return error;
  for (const std::string& name : names_in(folder)) {
    const bool kept = std::any_of(files.begin(), files.end(),
                                  [&](const OutputFile& file) { return file.name == name; });
    if (is_ours(name) && !kept) fs::remove(folder / name, error);
  }
  return error;
}

}  // namespace

std::optional<Problem> replace_report(const std::string& name,
                                      const std::vector<OutputFile>& files) {
  fs::path folder = fs::path(name).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // "out/"
  std::error_code error;
  const bool exists = fs::exists(folder, error);
  if (error) return cannot_write(folder, error);
  if (exists && !fs::is_directory(folder)) {
    return cannot_write(folder, std::make_error_code(std::errc::not_a_directory));
  }
  if (!exists && folder.has_parent_path()) fs::create_directories(folder.parent_path(), error);
  if (error) return cannot_write(folder, error);
  const bool whole = !exists || replaceable(folder);
  const fs::path place = whole ? folder.parent_path() : folder;
  const Scratch scratch(place / scratch_name(folder));
  error = scratch.fill(files);
  if (!error && whole) error = exchange(scratch, folder);
  if (!error && !whole) error = move_files(scratch, folder, files);
  if (error) return cannot_write(folder, error);
  return std::nullopt;
}

}  // namespace idemsim
