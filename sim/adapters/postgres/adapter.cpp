// What the program knows of this folder.
#include "sim/adapters/postgres/store.hpp"
#include "sim/adapters/store.hpp"

namespace idemsim::adapters {
namespace {

Result<std::unique_ptr<SqlStore>> open(const StoreOptions& options) {
  auto store = std::make_unique<postgres::Store>(options);
  const Result<void> opened = store->open();
  if (!opened) return opened.error();
  return Result<std::unique_ptr<SqlStore>>(std::move(store));
}

}  // namespace

Adapter postgres_adapter();

Adapter postgres_adapter() {
  Adapter adapter;
  adapter.name = "postgres";
  adapter.title = "PostgreSQL";
  adapter.url = "postgresql://user@host/database";
  adapter.open_sql = open;
  return adapter;
}

}  // namespace idemsim::adapters
