#pragma once

#include <string>

namespace lanediff::reports {

/// A target as lines of sums name it: "emulator (avx2)", with the vectors that
/// were chosen for the emulator that leaves the choice open.
inline std::string TargetText(const std::string& target,
                              const std::string& vectors) {
  // The names of the other emulators contain their vectors.
  return target == "emulator" ? target + " (" + vectors + ")" : target;
}

}  // namespace lanediff::reports
