// One CLI11 parser per command; a scenario alone means `run`.
#include "cli/flags.hpp"

#include "sim/adapters/store.hpp"
#include "sim/base/text.hpp"
#include "sim/model/names.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace idemsim {
namespace {

constexpr std::array<std::string_view, 6> kCommands = {"run",     "validate", "replay",
                                                       "confirm", "list",     "schema"};
constexpr std::array<std::string_view, 3> kFormats = {"text", "json", "dot"};
constexpr std::array<std::string_view, 3> kProgress = {"auto", "plain", "none"};
constexpr std::array<std::string_view, 5> kTopics = {"everything", "strategies", "faults",
                                                     "properties", "operations"};

constexpr const char* kOverview =
    "Tells whether an idempotency strategy lets a side effect happen exactly once.\n"
    "\n"
    "Usage: idemsim SCENARIO.json [OPTIONS]          the same as idemsim run SCENARIO.json\n"
    "       idemsim COMMAND ... [OPTIONS]            idemsim COMMAND --help tells the options\n"
    "\n"
    "Commands:\n"
    "  run SCENARIO          explore a scenario; reports go to idemsim-out/\n"
    "  validate SCENARIO     check a scenario file and estimate the size of the search\n"
    "  replay TOKEN [FILE]   repeat one run, exactly\n"
    "  confirm TOKEN [FILE]  repeat it on real PostgreSQL and Redis, and compare\n"
    "  list [TOPIC]          strategies, faults, properties, operations\n"
    "  schema                the JSON schema of scenario files\n"
    "\n"
    "Exit status: 0 expectations met, 1 refuted (or, without any, a property was violated),\n"
    "2 inconclusive or vacuous, 3 determinism or replay divergence, 64 usage, 65 bad scenario\n"
    "or token, 66 input missing, 69 no server, 70 internal error, 74 cannot write, 130\n"
    "interrupted.\n";

Problem usage(std::string pointer, std::string message, std::string nearest = "") {
  Problem problem;
  problem.pointer = std::move(pointer);
  problem.message = std::move(message);
  problem.nearest = std::move(nearest);
  return problem;
}

template <std::size_t size>
std::optional<std::size_t> index_of(const std::array<std::string_view, size>& words,
                                    std::string_view word) {
  const auto at = std::find(words.begin(), words.end(), word);
  if (at == words.end()) return std::nullopt;
  return static_cast<std::size_t>(at - words.begin());
}

/// Takes the value of a flag whose values are words.
template <class Value>
void read_word(const std::string& flag, const std::string& text,
               std::span<const std::string_view> words, Value& value, Problems& problems) {
  const auto at = std::find(words.begin(), words.end(), text);
  if (at != words.end()) {
    value = static_cast<Value>(at - words.begin());
    return;
  }
  problems.push_back(usage(flag,
                           "unknown value \"" + printable(text) + "\": expected " + one_of(words),
                           nearest_name(text, words)));
}

/// What CLI11 fills in as text, before it is given a meaning.
struct Raw {
  std::string mode;
  std::string budget;
  std::string seed;
  std::string runs;
  std::string jobs;
  std::string progress = "auto";
  std::string topic;
  std::vector<std::string> formats;
  bool quiet = false;
};

void add_look(CLI::App& app, Flags& flags) {
  app.add_flag("--ascii", flags.ascii, "no character outside ASCII");
  app.add_flag("--no-color", flags.no_color, "no colours (as NO_COLOR does)");
}

void add_choice(CLI::App& app, Flags& flags, Raw& raw) {
  app.add_option("--seed", raw.seed, "seed, instead of that of the scenario");
  app.add_option("--strategy", flags.strategies, "only this label; repeatable")
      ->type_name("LABEL")
      ->allow_extra_args(false);
  app.add_option("--faults", flags.faults, "only this label; repeatable")
      ->type_name("LABEL")
      ->allow_extra_args(false);
  app.add_option("--mode", raw.mode, "fifo, random or exhaustive");
}

void add_run(CLI::App& app, Flags& flags, Raw& raw) {
  app.add_option("scenario", flags.scenario, "scenario file")->type_name("SCENARIO")->required();
  add_choice(app, flags, raw);
  app.add_option("--runs", raw.runs, "runs per cell; a search that ends there never holds");
  app.add_option("--budget", raw.budget, "time for the whole campaign, as 30s");
  app.add_option("--jobs", raw.jobs, "threads (default: one per hardware thread)");
  app.add_option("--out", flags.out, "folder of the reports (default: idemsim-out)")
      ->type_name("DIR");
  app.add_option("--format", raw.formats, "text, json or dot, to standard output without --out")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("--stable", flags.stable, "leave out all that differs between two equal runs");
  app.add_flag("--check-determinism", flags.check_determinism,
               "run schedules twice first and report the first differing event");
  app.add_option("--progress", raw.progress, "auto, plain or none, on standard error");
  app.add_flag("-q,--quiet", raw.quiet, "no progress");
  add_look(app, flags);
}

void add_confirm(CLI::App& app, Flags& flags) {
  app.add_option("token", flags.token, "replay token")->type_name("TOKEN")->required();
  app.add_option("scenario", flags.scenario, "scenario file (default: look for it)")
      ->type_name("SCENARIO");
  for (const adapters::AdapterFactory factory : adapters::adapter_registry()) {
    const adapters::Adapter adapter = factory();
    const std::string name(adapter.name);
    app.add_option("--" + name, flags.stores[name],
                   fmt::format("a {} that is there, as {} (default: start one for this run)",
                               adapter.title, adapter.url))
        ->type_name("URL");
  }
  app.add_option("--allow-database", flags.allow_database,
                 "make the tables in this database itself, not in a schema of their own")
      ->type_name("NAME");
  add_look(app, flags);
}

void add_options(CLI::App& app, Flags& flags, Raw& raw) {
  switch (flags.command) {
    case Command::run:
      return add_run(app, flags, raw);
    case Command::validate:
      app.add_option("scenario", flags.scenario, "scenario file")
          ->type_name("SCENARIO")
          ->required();
      return add_choice(app, flags, raw);
    case Command::replay:
      app.add_option("token", flags.token, "replay token")->type_name("TOKEN")->required();
      app.add_option("scenario", flags.scenario, "scenario file (default: look for it)")
          ->type_name("SCENARIO");
      app.add_option("--format", raw.formats, "text, json or dot")
          ->delimiter(',')
          ->allow_extra_args(false);
      app.add_flag("--stable", flags.stable, "leave out all that differs between two equal runs");
      return add_look(app, flags);
    case Command::confirm:
      return add_confirm(app, flags);
    case Command::list:
      app.add_option("topic", raw.topic, "strategies, faults, properties or operations")
          ->type_name("TOPIC");
      app.add_flag("--markdown", flags.markdown, "strategies as a table of a README");
      return;
    case Command::schema:
    case Command::help:
    case Command::version:
      return;
  }
}

struct NumberRange {
  std::uint64_t least = 0;
  std::uint64_t most = UINT64_MAX;
};

void read_number(const std::string& flag, const std::string& text, NumberRange range,
                 std::optional<std::uint64_t>& value, Problems& problems) {
  if (text.empty()) return;
  std::uint64_t number = 0;
  bool good = text.size() <= 20;
  for (const char c : text) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    good = good && c >= '0' && c <= '9' && number <= (UINT64_MAX - digit) / 10;
    if (!good) break;
    number = number * 10 + digit;
  }
  if (good && number >= range.least && number <= range.most) {
    value = number;
    return;
  }
  const std::string words = range.most == UINT64_MAX
                                ? std::to_string(range.least) + " or more"
                                : std::to_string(range.least) + " to " + std::to_string(range.most);
  problems.push_back(usage(flag, "\"" + printable(text) + "\" is no number from " + words));
}

