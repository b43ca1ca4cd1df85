// What a source must not name, what to use in its place, and the folders where it is the right
// thing.
#include "tests/tidy/rules.hpp"

#include <cctype>
#include <string>
#include <string_view>

namespace idemsim::tidy {
namespace {

struct Ban {
  std::string_view token;
  std::string_view instead;
  std::vector<std::string_view> allowed = {};  ///< prefixes of paths
  bool in_comments = false;                    ///< looked for in comments and literals too
};

const std::vector<Ban>& bans() {
  using Places = std::vector<std::string_view>;
  static const std::string_view kPrng = "draw from Prng (sim/base/prng.hpp)";
  static const std::string_view kClock = "take Instant from the world; cli/ passes stop conditions";
  static const std::string_view kThread = "a world has no thread; campaigns use asio::thread_pool";
  static const std::string_view kPrint = "return text; only cli/ writes";
  static const std::string_view kHashOrder = "use an ordered container: hash order reaches results";
  static const std::string_view kInteger = "use Duration, Ratio or an integer with its unit";
  static const std::string_view kClient = "only the store's own folder knows its client library";
  static const Places kOuter = {"cli/", "tests/"};
  static const Places kReal = {"cli/", "tests/", "sim/adapters/"};
  static const Places kParallel = {"cli/", "tests/", "sim/adapters/", "sim/explore/"};
  static const Places kNumbers = {
      "cli/", "tests/", "reports/", "scenarios/", "sim/model/result.hpp", "sim/explore/confidence"};
  static const std::vector<Ban> kBans = {
      {"<random>", kPrng},
      {"std::rand", kPrng},
      {"random_device", kPrng},
      {"<ctime>", kClock, kOuter},
      {"_clock::now", kClock, kReal},
      {"gettimeofday", kClock},
      {"steady_timer", kClock, kReal},
      {"system_timer", kClock, kReal},
      {"high_resolution_timer", kClock},
      {"<thread>", kThread, kReal},
      {"<mutex>", kThread, kParallel},
      {"<atomic>", kThread, kParallel},
      {"<condition_variable>", kThread, kParallel},
      {"<future>", kThread, kReal},
      {"thread_local", "pass it as an argument: two worlds run side by side"},
      {"<iostream>", kPrint, kOuter},
      {"std::cout", kPrint, kOuter},
      {"std::cerr", kPrint, kOuter},
      {"fmt::print", kPrint, kOuter},
      {"std::printf", kPrint, kOuter},
      {"getenv", "take it as an argument: only cli/ reads the environment", kOuter},
      {"<filesystem>", "only the loader and cli/ touch files", {"cli/", "tests/", "scenarios/"}},
      {"unordered_map", kHashOrder, {"sim/explore/"}},
      {"unordered_set", kHashOrder, {"sim/explore/"}},
      {"unordered_flat_map", kHashOrder, {"sim/explore/"}},
      {"unordered_flat_set", kHashOrder, {"sim/explore/"}},
      {"std::hash", "use sim/base/hash.hpp: std::hash differs between libraries"},
      {"std::function",
       "use a template parameter or a function pointer",
       {"cli/", "tests/", "sim/explore/"}},
      {"fmt::ptr", "print an id: an address differs in every run"},
      {"uintptr_t", "use an id: an address differs in every run"},
      {"double", kInteger, kNumbers},
      {"float", kInteger, kNumbers},
      {"<cassert>", "use IDEMSIM_ASSERT (sim/base/assert.hpp): it stays on"},
      {"<nlohmann/",
       "only scenarios/, reports/ and cli/ read or write JSON",
       {"cli/", "tests/", "scenarios/", "reports/"}},
      {"<CLI/", "only cli/ reads the command line", kOuter},
      {"<boost/asio",
       "keep it free of coroutines: plain state machines and values",
       {"cli/", "tests/", "sim/world/", "sim/strategy.hpp", "sim/adapters/", "sim/run/",
        "sim/explore/"}},
      {"libpq-fe.h", kClient, {"sim/adapters/postgres/"}},
      {"<hiredis/", kClient, {"sim/adapters/redis/", "tests/adapters/"}},
      {"awaitable_operators", "use the primitives of sim/strategy.hpp: the loser throws there"},
      {"using namespace std", "name what you use"},
      {"TO"
       "DO",
       "do it, or open an issue",
       {},
       true},
      {"FIX"
       "ME",
       "mend it, or open an issue",
       {},
       true},
  };
  return kBans;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A token is a whole word, but one that starts with `_` is the end of any word.
bool stands_alone(std::string_view text, std::size_t at, std::string_view token) {
  const bool left = is_word(token.front()) && token.front() != '_';
  const std::size_t end = at + token.size();
  if (left && at > 0 && is_word(text[at - 1])) return false;
  return !is_word(token.back()) || end == text.size() || !is_word(text[end]);
}

bool is_allowed(const Ban& ban, std::string_view path) {
  for (const std::string_view place : ban.allowed) {
    if (path.starts_with(place)) return true;
  }
  return false;
}

}  // namespace

std::vector<Finding> check_bans(const Source& source) {
  std::vector<Finding> findings;
  for (const Ban& ban : bans()) {
    if (is_allowed(ban, source.path)) continue;
    const std::string_view text = ban.in_comments ? source.text : source.code;
    for (std::size_t at = text.find(ban.token); at != std::string_view::npos;
         at = text.find(ban.token, at + 1)) {
      if (!stands_alone(text, at, ban.token)) continue;
      findings.push_back({source.path, line_at(text, at),
                          std::string(ban.token) + ": " + std::string(ban.instead)});
    }
  }
  return findings;
}

}  // namespace idemsim::tidy
