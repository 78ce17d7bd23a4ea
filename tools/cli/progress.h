#pragma once

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

namespace lanediff::cli {

/// --quiet: neither lines of what is well nor progress.
inline bool& IsQuiet() {
  static bool quiet = false;
  return quiet;
}

/// Prints on stderr how far a long run is: always on a terminal, else every ten
/// seconds.
class Progress {
 public:
  /// Of `total` things, "cases" if they have no other name; 0: of an unknown
  /// number.
  explicit Progress(std::uint64_t total, std::string_view things = "cases")
      : total_(total), things_(things) {}

  void Step(std::uint64_t done, std::uint64_t found) {
    const auto now = Clock::now();
    last_step = now;
    if (IsQuiet() ||
        now - last_ < std::chrono::milliseconds(terminal_ ? 200 : 10'000))
      return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r" : "",
               Text(done, found, seconds), terminal_ ? "\x1b[K" : "\n");
    shown_ = terminal_;
  }

  /// The line after so many seconds.
  std::string Text(std::uint64_t done, std::uint64_t found,
                   double seconds) const {
    if (total_ == 0) {
      return fmt::format("{}{} for {:.0f} s, time left unknown",
                         done == 0 ? "" : fmt::format("{} ", done), things_,
                         seconds);
    }
    const double rate = static_cast<double>(done) / seconds;
    const std::string left =
        done == 0 ? "time left unknown"
                  : fmt::format("{:.0f} s left",
                                static_cast<double>(total_ - done) / rate);
    return fmt::format("{} of {} {}, {:.0f}/s, {} found, {}", done, total_,
                       things_, rate, found, left);
  }
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
  }

  using Clock = std::chrono::steady_clock;
  /// Of any progress of this process.
  static inline std::atomic<Clock::time_point> last_step = {};

 private:
  std::uint64_t total_;
  std::string things_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
};

/// Prints on stderr that `what` goes on, in phases without a `Progress` or
/// where one item takes long: every ten seconds on a terminal, else every
/// minute.
class Watch {
 public:
  explicit Watch(std::string what);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  void Run();

  std::string what_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  bool runs_ = false;
  pthread_t thread_ = {};
};

}  // namespace lanediff::cli
