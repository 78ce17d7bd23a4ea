#include "tools/cli/progress.h"

#include <fmt/format.h>
#include <signal.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <utility>

namespace lanediff::cli {
namespace {

using Line = std::array<char, 240>;

Schedule& TheSchedule() {
  static Schedule schedule;
  return schedule;
}

/// The phase that goes on; null: none.
std::atomic<Progress::Phase*> current = nullptr;

/// Never freed: the thread of a `Watch` may still print it.
Progress::Phase& NewPhase(std::uint64_t total, std::string_view things) {
  static auto& all = *new std::deque<Progress::Phase>;
  Progress::Phase& phase = all.emplace_back();
  phase.total = total;
  phase.things = things;
  phase.before = current;
  return phase;
}

double SecondsOf(const Progress::Phase& phase, Schedule::Time now) {
  return std::chrono::duration<double>(now - phase.start).count();
}

/// Takes no memory (`Watch::Run`).
std::string_view TextOf(const Progress::Phase& phase, std::uint64_t done,
                        std::uint64_t found, double seconds, Line& line) {
  const auto write = [&]<class... T>(fmt::format_string<T...> text,
                                     T&&... values) {
    const std::size_t size = fmt::format_to_n(line.data(), line.size(), text,
                                              std::forward<T>(values)...)
                                 .size;
    return std::string_view(line.data(), std::min(size, line.size()));
  };
  const std::string_view things = phase.things;
  const std::uint64_t total = phase.total;
  if (total == 0 && done == 0) {
    return write("{} for {:.0f} s, time left unknown", things, seconds);
  }
  if (total == 0) {
    return write("{} {} for {:.0f} s, time left unknown", done, things,
                 seconds);
  }
  if (done == 0) {
    return write("0 of {} {}, 0/s, {} found, time left unknown", total, things,
                 found);
  }
  const double rate = static_cast<double>(done) / seconds;
  const double left = static_cast<double>(total - std::min(done, total)) / rate;
  return write("{} of {} {}, {:.0f}/s, {} found, {:.0f} s left", done, total,
               things, rate, found, left);
}

}  // namespace

bool ShowsProgress() {
  const char* const given = std::getenv("LANEDIFF_PROGRESS");
  return !IsQuiet() && (given == nullptr || std::string_view(given) != "0");
}

Progress::Progress(std::uint64_t total, std::string_view things)
    : phase_(NewPhase(total, things)), last_(phase_.start) {
  TheSchedule().Begin(phase_.start);
  current = &phase_;
}

Progress::~Progress() {
  current = phase_.before;
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::Step(std::uint64_t done, std::uint64_t found) {
  phase_.done = done;
  phase_.found = found;
  const auto now = Clock::now();
  if (terminal_) TheSchedule().Restart(now);
  if (!ShowsProgress() ||
      (terminal_ ? now - last_ < std::chrono::milliseconds(200)
                 : !TheSchedule().IsDue(now))) {
    return;
  }
  last_ = now;
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r" : "",
             Text(done, found, SecondsOf(phase_, now)),
             terminal_ ? "\x1b[K" : "\n");
  shown_ = terminal_;
}

std::string Progress::Text(std::uint64_t done, std::uint64_t found,
                           double seconds) const {
  Line line;
  return std::string(TextOf(phase_, done, found, seconds, line));
}

Watch::Watch(std::string_view what) : phase_(0, what) {
  if (!ShowsProgress()) return;
  constexpr std::size_t kStackBytes = 256 << 10;  // where memory is limited
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  // Signals are for the others.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto run = [](void* watch) -> void* {
    static_cast<Watch*>(watch)->Run();
    return nullptr;
  };
  runs_ = pthread_create(&thread_, &attributes, run, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
}

Watch::~Watch() {
  if (!runs_) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  pthread_join(thread_, nullptr);
}

/// Takes neither memory nor a lock of the library, which a process that is
/// forked meanwhile would find taken.
void Watch::Run() {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  std::unique_lock lock(mutex_);
  while (
      !end_.wait_for(lock, std::chrono::seconds(1), [&] { return ended_; })) {
    const auto now = Progress::Clock::now();
    if (!TheSchedule().IsDue(now)) continue;
    const Progress::Phase& phase = *current.load();
    Line text;
    std::array<char, 260> line;
    const std::size_t size =
        fmt::format_to_n(
            line.data(), line.size(), "{}{}\n", terminal ? "\r\x1b[K" : "",
            TextOf(phase, phase.done, phase.found, SecondsOf(phase, now), text))
            .size;
    if (write(STDERR_FILENO, line.data(), size) < 0) return;
  }
}

}  // namespace lanediff::cli
