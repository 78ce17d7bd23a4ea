#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstdint>

/// The process between lanediff and an outside one. It is a fork that never
/// runs anything else, and calls nothing but what a signal handler may.
namespace lanediff::diff {

inline constexpr std::size_t kErrorTailBytes = 4096;

/// What the supervisor reports, once, when the process and all that it started
/// are no more.
struct SupervisorReport {
  std::int32_t wait_status = 0;
  std::uint8_t too_much_memory = 0;
  std::uint8_t late = 0;
  std::uint32_t tail_bytes = 0;
  std::array<char, kErrorTailBytes> tail{};
};

/// The request to it. A closed socket means to end the process at once.
struct SupervisorRequest {
  std::int32_t end_within_ms = 0;  ///< 0: at once
};

struct SupervisorTask {
  int control = -1;  ///< socket to lanediff
  int errors = -1;   ///< what the process writes to stderr
  std::uint64_t most_memory_bytes = 0;
  std::atomic<std::uint32_t>* end_flag = nullptr;
  /// Runs in the process; doesn't return.
  void (*run)(const void*) = nullptr;
  const void* argument = nullptr;
};

/// Is the supervisor. In a fresh fork.
[[noreturn]] void KeepProcess(const SupervisorTask& task);

/// Closes every descriptor from `first` on but `keep`, which is in ascending
/// order.
void CloseAllBut(int first, const int* keep, int count);

}  // namespace lanediff::diff
