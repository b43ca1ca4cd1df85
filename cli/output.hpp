// Reports as files: all of them or none, and never a half-written one.
#pragma once

#include "sim/base/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace idemsim {

struct OutputFile {
  std::string name;
  std::string bytes;
};

/// Makes the folder hold these files and none of an earlier report; files of other programs stay.
/// Everything is written beside first, so that a full disk leaves the old report as it was. The
/// problem, if it cannot be done.
[[nodiscard]] std::optional<Problem> replace_report(const std::string& folder,
                                                    const std::vector<OutputFile>& files);

}  // namespace idemsim
