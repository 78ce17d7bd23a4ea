#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "differential/subprocess/futex.h"
#include "lanediff/plugin.h"

/// What lanediff and the process that hosts a plugin share besides memories.
namespace lanediff::diff {

/// Who is to act. The supervisor sets `kDead`, which is its 1.
enum HostState : std::uint32_t {
  kHostStarting = 0,
  kHostDead = 1,
  kHostRequested = 2,
  kHostAnswered = 3,
};

enum class HostCommand : std::uint32_t {
  kExecute,
  kFork,     ///< a fork takes the requests from now on
  kEndFork,  ///< the fork ends; the process answers, and takes them again
  kQuit,
};

/// Where a memory of a session lies in the arena.
struct HostMemory {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  ///< 0: the case has none
};

/// Sessions have numbers below this; the limit is arbitrary.
inline constexpr std::uint32_t kHostSessions = 32;

/// A request has at most so many steps; the limit is arbitrary.
inline constexpr std::size_t kHostSteps = 8;

inline constexpr std::uint64_t kNoCoverage = ~std::uint64_t{0};

/// The steps for one session, and the answer to the last that was executed.
struct HostCall {
  std::uint32_t session = 0;
  std::uint32_t opens = 0;  ///< the session is new
  std::int32_t product = 0;
  std::int32_t edition = 0;
  std::array<HostMemory, LANEDIFF_MEMORIES> memory{};

  std::uint32_t status = 0;  ///< lanediff_status
  std::uint32_t broken =
      0;  ///< 1: the text states how it broke the ABI; 2: threw
  std::uint32_t rules = 0;  ///< how many lines of the text name rules
  std::uint32_t notes = 0;  ///< and the ones behind them notes
  std::uint32_t error = 0;  ///< and whether one more is an error
  std::uint32_t text_bytes = 0;
  std::array<char, 8192> text{};  ///< lines
};

/// What one of the two processes sets and the other one waits for.
struct HostWord {
  std::atomic<std::uint32_t> value = 0;
  std::atomic<std::uint32_t> sleeps = 0;  ///< the other one waits for a call

  /// Returns once it isn't `old` any more, after `milliseconds` if they are not
  /// 0, or for nothing.
  void Await(std::uint32_t old, bool spins, int milliseconds = 0) {
    constexpr int kSpins = 300;  // longer costs those who have work to do
    for (int i = spins ? kSpins : 0; i > 0; --i) {
      if (value.load(std::memory_order_acquire) != old) return;
      Pause();
    }
    sleeps = 1;
    if (value == old) FutexWait(value, old, milliseconds);
    sleeps = 0;
  }
  void Wake() const {
    if (sleeps != 0) FutexWake(value);
  }
};

/// Nothing that is read from here may be trusted: a plugin may have written it.
struct HostBlock {
  HostWord state;                   ///< a `HostState`
  HostWord bell;                    ///< one more with each request
  std::uint32_t one_processor = 0;  ///< waiting for each other, both sleep

  /// Where in the file a `TargetCoverage` is, if one is watched.
  std::uint64_t coverage_at = kNoCoverage;

  std::uint64_t plugin_flags = 0;  ///< there once the plugin is loaded

  HostCommand command = HostCommand::kExecute;
  std::uint32_t closes = 0;  ///< bit i: session i is closed first
  std::uint32_t call_count = 0;
  std::array<HostCall, 2> calls{};
  std::uint32_t step_count = 0;
  std::array<lanediff_step, kHostSteps> steps{};  ///< of all calls, in turn
  /// The step that was begun last: where a call has more to state than that a
  /// step was executed, no other follows.
  std::uint32_t step = 0;

  // For who looks at a dead one.
  std::atomic<std::uint64_t> fault_at = 0;
  std::atomic<std::uint32_t> faulted = 0;
  /// Where it sees the memories of the session in the call, and their sizes.
  std::array<lanediff_memory_view, LANEDIFF_MEMORIES> seen{};
};

/// What a host started as a program has to agree on. The number in the upper
/// half grows with each change of the block, which may keep its size.
inline constexpr std::uint64_t kHostLayout =
    std::uint64_t{1} << 32 | sizeof(HostBlock);

/// Executes the request in `block` with the plugin at `path`; `block` and all
/// memories are in `file`. Returns the status of the process.
int HostPlugin(const char* path, int file, std::size_t block_offset);

}  // namespace lanediff::diff
