#pragma once

#include <cstdint>

namespace lanediff::diff {

/// How patient lanediff is with targets in processes of their own.
struct OutsideOptions {
  double timeout_seconds = 10;      ///< for one case, and for an orderly end
  std::int64_t max_restarts = 100;  ///< then the target is given up
  /// More resident memory ends the process.
  std::uint64_t most_memory_bytes = std::uint64_t{4} << 30;
};

/// Those of this process. To be changed, if at all, before a target is found.
OutsideOptions& TheOutsideOptions();

}  // namespace lanediff::diff
