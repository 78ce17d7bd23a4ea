#include "generators/in_order.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace lanediff::make {
namespace {

constexpr std::chrono::milliseconds kWatchEvery{20};

class WorkerPool {
 public:
  WorkerPool(std::size_t count, const Workers& workers,
             const std::function<void(std::size_t, std::size_t)>& make,
             const std::function<void(std::size_t)>& take)
      : workers_(workers), make_(make), take_(take), made_(count) {}

  void Run() {
    const std::size_t jobs = std::min(workers_.jobs, made_.size());
    std::vector<std::jthread> threads;
    Start(workers_.watch ? 0 : 1, jobs, threads);
    if (workers_.watch) Try([&] { Watch(); });
    if (!workers_.watch || threads.empty()) Try([&] { MakeAll(0); });
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
          Try([&] { MakeAll(worker); });
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

  void MakeAll(std::size_t worker) {
    while (!workers_.stop()) {
      std::unique_lock lock(mutex_);
      if (failure_ || next_ == made_.size()) return;
      const std::size_t i = next_++;
      lock.unlock();
      make_(i, worker);
      lock.lock();
      made_[i] = true;
      Take(lock);
    }
  }

  /// Takes what can be, unless another thread does, which will see it.
  void Take(std::unique_lock<std::mutex>& lock) {
    if (taking_) return;
    taking_ = true;
    while (taken_ < made_.size() && made_[taken_]) {
      const std::size_t i = taken_++;
      lock.unlock();
      take_(i);  // what it throws leaves `taking_`, for nothing more is taken
      lock.lock();
    }
    taking_ = false;
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
  const std::function<void(std::size_t, std::size_t)>& make_;
  const std::function<void(std::size_t)>& take_;
  std::mutex mutex_;  ///< of all below
  std::condition_variable ended_;
  std::vector<bool> made_;
  std::size_t next_ = 0;
  std::size_t taken_ = 0;
  bool taking_ = false;
  std::ptrdiff_t running_ = 0;  ///< threads; below 0 before one is counted
  std::exception_ptr failure_;
};

}  // namespace

void internal::Work(std::size_t count, const Workers& workers,
                    const std::function<void(std::size_t, std::size_t)>& make,
                    const std::function<void(std::size_t)>& take) {
  WorkerPool(count, workers, make, take).Run();
}

}  // namespace lanediff::make
