#include "differential/ordered_parallel_for.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lanediff::diff {
namespace {

using namespace std::chrono_literals;

std::vector<std::size_t> UpTo(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

/// Waits for what is certain to come where all is right; gives up where it is
/// not, after much more than a busy machine takes.
template <class F>
void Await(const F& holds) {
  const auto last = std::chrono::steady_clock::now() + 60s;
  while (!holds() && std::chrono::steady_clock::now() < last) {
    std::this_thread::sleep_for(1ms);
  }
}

/// Every third takes longer than those after it.
std::size_t MakeUnevenly(std::size_t i, std::size_t) {
  if (i % 3 == 0) std::this_thread::sleep_for(2ms);
  return i;
}

TEST(OrderedParallelFor, TakesInOrderOneAfterTheOther) {
  for (const std::size_t jobs : {1, 2, 8, 1000}) {
    std::vector<std::size_t> taken;
    std::atomic<int> taking = 0;
    OrderedParallelFor(40, {.jobs = jobs}, MakeUnevenly, [&](std::size_t i) {
      EXPECT_EQ(++taking, 1);
      taken.push_back(i);
      std::this_thread::yield();
      --taking;
    });
    EXPECT_EQ(taken, UpTo(40)) << jobs;
  }
}

TEST(OrderedParallelFor, MakesAndTakesNothingOfZero) {
  OrderedParallelFor(
      0, {.jobs = 4},
      [](std::size_t, std::size_t) -> int { throw std::logic_error("made"); },
      [](int) { FAIL(); });
}

/// Who made numbers, and how many did at once.
struct Seen {
  std::set<std::size_t> workers;
  std::set<std::thread::id> threads;
  std::size_t most = 0;
};

/// None goes on before `together` are at it at once, and `enough` holds.
Seen See(
    std::size_t count, const Workers& workers, std::size_t together,
    const std::function<bool()>& enough = [] { return true; }) {
  Seen seen;
  std::mutex mutex;
  std::size_t now = 0;
  std::once_flag once;
  OrderedParallelFor(
      count, workers,
      [&](std::size_t i, std::size_t worker) {
        {
          const std::lock_guard lock(mutex);
          seen.workers.insert(worker);
          seen.threads.insert(std::this_thread::get_id());
          seen.most = std::max(seen.most, ++now);
        }
        // The others wait for the one that does.
        std::call_once(once, [&] {
          Await([&] {
            const std::lock_guard lock(mutex);
            return seen.most >= together && enough();
          });
        });
        std::this_thread::sleep_for(20ms);
        const std::lock_guard lock(mutex);
        --now;
        return i;
      },
      [](std::size_t) {});
  return seen;
}

TEST(OrderedParallelFor, UsesTheRequestedThreadsThisOneAmongThem) {
  const Seen seen = See(40, {.jobs = 4}, 4);
  EXPECT_EQ(seen.workers, (std::set<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(seen.threads.size(), 4u);
  EXPECT_EQ(seen.most, 4u);
  EXPECT_TRUE(seen.threads.contains(std::this_thread::get_id()));
  EXPECT_EQ(See(2, {.jobs = 4}, 2).threads.size(), 2u) << "more are useless";
}

TEST(OrderedParallelFor, TheCallingThreadWatchesAndMakesNothing) {
  std::atomic<std::size_t> watched = 0;
  std::set<std::thread::id> watching;
  const Seen seen = See(10,
                        {.jobs = 2,
                         .watch =
                             [&] {
                               ++watched;
                               watching.insert(std::this_thread::get_id());
                             }},
                        2, [&] { return watched >= 3; });
  EXPECT_EQ(watching, (std::set{std::this_thread::get_id()}));
  EXPECT_FALSE(seen.threads.contains(std::this_thread::get_id()));
  EXPECT_EQ(seen.threads.size(), 2u);
  EXPECT_GE(watched, 3u) << "as long as there is something to make";
}

TEST(OrderedParallelFor, BeginsNothingOnceItIsStoppedAndTakesWhatWasBegun) {
  for (const std::size_t jobs : {1, 4}) {
    std::atomic<std::size_t> begun = 0;
    std::atomic<bool> stop = false;
    std::vector<std::size_t> taken;
    OrderedParallelFor(
        1000, {.jobs = jobs, .stop = [&] { return stop.load(); }},
        [&](std::size_t i, std::size_t) {
          ++begun;
          if (i == 20) stop = true;
          // Who has set it may be slow: the others have not gone on meanwhile.
          if (i > 20) Await([&] { return stop.load(); });
          return i;
        },
        [&](std::size_t i) { taken.push_back(i); });
    EXPECT_GE(begun, 21u);
    EXPECT_LE(begun, 20u + jobs);
    EXPECT_EQ(taken, UpTo(begun)) << jobs;
  }
}

/// What the message of the exception is, and that no thread is left.
template <class Make, class Take>
std::string Thrown(const Workers& workers, const Make& make, const Take& take) {
  std::atomic<int> inside = 0;
  try {
    OrderedParallelFor(
        1000, workers,
        [&](std::size_t i, std::size_t worker) {
          ++inside;
          const struct Leave {
            std::atomic<int>& count;
            ~Leave() { --count; }
          } leave{inside};
          return make(i, worker);
        },
        take);
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(inside, 0);
    return error.what();
  }
  return "";
}

TEST(OrderedParallelFor, ThrowsWhatMakeThrowsAndTakesWhatIsBeforeIt) {
  for (const std::size_t jobs : {1, 4}) {
    std::vector<std::size_t> taken;
    std::atomic<std::size_t> begun = 0;
    EXPECT_EQ(Thrown(
                  {.jobs = jobs},
                  [&](std::size_t i, std::size_t worker) {
                    ++begun;
                    if (i == 30) throw std::runtime_error("thirty");
                    return MakeUnevenly(i, worker);
                  },
                  [&](std::size_t i) { taken.push_back(i); }),
              "thirty");
    EXPECT_EQ(taken, UpTo(30)) << jobs;
    EXPECT_LT(begun, 1000u);
  }
}

TEST(OrderedParallelFor, ThrowsWhatTakeThrowsAndTakesNoMore) {
  for (const std::size_t jobs : {1, 4}) {
    std::size_t taken = 0;
    EXPECT_EQ(Thrown({.jobs = jobs}, MakeUnevenly,
                     [&](std::size_t i) {
                       ++taken;
                       if (i == 5) throw std::runtime_error("five");
                     }),
              "five");
    EXPECT_EQ(taken, 6u) << jobs;
  }
}

TEST(OrderedParallelFor, ThrowsWhatWatchThrows) {
  std::atomic<std::size_t> begun = 0;
  EXPECT_EQ(Thrown(
                {.jobs = 2, .watch = [] { throw std::runtime_error("seen"); }},
                [&](std::size_t i, std::size_t) {
                  ++begun;
                  std::this_thread::sleep_for(2ms);
                  return i;
                },
                [](std::size_t) {}),
            "seen");
  EXPECT_LT(begun, 1000u);
}

#if !defined(__SANITIZE_ADDRESS__)
/// Ends with status 0 if all is done by this thread alone, as there is no
/// memory for another one's stack.
void MakeWithoutMemory(bool watched) {
  const rlimit none{.rlim_cur = 1 << 20, .rlim_max = 1 << 20};
  if (setrlimit(RLIMIT_AS, &none) != 0) std::exit(2);
  std::size_t taken = 0;
  bool alone = true;
  const auto self = std::this_thread::get_id();
  Workers workers{.jobs = 4};
  if (watched) workers.watch = [] {};
  OrderedParallelFor(
      50, workers,
      [&](std::size_t i, std::size_t) {
        alone = alone && std::this_thread::get_id() == self;
        return i;
      },
      [&](std::size_t i) { taken += i == taken; });
  std::exit(alone && taken == 50 ? 0 : 1);
}

TEST(OrderedParallelForDeathTest, FewerThreadsDoItToo) {
  EXPECT_EXIT(MakeWithoutMemory(false), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(MakeWithoutMemory(true), testing::ExitedWithCode(0), "");
}
#endif

TEST(OrderedParallelFor, WatchesAtOnce) {
  std::atomic<bool> watched = false;
  OrderedParallelFor(
      1, {.jobs = 1, .watch = [&] { watched = true; }},
      [&](std::size_t, std::size_t) {
        while (!watched) std::this_thread::yield();
        return 0;
      },
      [](int) {});
}

}  // namespace
}  // namespace lanediff::diff
