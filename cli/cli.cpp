// From arguments to the command that they name.
#include "cli/cli.hpp"

#include "cli/commands.hpp"
#include "generated/version.hpp"

#include <exception>

namespace idemsim {
namespace {

ExitStatus dispatch(const Flags& flags, const Console& console) {
  switch (flags.command) {
    case Command::run:
      return run_command(flags, console);
    case Command::validate:
      return validate_command(flags, console);
    case Command::replay:
      return replay_command(flags, console);
    case Command::confirm:
      return confirm_command(flags, console);
    case Command::list:
      return list_command(flags, console);
    case Command::schema:
      return schema_command(flags, console);
    case Command::help:
      return print_out(flags.help, console);
    case Command::version:
      return print_out("idemsim " + std::string(kVersion) + "\n", console);
  }
  return ExitStatus::internal;
}

}  // namespace

int run_cli(std::span<const std::string> arguments, const Console& console) {
  try {
    const Result<Flags> flags = parse_flags(arguments);
    if (!flags) {
      print_problems(flags.error(), console);
      return static_cast<int>(ExitStatus::usage);
    }
    return static_cast<int>(dispatch(*flags, console));
  } catch (const std::exception& error) {
    console.err << "idemsim: internal error: " << error.what() << std::endl;
    return static_cast<int>(ExitStatus::internal);
  }
}

int run_cli(std::span<const std::string> arguments, std::ostream& out, std::ostream& err) {
  return run_cli(arguments, Console{out, err});
}

}  // namespace idemsim
