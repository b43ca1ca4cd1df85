// Row versions: which are visible, which match, how they are made and ended, what they are called.
#include "sim/base/assert.hpp"
#include "sim/engines/sql/engine.hpp"

#include <algorithm>
#include <cstring>

namespace idemsim::sql {

namespace {

bool compares(Comparison comparison, const Value& cell, const Value& value) {
  if (cell.kind != value.kind) return comparison == Comparison::ne;
  const int order = order_of(cell, value);
  switch (comparison) {
    case Comparison::eq:
      return order == 0;
    case Comparison::ne:
      return order != 0;
    case Comparison::lt:
      return order < 0;
    case Comparison::le:
      return order <= 0;
    case Comparison::gt:
      return order > 0;
    case Comparison::ge:
      return order >= 0;
    case Comparison::is_null:
    case Comparison::is_not_null:
    case Comparison::expired:
    case Comparison::not_expired:
    case Comparison::expired_strictly:
    case Comparison::not_expired_strictly:
      break;
  }
  return false;
}

/// The column behind EXCLUDED, without hashing its text again.
Name source_of(const Term& term) {
  Name name;
  name.hash = term.value.bits;
  name.text = term.value.text;
  return name;
}

}  // namespace

int order_of(const Value& a, const Value& b) {
  if (a.kind != b.kind) return a.kind < b.kind ? -1 : 1;
  if (a == b) return 0;
  if (a.kind == Value::Kind::text) return std::strcmp(a.text, b.text);
  if (a.kind == Value::Kind::integer) return a.as_integer() < b.as_integer() ? -1 : 1;
  return a.bits < b.bits ? -1 : 1;
}

bool Engine::visible(const Call& call, const Version& v) const {
  const CommitNumber as_of = call.session.progress.snapshot.as_of;
  const bool created = v.creator == call.id || (v.creator == kNobody && v.created_at <= as_of);
  const bool ended = v.ender == call.id || (v.ended() && v.ended_at <= as_of);
  return created && !ended;
}

bool Engine::matches(Call& call, const Statement& statement, Term::Role role,
                     const Row& row) const {
  return std::all_of(statement.terms.begin(), statement.terms.end(), [&](const Term& term) {
    return term.role != role || holds(call, term, row[column_of(call.table, term.column)]);
  });
}

bool Engine::holds(Call& call, const Term& term, const Value& cell) const {
  if (term.comparison == Comparison::is_null) return cell.is_null();
  if (cell.is_null()) return false;
  const auto passed = [&](Boundary boundary) {
    IDEMSIM_ASSERT(cell.kind == Value::Kind::deadline);
    call.touched.add(deadline_resource(cell.bits, boundary), Access::read);
    return has_passed(cell.bits, boundary);
  };
  switch (term.comparison) {
    case Comparison::is_null:
    case Comparison::is_not_null:
      return true;
    case Comparison::expired:
      return passed(Boundary::passed_at_instant);
    case Comparison::not_expired:
      return !passed(Boundary::passed_at_instant);
    case Comparison::expired_strictly:
      return passed(Boundary::alive_at_instant);
    case Comparison::not_expired_strictly:
      return !passed(Boundary::alive_at_instant);
    case Comparison::eq:
    case Comparison::ne:
    case Comparison::lt:
    case Comparison::le:
    case Comparison::gt:
    case Comparison::ge:
      break;
  }
  return !term.value.is_null() && compares(term.comparison, cell, term.value);
}

bool Engine::has_passed(std::uint64_t deadline_bits, Boundary boundary) const {
  return std::any_of(passed_.begin(), passed_.end(), [&](const Passed& p) {
    return p.bits == deadline_bits && p.boundary == boundary;
  });
}

Row Engine::assigned(const Call& call, const Statement& statement, Term::Role role, const Row& old,
                     const Row& proposed) const {
  Row row = old;
  for (const Term& term : statement.terms) {
    if (term.role != role) continue;
    const std::uint8_t column = column_of(call.table, term.column);
    switch (term.assign) {
      case Assign::value:
        row[column] = term.value;
        break;
      case Assign::add:
        if (old[column].is_null()) break;
        IDEMSIM_ASSERT(old[column].kind == Value::Kind::integer);
        row[column] = Value::integer(old[column].as_integer() + term.value.as_integer());
        break;
      case Assign::excluded:
        row[column] = proposed[column_of(call.table, source_of(term))];
        break;
    }
  }
  return row;
}

std::uint8_t Engine::column_of(std::size_t table, Name column) const {
  const std::uint8_t position = schema_.tables[table].find_column(column);
  IDEMSIM_ASSERT(position != kNoColumn);
  return position;
}

bool Engine::same_key(std::size_t table, std::size_t index, const Row& a, const Row& b) const {
  const auto& columns = schema_.tables[table].indexes[index].columns;
  return std::all_of(columns.begin(), columns.end(), [&](std::uint8_t column) {
    return a[column] == b[column] && !a[column].is_null();
  });
}

/// Of several unfinished versions it names the earliest: never the place of a row in memory.
Engine::Probe Engine::probe(Call& call, std::size_t table, std::size_t index,
                            const Row& row) const {
  const auto& columns = schema_.tables[table].indexes[index].columns;
  const bool has_null = std::any_of(columns.begin(), columns.end(),
                                    [&](std::uint8_t column) { return row[column].is_null(); });
  if (has_null) return {};
  const Resource key = key_resource(table, index, row);
  call.touched.add(key, Access::read);
  Probe found;
  const std::vector<Version>& versions = tables_[table].versions;
  for (VersionIndex i = 0; i < versions.size(); ++i) {
    const Version& v = versions[i];
    if (!v.used || v.ended() || v.ender == call.id || v.indexed <= index) continue;
    if (!same_key(table, index, row, v.values)) continue;
    const RowRef ref{static_cast<std::uint16_t>(table), i};
    const bool unborn = v.creator != kNobody && v.creator != call.id;
    if (unborn || v.ender != kNobody) {
      const SessionId holder = unborn ? v.creator : v.ender;
      const std::uint32_t entry = unborn ? v.created_entry : v.ended_entry;
      const bool first = found.result != Probe::Result::in_progress || entry < found.entry;
      if (first) found = {Probe::Result::in_progress, ref, key, holder, entry};
      continue;
    }
    if (found.result == Probe::Result::in_progress) continue;
    found = {Probe::Result::conflict, ref, key, kNobody, 0};
  }
  return found;
}

Version Engine::new_version(std::size_t table, const Row& row, StepId writer) const {
  const TableDefinition& definition = schema_.tables[table];
  Version v;
  v.values = row;
  v.content = content_of(row);
  v.resource = row_resource(table, row);
  for (std::size_t index = 0; index < definition.indexes.size(); ++index) {
    if (same_key(table, index, row, row)) v.keys.push_back(key_resource(table, index, row));
  }
  v.writer = writer;
  v.indexed = static_cast<std::uint8_t>(definition.indexes.size());
  v.used = true;
  return v;
}

RowRef Engine::create(Call& call, std::size_t table, const Row& row) {
  Table& t = tables_[table];
  RowRef ref{static_cast<std::uint16_t>(table), static_cast<VersionIndex>(t.versions.size())};
  if (t.free_slots > 0) {
    const auto slot = std::find_if(t.versions.begin(), t.versions.end(),
                                   [](const Version& v) { return !v.used; });
    ref.version = static_cast<VersionIndex>(slot - t.versions.begin());
    --t.free_slots;
  } else {
    t.versions.emplace_back();
  }
  Version& v = version(ref);
  v = new_version(table, row, call.by);
  v.creator = call.id;
  v.created_by = call.session.serial;
  v.created_entry = static_cast<std::uint32_t>(call.session.log.size());
  add_entry(call, {.kind = Entry::Kind::created, .row = ref});
  return ref;
}

void Engine::end_version(Call& call, RowRef row, VersionIndex next) {
  Version& v = version(row);
  IDEMSIM_ASSERT(v.ender == kNobody);
  IDEMSIM_ASSERT(!v.ended());
  v.ender = call.id;
  v.ended_by = call.session.serial;
  v.ended_entry = static_cast<std::uint32_t>(call.session.log.size());
  v.next = next;
  add_entry(call, {.kind = Entry::Kind::ended, .row = row});
}

void Engine::give_row(Call& call, const Statement& statement, const Row& row,
                      std::int64_t inserted) {
  if (!statement.returns_rows) return;
  Row given;
  for (const Term& term : statement.terms) {
    if (term.role != Term::Role::column) continue;
    given.push_back(term.column == kInserted ? Value::integer(inserted)
                                             : row[column_of(call.table, term.column)]);
  }
  call.session.rows.push_back(given.empty() ? row : given);
}

void Engine::touch_version(Footprint& touched, RowRef row) const {
  const Version& v = version(row);
  touched.add(v.resource, Access::write);
  touched.add(tables_[row.table].resource, Access::append);
  for (const Resource key : v.keys) touched.add(key, Access::write);
}

void Engine::touch_row(Footprint& touched, RowRef row, Access access) const {
  touched.add(version(row).resource, access);
}

}  // namespace idemsim::sql
