// The same work for many items on a few threads; which thread takes which item reaches no result.
#pragma once

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>

namespace idemsim {

/// Calls `work(i)` for each i below `count`, in this order, on `jobs` threads; then returns. An
/// exception (no memory) ends the work and is thrown here.
template <class Work>
void in_parallel(std::uint32_t jobs, std::size_t count, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto take_items = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  const std::size_t threads = std::min<std::size_t>(std::max<std::uint32_t>(jobs, 1), count);
  if (threads <= 1) {
    take_items();
  } else {
    boost::asio::thread_pool pool(threads);
    for (std::size_t t = 0; t < threads; ++t) boost::asio::post(pool, take_items);
    pool.join();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace idemsim
