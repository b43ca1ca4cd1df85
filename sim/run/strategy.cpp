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
  info.least = 1;
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

}  // namespace idemsim
