#include "reports/trace/elementwise.h"

#include <fmt/format.h>

#include <cstddef>

namespace lanediff::view {
namespace {

/// Whether an access finds a byte that an earlier iteration wrote, where
/// `selects(access)`. An iteration's reads are listed before its writes.
template <class Selects>
bool FindsWritten(const std::vector<isa::Access>& accesses, Selects selects) {
  constexpr std::int64_t kNoIteration = -1;
  std::vector<std::int64_t> writers;  // by byte, the last one
  for (const isa::Access& access : accesses) {
    const auto begin = static_cast<std::size_t>(access.at);
    const auto end = begin + static_cast<std::size_t>(access.bytes);
    if (writers.size() < end) writers.resize(end, kNoIteration);
    for (std::size_t i = begin; i < end; ++i) {
      const bool written =
          writers[i] != kNoIteration && writers[i] != access.iteration;
      if (written && selects(access)) return true;
      if (access.write) writers[i] = access.iteration;
    }
  }
  return false;
}

}  // namespace

bool ReadsWhatItWrote(const std::vector<isa::Access>& accesses) {
  return FindsWritten(accesses, [](const isa::Access& a) { return !a.write; });
}

bool WritesTwice(const std::vector<isa::Access>& accesses) {
  return FindsWritten(accesses, [](const isa::Access& a) { return a.write; });
}

std::string CountOrigin(std::int64_t count) {
  return fmt::format("no mask, count is {}", count);
}

}  // namespace lanediff::view
