// Strategies with one known bug each, and the cell that shows it.
#include "tests/explain/laboratory.hpp"

#include "sim/base/assert.hpp"

#include <algorithm>
#include <utility>

namespace idemsim::testing_support {
namespace {

sql::Statement find_record(const Request& request) {
  sql::Statement find = sql::select(kRecord);
  find.where("key", sql::eq, request.key).columns({"reference"});
  return find;
}

sql::Statement write_record(const Request& request, Value reference) {
  sql::Statement write = sql::insert_into(kRecord);
  write.set("key", request.key).set("reference", reference);
  return write;
}

}  // namespace

Task<Answer> check_then_write(Context& ctx, const Request& request) {
  const sql::Statement find = find_record(request);
  const SqlReply found = co_await ctx.db().execute("find record", find);
  if (found.found()) co_return stored(found.cell(0));
  if (!found.ok()) co_return unknown();
  const Value reference = ctx.fresh_reference();
  const sql::Statement effect = local_effect(request, reference);
  const SqlReply wrote = co_await ctx.db().execute("write effect", effect);
  if (!wrote.ok()) co_return unknown();
  const sql::Statement record = write_record(request, reference);
  const SqlReply recorded = co_await ctx.db().execute("write record", record);
  if (!recorded.ok()) co_return unknown();
  co_return done(reference);
}

Task<Answer> write_only(Context& ctx, const Request& request) {
  const Value reference = ctx.fresh_reference();
  const sql::Statement effect = local_effect(request, reference);
  const SqlReply wrote = co_await ctx.db().execute("write effect", effect);
  if (!wrote.ok()) co_return unknown();
  co_return done(reference);
}

Task<Answer> check_and_ignore(Context& ctx, const Request& request) {
  const sql::Statement find = find_record(request);
  const SqlReply found = co_await ctx.db().execute("find record", find);
  if (!found.ok()) co_return unknown();
  const Value reference = ctx.fresh_reference();
  const sql::Statement effect = local_effect(request, reference);
  const SqlReply wrote = co_await ctx.db().execute("write effect", effect);
  if (!wrote.ok()) co_return unknown();
  const sql::Statement record = write_record(request, reference);
  co_await ctx.db().execute("write record", record);
  co_return done(reference);
}

Task<Answer> locked(Context& ctx, const Request& request) {
  const kv::Command lock = kv::set(request.key, ctx.token()).nx().px(ctx.duration("ttl"));
  const KvReply got = co_await ctx.redis().execute("lock", lock);
  if (!got.ok() || !got.reply.is_ok()) co_return in_progress();
  ctx.enter(request.key);
  auto working = check_then_write(ctx, request);
  const Answer answer = co_await std::move(working);
  ctx.leave(request.key);
  const kv::Command unlock = kv::compare_and_delete(request.key, ctx.token());
  co_await ctx.redis().execute("unlock", unlock);
  co_return answer;
}

Task<Answer> released_early(Context& ctx, const Request& request) {
  const kv::Command lock = kv::set(request.key, ctx.token()).nx().px(ctx.duration("ttl"));
  const KvReply got = co_await ctx.redis().execute("lock", lock);
  if (!got.ok() || !got.reply.is_ok()) co_return in_progress();
  ctx.enter(request.key);
  const sql::Statement find = find_record(request);
  const SqlReply found = co_await ctx.db().execute("find record", find);
  const Value reference = found.found() ? found.cell(0) : ctx.fresh_reference();
  const bool known = found.found();
  if (!known) {
    const sql::Statement effect = local_effect(request, reference);
    co_await ctx.db().execute("write effect", effect);
  }
  ctx.leave(request.key);
  const kv::Command unlock = kv::compare_and_delete(request.key, ctx.token());
  co_await ctx.redis().execute("unlock", unlock);
  if (known) co_return stored(reference);
  const sql::Statement record = write_record(request, reference);
  co_await ctx.db().execute("write record", record);
  co_return done(reference);
}

Task<Answer> expiring(Context& ctx, const Request& request) {
  const kv::Command find = kv::get(request.key);
  const KvReply found = co_await ctx.redis().execute("find record", find);
  if (!found.ok()) co_return unknown();
  if (!found.reply.is_nil()) co_return stored(found.reply.value);
  const Value reference = ctx.fresh_reference();
  const sql::Statement effect = local_effect(request, reference);
  const SqlReply wrote = co_await ctx.db().execute("write effect", effect);
  if (!wrote.ok()) co_return unknown();
  const kv::Command record = kv::set(request.key, reference).px(ctx.duration("ttl"));
  co_await ctx.redis().execute("write record", record);
  co_return done(reference);
}

Task<Answer> claiming(Context& ctx, const Request& request) {
  const sql::Statement find = find_record(request);
  const SqlReply found = co_await ctx.db().execute("find record", find);
  if (!found.ok()) co_return unknown();
  if (found.found() && found.cell(0).is_null()) co_return in_progress();
  if (found.found()) co_return stored(found.cell(0));
  const sql::Statement claim = write_record(request, Value::null());
  const SqlReply claimed = co_await ctx.db().execute("claim", claim);
  if (!claimed.ok()) co_return unknown();
  const Value reference = ctx.fresh_reference();
  const sql::Statement effect = local_effect(request, reference);
  const SqlReply wrote = co_await ctx.db().execute("write effect", effect);
  if (!wrote.ok()) co_return unknown();
  sql::Statement finish = sql::update(kRecord);
  finish.set("reference", reference).where("key", sql::eq, request.key);
  const SqlReply finished = co_await ctx.db().execute("finish", finish);
  if (!finished.ok()) co_return unknown();
  co_return done(reference);
}

Laboratory::Laboratory(Handler handler, std::vector<FaultSpec> faults) {
  scenario_.name = "laboratory";
  scenario_.clients.arrival = Arrival::double_click;
  scenario_.clients.retry.attempts = 1;
  scenario_.world.latency.client_server = {milliseconds(1), milliseconds(5)};
  scenario_.world.latency.server_db = {milliseconds(1), milliseconds(3)};
  scenario_.world.latency.server_redis = {milliseconds(1), milliseconds(3)};
  scenario_.strategies.push_back({"tested", "tested", {}});
  scenario_.faults.push_back({"faults", std::move(faults)});
  strategy_.info.name = "tested";
  sql::TableDefinition record(kRecord);
  record.column("key").column("reference");
  strategy_.tables.push_back(record);
  strategy_.handle = handler;
}

void Laboratory::single(std::uint32_t attempts) {
  scenario_.clients.arrival = Arrival::single;
  scenario_.clients.retry.attempts = attempts;
}

void Laboratory::set(Name parameter, std::int64_t value) {
  scenario_.strategies.front().parameters.emplace_back(parameter.text, value);
}

Cell Laboratory::cell() const {
  return {&scenario_, &strategy_, &scenario_.strategies.front(), &scenario_.faults.front()};
}

Witness Laboratory::witness(Property property) const {
  World world(setup_of(cell()));
  Limits limits;
  limits.runs = 20'000;
  const Exploration found = explore_exhaustive(world, limits);
  const auto at = std::find_if(found.witnesses.begin(), found.witnesses.end(),
                               [&](const Witness& w) { return w.property == property; });
  IDEMSIM_ASSERT(at != found.witnesses.end());
  return *at;
}

FaultSpec fault(FaultKind kind, std::string site) {
  FaultSpec spec;
  spec.kind = kind;
  spec.site = std::move(site);
  spec.by = {seconds(5), seconds(5)};
  return spec;
}

}  // namespace idemsim::testing_support
