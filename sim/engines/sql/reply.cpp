// Error codes and command tags as PostgreSQL prints them.
#include "sim/engines/sql/reply.hpp"

namespace idemsim::sql {

std::string_view sqlstate(Code code) {
  switch (code) {
    case Code::none:
      return "00000";
    case Code::unique_violation:
      return "23505";
    case Code::not_null_violation:
      return "23502";
    case Code::serialization_failure:
      return "40001";
    case Code::deadlock_detected:
      return "40P01";
    case Code::in_failed_transaction:
      return "25P02";
    case Code::no_active_transaction:
      return "25P01";
    case Code::invalid_savepoint:
      return "3B001";
    case Code::lock_not_available:
      return "55P03";
    case Code::query_canceled:
      return "57014";
    case Code::admin_shutdown:
      return "57P01";
    case Code::idle_in_transaction_timeout:
      return "25P03";
    case Code::cardinality_violation:
      return "21000";
    case Code::feature_not_supported:
      return "0A000";
  }
  return "";
}

std::string tag(const Reply& reply) {
  const std::string count = std::to_string(reply.affected);
  switch (reply.verb) {
    case Verb::select:
    case Verb::advisory_lock:
    case Verb::advisory_try_lock:
    case Verb::advisory_unlock:
    case Verb::nextval:
      return "SELECT " + count;
    case Verb::insert:
      return "INSERT 0 " + count;
    case Verb::update:
      return "UPDATE " + count;
    case Verb::erase:
      return "DELETE " + count;
    case Verb::begin:
      return "BEGIN";
    case Verb::commit:
      return "COMMIT";
    case Verb::rollback:
    case Verb::rollback_to:
      return "ROLLBACK";
    case Verb::savepoint:
      return "SAVEPOINT";
    case Verb::release:
      return "RELEASE";
  }
  return "";
}

}  // namespace idemsim::sql
