#include "tools/cli/progress.h"

#include <signal.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lanediff::cli {

Watch::Watch(std::string what) : what_(std::move(what)) {
  if (IsQuiet()) return;
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
  using Clock = Progress::Clock;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const std::chrono::seconds period(terminal ? 10 : 60);
  const auto start = Clock::now();
  auto last = start;
  std::unique_lock lock(mutex_);
  while (
      !end_.wait_for(lock, std::chrono::seconds(1), [&] { return ended_; })) {
    const auto now = Clock::now();
    last = std::max(last, Progress::last_step.load());
    if (now - last < period) continue;
    last = now;
    std::array<char, 160> line = {};
    const auto text = fmt::format_to_n(
        line.data(), line.size(), "{}{} for {} s, time left unknown\n",
        terminal ? "\r\x1b[K" : "", what_,
        std::chrono::duration_cast<std::chrono::seconds>(now - start).count());
    const std::size_t size = std::min(text.size, line.size());
    line[size - 1] = '\n';
    if (write(STDERR_FILENO, line.data(), size) < 0) return;
  }
}

}  // namespace lanediff::cli
