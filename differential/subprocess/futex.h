#pragma once

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace lanediff::diff {

/// Sleeps while `word` is `value`, at most `milliseconds`, if they are not 0;
/// may wake for nothing.
inline void FutexWait(const std::atomic<std::uint32_t>& word,
                      std::uint32_t value, int milliseconds = 0) {
  const timespec time{.tv_sec = milliseconds / 1000,
                      .tv_nsec = milliseconds % 1000 * 1'000'000L};
  syscall(SYS_futex, &word, FUTEX_WAIT, value,
          milliseconds == 0 ? nullptr : &time, nullptr, 0);
}

inline void FutexWake(const std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

/// Marks a wait loop for the processor.
inline void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace lanediff::diff
