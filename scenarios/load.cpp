// Bytes, document, shape, meaning: each step finds what it can before anything is given up.
#include "scenarios/load.hpp"

#include "scenarios/check.hpp"
#include "scenarios/digest.hpp"
#include "scenarios/document.hpp"
#include "scenarios/read.hpp"
#include "scenarios/schema.hpp"
#include "scenarios/shape.hpp"
#include "sim/base/text.hpp"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

namespace idemsim {

Result<std::string> read_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(kDocumentBytesMax + 1, '\0');
  if (file) file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const int code = errno;
  if (!file.is_open() || file.bad() || (file.gcount() == 0 && code != 0)) {
    Problem problem;
    problem.file = path;
    problem.message =
        "cannot read the file: " + std::generic_category().message(code == 0 ? EIO : code);
    return Problems{problem};
  }
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

Result<Scenario> parse_scenario(std::string_view bytes, const std::string& path,
                                const Catalogue& catalogue) {
  const Result<Node> document = parse_document(bytes, path);
  if (!document) return document.error();
  const Node& root = *document;
  const Shape shape = scenario_shape(catalogue);
  Complaints complaints(root, path);
  check_shape(root, shape, complaints);
  if (root.kind != Node::Kind::object) return complaints.sorted();
  if (complaints.empty()) {
    // Both are made from the shape; if they disagree, the schema's word is still worth showing.
    for (const std::string& sentence : judge(bytes, schema_text(shape))) {
      complaints.about({}, "the schema refuses the file at " + sentence);
    }
  }
  Scenario scenario = read_scenario(root, catalogue);
  check_meaning(root, scenario, catalogue, complaints);
  if (!complaints.empty()) return complaints.sorted();
  scenario.path = path;
  scenario.sha256 = sha256_of(bytes);
  scenario.canonical_hash = canonical_hash_of(scenario, catalogue);
  return scenario;
}

Result<Scenario> load_scenario(const std::string& path, const Catalogue& catalogue) {
  const Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.error();
  return parse_scenario(*bytes, path, catalogue);
}

}  // namespace idemsim
