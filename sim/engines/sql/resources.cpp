// What the things of the store are called in footprints: by content, never by order of execution.
#include "sim/engines/sql/engine.hpp"

namespace idemsim::sql {

namespace {

constexpr std::uint64_t kAdvisorySpace = hash_text("advisory lock");
constexpr std::uint64_t kSequenceSpace = hash_text("sequence");
constexpr std::uint64_t kDeadlineSpace = hash_text("sql deadline");

std::uint64_t add_cell(std::uint64_t h, const Value& value) {
  return combine(h, value.bits + static_cast<std::uint64_t>(value.kind) * 0x9e3779b97f4a7c15u);
}

std::uint64_t key_fold(const UniqueIndex& index, const Row& row) {
  std::uint64_t h = index.name.hash;
  for (const std::uint8_t column : index.columns) h = add_cell(h, row[column]);
  return h;
}

}  // namespace

std::uint64_t content_of(const Row& row) {
  std::uint64_t h = 0;
  for (const Value& value : row) h = add_cell(h, value);
  return h;
}

Resource Engine::row_resource(std::size_t table, const Row& row) const {
  const TableDefinition& definition = schema_.tables[table];
  const bool named = !definition.indexes.empty();
  return Resource::of(ResourceKind::row, definition.name.hash,
                      named ? key_fold(definition.indexes[0], row) : content_of(row));
}

Resource Engine::key_resource(std::size_t table, std::size_t index, const Row& row) const {
  const TableDefinition& definition = schema_.tables[table];
  return Resource::of(ResourceKind::index_key, definition.name.hash,
                      key_fold(definition.indexes[index], row));
}

Resource Engine::sequence_resource(std::size_t table) const {
  return Resource::of(ResourceKind::row, kSequenceSpace, schema_.tables[table].name.hash);
}

Resource Engine::advisory_resource(std::uint64_t key) {
  return Resource::of(ResourceKind::row, kAdvisorySpace, key);
}

Resource Engine::deadline_resource(std::uint64_t deadline_bits, Boundary boundary) {
  return Resource::of(ResourceKind::deadline, kDeadlineSpace + static_cast<std::uint64_t>(boundary),
                      deadline_bits);
}

}  // namespace idemsim::sql
