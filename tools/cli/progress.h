#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace lanediff::cli {

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
    if (now - last_ < std::chrono::milliseconds(terminal_ ? 200 : 10'000))
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

 private:
  using Clock = std::chrono::steady_clock;
  std::uint64_t total_;
  std::string things_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
};

}  // namespace lanediff::cli
