// One at a time by a lock in Redis: take it, look again whether the work is done, run, record,
// release.
#include "sim/strategy.hpp"

namespace idemsim::strategies {
namespace {

constexpr Name kRecords = "idempotency_records";
constexpr int kWatchdogRounds = 3;

/// What the lock holds. Without a token every owner looks the same.
Value owner_of(const Context& ctx) {
  return ctx.on("owner_token") ? ctx.token() : Value::integer(1);
}

/// SET NX says OK, SETNX says 1.
bool taken(const KvReply& lock) {
  return lock.ok() && (lock.reply.is_ok() || lock.reply.value == Value::integer(1));
}

bool held_by_another(const KvReply& lock) { return !taken(lock); }

/// Extends the lock while the handler works. It stops with its process, and then the lock expires.
Task<void> watchdog(Context& ctx, const Request& request) {
  const Duration ttl = ctx.duration("ttl");
  const Duration third{ttl.ns / 3};
  const Window pause{third, third};
  const kv::Command extend = kv::compare_and_extend(request.key, owner_of(ctx), ttl);
  for (int round = 0; round < kWatchdogRounds; ++round) {
    co_await ctx.sleep("watchdog sleeps", pause);
    co_await ctx.redis().execute("extend lock", extend);
  }
}

/// Sent on every way out, as in a `finally`; a reply that does not come changes nothing any more.
Task<void> release(Context& ctx, const Request& request) {
  ctx.stop_background();
  ctx.leave(request.key);
  kv::Command del = kv::compare_and_delete(request.key, owner_of(ctx));
  // A plain DEL also deletes the lock of whoever took it after ours had expired.
  if (!ctx.on("owner_token")) del = kv::del(request.key);
  co_await ctx.redis().execute("release lock", del);
}

/// Look again, then run: the previous owner may have finished since the first lookup.
Task<Answer> work(Context& ctx, const Request& request, const sql::Statement& find) {
  if (ctx.on("recheck_after_lock")) {
    const SqlReply again = co_await ctx.db().execute("look again", find);
    if (again.lost) co_return unknown();
    if (again.found()) co_return stored(again.cell(0));
  }
  co_return co_await run_unprotected(ctx, request);
}

Task<Answer> handle(Context& ctx, const Request& request) {
  if (request.key.is_null()) co_return rejected();  // nothing to lock
  sql::Statement find = sql::select(kRecords);
  find.columns({"response"}).where("key", sql::eq, request.key);
  const SqlReply found = co_await ctx.db().execute("find record", find);
  if (found.lost) co_return unknown();
  if (found.found()) co_return stored(found.cell(0));

  const Duration ttl = ctx.duration("ttl");
  kv::Command acquire = kv::setnx(request.key, owner_of(ctx));
  if (ctx.on("atomic_set_nx_px")) acquire = kv::set(request.key, owner_of(ctx)).nx().px(ttl);
  KvPoll spin;
  if (ctx.on("wait_for_result")) spin = {held_by_another, milliseconds(10), milliseconds(500)};
  const KvReply lock = co_await ctx.redis().until("take lock", acquire, spin);
  if (lock.lost) co_return unknown();  // perhaps it is ours: then it has to expire
  if (lock.timed_out) co_return in_progress();
  if (held_by_another(lock)) co_return rejected();
  if (!ctx.on("atomic_set_nx_px")) {
    // A crash before this command leaves a lock that never expires.
    const kv::Command limit = kv::pexpire(request.key, ttl);
    const KvReply limited = co_await ctx.redis().execute("limit lock", limit);
    if (limited.lost) co_return unknown();
  }
  ctx.enter(request.key);
  if (ctx.on("watchdog")) ctx.start(watchdog);
  Answer answer = co_await work(ctx, request, find);
  if (!ctx.on("release_after_commit")) co_await release(ctx, request);
  if (answer.status == Status::done) {
    sql::Statement record = sql::insert_into(kRecords);
    record.set("key", request.key).set("response", answer.body);
    const SqlReply saved = co_await ctx.db().execute("save record", record);
    if (!saved.ok()) answer = unknown();
  }
  if (ctx.on("release_after_commit")) co_await release(ctx, request);
  co_return answer;
}

}  // namespace

StrategyDefinition distributed_lock() {
  StrategyDefinition d;
  d.info.name = "distributed_lock";
  d.info.summary = "take a lock in Redis, look the record up again, run, record, release";
  d.info.source = "article on Stripe-style idempotency, section 6, way B";
  d.info.parameters = {
      safeguard("atomic_set_nx_px", "lock and TTL in one command; off: SETNX, then PEXPIRE"),
      safeguard("owner_token", "only the owner deletes or extends the lock; off: plain DEL"),
      safeguard("recheck_after_lock", "look the record up again once the lock is held"),
      safeguard("release_after_commit", "release after the record is written; off: before"),
      safeguard("watchdog", "extend the lock each third of the TTL, at most three times"),
      safeguard("wait_for_result", "wait up to 500 ms for the lock; off: refuse at once"),
      duration_parameter("ttl", "time after which the lock expires by itself", seconds(30)),
  };
  // No pause and no crash: who loses the lock without noticing it goes on working, and the record
  // is written after the effect. Lost replies leave the effect without its record as well.
  d.info.claims = {
      {Property::at_most_once, message_faults()},    {Property::mutual_exclusion, message_faults()},
      {Property::stable_response, message_faults()}, {Property::ledgers_agree, message_faults()},
      {Property::no_lost_effect, every_fault()},     {Property::no_false_failure, every_fault()},
      {Property::no_stuck_key, every_fault()}};
  d.info.operations = every_operation();
  sql::TableDefinition records(kRecords);
  records.column("key").column("response");
  d.tables = {records};
  d.handle = handle;
  return d;
}

}  // namespace idemsim::strategies
