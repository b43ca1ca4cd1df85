// The command line as a value.
#pragma once

#include "sim/base/result.hpp"
#include "sim/base/time.hpp"
#include "sim/model/scenario.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace idemsim {

enum class Command : std::uint8_t { run, validate, replay, confirm, list, schema, help, version };
enum class Format : std::uint8_t { text, json, dot };
enum class ProgressKind : std::uint8_t { automatic, plain, none };
enum class Topic : std::uint8_t { everything, strategies, faults, properties, operations };

struct Flags {
  Command command = Command::run;
  std::string scenario;                       ///< path; empty for replay = look for it
  std::string token;                          ///< replay, confirm
  std::map<std::string, std::string> stores;  ///< confirm: URLs by the names of the adapters
  std::string allow_database;                 ///< confirm
  Topic topic = Topic::everything;
  std::string help;  ///< the text, for Command::help

  std::optional<std::uint64_t> seed;
  std::vector<std::string> strategies;  ///< labels; empty = all
  std::vector<std::string> faults;      ///< labels; empty = all
  std::optional<Mode> mode;
  std::optional<std::uint64_t> runs;
  std::optional<Duration> budget;
  std::uint32_t jobs = 0;       ///< 0 = one per hardware thread
  std::string out;              ///< folder; empty = idemsim-out
  std::vector<Format> formats;  ///< empty = all
  ProgressKind progress = ProgressKind::automatic;
  bool stable = false;
  bool check_determinism = false;
  bool ascii = false;
  bool no_color = false;
  bool markdown = false;
};

/// The folder of the reports if `--out` does not name one.
inline constexpr const char* kOutFolder = "idemsim-out";

/// Reads the arguments after the name of the program; all problems are usage errors (64).
[[nodiscard]] Result<Flags> parse_flags(std::span<const std::string> arguments);

}  // namespace idemsim