void read_raw(const Raw& raw, Flags& flags, Problems& problems) {
  if (!raw.mode.empty()) {
    Mode mode{};
    read_word("--mode", raw.mode, words_of<Mode>(), mode, problems);
    flags.mode = mode;
  }
  if (!raw.budget.empty()) {
    const Result<Duration> budget = parse_duration(raw.budget);
    if (budget) {
      flags.budget = *budget;
    } else {
      problems.push_back(
          usage("--budget", budget.error().front().message, budget.error().front().nearest));
    }
  }
  read_number("--seed", raw.seed, {}, flags.seed, problems);
  read_number("--runs", raw.runs, {.least = 1}, flags.runs, problems);
  std::optional<std::uint64_t> jobs;
  read_number("--jobs", raw.jobs, {.least = 1, .most = 1024}, jobs, problems);
  flags.jobs = static_cast<std::uint32_t>(jobs.value_or(0));
  read_word("--progress", raw.progress, kProgress, flags.progress, problems);
  if (raw.quiet) flags.progress = ProgressKind::none;
  for (const std::string& text : raw.formats) {
    Format format{};
    read_word("--format", text, kFormats, format, problems);
    if (std::find(flags.formats.begin(), flags.formats.end(), format) == flags.formats.end()) {
      flags.formats.push_back(format);
    }
  }
  if (!raw.topic.empty()) read_word("list", raw.topic, kTopics, flags.topic, problems);
}

