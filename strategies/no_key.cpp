// No protection at all: the baseline that shows what every retry does.
#include "sim/strategy.hpp"

namespace idemsim::strategies {
namespace {

Task<Answer> handle(Context& ctx, const Request& request) {
  Value reference = ctx.fresh_reference();
  if (has_external_effect(request.kind)) {
    const provider::Request call = external_effect(request, Value::null());
    const ChargeReply charge = co_await ctx.provider().charge("charge", call);
    if (!charge.charged()) co_return unknown();
    reference = charge.answer.reference;
  }
  const sql::Statement effect = local_effect(request, reference);
  const SqlReply wrote = co_await ctx.db().execute("write effect", effect);
  if (!wrote.ok()) co_return unknown();
  co_return done(reference);
}

}  // namespace

StrategyDefinition no_key() {
  StrategyDefinition d;
  d.info.name = "no_key";
  d.info.summary = "no protection: every delivery runs the operation";
  d.info.source = "the starting point of both articles: a write without an idempotency key";
  d.info.operations = {OperationKind::create_order, OperationKind::charge,
                       OperationKind::payment_callback};
  d.handle = handle;
  return d;
}

}  // namespace idemsim::strategies
