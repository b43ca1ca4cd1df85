// The workloads that other tools are measured on, with the complete world: clients, network,
// servers, stores, settle phase and oracles. Rates are schedules or delivered messages per second.
#include "sim/explore/explorer.hpp"
#include "sim/explore/schedulers.hpp"
#include "sim/strategy.hpp"
#include "sim/world/world.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

namespace idemsim {
namespace {

/// W1: read the key, charge if it was absent, write the key.
Task<Answer> check_then_write(Context& ctx, const Request& request) {
  const kv::Command read = kv::get(request.key);
  const KvReply known = co_await ctx.redis().execute("read", read);
  if (!known.reply.is_nil()) co_return stored(known.reply.value);
  const provider::Request call = external_effect(request, Value::null());
  const ChargeReply charge = co_await ctx.provider().charge("charge", call);
  const kv::Command write = kv::set(request.key, charge.answer.reference);
  co_await ctx.redis().execute("write", write);
  co_return done(charge.answer.reference);
}

/// W2: the key is inserted first, if absent.
Task<Answer> insert_if_absent(Context& ctx, const Request& request) {
  const kv::Command claim = kv::set(request.key, Value::word("processing")).nx();
  const KvReply claimed = co_await ctx.redis().execute("claim", claim);
  if (!claimed.reply.is_ok()) co_return in_progress();
  const provider::Request call = external_effect(request, Value::null());
  const ChargeReply charge = co_await ctx.provider().charge("charge", call);
  const kv::Command write = kv::set(request.key, charge.answer.reference);
  co_await ctx.redis().execute("write", write);
  co_return done(charge.answer.reference);
}

/// W1R: request 0 first takes twenty steps that touch nothing of the others.
Task<Answer> padded_check_then_write(Context& ctx, const Request& request) {
  if (ctx.token() == Value::token(Origin::of({0, 0}, 0, 0))) {
    for (int i = 0; i < 20; ++i) {
      auto pad = ctx.sleep("pad", Window{});
      co_await std::move(pad);
    }
  }
  auto rest = check_then_write(ctx, request);
  const Answer answer = co_await std::move(rest);
  co_return answer;
}

Task<Answer> echo(Context&, const Request&) { co_return done(Value::null()); }

struct Workload {
  Scenario scenario;
  FaultPlan plan;
  WorldSetup setup(Handler handle) {
    plan.label = "none";
    WorldSetup s;
    s.scenario = &scenario;
    s.faults = &plan;
    s.handle = handle;
    return s;
  }
};

Workload concurrent_requests(std::uint32_t n) {
  Workload w;
  w.scenario.operation = OperationKind::charge;
  w.scenario.clients.arrival = Arrival::double_click;
  w.scenario.clients.clicks = n;
  w.scenario.clients.retry.attempts = 1;
  w.scenario.explore.mode = Mode::random;
  w.scenario.explore.time = TimeModel::asynchronous;
  return w;
}

void run_schedules(benchmark::State& state, Handler handle) {
  Workload w = concurrent_requests(static_cast<std::uint32_t>(state.range(0)));
  World world(w.setup(handle));
  constexpr std::uint64_t kBatch = 64;
  std::uint64_t first = 0;
  for (auto _ : state) {
    const Exploration e = explore_random(world, first, kBatch, {});
    benchmark::DoNotOptimize(e.executions);
    first += kBatch;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(first));
}

void W1(benchmark::State& state) { run_schedules(state, check_then_write); }
BENCHMARK(W1)->Arg(2)->Arg(3)->Arg(4);

void W2(benchmark::State& state) { run_schedules(state, insert_if_absent); }
BENCHMARK(W2)->Arg(2);

void W1R_random(benchmark::State& state) {
  Workload w = concurrent_requests(2);
  World world(w.setup(padded_check_then_write));
  constexpr std::uint64_t kBatch = 64;
  std::uint64_t first = 0;
  std::uint64_t violations = 0;
  for (auto _ : state) {
    const Exploration e = explore_random(world, first, kBatch, {});
    violations += e.violations[static_cast<std::size_t>(Property::at_most_once)];
    first += kBatch;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(first));
  state.counters["violations"] = static_cast<double>(violations);
}
BENCHMARK(W1R_random)->Name("W1R/random");

/// 10,000 clients, 50 requests each to one server: 1,000,000 delivered messages.
void W3(benchmark::State& state) {
  Workload w;
  w.scenario.clients.count = 10'000;
  w.scenario.clients.operations = 50;
  w.scenario.clients.retry.attempts = 1;
  w.scenario.world.servers = 1;
  w.scenario.explore.mode = Mode::random;
  w.scenario.explore.time = TimeModel::sampled;
  w.scenario.explore.steps_max = 10'000'000;
  World world(w.setup(echo));
  std::int64_t delivered = 0;
  for (auto _ : state) {
    RandomScheduler scheduler(w.plan);
    scheduler.reset(1);
    world.run(scheduler, {1, false});
    // Each operation of the main phase is one request and one response.
    delivered += 2 * std::int64_t{w.scenario.clients.count} * w.scenario.clients.operations;
  }
  state.SetItemsProcessed(delivered);
}
BENCHMARK(W3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace idemsim
