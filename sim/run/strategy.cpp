// The small vocabulary of strategies: parameters, answers, and the effects of the operations.
#include "sim/strategy.hpp"

namespace idemsim {

ParameterInfo safeguard(std::string name, std::string summary) {
  ParameterInfo info;
  info.name = std::move(name);
  info.summary = std::move(summary);
  info.most = 1;
  return info;
}

ParameterInfo duration_parameter(std::string name, std::string summary, Duration default_value) {
  ParameterInfo info;
  info.name = std::move(name);
  info.summary = std::move(summary);
  info.type = ParameterInfo::Type::duration;
  info.default_value = default_value.ns;
  info.least = default_value > Duration{} ? 1 : 0;  // a default of zero means "off"
  return info;
}

ParameterInfo choice_parameter(std::string name, std::string summary,
                               std::vector<std::string> choices) {
  ParameterInfo info;
  info.name = std::move(name);
  info.summary = std::move(summary);
  info.type = ParameterInfo::Type::choice;
  info.default_value = 0;
  info.most = static_cast<std::int64_t>(choices.size()) - 1;
  info.choices = std::move(choices);
  return info;
}

std::vector<FaultKind> message_faults() {
  return {FaultKind::drop_request,   FaultKind::drop_response,     FaultKind::delay_request,
          FaultKind::delay_response, FaultKind::duplicate_request, FaultKind::reorder_request};
}

std::vector<FaultKind> every_fault() { return {kFaultKinds.begin(), kFaultKinds.end()}; }

std::vector<OperationKind> every_operation() {
  return {OperationKind::create_order, OperationKind::charge, OperationKind::payment_callback};
}

Answer done(Value reference) { return {Status::done, reference}; }
Answer stored(Value reference) { return {Status::stored, reference}; }
Answer in_progress() { return {Status::in_progress, {}}; }
Answer rejected() { return {Status::rejected, {}}; }
Answer failed() { return {Status::failed, {}}; }
Answer unknown() { return {Status::unknown, {}}; }

bool has_external_effect(OperationKind kind) { return kind == OperationKind::charge; }

provider::Request external_effect(const Request& request, Value key) {
  return {key, request.amount, request.payload};
}

sql::Statement local_effect(const Request& request, Value reference) {
  Name table = kOrders;
  switch (request.kind) {
    case OperationKind::create_order:
      break;
    case OperationKind::charge:
      table = kPayments;
      break;
    case OperationKind::payment_callback:
      table = kCoupons;
      break;
  }
  sql::Statement insert = sql::insert_into(table);
  insert.set("id", request.business_id).set("amount", Value::integer(request.amount));
  insert.set("reference", reference);
  return insert;
}

Task<Answer> run_unprotected(Context& ctx, const Request& request) {
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

}  // namespace idemsim
