// The unique index decides: who inserts the `processing` record runs; the others read the record.
#include "sim/strategy.hpp"

namespace idemsim::strategies {
namespace {

using sql::eq;

// An index cannot be switched off, so there are two tables. Nothing would read a created_at.
constexpr Name kRecords = "idempotency_records";
constexpr Name kRecordsUnindexed = "idempotency_records_unindexed";
constexpr Value kProcessing = Value::word("processing");
constexpr Value kDone = Value::word("done");
constexpr Value kError = Value::word("error");
constexpr Value kRefused = Value::word("refused");  // the response after a definite failure
enum MissingKey : std::uint8_t { pass, reject };
enum OnInFlight : std::uint8_t { conflict, wait };
enum AfterFailure : std::uint8_t { replay, re_execute, not_saved_before_execution };

Name table(const Context& ctx) { return ctx.on("unique_index") ? kRecords : kRecordsUnindexed; }

/// Principal and route, without which a key of one user would answer the request of another.
Value in_scope(const Context& ctx, Value value) {
  return ctx.on("scope_in_key") ? value : Value::word("any");
}

/// Narrows a statement to the record of this request's key.
sql::Statement of_key(const Context& ctx, const Request& request, sql::Statement statement) {
  statement.where("key", eq, request.key);
  statement.where("principal", eq, in_scope(ctx, request.principal));
  return statement.where("route", eq, in_scope(ctx, request.route));
}

/// Narrows it further, to a record that this delivery still owns.
sql::Statement of_owner(const Context& ctx, const Request& request, sql::Statement statement) {
  statement = of_key(ctx, request, statement);
  return ctx.on("owner_check") ? statement.where("owner", eq, ctx.token()) : statement;
}

/// The cells of a claim beside its status, for an INSERT or for taking an old record over.
sql::Statement claimed(Context& ctx, const Request& request, sql::Statement statement) {
  statement.set("owner", ctx.token()).set("fingerprint", request.payload);
  statement.set("lease_until", ctx.expires_in(ctx.duration("lease"), Expiry::lease));
  return statement.set("expires_at", ctx.expires_in(ctx.duration("retention"), Expiry::retention));
}
sql::Statement new_record(Context& ctx, const Request& request) {
  sql::Statement insert = sql::insert_into(table(ctx)).set("key", request.key);
  insert.set("principal", in_scope(ctx, request.principal));
  return claimed(ctx, request, insert.set("route", in_scope(ctx, request.route)));
}

/// One round of the purger, at any phase of its period.
Task<void> purge(Context& ctx, const Request&) {
  const Window phase{Duration{}, ctx.duration("cleanup_every")};
  co_await ctx.sleep("purger sleeps", phase);
  const sql::Statement purge = sql::erase_from(table(ctx)).where(sql::expired("expires_at"));
  co_await ctx.db().execute("purge records", purge);
}

/// A lost answer is no failure: the charge may have happened. A refusal came before execution.
Task<Answer> fail(Context& ctx, const Request& request, const ChargeReply& charge) {
  const bool refused = !charge.lost;
  sql::Statement note = of_owner(ctx, request, sql::update(table(ctx)));
  note.set("status", kError).set("response", refused ? kRefused : Value::null());
  if (refused && ctx.number("after_failure") == not_saved_before_execution) {
    note = of_owner(ctx, request, sql::erase_from(table(ctx)));
  }
  co_await ctx.db().execute("mark error", note);
  co_return refused ? failed() : unknown();
}

/// The work of whoever holds the claim.
Task<Answer> run(Context& ctx, const Request& request) {
  Value reference = ctx.fresh_reference();
  if (has_external_effect(request.kind)) {
    // A provider that honours keys makes a second execution harmless.
    const Value key = ctx.on("downstream_key") ? request.key : Value::null();
    const provider::Request call = external_effect(request, key);
    const ChargeReply charge = co_await ctx.provider().charge("charge", call);
    if (!charge.charged()) co_return co_await fail(ctx, request, charge);
    reference = charge.answer.reference;
  }
  if (ctx.on("same_transaction")) ctx.db().begin();
  const sql::Statement effect = local_effect(request, reference);
  const SqlReply wrote = co_await ctx.db().execute("write effect", effect);
  if (!wrote.ok()) co_return unknown();
  sql::Statement mark = of_owner(ctx, request, sql::update(table(ctx)));
  if (!ctx.on("claim_before_effect")) mark = new_record(ctx, request);
  mark.set("status", kDone).set("response", reference);
  const SqlReply marked = co_await ctx.db().execute("mark done", mark);
  if (marked.lost) co_return unknown();
  if (marked.affected() != 1) {  // another one has the key: only a transaction can be undone
    if (ctx.on("same_transaction")) co_await ctx.db().rollback("undo effect");
    co_return in_progress();
  }
  if (!ctx.on("same_transaction")) co_return done(reference);
  const SqlReply committed = co_await ctx.db().commit("commit");
  co_return committed.ok() ? done(reference) : unknown();
}

bool in_flight(const SqlReply& record) { return record.found() && record.cell(0) == kProcessing; }

/// The key is known, or was a moment ago: answers from the record, or takes it over and runs.
Task<Answer> answer_duplicate(Context& ctx, const Request& request) {
  sql::Statement find = of_key(ctx, request, sql::select(table(ctx)));
  find.columns({"status", "response", "fingerprint"});
  if (ctx.on("expiry_in_lookup")) find.where(sql::not_expired("expires_at"));
  SqlPoll poll;
  if (ctx.number("on_in_flight") == wait) poll = {in_flight, milliseconds(50), milliseconds(500)};
  const SqlReply record = co_await ctx.db().until("find record", find, poll);
  if (record.lost) co_return unknown();
  sql::Statement take = of_key(ctx, request, sql::update(table(ctx)));
  take = claimed(ctx, request, take).set("status", kProcessing).set("response", Value::null());
  if (record.timed_out || in_flight(record)) {
    if (!ctx.on("takeover")) co_return in_progress();
    take.where("status", eq, kProcessing).where(sql::expired("lease_until"));
  } else if (record.found()) {
    if (ctx.on("fingerprint") && record.cell(2) != request.payload) co_return rejected();
    if (record.cell(0) == kDone && !ctx.on("stored_response")) co_return rejected();
    if (record.cell(0) == kDone) co_return stored(record.cell(1));
    if (ctx.number("after_failure") != re_execute) {
      co_return record.cell(1) == kRefused ? failed() : unknown();  // the stored 500, for ever
    }
    // Without this condition two retries after one error both believe that they took it.
    if (ctx.on("guarded_retry_after_error")) take.where("status", eq, kError);
  } else {
    // Expired and not yet purged: the INSERT conflicts and the lookup misses, until the purge.
    if (!ctx.on("claim_before_effect")) co_return co_await run(ctx, request);
    if (!ctx.on("replace_expired")) co_return in_progress();
    take.where(sql::expired("expires_at"));
  }
  const SqlReply taken = co_await ctx.db().execute("take over", take);
  if (taken.lost) co_return unknown();
  if (taken.affected() != 1) co_return in_progress();
  co_return co_await run(ctx, request);
}

Task<Answer> handle(Context& ctx, const Request& request) {
  if (request.key.is_null()) {
    if (ctx.number("missing_key") == reject) co_return rejected();
    co_return co_await run_unprotected(ctx, request);
  }
  if (ctx.duration("cleanup_every") > Duration{}) ctx.start(purge);
  if (!ctx.on("claim_before_effect")) co_return co_await answer_duplicate(ctx, request);
  const sql::Statement claim = new_record(ctx, request).set("status", kProcessing);
  const SqlReply won = co_await ctx.db().execute("claim key", claim);
  if (won.ok()) co_return co_await run(ctx, request);
  if (!won.failed_with(sql::Code::unique_violation)) co_return unknown();
  co_return co_await answer_duplicate(ctx, request);
}

}  // namespace

StrategyDefinition insert_first() {
  StrategyDefinition d;
  d.info.name = "insert_first";
  d.info.summary = "insert the record under a unique index, run, mark it done";
  d.info.source = "article on Stripe-style idempotency, sections 4 and 6, way A";
  d.info.parameters = {
      safeguard("unique_index", "the database refuses a second record of a key"),
      safeguard("claim_before_effect", "insert the record first; off: only after the effect"),
      safeguard("scope_in_key", "principal and route are part of the key"),
      safeguard("fingerprint", "refuse a known key with another payload"),
      safeguard("expiry_in_lookup", "the lookup does not find an expired record"),
      safeguard("owner_check", "only the owner of the claim may finish it"),
      safeguard("takeover", "a `processing` record is free again after its lease"),
      safeguard("stored_response", "a duplicate gets the first response; off: a refusal"),
      safeguard("same_transaction", "local effect and `done` commit together"),
      safeguard("downstream_key", "hand the key to the provider"),
      safeguard("guarded_retry_after_error", "`error` to `processing` by compare-and-set"),
      safeguard("replace_expired", "take over an expired record that is not yet purged"),
      choice_parameter("missing_key", "a request without a key", {"pass", "reject"}),
      choice_parameter("on_in_flight", "a duplicate of running work", {"conflict", "wait"}),
      choice_parameter("after_failure", "what a retry after a failure gets",
                       {"replay", "re_execute", "not_saved_before_execution"}),
      duration_parameter("retention", "life of a record", seconds(86'400)),
      duration_parameter("lease", "life of a claim", seconds(5)),
      duration_parameter("cleanup_every", "period of the purger; 0: never", Duration{}),
  };
  // After a crash in `processing` the lease frees the key, and an external effect may run again.
  // A lost reply of the provider is stored as an error, and then the key sticks.
  std::vector<FaultKind> process_faults = message_faults();
  process_faults.insert(process_faults.end(), {FaultKind::crash, FaultKind::pause});
  d.info.claims = {
      {Property::at_most_once, message_faults()}, {Property::ledgers_agree, message_faults()},
      {Property::no_stuck_key, process_faults},   {Property::stable_response, every_fault()},
      {Property::no_lost_effect, every_fault()},  {Property::no_false_failure, every_fault()}};
  d.info.operations = every_operation();
  for (const Name name : {kRecords, kRecordsUnindexed}) {
    d.tables.emplace_back(name);
    d.tables.back().column("key").column("principal").column("route").column("status");
    d.tables.back().column("response").column("owner").column("fingerprint");
    d.tables.back().column("lease_until").column("expires_at");
  }
  d.tables.front().unique("idempotency_records_pkey", {"key", "principal", "route"});
  d.handle = handle;
  return d;
}

}  // namespace idemsim::strategies
