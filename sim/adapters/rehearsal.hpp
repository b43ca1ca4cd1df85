// The run once before the real one, to see what the real stores must be ready for.
#pragma once

#include "sim/adapters/store.hpp"
#include "sim/engines/twin.hpp"

#include <vector>

namespace idemsim::adapters {

/// Only listens.
class Rehearsal final : public Twin {
 public:
  SqlAnswer statement(const SqlCall& call) override {
    uses_database_ = true;
    statements_.push_back(*call.statement);
    if (call.simulated.reply.code == sql::Code::deadlock_detected) victims_.push_back(call.session);
    return call.simulated;
  }
  kv::Reply command(const KvCall& call) override {
    uses_redis_ = true;
    return call.simulated;
  }
  void close(sql::SessionId) override {}
  void close(KvConnection) override {}
  void deadline(std::uint64_t, Duration) override {}
  void pass(std::uint64_t) override {}
  void expire(Value) override {}

  [[nodiscard]] bool uses_database() const { return uses_database_; }
  [[nodiscard]] bool uses_redis() const { return uses_redis_; }
  [[nodiscard]] const std::vector<sql::Statement>& statements() const { return statements_; }
  [[nodiscard]] const std::vector<sql::SessionId>& victims() const { return victims_; }

 private:
  bool uses_database_ = false;
  bool uses_redis_ = false;
  std::vector<sql::Statement> statements_;
  std::vector<sql::SessionId> victims_;
};

}  // namespace idemsim::adapters
