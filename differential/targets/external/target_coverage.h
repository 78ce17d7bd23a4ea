#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

/// How often a plugin came by each place that its own compiler counts
/// (-fsanitize-coverage), as lanediff and the plugin's process share it.
namespace lanediff::diff {

/// A library with more counters has them folded: counter i is added to place
/// i % kMostTargetCounters.
inline constexpr std::size_t kMostTargetCounters = 65536;

/// Nothing that is read from here may be trusted: a plugin may have written it.
struct TargetCoverage {
  /// How many counters the library has; 0 where it is not instrumented.
  std::atomic<std::uint64_t> counters = 0;
  std::atomic<std::uint32_t> paused =
      0;  ///< what runs meanwhile counts nothing
  /// The most in one call of the plugin since it was cleared.
  std::array<std::uint8_t, kMostTargetCounters> counts{};
  /// Numbers that the plugin has compared something with (trace-cmp), each in a
  /// place of its own as far as there is space; 0 where there is none.
  std::array<std::atomic<std::int64_t>, 256> constants{};

  /// Places of `counts` that are in use.
  std::size_t used() const {
    const std::uint64_t all = counters;
    return all < kMostTargetCounters ? all : kMostTargetCounters;
  }
};

/// Has all plugins counted from now on; to be called before a plugin is found.
/// Null where no memory can be shared. It lives as long as this process.
TargetCoverage* WatchTargetCoverage();

/// The same, once that was called; else null.
TargetCoverage* WatchedCoverage();

/// While one lives, what plugins do is not counted.
class PauseTargetCoverage {
 public:
  PauseTargetCoverage() { Set(1); }
  ~PauseTargetCoverage() { Set(0); }
  PauseTargetCoverage(const PauseTargetCoverage&) = delete;
  PauseTargetCoverage& operator=(const PauseTargetCoverage&) = delete;

 private:
  static void Set(std::uint32_t paused) {
    if (TargetCoverage* const all = WatchedCoverage()) all->paused = paused;
  }
};

/// Counters that are registered from now on are the plugin's: those before are
/// our own, where this program is instrumented itself.
void ExpectPluginCounters();

/// Counters that the compiler has put in [begin, end), 8 bits each.
void AddPluginCounters(std::uint8_t* begin, std::uint8_t* end);

/// Gives each guard in [begin, end) that has none a number from 1 on, and a
/// counter.
void AddPluginGuards(std::uint32_t* begin, const std::uint32_t* end);

/// Counts once more by the guard of that number; nothing for 0.
void CountPluginGuard(std::uint32_t number);

/// Notes a number that the plugin has in its code and compares something with.
void NotePluginConstant(std::int64_t value);

/// Where such numbers go from now on.
void WatchPluginConstants(TargetCoverage& all);

/// Adds what was counted since the last time to `all`, unless it is paused.
void TakePluginCounters(TargetCoverage& all);

/// Makes what compilers call for -fsanitize-coverage part of this program,
/// which exports it by the link option of its library. Does nothing.
void ProvideCoverageCallbacks();

}  // namespace lanediff::diff
