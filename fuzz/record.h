#pragma once

#include <string>

namespace lanediff::fuzz {

/// Status of a fuzz program that can't write its results; one line states why.
/// It ends at once: what it found would be lost.
inline constexpr int kCantWrite = 74;

/// `suffix` of the file that LANEDIFF_FUZZ_STATS names, such as ".bins"; empty
/// where the variable is not set, and nothing is to be written.
std::string RecordPath(const char* suffix);

/// Replaces the file by `text`, so that a reader sees the old one or the new
/// one; does nothing for an empty path.
void WriteRecord(const std::string& path, const std::string& text);

/// Prints `why` in one line and ends the process with `kCantWrite`.
[[noreturn]] void EndUnwritten(const std::string& why);

}  // namespace lanediff::fuzz
