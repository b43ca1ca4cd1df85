// Look the key up, run, write the record: the race that all the other strategies exist to close.
#include "sim/strategy.hpp"

namespace idemsim::strategies {
namespace {

// No unique index: nothing but the lookup stands between a duplicate and the effect.
constexpr Name kRecords = "idempotency_records";

Task<Answer> handle(Context& ctx, const Request& request) {
  sql::Statement find = sql::select(kRecords);
  find.columns({"response"}).where("key", sql::eq, request.key);
  const SqlReply found = co_await ctx.db().execute("find record", find);
  if (found.lost) co_return unknown();
  if (found.found()) co_return stored(found.cell(0));

  // From here until the record is written, a duplicate sees "absent" as well and runs too.
  const Answer answer = co_await run_unprotected(ctx, request);
  if (answer.status != Status::done) co_return answer;

  // A crash before this statement leaves an effect that nobody remembers.
  sql::Statement record = sql::insert_into(kRecords);
  record.set("key", request.key).set("response", answer.body);
  const SqlReply saved = co_await ctx.db().execute("save record", record);
  if (!saved.ok()) co_return unknown();
  co_return answer;
}

}  // namespace

StrategyDefinition check_then_write() {
  StrategyDefinition d;
  d.info.name = "check_then_write";
  d.info.summary = "look the key up, run the operation, write the record";
  d.info.source = "article on Stripe-style idempotency, section 6: the TOCTOU example";
  // Even in a world without faults a double click duplicates, so at_most_once is not claimed.
  d.info.claims = {{Property::no_lost_effect, every_fault()},
                   {Property::no_false_failure, every_fault()},
                   {Property::no_stuck_key, every_fault()},
                   {Property::ledgers_agree, message_faults()}};
  d.info.operations = every_operation();
  sql::TableDefinition records(kRecords);
  records.column("key").column("response");
  d.tables = {records};
  d.handle = handle;
  return d;
}

}  // namespace idemsim::strategies
