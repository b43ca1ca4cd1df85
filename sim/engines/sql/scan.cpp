// SELECT, UPDATE and DELETE: candidates from the statement's snapshot, each judged again on its
// newest version after a lock wait (P29 to P38).
#include "sim/base/assert.hpp"
#include "sim/engines/sql/engine.hpp"

#include <algorithm>

namespace idemsim::sql {

namespace {

bool locks_rows(const Statement& statement) {
  return statement.verb != Verb::select || statement.row_lock != RowLock::none;
}

RowLock mode_of(const Statement& statement) {
  return statement.verb == Verb::select ? statement.row_lock : RowLock::update;
}

}  // namespace

Reply Engine::run_scan(Call& call, const Statement& statement) {
  Progress& progress = call.session.progress;
  if (!progress.ready) {
    const Reply reply = find_candidates(call, statement);
    if (!reply.ok()) return reply;
    progress.ready = true;
  }
  const std::uint16_t table = call.table;
  const std::vector<VersionIndex>& candidates = call.session.candidates;
  while (progress.position < candidates.size() && progress.affected < statement.limit) {
    const RowRef row{table, candidates[progress.position]};
    const Reply reply = visit_candidate(call, statement, row);
    if (!reply.ok()) return reply;
    ++progress.position;
  }
  return done(call, statement.verb);
}

Reply Engine::find_candidates(Call& call, const Statement& statement) {
  const std::uint16_t table = call.table;
  const std::vector<Version>& versions = tables_[table].versions;
  call.session.candidates.clear();
  Row key;
  const std::size_t index = usable_index(call, statement, key);
  if (index == kNoIndex) {
    call.touched.add(table_resource(table), Access::read);
  } else {
    call.touched.add(key_resource(table, index, key), Access::read);
  }
  if (!read_serially(call, index, key)) return fail(call, Code::serialization_failure);
  for (VersionIndex i = 0; i < versions.size(); ++i) {
    const Version& v = versions[i];
    if (!v.used || !visible(call, v)) continue;
    if (index != kNoIndex) {
      if (!same_key(table, index, key, v.values)) continue;
      touch_row(call.touched, {table, i}, Access::read);
    }
    if (!matches(call, statement, Term::Role::where, v.values)) continue;
    call.session.candidates.push_back(i);
  }
  if (call.session.candidates.size() > 1) sort_candidates(call, statement);
  return {};
}

std::size_t Engine::usable_index(const Call& call, const Statement& statement, Row& key) const {
  const TableDefinition& definition = schema_.tables[call.table];
  for (std::size_t i = 0; i < definition.columns.size(); ++i) key.push_back(Value::null());
  for (const Term& term : statement.terms) {
    if (term.role != Term::Role::where || term.comparison != Comparison::eq) continue;
    key[column_of(call.table, term.column)] = term.value;
  }
  for (std::size_t index = 0; index < definition.indexes.size(); ++index) {
    const auto& columns = definition.indexes[index].columns;
    const bool given = std::none_of(columns.begin(), columns.end(),
                                    [&](std::uint8_t column) { return key[column].is_null(); });
    if (given) return index;
  }
  return kNoIndex;
}

/// By the ORDER BY column, then by key and content: never by the place of a row in memory. Of two
/// rows with one key, which only an old snapshot shows, the own one comes last (P36).
void Engine::sort_candidates(Call& call, const Statement& statement) const {
  const std::vector<Version>& versions = tables_[call.table].versions;
  const std::uint8_t column = statement.ordered ? column_of(call.table, statement.order) : 0;
  const TableDefinition& definition = schema_.tables[call.table];
  const auto key =
      definition.indexes.empty() ? UniqueIndex{}.columns : definition.indexes[0].columns;
  const auto before = [&](VersionIndex a, VersionIndex b) {
    const Row& x = versions[a].values;
    const Row& y = versions[b].values;
    if (const int order = order_of(x[column], y[column]); order != 0) return order < 0;
    for (const std::uint8_t i : key) {
      if (const int order = order_of(x[i], y[i]); order != 0) return order < 0;
    }
    const bool twins = !key.empty() && versions[a].creator != versions[b].creator;
    if (twins) return versions[a].creator == kNobody;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (const int order = order_of(x[i], y[i]); order != 0) return order < 0;
    }
    return versions[a].writer < versions[b].writer;
  };
  std::sort(call.session.candidates.begin(), call.session.candidates.end(), before);
}

Reply Engine::visit_candidate(Call& call, const Statement& statement, RowRef row) {
  if (!locks_rows(statement)) return use_row(call, statement, row);
  const RowLock mode = mode_of(statement);
  bool newer = false;
  LockTest test = test_lock(call, row, mode);
  while (test == LockTest::superseded) {
    touch_row(call.touched, row, Access::read);
    if (call.session.keeps_snapshot()) return fail(call, Code::serialization_failure);
    if (version(row).next == kNoVersion) return {};
    row.version = version(row).next;
    newer = true;
    test = test_lock(call, row, mode);
  }
  if (test == LockTest::busy) {
    touch_row(call.touched, row, Access::read);
    switch (statement.lock_wait) {
      case LockWait::wait:
        return wait_for_row(call, row, mode);
      case LockWait::nowait:
        return fail(call, Code::lock_not_available);
      case LockWait::skip_locked:
        return {};
    }
  }
  if (newer && !matches(call, statement, Term::Role::where, version(row).values)) {
    hold_row(call, row, mode);  // PostgreSQL locks the newest version before it judges it
    return {};
  }
  if (statement.verb == Verb::select) hold_row(call, row, mode);
  return use_row(call, statement, row);
}

Reply Engine::use_row(Call& call, const Statement& statement, RowRef row) {
  call.session.read_from.push_back(version(row).writer);
  const Row old = version(row).values;
  if (statement.verb == Verb::update) {
    const Row values = assigned(call, statement, Term::Role::set, old, old);
    const Reply reply = replace_row(call, row, values);
    if (!reply.ok()) return reply;
    give_row(call, statement, values, 0);
  } else {
    if (statement.verb == Verb::erase) {
      if (!write_row_serially(call, row)) return fail(call, Code::serialization_failure);
      end_version(call, row, kNoVersion);
    }
    give_row(call, statement, old, 0);
  }
  ++call.session.progress.affected;
  return {};
}

Reply Engine::replace_row(Call& call, RowRef row, const Row& values) {
  const TableDefinition& definition = schema_.tables[row.table];
  if (!write_row_serially(call, row)) return fail(call, Code::serialization_failure);
  bool keeps_keys = true;
  for (std::size_t index = 0; index < definition.indexes.size(); ++index) {
    if (same_key(row.table, index, version(row).values, values)) continue;
    keeps_keys = false;
    const Probe found = probe(call, row.table, index, values);
    if (found.result == Probe::Result::conflict) {
      if (!write_keys_serially(call)) return fail(call, Code::serialization_failure);
      call.session.read_from.push_back(version(found.row).writer);
      return fail(call, Code::unique_violation, definition.indexes[index].name);
    }
    if (found.result == Probe::Result::in_progress) {
      hold_row(call, row, RowLock::update);
      return wait_for_transaction(call, found);
    }
  }
  if (!keeps_keys && !write_keys_serially(call)) return fail(call, Code::serialization_failure);
  const RowRef next = create(call, row.table, values);
  version(next).indexed = static_cast<std::uint8_t>(definition.indexes.size());
  end_version(call, row, next.version);
  return {};
}

}  // namespace idemsim::sql