void check_together(const Flags& flags, Problems& problems) {
  if (flags.stable && flags.budget.has_value()) {
    problems.push_back(usage("--stable",
                             "cannot be met together with --budget, because time decides how far "
                             "the search gets: limit it with --runs"));
  }
  const bool a_server_is_named =
      std::any_of(flags.stores.begin(), flags.stores.end(),
                  [](const auto& store) { return !store.second.empty(); });
  if (!flags.allow_database.empty() && !a_server_is_named) {
    problems.push_back(
        usage("--allow-database", "is about the server of a URL, and none is given"));
  }
  const bool strategies = flags.topic == Topic::everything || flags.topic == Topic::strategies;
  if (flags.markdown && !strategies) {
    problems.push_back(usage("--markdown", "is there for strategies only"));
  }
}

/// All flags of a command, for "did you mean".
std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

Problem unexpected(const CLI::App& app, const std::string& argument) {
  if (!argument.starts_with("-")) {
    return usage("", "one argument too many: \"" + printable(argument) + "\"");
  }
  const std::vector<std::string> names = names_of(app);
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string flag = argument.substr(0, argument.find('='));
  return usage("", "unknown flag \"" + printable(flag) + "\" of idemsim " + app.get_name(),
               nearest_name(flag, candidates));
}

Result<Flags> parse_command(Command command, std::span<const std::string> arguments) {
  Flags flags;
  flags.command = command;
  Raw raw;
  const std::string name(kCommands[static_cast<std::size_t>(command)]);
  CLI::App app("", name);
  app.allow_extras();
  add_options(app, flags, raw);
  // CLI11 reports by exceptions and wants the arguments in reverse; none of it leaves this
  // function.
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    flags.command = Command::help;
    flags.help = app.help("idemsim");
    return flags;
  } catch (const CLI::ParseError& error) {
    if (!app.remaining().empty()) return Problems{unexpected(app, app.remaining().front())};
    return Problems{usage("idemsim " + name, error.what())};
  }
  Problems problems;
  for (const std::string& extra : app.remaining()) problems.push_back(unexpected(app, extra));
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string>& values = option->results();
    if (option->get_items_expected_max() == 0) continue;
    if (std::find(values.begin(), values.end(), "") == values.end()) continue;
    problems.push_back(usage(option->get_name(), "its value is empty"));
  }
  read_raw(raw, flags, problems);
  check_together(flags, problems);
  if (!problems.empty()) return problems;
  return flags;
}

/// A word that can only be a file: nobody names a command with a dot or a slash.
bool is_path(const std::string& word) { return word.find_first_of("./") != std::string::npos; }

}  // namespace

Result<Flags> parse_flags(std::span<const std::string> arguments) {
  if (arguments.empty()) return Problems{usage("", "nothing to do: idemsim --help tells how")};
  const std::string& first = arguments.front();
  if (first == "--version") {
    Flags flags;
    flags.command = Command::version;
    return flags;
  }
  if (first == "--help" || first == "-h" || first == "help") {
    Flags flags;
    flags.command = Command::help;
    flags.help = kOverview;
    return flags;
  }
  if (const auto command = index_of(kCommands, first)) {
    return parse_command(static_cast<Command>(*command), arguments.subspan(1));
  }
  if (!first.starts_with("-") && !is_path(first)) {
    return Problems{usage("",
                          "unknown command \"" + printable(first) + "\": expected " +
                              one_of(kCommands) + ", or a scenario file",
                          nearest_name(first, kCommands))};
  }
  return parse_command(Command::run, arguments);
}

}  // namespace idemsim
