#include "sanitizer/hazard_trial.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/state.h"
#include "sanitizer/lint.h"

namespace lanediff::lint {
namespace {

constexpr int kMostLooks = 200;

std::size_t RejectedIn(const Verdict& verdict) {
  return verdict.rejected ? 1 + verdict.after->rejected.size() : 0;
}

}  // namespace

std::size_t HazardsIn(const Verdict& verdict) {
  return verdict.hazards.size() +
         (verdict.after ? verdict.after->hazards.size() : 0);
}

bool IsSame(const Hazard& a, const Hazard& b) {
  if (a.rule != b.rule || a.later.step != b.later.step ||
      a.later.operand != b.later.operand) {
    return false;
  }
  const bool race = GroupOf(a.rule) == Group::kRacecheck;
  return !race || a.earlier->step == b.earlier->step;
}

std::optional<std::pair<isa::Event, std::int64_t>> FlagOf(
    const isa::Step& step) {
  std::optional<std::pair<isa::Event, std::int64_t>> flag;
  isa::Step copy = step;
  VisitFlag(copy, [&](const auto& f) { flag = {f.event, f.id}; });
  return flag;
}

std::string InsteadText(const HazardRepair::Change& change) {
  const auto word = [](const auto& value) {
    return std::visit([](const auto& v) { return fmt::format("{}", v); },
                      value);
  };
  return fmt::format("{} {} instead of {}", change.field, word(change.to),
                     word(change.from));
}

std::optional<Verdict> HazardTrial::Look(const Case& changed) {
  if (++looks_ > kMostLooks) return std::nullopt;
  return Lint(changed);
}

std::size_t HazardTrial::Left(const HazardRepair& repair, std::size_t fewer) {
  const auto now = Look(Repaired(c, repair));
  if (!now) return kNoHelp;
  const bool there = std::ranges::any_of(
      now->hazards, [&](const Hazard& h) { return IsSame(h, hazard); });
  return there || HazardsIn(*now) + fewer > HazardsIn(verdict) ||
                 RejectedIn(*now) > RejectedIn(verdict) ||
                 now->unsupported != verdict.unsupported
             ? kNoHelp
             : HazardsIn(*now);
}

std::optional<HazardRepair> HazardTrial::Best(
    const std::vector<HazardRepair>& tried, std::size_t fewer) {
  std::optional<HazardRepair> best;
  std::size_t fewest = kNoHelp;
  for (const HazardRepair& repair : tried) {
    const std::size_t left = Left(repair, fewer);
    if (left >= fewest) continue;
    fewest = left;
    best = repair;
  }
  return best;
}

}  // namespace lanediff::lint
