#pragma once

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace lanediff::cli {

/// --quiet: neither lines of what is well nor progress.
inline bool& IsQuiet() {
  static bool quiet = false;
  return quiet;
}

/// Neither --quiet nor LANEDIFF_PROGRESS=0 is given.
bool ShowsProgress();

/// When the lines of long phases are due off a terminal: ten seconds after a
/// phase begins, then every thirty.
class Schedule {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds kFirst{10};
  static constexpr std::chrono::seconds kEach{30};

  /// A phase begins; a line that is due earlier stays so.
  void Begin(Time now) { next_ = std::min(next_.load(), now + kFirst); }
  /// No line is due before a first one from now.
  void Restart(Time now) { next_ = now + kFirst; }
  /// Whether a line is due, which the caller then prints. Any thread.
  bool IsDue(Time now) {
    Time due = next_;
    return now >= due && next_.compare_exchange_strong(due, now + kEach);
  }

 private:
  std::atomic<Time> next_ = Time::max();
};

/// Prints on stderr how far a phase is: always on a terminal, else by
/// `Schedule`. `Watch` prints its line where one step takes long, or there are
/// none.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  struct Phase {
    std::string things = {};
    std::uint64_t total = 0;
    Phase* before = nullptr;  ///< goes on when this one ends
    Clock::time_point start = Clock::now();
    std::atomic<std::uint64_t> done = 0;
    std::atomic<std::uint64_t> found = 0;
  };

  /// Of `total` things, "cases" if they have no other name; 0: of an unknown
  /// number.
  explicit Progress(std::uint64_t total, std::string_view things = "cases");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Step(std::uint64_t done, std::uint64_t found);

  /// The line after so many seconds.
  std::string Text(std::uint64_t done, std::uint64_t found,
                   double seconds) const;

 private:
  Phase& phase_;
  Clock::time_point last_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
};

/// Prints on stderr, by `Schedule`, the line of the phase that goes on, or that
/// `what` does where it has none.
class Watch {
 public:
  explicit Watch(std::string_view what);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  void Run();

  Progress phase_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  bool runs_ = false;
  pthread_t thread_ = {};
};

}  // namespace lanediff::cli
