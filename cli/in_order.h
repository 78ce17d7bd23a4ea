#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace lanediff::cli {

/// Calls `take(make(i))` for every i below `count`, one after the other on this
/// thread, while up to `jobs` threads make what is to be taken; where one job
/// is asked for, this thread does it all. Nothing more is begun once `stop()`
/// holds, which any thread may ask; what was made of the numbers before the
/// first that is missing is still taken.
template <class Result, class Make, class Take, class Stop>
void InOrder(std::size_t count, std::size_t jobs, Make make, Take take,
             Stop stop) {
  if (jobs <= 1) {
    for (std::size_t i = 0; i < count && !stop(); ++i) take(make(i));
    return;
  }
  std::vector<std::optional<Result>> made(count);
  std::atomic<std::size_t> next = 0;
  std::size_t at_work = jobs;
  std::size_t awaited = 0;
  std::mutex mutex;
  std::condition_variable changed;
  const auto work = [&] {
    while (!stop()) {
      const std::size_t i = next++;
      if (i >= count) break;
      Result result = make(i);
      const std::lock_guard lock(mutex);
      made[i] = std::move(result);
      // For any other the taker would be woken in vain.
      if (i == awaited) changed.notify_one();
    }
    const std::lock_guard lock(mutex);
    --at_work;
    changed.notify_one();
  };
  std::vector<std::jthread> workers;
  for (std::size_t j = 0; j < jobs; ++j) workers.emplace_back(work);
  for (std::optional<Result>& result : made) {
    std::unique_lock lock(mutex);
    awaited = static_cast<std::size_t>(&result - made.data());
    changed.wait(lock, [&] { return result.has_value() || at_work == 0; });
    if (!result) return;
    lock.unlock();
    take(std::move(*result));
  }
}

}  // namespace lanediff::cli
