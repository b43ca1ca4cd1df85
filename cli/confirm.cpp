// confirm: the same run once more, with real stores that execute each step beside the simulation.
#include "cli/confirm.hpp"

#include "cli/commands.hpp"
#include "cli/lookup.hpp"
#include "cli/temporary_folder.hpp"
#include "sim/adapters/rehearsal.hpp"
#include "sim/adapters/store.hpp"
#include "sim/explore/explorer.hpp"
#include "sim/explore/replay.hpp"

#include <fmt/format.h>

#include <optional>

namespace idemsim {
namespace {

/// One run of the token.
struct Ran {
  std::string diverged;  ///< empty, or which choice did not apply
  Hash128 hash;
};

Ran run_once(World& world, const Token& token) {
  ReplayScheduler scheduler(token.schedule);
  const RunEnd end = world.run(scheduler, {token.seed, true});
  Ran ran;
  ran.diverged = scheduler.diverged();
  if (ran.diverged.empty()) ran.diverged = scheduler.first_unused();
  if (ran.diverged.empty() && end != RunEnd::quiescent) {
    ran.diverged = "the run reached its limit of steps";
  }
  ran.hash = hash_of(world.events());
  if (ran.diverged.empty() && token.hash && *token.hash != ran.hash) {
    ran.diverged = fmt::format("the history hash is {}, the token says {}", to_hex(ran.hash),
                               to_hex(*token.hash));
  }
  return ran;
}

/// The simulated run, without which there is nothing to confirm.
struct Rehearsed {
  Ran ran;
  adapters::Rehearsal heard;
};

Rehearsed rehearse_once(const Token& token, const Cell& cell) {
  Rehearsed rehearsed;
  World world(setup_of(cell));
  world.mirror_to(&rehearsed.heard);
  rehearsed.ran = run_once(world, token);
  return rehearsed;
}

/// As in replay: in sampled time a token does not tell whether its run drew latencies.
Rehearsed rehearse(const Token& token, TokenCell& run) {
  Rehearsed rehearsed = rehearse_once(token, run.cell);
  ExploreSpec& explore = run.scenario.explore;
  if (rehearsed.ran.diverged.empty() || explore.time != TimeModel::sampled) return rehearsed;
  explore.mode = explore.mode == Mode::random ? Mode::fifo : Mode::random;
  return rehearse_once(token, run.cell);
}

/// The real stores of a run; what it does not use stays null.
struct Stores {
  TemporaryFolder folder;  ///< outlives the servers in it
  std::unique_ptr<adapters::SqlStore> database;
  std::unique_ptr<adapters::KvStore> redis;
};

/// The adapter that has a URL, or else the first one of its kind.
template <class Open>
std::optional<adapters::Adapter> choose(const Flags& flags, Open adapters::Adapter::*open) {
  std::optional<adapters::Adapter> chosen;
  for (const adapters::AdapterFactory factory : adapters::adapter_registry()) {
    const adapters::Adapter adapter = factory();
    if (adapter.*open == nullptr) continue;
    const auto url = flags.stores.find(std::string(adapter.name));
    const bool named = url != flags.stores.end() && !url->second.empty();
    if (!chosen || named) chosen = adapter;
    if (named) break;
  }
  return chosen;
}

template <class Store, class Open>
Result<void> open_store(const Flags& flags, const Console& console, const Stores& stores,
                        Open adapters::Adapter::*open, Store& store) {
  const std::optional<adapters::Adapter> adapter = choose(flags, open);
  if (!adapter) return adapters::trouble("this program was built without such a store");
  adapters::StoreOptions options;
  const auto url = flags.stores.find(std::string(adapter->name));
  if (url != flags.stores.end()) options.url = url->second;
  options.folder = stores.folder.path();
  options.name = unique_name();
  options.allow_database = flags.allow_database;
  options.interrupted = console.interrupted;
  if (options.url.empty() && options.folder.empty()) {
    return adapters::trouble("cannot make a temporary folder for a server");
  }
  auto opened = (*adapter.*open)(options);
  if (!opened) return opened.error();
  store = std::move(*opened);
  return {};
}

std::vector<std::vector<sql::Row>> first_rows(const World& world) {
  std::vector<std::vector<sql::Row>> rows;
  for (const sql::TableDefinition& table : world.database().schema().tables) {
    std::vector<sql::Row>& of_table = rows.emplace_back();
    world.database().for_each_row(table.name,
                                  [&](const sql::Row& row, StepId) { of_table.push_back(row); });
  }
  return rows;
}

Result<void> open_stores(const Flags& flags, const Console& console, const World& world,
                         const adapters::Rehearsal& heard, Stores& stores) {
  if (heard.uses_database()) {
    const Result<void> opened =
        open_store(flags, console, stores, &adapters::Adapter::open_sql, stores.database);
    if (!opened) return opened.error();
    adapters::SqlPlan plan;
    plan.schema = &world.database().schema();
    plan.rows = first_rows(world);
    plan.statements = heard.statements();
    plan.victims = heard.victims();
    const Result<void> prepared = stores.database->prepare(plan);
    if (!prepared) return prepared.error();
  }
  if (!heard.uses_redis()) return {};
  return open_store(flags, console, stores, &adapters::Adapter::open_kv, stores.redis);
}

ExitStatus unavailable(const Problems& problems, const Console& console) {
  if (console.interrupted != nullptr && *console.interrupted) {
    console.err << "idemsim: interrupted" << std::endl;
    return ExitStatus::interrupted;
  }
  print_problems(problems, console);
  return ExitStatus::unavailable;
}

std::vector<Property> violated_in(const World& world, const Token& token) {
  Exploration judged;
  file_run(world, 0, token.seed, judged);
  std::vector<Property> violated;
  for (const Witness& witness : judged.witnesses) violated.push_back(witness.property);
  return violated;
}

std::size_t charges_in(const World& world) {
  std::size_t charges = 0;
  for (const LedgerEntry& entry : world.finished().ledger) {
    if (entry.ledger == Ledger::provider) ++charges;
  }
  return charges;
}

}  // namespace

ExitStatus confirm_command(const Flags& flags, const Console& console) {
  const StrategyLibrary library;
  const TokenRun opened = open_token(flags, library, console);
  if (opened.status != ExitStatus::ok) return opened.status;
  const Cell& cell = opened.run->cell;
  const Rehearsed rehearsed = rehearse(opened.token, *opened.run);
  if (!rehearsed.ran.diverged.empty()) {
    console.err << "idemsim: the replay diverged: " << rehearsed.ran.diverged << std::endl;
    return ExitStatus::diverged;
  }
  World world(setup_of(cell));
  Stores stores;
  const Result<void> ready = open_stores(flags, console, world, rehearsed.heard, stores);
  if (!ready) return unavailable(ready.error(), console);
  adapters::LockStep steps(world.database().schema(), stores.database.get(), stores.redis.get());
  world.mirror_to(&steps);
  const Ran ran = run_once(world, opened.token);
  world.mirror_to(nullptr);
  if (steps.trouble()) return unavailable(*steps.trouble(), console);
  Confirmation confirmation;
  confirmation.cell = cell.id();
  confirmation.scenario = opened.run->scenario.name;
  if (stores.database != nullptr) confirmation.stores.push_back(stores.database->about());
  if (stores.redis != nullptr) confirmation.stores.push_back(stores.redis->about());
  confirmation.steps = &steps;
  confirmation.story = story_of(world, steps);
  confirmation.same_history = ran.hash == rehearsed.ran.hash;
  confirmation.charges = charges_in(world);
  confirmation.violated = violated_in(world, opened.token);
  const Result<std::vector<adapters::TableEnd>> tables = steps.compare_tables(world.database());
  if (!tables) return unavailable(tables.error(), console);
  confirmation.tables = *tables;
  const ExitStatus status = print_out(render_confirmation(confirmation), console);
  return worse_of(status, confirmation.same() ? ExitStatus::ok : ExitStatus::refuted);
}

}  // namespace idemsim
