#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace lanediff::cli {

/// Calls `take(make(i))` for every i below `count`. Up to `jobs` threads, this
/// one among them, make what is to be taken; it is taken in order, one after
/// the other, by whichever of them has made the next. Nothing more is begun
/// once `stop()` holds, which any thread may ask; what was made of the numbers
/// before the first that is missing is still taken. What `make` or `take`
/// throws ends it, and is thrown here.
template <class Result, class Make, class Take, class Stop>
void InOrder(std::size_t count, std::size_t jobs, Make make, Take take,
             Stop stop) {
  std::vector<std::optional<Result>> made(count);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  bool taking = false;
  std::size_t taken = 0;
  std::atomic<bool> failed = false;
  std::exception_ptr failure;
  const auto work = [&] {
    while (!stop() && !failed) {
      const std::size_t i = next++;
      if (i >= count) return;
      Result result = make(i);
      std::unique_lock lock(mutex);
      made[i] = std::move(result);
      if (taking) continue;  // who takes will see it
      taking = true;
      while (taken < count && made[taken]) {
        Result first = std::move(*made[taken]);
        made[taken++].reset();
        lock.unlock();
        take(std::move(first));
        lock.lock();
      }
      taking = false;
    }
  };
  const auto try_work = [&] {
    try {
      work();
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  };
  std::vector<std::jthread> others;
  try {
    for (std::size_t j = 1; j < std::min(jobs, count); ++j) {
      others.emplace_back(try_work);
    }
  } catch (const std::system_error&) {
    // No more are to be had; fewer do it, too.
  }
  try_work();
  others.clear();  // joins them
  if (failure) std::rethrow_exception(failure);
}

}  // namespace lanediff::cli
