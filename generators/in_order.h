#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// The one way to do many things with several threads.
namespace lanediff::make {

struct Workers {
  /// Threads at most, 1 or more. Where no more are to be had, for want of
  /// memory or by a limit, fewer do it, the calling one in any case.
  std::size_t jobs = 1;
  /// Nothing more is begun once it holds. Any thread may call it.
  std::function<bool()> stop = [] { return false; };
  /// Where there is one, the calling thread makes nothing, unless there is no
  /// other, but calls this: at once, and every 20 ms until the others are done.
  std::function<void()> watch = {};
};

namespace internal {

void Work(std::size_t count, const Workers& workers,
          const std::function<void(std::size_t, std::size_t)>& make,
          const std::function<void(std::size_t)>& take);

}  // namespace internal

/// Calls `take(make(i, worker))` for every i below `count`.
///
/// Order: numbers are begun in order and made by whichever thread is free;
/// `worker`, below `jobs`, is that thread's own number. What was made is taken
/// in order, one after the other, by whichever thread has made the next: `take`
/// needs no lock, and its calls are the same however many threads there are.
///
/// Interruption: once `stop()` holds what was begun is finished, and taken up
/// to the first number that is missing.
///
/// Exceptions: the first that `make`, `take` or `watch` throws has the effect
/// of `stop`, and is thrown here when all threads have ended; after `take` has
/// thrown it is not called again.
///
/// Memory: what was made waits for what was begun before it, so up to `count`
/// results are held where an early one takes long.
template <class Make, class Take>
void InOrder(std::size_t count, const Workers& workers, const Make& make,
             const Take& take) {
  using Result = std::invoke_result_t<Make, std::size_t, std::size_t>;
  std::vector<std::optional<Result>> made(count);
  internal::Work(
      count, workers,
      [&](std::size_t i, std::size_t worker) {
        made[i].emplace(make(i, worker));
      },
      [&](std::size_t i) {
        Result result = *std::move(made[i]);
        made[i].reset();
        take(std::move(result));
      });
}

/// Calls `make(i, worker)` for every i below `count`, of which nothing is to be
/// taken; for the rest it is as `InOrder`.
inline void ForEach(std::size_t count, const Workers& workers,
                    const std::function<void(std::size_t, std::size_t)>& make) {
  internal::Work(count, workers, make, [](std::size_t) {});
}

}  // namespace lanediff::make
