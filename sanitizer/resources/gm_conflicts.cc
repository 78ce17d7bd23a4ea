#include "sanitizer/resources/gm_conflicts.h"

#include <limits>

namespace lanediff::machine {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

}  // namespace

std::optional<GmConflicts::Conflict> GmConflicts::Take(
    const isa::Access& access, const Toucher& toucher) {
  const isa::Interval bytes = BytesOf(access);
  const bool atomic =
      access.write && !toucher.atomic.empty() && toucher.atomic != "none";
  const Way way{toucher.phase, toucher.block, access.write,
                std::string(atomic ? toucher.atomic : "")};
  std::optional<Conflict> found;
  for (auto it =
           touched_.lower_bound(Way{.phase = toucher.phase, .block = kLeast});
       it != touched_.end() && it->first.phase == toucher.phase; ++it) {
    const auto& [other, steps] = *it;
    if (other.block == way.block || !(other.write || way.write)) continue;
    if (atomic && other.atomic == way.atomic) continue;
    const auto first = steps.FirstIn(bytes);
    if (!first || (found && found->at <= first->first.begin)) continue;
    found = {first->first.begin, other.block, first->second, other.write};
  }
  touched_[way].SetMissing(bytes, toucher.step);
  return found;
}

}  // namespace lanediff::machine
