#include "differential/subprocess/options.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace lanediff::diff {
namespace {

/// No more than half of what the machine has.
std::uint64_t HalfOfAll() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || bytes <= 0) return std::uint64_t{4} << 30;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) /
         2;
}

/// The options of the process that has started this one.
OutsideOptions FromEnvironment() {
  OutsideOptions options;
  options.most_memory_bytes = std::min(options.most_memory_bytes, HalfOfAll());
  if (const char* const text = std::getenv("LANEDIFF_TIMEOUT")) {
    const double seconds = std::strtod(text, nullptr);
    if (seconds > 0) options.timeout_seconds = seconds;
  }
  if (const char* const text = std::getenv("LANEDIFF_MAX_RESTARTS")) {
    options.max_restarts = std::strtoll(text, nullptr, 10);
  }
  if (const char* const text = std::getenv("LANEDIFF_TARGET_MEMORY")) {
    const long long mebibytes = std::strtoll(text, nullptr, 10);
    if (mebibytes > 0) {
      options.most_memory_bytes = static_cast<std::uint64_t>(mebibytes) << 20;
    }
  }
  return options;
}

}  // namespace

OutsideOptions& TheOutsideOptions() {
  static OutsideOptions options = FromEnvironment();
  return options;
}

}  // namespace lanediff::diff
