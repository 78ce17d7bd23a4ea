#include "differential/ordered_parallel_for.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace lanediff::diff {
namespace {

constexpr std::chrono::milliseconds kWatchEvery{20};

class WorkerPool {
 public:
  WorkerPool(std::size_t count, const Workers& workers,
             const std::function<void(std::size_t, std::size_t)>& produce,
             const std::function<void(std::size_t)>& consume)
      : workers_(workers),
        produce_(produce),
        consume_(consume),
        produced_(count) {}

  void Run() {
    const std::size_t jobs = std::min(workers_.jobs, produced_.size());
    std::vector<std::jthread> threads;
    Start(workers_.watch ? 0 : 1, jobs, threads);
    if (workers_.watch) Try([&] { Watch(); });
    if (!workers_.watch || threads.empty()) Try([&] { ProduceAll(0); });
    threads.clear();  // joins them
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void Start(std::size_t first, std::size_t jobs,
             std::vector<std::jthread>& threads) {
    try {
      threads.reserve(jobs);
      for (std::size_t worker = first; worker < jobs; ++worker) {
        threads.emplace_back([this, worker] {
          Try([&] { ProduceAll(worker); });
          const std::lock_guard lock(mutex_);
          --running_;
          ended_.notify_one();
        });
        const std::lock_guard lock(mutex_);
        ++running_;
      }
    } catch (const std::system_error&) {
      // No more are to be had.
    } catch (const std::bad_alloc&) {
    }
  }

  void Watch() {
    workers_.watch();
    std::unique_lock lock(mutex_);
    while (running_ > 0) {
      if (ended_.wait_for(lock, kWatchEvery, [&] { return running_ <= 0; })) {
        return;
      }
      lock.unlock();
      workers_.watch();
      lock.lock();
    }
  }

  void ProduceAll(std::size_t worker) {
    while (!workers_.stop()) {
      std::unique_lock lock(mutex_);
      if (failure_ || next_ == produced_.size()) return;
      const std::size_t i = next_++;
      lock.unlock();
      produce_(i, worker);
      lock.lock();
      produced_[i] = true;
      Consume(lock);
    }
  }

  /// Takes what can be, unless another thread does, which will see it.
  void Consume(std::unique_lock<std::mutex>& lock) {
    if (consuming_) return;
    consuming_ = true;
    while (consumed_ < produced_.size() && produced_[consumed_]) {
      const std::size_t i = consumed_++;
      lock.unlock();
      consume_(
          i);  // what it throws leaves `consuming_`, for nothing more is taken
      lock.lock();
    }
    consuming_ = false;
  }

  template <class F>
  void Try(const F& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  const Workers& workers_;
  const std::function<void(std::size_t, std::size_t)>& produce_;
  const std::function<void(std::size_t)>& consume_;
  std::mutex mutex_;  ///< of all below
  std::condition_variable ended_;
  std::vector<bool> produced_;
  std::size_t next_ = 0;
  std::size_t consumed_ = 0;
  bool consuming_ = false;
  std::ptrdiff_t running_ = 0;  ///< threads; below 0 before one is counted
  std::exception_ptr failure_;
};

}  // namespace

void internal::Work(
    std::size_t count, const Workers& workers,
    const std::function<void(std::size_t, std::size_t)>& produce,
    const std::function<void(std::size_t)>& consume) {
  WorkerPool(count, workers, produce, consume).Run();
}

}  // namespace lanediff::diff
