// INSERT: the unique probe that sees unfinished transactions, and ON CONFLICT (P1 to P15).
#include "sim/base/assert.hpp"
#include "sim/engines/sql/engine.hpp"

namespace idemsim::sql {

Reply Engine::run_insert(Call& call, const Statement& statement) {
  Progress& progress = call.session.progress;
  while (progress.position < statement.rows) {
    if (!progress.ready) {
      if (schema_.tables[call.table].serial != kNoColumn) {
        call.touched.add(sequence_resource(call.table), Access::write);
      }
      progress.row =
          proposed_row(call.table, statement, static_cast<std::uint8_t>(progress.position));
      progress.ready = true;
    }
    const Reply reply = insert_row(call, statement);
    if (!reply.ok()) return reply;
    ++progress.position;
    progress.ready = false;
    progress.index = 0;
    progress.placed = kNoVersion;
  }
  return done(call, Verb::insert);
}

Row Engine::proposed_row(std::size_t table, const Statement& statement, std::uint8_t row) {
  const TableDefinition& definition = schema_.tables[table];
  Row values;
  for (const Column& column : definition.columns) values.push_back(column.default_value);
  bool serial_given = definition.serial == kNoColumn;
  for (const Term& term : statement.terms) {
    if (term.role != Term::Role::set || term.row != row) continue;
    const std::uint8_t column = column_of(table, term.column);
    values[column] = term.value;
    serial_given = serial_given || column == definition.serial;
  }
  if (!serial_given) values[definition.serial] = Value::integer(++tables_[table].sequence);
  return values;
}

Reply Engine::insert_row(Call& call, const Statement& statement) {
  const std::uint16_t table = call.table;
  const TableDefinition& definition = schema_.tables[table];
  Progress& progress = call.session.progress;
  if (!definition.indexes.empty()) {
    for (const std::uint8_t column : definition.indexes[0].columns) {
      if (progress.row[column].is_null()) return fail(call, Code::not_null_violation);
    }
  }
  const bool entering = progress.placed != kNoVersion;
  if (statement.conflict == OnConflict::fail || entering) return place_row(call, statement);
  const Wait& wait = call.session.wait;
  const bool changed = wait.kind == Wait::Kind::row && version(wait.row).ended();
  if (changed && call.session.keeps_snapshot()) return fail(call, Code::serialization_failure);
  for (std::size_t index = 0; index < definition.indexes.size(); ++index) {
    if (statement.conflict_index != kAnyIndex && statement.conflict_index != index) continue;
    const Probe found = probe(call, table, index, progress.row);
    if (found.result == Probe::Result::absent) continue;
    if (found.result == Probe::Result::in_progress) return wait_for_transaction(call, found);
    call.session.read_from.push_back(version(found.row).writer);
    if (statement.conflict == OnConflict::update) {
      return update_on_conflict(call, statement, found.row);
    }
    touch_row(call.touched, found.row, Access::read);
    if (outruns_snapshot(call, found.row)) return fail(call, Code::serialization_failure);
    return {};
  }
  return place_row(call, statement);
}

Reply Engine::place_row(Call& call, const Statement& statement) {
  const std::uint16_t table = call.table;
  const TableDefinition& definition = schema_.tables[table];
  Progress& progress = call.session.progress;
  if (!write_serially(call, {ReadTarget::Kind::table, table, 0})) {
    return fail(call, Code::serialization_failure);
  }
  for (; progress.index < definition.indexes.size(); ++progress.index) {
    const Probe found = probe(call, table, progress.index, progress.row);
    const bool waits = found.result == Probe::Result::in_progress;
    if (!waits && !write_serially(call, {ReadTarget::Kind::index, table, progress.index})) {
      return fail(call, Code::serialization_failure);  // rather than a unique violation (P2)
    }
    if (found.result == Probe::Result::conflict) {
      call.session.read_from.push_back(version(found.row).writer);
      return fail(call, Code::unique_violation, definition.indexes[progress.index].name);
    }
    if (found.result == Probe::Result::absent) continue;
    if (progress.index > 0) {  // the keys before this one are taken while it waits
      if (progress.placed == kNoVersion) {
        progress.placed = create(call, table, progress.row).version;
      }
      version({table, progress.placed}).indexed = progress.index;
    }
    return wait_for_transaction(call, found);
  }
  if (progress.placed == kNoVersion) {
    progress.placed = create(call, table, progress.row).version;
  }
  version({table, progress.placed}).indexed = static_cast<std::uint8_t>(definition.indexes.size());
  ++progress.affected;
  give_row(call, statement, progress.row, 1);
  return {};
}

Reply Engine::update_on_conflict(Call& call, const Statement& statement, RowRef row) {
  Progress& progress = call.session.progress;
  const Version& current = version(row);
  if (current.creator == call.id && current.created_entry >= progress.log_start) {
    return fail(call, Code::cardinality_violation);
  }
  if (test_lock(call, row, RowLock::update) != LockTest::free) {
    return wait_for_row(call, row, RowLock::update);
  }
  if (outruns_snapshot(call, row)) {
    touch_row(call.touched, row, Access::read);
    return fail(call, Code::serialization_failure);
  }
  if (!matches(call, statement, Term::Role::conflict_where, current.values)) {
    hold_row(call, row, RowLock::update);
    return {};
  }
  const Row values =
      assigned(call, statement, Term::Role::conflict_set, current.values, progress.row);
  const Reply reply = replace_row(call, row, values);
  if (!reply.ok()) return reply;
  ++progress.affected;
  give_row(call, statement, values, 0);
  return {};
}

Reply Engine::run_nextval(Call& call) {
  const std::uint16_t table = call.table;
  IDEMSIM_ASSERT(schema_.tables[table].serial != kNoColumn);
  call.touched.add(sequence_resource(table), Access::write);
  Row row;
  row.push_back(Value::integer(++tables_[table].sequence));
  call.session.rows.push_back(row);
  call.session.progress.affected = 1;
  return done(call, Verb::nextval);
}

}  // namespace idemsim::sql
