// The layers: which folder may include which; nothing includes what lies above it.
#include "tests/tidy/rules.hpp"

#include <array>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>

namespace idemsim::tidy {
namespace {

struct Layer {
  std::string_view place;              ///< a folder with its slash, or one file
  std::vector<std::string_view> uses;  ///< places; its own is always one of them
};

/// The first place that is a prefix of a path is its layer.
const std::vector<Layer>& layers() {
  static const std::vector<Layer> kLayers = {
      {"sim/base/", {}},
      {"sim/model/", {"sim/base/"}},
      {"sim/engines/", {"sim/base/", "sim/model/"}},
      {"sim/world/", {"sim/base/", "sim/model/", "sim/engines/"}},
      {"sim/strategy.hpp", {"sim/base/", "sim/model/", "sim/engines/", "sim/world/"}},
      {"sim/adapters/", {"sim/base/", "sim/engines/"}},
      {"sim/run/", {"sim/base/", "sim/model/", "sim/engines/", "sim/world/", "sim/strategy.hpp"}},
      {"sim/explore/",
       {"sim/base/", "sim/model/", "sim/engines/", "sim/world/", "sim/strategy.hpp", "sim/run/",
        "sim/oracles/"}},
      {"sim/oracles/", {"sim/base/", "sim/model/"}},
      {"sim/explain/",
       {"sim/base/", "sim/model/", "sim/engines/", "sim/world/", "sim/strategy.hpp", "sim/run/",
        "sim/explore/", "sim/oracles/"}},
      {"strategies/", {"sim/strategy.hpp"}},
      {"scenarios/", {"sim/base/", "sim/model/"}},
      {"reports/", {"sim/base/", "sim/model/"}},
      {"cli/", {"sim/", "scenarios/", "reports/", "generated/"}},
      {"tests/", {"sim/", "strategies/", "scenarios/", "reports/", "cli/", "generated/"}},
  };
  return kLayers;
}

const Layer* layer_of(std::string_view path) {
  for (const Layer& layer : layers()) {
    if (path.starts_with(layer.place)) return &layer;
  }
  return nullptr;
}

/// "sim/adapters/NAME/" of a path in such a folder; else empty.
std::string_view store_folder(std::string_view path) {
  constexpr std::string_view kAdapters = "sim/adapters/";
  if (!path.starts_with(kAdapters)) return {};
  const std::size_t slash = path.find('/', kAdapters.size());
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash + 1);
}

bool allowed(const Layer& layer, std::string_view path, std::string_view included) {
  // A real store is added and removed with its folder: nothing else of the program names it.
  const std::string_view store = store_folder(included);
  if (!store.empty() && store != store_folder(path) && layer.place != "tests/") return false;
  // A strategy stands alone: not even another strategy.
  if (layer.place != "strategies/" && included.starts_with(layer.place)) return true;
  for (const std::string_view use : layer.uses) {
    if (included.starts_with(use)) return true;
  }
  return false;
}

std::string list_of(const Layer& layer) {
  std::string text;
  for (const std::string_view use : layer.uses) {
    if (!text.empty()) text += ", ";
    text += use;
  }
  return text.empty() ? "nothing else of this project" : text;
}

}  // namespace

std::vector<Finding> check_layers(const Source& source) {
  const Layer* layer = layer_of(source.path);
  if (layer == nullptr) {
    return {{source.path, 1, "is in no layer; add its folder to the table in layers.cpp"}};
  }
  static const std::regex kInclude(R"(^\s*#\s*include\s*"([^"]+)\".*)");
  std::vector<Finding> findings;
  int number = 0;
  for (const std::string_view line : lines_of(source.text)) {
    ++number;
    std::match_results<std::string_view::const_iterator> match;
    if (!std::regex_match(line.begin(), line.end(), match, kInclude)) continue;
    const std::string included = match[1].str();
    if (allowed(*layer, source.path, included)) continue;
    findings.push_back({source.path, number,
                        "includes " + included + "; " + std::string(layer->place) +
                            " may include " + list_of(*layer)});
  }
  return findings;
}

}  // namespace idemsim::tidy
