#include "lint/hazard.h"

#include <algorithm>
#include <tuple>

#include "isa/data_copy.h"
#include "isa/state.h"

namespace lanediff::lint {
namespace {

/// The earlier step counted from 1, so that none is 0.
std::size_t EarlierOf(const Hazard& hazard) {
  return hazard.earlier ? hazard.earlier->step + 1 : 0;
}

bool Contains(isa::RuleId rule, std::string_view part) {
  return rule.text().find(part) != std::string_view::npos;
}

}  // namespace

void Sort(std::vector<Hazard>& hazards) {
  const auto key = [](const Hazard& h) {
    return std::tuple(h.later.step, h.rule.text(), EarlierOf(h),
                      h.later.operand);
  };
  std::ranges::sort(hazards, {}, key);
}

Group GroupOf(isa::RuleId rule) {
  namespace sync = isa::sync;
  if (rule == sync::kRaw || rule == sync::kWar || rule == sync::kWaw ||
      rule == isa::dc::kBarrier) {
    return Group::kRacecheck;
  }
  if (rule == sync::kInitRead) return Group::kInitcheck;
  if (rule.text().starts_with("SYNC-")) return Group::kSynccheck;
  if (rule == isa::state::kMaskUnknown || rule == isa::state::kModeUnknown ||
      rule == isa::state::kMaskLeftover || rule == isa::state::kMaskCounter ||
      rule == isa::state::kCounterLeft) {
    return Group::kMaskcheck;
  }
  // The contract names these by their endings.
  if (rule.text().ends_with("-BOUNDS") || Contains(rule, "-OVERLAP") ||
      rule.text().ends_with("-ALIGN")) {
    return Group::kMemcheck;
  }
  return Group::kLegality;
}

}  // namespace lanediff::lint
