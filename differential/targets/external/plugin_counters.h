#pragma once

#include <cstddef>
#include <cstdint>

#include "differential/targets/external/target_coverage.h"

/// The counters of the plugin that this process has loaded.
namespace lanediff::diff {

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
