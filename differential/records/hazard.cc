#include "differential/records/hazard.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

#include "isa/resource.h"
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

/// Of a rule of kernels.
Group GroupOfKernel(isa::RuleId rule) {
  namespace krn = isa::krn;
  if (rule == krn::kGmConflict) return Group::kRacecheck;
  if (rule == isa::carried::kRange || rule == isa::carried::kProduct ||
      rule == isa::carried::kDtype || rule == isa::carried::kOverlap ||
      rule == isa::carried::kContents || rule == krn::kPosition) {
    return Group::kLegality;
  }
  if (rule == krn::kQueue || rule == krn::kQueueLeft || rule == krn::kSyncAll ||
      rule == krn::kEvent) {
    return Group::kSynccheck;
  }
  if (rule == krn::kAtomicUnknown || rule == krn::kMaskMode ||
      rule == krn::kMaskLeft) {
    return Group::kMaskcheck;
  }
  return Group::kMemcheck;
}

}  // namespace

void Sort(std::vector<Hazard>& hazards) {
  const auto key = [](const Hazard& h) {
    return std::tuple(h.later.step, h.rule.text(), EarlierOf(h),
                      h.later.operand);
  };
  std::ranges::sort(hazards, {}, key);
}

Hazard HazardAt(isa::RuleId rule, std::size_t step, std::string_view op,
                std::vector<isa::Step> fix) {
  Hazard hazard;
  hazard.rule = rule;
  hazard.later = {.step = step, .op = op};
  hazard.fix = std::move(fix);
  return hazard;
}

bool IsMissingBehind(isa::RuleId rule) {
  return rule == isa::sync::kFlagUnwaited || rule == isa::state::kCounterLeft;
}

void PlaceFixes(std::vector<Hazard>& hazards) {
  struct Pair {
    std::vector<Hazard*> of;
    std::size_t behind = 0;
    std::size_t before = 0;
  };
  std::map<isa::Event, Pair> open;
  const auto place = [](const Pair& pair) {
    for (Hazard* hazard : pair.of) {
      hazard->fix_at = {{.behind = true, .step = pair.behind},
                        {.behind = false, .step = pair.before}};
      hazard->shares_fix = hazard != pair.of.front();
    }
  };
  for (Hazard& hazard : hazards) {
    if (hazard.fix.size() == 1) {
      hazard.fix_at = {
          {.behind = IsMissingBehind(hazard.rule), .step = hazard.later.step}};
    }
    if (hazard.fix.size() != 2) continue;
    const std::size_t earlier = hazard.earlier->step;
    Pair& pair = open[std::get<isa::SetFlag>(hazard.fix[0]).event];
    if (pair.of.empty() || earlier >= pair.before) {
      place(pair);
      pair = {.of = {}, .behind = earlier, .before = hazard.later.step};
    }
    pair.of.push_back(&hazard);
    pair.behind = std::max(pair.behind, earlier);
  }
  for (const auto& [event, pair] : open) place(pair);
}

bool IsBarrierRule(isa::RuleId rule) {
  return isa::IsRuleOf(isa::Family::kCopy, isa::CallRule::kBarrier, rule);
}

Group GroupOf(isa::RuleId rule) {
  namespace sync = isa::sync;
  if (rule.text().starts_with("KRN-")) return GroupOfKernel(rule);
  if (rule == sync::kRaw || rule == sync::kWar || rule == sync::kWaw ||
      IsBarrierRule(rule)) {
    return Group::kRacecheck;
  }
  if (rule.text().starts_with("INIT-")) return Group::kInitcheck;
  if (rule.text().starts_with("SYNC-")) return Group::kSynccheck;
  if (rule == isa::state::kMaskUnknown || rule == isa::state::kModeUnknown ||
      rule == isa::state::kMaskLeftover || rule == isa::state::kMaskDrift ||
      rule == isa::state::kMaskCounter || rule == isa::state::kCounterLeft) {
    return Group::kMaskcheck;
  }
  // The contract names these by their endings.
  if (rule.text().ends_with("-BOUNDS") || Contains(rule, "-OVERLAP") ||
      rule.text().ends_with("-ALIGN")) {
    return Group::kMemcheck;
  }
  return Group::kLegality;
}

std::vector<const Hazard*> HazardsIn(const Verdict& verdict) {
  std::vector<const Hazard*> all;
  for (const Hazard& hazard : verdict.hazards) all.push_back(&hazard);
  if (verdict.after) {
    for (const Hazard& hazard : verdict.after->hazards) all.push_back(&hazard);
  }
  return all;
}

std::vector<RejectedStep> RejectedIn(const Verdict& verdict) {
  if (!verdict.rejected) return {};
  std::vector<RejectedStep> all = {*verdict.rejected};
  if (verdict.after) {
    std::ranges::copy(verdict.after->rejected, std::back_inserter(all));
  }
  return all;
}

std::string_view MessageOf(isa::RuleId rule) {
  namespace sync = isa::sync;
  namespace state = isa::state;
  const std::pair<isa::RuleId, std::string_view> kMessages[] = {
      {sync::kFlagPipe, "names an event that the product does not have"},
      {sync::kFlagId, "names a flag that the product does not have"},
      {sync::kFlagTwice, "sets a flag that is set already"},
      {sync::kFlagUnset, "waits for a flag that nothing sets before it"},
      {sync::kFlagUnwaited, "sets a flag that nothing waits for"},
      {sync::kBarrierPipe, "is of a pipe that has no barrier here"},
      {state::kMaskUnknown, "reads a mask register that nothing has set"},
      {state::kModeUnknown, "runs in a mask mode that nothing has set"},
      {state::kMaskLeftover, "reads the mask that another call left"},
      {state::kMaskCounter, "runs in counter mode"},
      {state::kCounterLeft, "is still in force when the program ends"},
  };
  for (const auto& [id, message] : kMessages) {
    if (id == rule) return message;
  }
  return "";
}

std::string Text(const SlotValue& value) {
  return std::visit(
      []<class T>(const T& v) -> std::string {
        if constexpr (std::is_same_v<T, std::int64_t>) {
          return fmt::format("{}", v);
        } else if constexpr (std::is_same_v<T, std::uint64_t>) {
          return fmt::format("0x{:x}", v);
        } else if constexpr (std::is_same_v<T, bool>) {
          return v ? "true" : "false";
        } else if constexpr (std::is_same_v<T, std::optional<isa::DType>>) {
          return v ? std::string(isa::Name(*v)) : "none";
        } else {
          return std::string(isa::Name(v));
        }
      },
      value);
}

std::string TextOf(const Repair& repair) {
  std::string text = repair.text;
  const std::size_t count = repair.then_rejected.size();
  if (count > 0) {
    text += fmt::format("; step{} {} {} then rejected", count == 1 ? "" : "s",
                        fmt::join(repair.then_rejected, ", "),
                        count == 1 ? "is" : "are");
  }
  return text;
}

}  // namespace lanediff::lint
