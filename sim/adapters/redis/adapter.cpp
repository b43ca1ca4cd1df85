// What the program knows of this folder.
#include "sim/adapters/redis/store.hpp"
#include "sim/adapters/store.hpp"

namespace idemsim::adapters {
namespace {

Result<std::unique_ptr<KvStore>> open(const StoreOptions& options) {
  auto store = std::make_unique<redis::Store>(options);
  const Result<void> opened = store->open();
  if (!opened) return opened.error();
  return Result<std::unique_ptr<KvStore>>(std::move(store));
}

}  // namespace

Adapter redis_adapter();

Adapter redis_adapter() {
  Adapter adapter;
  adapter.name = "redis";
  adapter.title = "Redis";
  adapter.url = "redis://host:6379/0";
  adapter.open_kv = open;
  return adapter;
}

}  // namespace idemsim::adapters
