// schema: the JSON schema of scenario files.
#include "scenarios/schema.hpp"

#include "cli/commands.hpp"

namespace idemsim {

ExitStatus schema_command(const Flags&, const Console& console) {
  return print_out(schema_text(StrategyLibrary().catalogue()), console);
}

}  // namespace idemsim
