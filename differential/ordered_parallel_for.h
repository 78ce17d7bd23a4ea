#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// The only pool of threads: of `Runner` (differential/runner.h), and of work
/// whose items are no cases, such as samples, hunts and fuzz programs.
namespace lanediff::diff {

struct Workers {
  /// Threads at most, 1 or more. Where no more are to be had, for want of
  /// memory or by a limit, fewer do it, the calling one in any case.
  std::size_t jobs = 1;
  /// Nothing more is begun once it holds. Any thread may call it.
  std::function<bool()> stop = [] { return false; };
  /// Where there is one, the calling thread produces nothing, unless there is
  /// no other, but calls this: at once, and every 20 ms until the others end.
  std::function<void()> watch = {};
};

namespace internal {

void Work(std::size_t count, const Workers& workers,
          const std::function<void(std::size_t, std::size_t)>& produce,
          const std::function<void(std::size_t)>& consume);

}  // namespace internal

/// Calls `consume(produce(i, worker))` for every i below `count`.
///
/// Order: numbers are begun in order, and produced by any thread that is free;
/// `worker`, below `jobs`, is the number of that thread. Results are consumed
/// in order, one after the other, by the thread that produced the next one:
/// `consume` needs no lock, and its calls do not depend on `jobs`.
///
/// Interruption: once `stop()` holds, begun numbers are finished, and consumed
/// up to the first number that is missing.
///
/// Exceptions: the first that `produce`, `consume` or `watch` throws has the
/// effect of `stop`, and is thrown here when all threads have ended; after
/// `consume` has thrown it is not called again.
///
/// Memory: a result waits for numbers that were begun before it, so up to
/// `count` results are held where an early one takes long.
template <class Produce, class Consume>
void OrderedParallelFor(std::size_t count, const Workers& workers,
                        const Produce& produce, const Consume& consume) {
  using Result = std::invoke_result_t<Produce, std::size_t, std::size_t>;
  std::vector<std::optional<Result>> produced(count);
  internal::Work(
      count, workers,
      [&](std::size_t i, std::size_t worker) {
        produced[i].emplace(produce(i, worker));
      },
      [&](std::size_t i) {
        Result result = *std::move(produced[i]);
        produced[i].reset();
        consume(std::move(result));
      });
}

/// Calls `produce(i, worker)` for every i below `count`, without a result; else
/// as `OrderedParallelFor`.
inline void ParallelFor(
    std::size_t count, const Workers& workers,
    const std::function<void(std::size_t, std::size_t)>& produce) {
  internal::Work(count, workers, produce, [](std::size_t) {});
}

}  // namespace lanediff::diff
