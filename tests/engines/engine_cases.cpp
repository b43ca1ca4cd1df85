// Program `engine_cases DIR`: replays every recorded case of a folder and says where engines
// differ.
#include "tests/engines/case.hpp"

#include <iostream>

using idemsim::tests::CaseFolder;
using idemsim::tests::CaseOutcome;
using idemsim::tests::NamedOutcome;

int main(int argc, char** argv) {
  constexpr int kUsage = 64;
  if (argc != 2) {
    std::cerr << "usage: engine_cases DIR\n";
    return kUsage;
  }
  const CaseFolder folder = idemsim::tests::run_folder(argv[1]);
  if (folder.exit_status != 0) {
    std::cerr << "engine_cases: " << folder.problem << "\n";
    return folder.exit_status;
  }
  int passed = 0;
  int failed = 0;
  int not_covered = 0;
  for (const NamedOutcome& named : folder.outcomes) {
    switch (named.outcome.status) {
      case CaseOutcome::Status::passed:
        ++passed;
        std::cout << "pass " << named.name << "\n";
        break;
      case CaseOutcome::Status::differs:
        ++failed;
        std::cout << "differs " << named.name << ": " << named.outcome.text << "\n";
        break;
      case CaseOutcome::Status::not_covered:
        ++not_covered;
        std::cout << "not covered " << named.name << ": " << named.outcome.text << "\n";
        break;
    }
  }
  std::cout << passed << " passed, " << failed << " failed, " << not_covered << " not covered\n";
  return failed == 0 ? 0 : 1;
}
