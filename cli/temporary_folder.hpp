// A folder for throw-away servers, gone again at the end.
#pragma once

#include <string>

namespace idemsim {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  /// Empty if it could not be made.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A name that no other run has, made of letters, digits and underscores.
[[nodiscard]] std::string unique_name();

}  // namespace idemsim
