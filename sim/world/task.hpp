// The coroutine type of everything that acts: clients, handlers, background jobs.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

namespace idemsim {

/// A coroutine. The same object code runs in the simulation and on a real io_context.
template <class T>
using Task = boost::asio::awaitable<T, boost::asio::any_io_executor>;

}  // namespace idemsim
