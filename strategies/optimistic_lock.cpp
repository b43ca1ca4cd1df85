// The business row is its own record: a compare-and-set on status and version picks one winner.
#include "sim/strategy.hpp"

namespace idemsim::strategies {
namespace {

using sql::eq;

constexpr Value kPending = Value::word("pending");
constexpr Value kPaying = Value::word("paying");
constexpr Value kPaid = Value::word("paid");
constexpr int kReadsMax = 3;

enum OnAbsent : std::uint8_t { fail, create };

/// What the handler read, and what its next compare-and-set rests on.
struct Seen {
  Value status;
  std::int64_t version = 0;
};

/// UPDATE intent SET status, version + 1 WHERE id AND status AND version.
sql::Statement transition(const Context& ctx, const Request& request, Seen seen, Value to) {
  sql::Statement update = sql::update(kIntent);
  update.set("status", to).set("version", Value::integer(seen.version + 1));
  update.where("id", eq, request.business_id);
  if (ctx.on("status_guard")) update.where("status", eq, seen.status);
  if (ctx.on("version_guard")) update.where("version", eq, Value::integer(seen.version));
  return update;
}

/// The winner of the transition, or a loser that does not look (affected_rows_check off).
bool won(const Context& ctx, const SqlReply& update) {
  return update.ok() && (update.affected() == 1 || !ctx.on("affected_rows_check"));
}

/// To `paid` together with the local effect; `in_progress` if another delivery was faster.
Task<Answer> settle(Context& ctx, const Request& request, Seen seen, Value reference) {
  // The transition comes first: its row lock makes the others wait for what becomes of it.
  const bool transaction = ctx.on("effects_in_transaction");
  if (transaction) ctx.db().begin();
  const sql::Statement paid = transition(ctx, request, seen, kPaid).set("reference", reference);
  const SqlReply moved = co_await ctx.db().execute("mark paid", paid);
  if (moved.lost) co_return unknown();
  if (!won(ctx, moved)) {
    if (transaction) co_await ctx.db().rollback("lost the race");
    co_return in_progress();
  }
  const sql::Statement effect = local_effect(request, reference);
  const SqlReply wrote = co_await ctx.db().execute("write effect", effect);
  if (!wrote.ok()) co_return unknown();
  if (!transaction) co_return done(reference);
  const SqlReply committed = co_await ctx.db().commit("commit");
  co_return committed.ok() ? done(reference) : unknown();
}

/// No transaction holds a call to the provider, so `paying` is taken first and kept for its length.
Task<Answer> charge_and_settle(Context& ctx, const Request& request, Seen seen) {
  const sql::Statement claim = transition(ctx, request, seen, kPaying);
  const SqlReply claimed = co_await ctx.db().execute("mark paying", claim);
  if (claimed.lost) co_return unknown();
  if (!won(ctx, claimed)) co_return in_progress();
  const provider::Request call = external_effect(request, Value::null());
  const ChargeReply charge = co_await ctx.provider().charge("charge", call);
  // Whether it was charged is not known: the row stays `paying` until a person has looked.
  if (!charge.charged()) co_return unknown();
  const Seen paying{kPaying, seen.version + 1};
  co_return co_await settle(ctx, request, paying, charge.answer.reference);
}

Task<Answer> handle(Context& ctx, const Request& request) {
  sql::Statement find = sql::select(kIntent).where("id", eq, request.business_id);
  find.columns({"status", "version", "reference"});
  for (int reads = 0; reads < kReadsMax; ++reads) {
    const SqlReply intent = co_await ctx.db().execute("read intent", find);
    if (intent.lost) co_return unknown();
    if (!intent.found()) {
      if (ctx.number("on_absent") == fail) co_return unknown();  // the sender comes again
      sql::Statement add = sql::insert_into(kIntent).set("id", request.business_id);
      add.set("status", kPending).set("version", Value::integer(0)).on_conflict_do_nothing();
      const SqlReply added = co_await ctx.db().execute("create intent", add);
      if (added.lost) co_return unknown();
      continue;
    }
    const Seen seen{intent.cell(0), intent.cell(1).as_integer()};
    const Value first = ctx.on("same_answer") ? intent.cell(2) : Value::word("already paid");
    if (ctx.on("status_guard") && seen.status == kPaid) co_return stored(first);
    if (ctx.on("status_guard") && seen.status == kPaying) co_return in_progress();
    Answer answer = unknown();
    if (has_external_effect(request.kind)) {
      answer = co_await charge_and_settle(ctx, request, seen);
    } else {
      answer = co_await settle(ctx, request, seen, ctx.fresh_reference());
    }
    if (answer.status != Status::in_progress) co_return answer;
    // Somebody else has paid. What was read before the race does not tell the reference.
    if (!ctx.on("reread_on_conflict")) co_return stored(first);
  }
  co_return in_progress();
}

}  // namespace

StrategyDefinition optimistic_lock() {
  StrategyDefinition d;
  d.info.name = "optimistic_lock";
  d.info.summary = "compare-and-set on status and version of the business row";
  d.info.source = "article on four schemes in practice, section 5";
  d.info.parameters = {
      safeguard("status_guard",
                "only the expected state may be left; off: status is not looked at"),
      safeguard("version_guard", "only the version that was read may be left"),
      safeguard("affected_rows_check", "0 affected rows: somebody else has won"),
      safeguard("reread_on_conflict", "read the row again after a lost race; off: say \"paid\""),
      safeguard("same_answer", "a duplicate gets exactly the first answer"),
      safeguard("effects_in_transaction", "transition and local effect commit together"),
      choice_parameter("on_absent", "the row does not exist yet", {"fail", "create"}),
  };
  // A crash or a lost reply around a charge leaves the row `paying` for ever: it sticks.
  std::vector<FaultKind> harmless = message_faults();
  harmless.push_back(FaultKind::pause);
  d.info.claims = {
      {Property::at_most_once, every_fault()},     {Property::no_lost_effect, every_fault()},
      {Property::no_false_failure, every_fault()}, {Property::stable_response, every_fault()},
      {Property::no_stuck_key, harmless},          {Property::ledgers_agree, harmless}};
  d.info.operations = every_operation();
  d.seeds_intent = true;
  d.handle = handle;
  return d;
}

}  // namespace idemsim::strategies
