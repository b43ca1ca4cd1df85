// What travels between client and server: the request of an attempt and the answer to it.
#pragma once

#include "sim/base/ids.hpp"
#include "sim/base/value.hpp"

#include <cstdint>
#include <string_view>

namespace idemsim {

/// What is executed, independent of the strategy that protects it.
enum class OperationKind : std::uint8_t {
  create_order,      ///< local effect: one row in `orders`
  charge,            ///< external effect at the provider, then one local row in `payments`
  payment_callback,  ///< state transition of an order, then its downstream effect (a coupon row)
};

/// One attempt as it arrives at a server.
struct Request {
  OperationKind kind = OperationKind::create_order;
  Value key;          ///< idempotency key as sent; null = header missing
  Value principal;    ///< who asks: part of the scope of a key
  Value route;        ///< method and path: part of the scope of a key
  Value payload;      ///< digest of the payload: what a fingerprint is made of
  Value business_id;  ///< natural key of the business object (order number, payment number)
  std::int64_t amount = 0;
};

/// What an answer tells its caller. `done` and `stored` claim that the effect exists.
enum class Status : std::uint8_t {
  done,         ///< 2xx, this attempt did the work
  stored,       ///< 2xx, marked as the stored response of an earlier attempt
  in_progress,  ///< 409 "being worked on", not final
  rejected,     ///< 4xx refusal that does not say whether an earlier attempt worked
  failed,       ///< definite failure: the effect did not happen
  unknown,      ///< 5xx or connection lost: the outcome is not known
};

/// True for an answer after which a client stops asking.
constexpr bool is_final(Status s) {
  return s == Status::done || s == Status::stored || s == Status::rejected || s == Status::failed;
}

/// An answer: status and the body that matters to the caller (the reference of the effect).
struct Answer {
  Status status = Status::unknown;
  Value body;
};

[[nodiscard]] std::string_view to_string(OperationKind kind);
[[nodiscard]] std::string_view to_string(Status status);

}  // namespace idemsim
