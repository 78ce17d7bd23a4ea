#include "sanitizer/fix_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <ranges>
#include <utility>

#include "differential/records/sort_stably.h"
#include "isa/state.h"
#include "sanitizer/diagnostics.h"
#include "sanitizer/hazard_repair.h"
#include "sanitizer/lint.h"
#include "sanitizer/repair.h"

namespace lanediff::lint {
namespace {

/// A repaired step may let later ones break a rule; each round looks again.
constexpr int kMostRounds = 8;
/// Rounds of missing calls: each puts in those of hazards that have no step in
/// common, so that a program of thousands of steps needs few.
constexpr int kMostCallRounds = 512;
/// Of single calls in the end, of which most programs need none.
constexpr std::size_t kMostSingleCalls = 64;

/// Repairs what is rejected, last step first, so that numbers hold; whether
/// anything was.
bool RepairRejected(FixedProgram& fixed) {
  std::vector<std::string> done;
  std::vector<std::string> left;
  const std::vector<Diagnosis> all = Diagnose(fixed.c, Lint(fixed.c));
  for (const Diagnosis& one : std::views::reverse(all)) {
    if (!one.repair) continue;
    fixed.c = Repaired(fixed.c, one.step, *one.repair);
    const std::string name =
        fmt::format("step {} {}", one.step, isa::OpName(one.repair->step));
    done.push_back(fmt::format("{}: {}", name, one.repair->text));
    const std::int64_t less = one.repair->left_out;
    if (less == 0) continue;
    left.push_back(fmt::format("{}: {} less than were written", name,
                               Counted(less, "iteration")));
  }
  std::ranges::reverse_copy(done, std::back_inserter(fixed.done));
  std::ranges::reverse_copy(left, std::back_inserter(fixed.left));
  return !done.empty();
}

/// Gives a flag that the product does not have another id; whether any was.
bool RepairFlag(FixedProgram& fixed, Verdict& verdict) {
  for (const Hazard& hazard : verdict.hazards) {
    if (hazard.rule != isa::sync::kFlagId) continue;
    const auto repair = FindHazardRepair(fixed.c, verdict, hazard);
    if (!repair) continue;
    fixed.done.push_back(fmt::format("step {} {}: {}", hazard.later.step,
                                     hazard.later.op, repair->text));
    fixed.c = Repaired(fixed.c, *repair);
    verdict = Lint(fixed.c);
    return true;
  }
  return false;
}

/// The program with the calls of the hazards' fixes where `Hazard::fix_at`
/// points, in one go: putting them in one by one moves the rest of the program
/// each time.
Case WithCalls(const std::vector<const Hazard*>& hazards, Case c) {
  std::multimap<std::size_t, const isa::Step*> before;
  for (const Hazard* hazard : hazards) {
    for (std::size_t i = 0; i < hazard->fix.size(); ++i) {
      const Hazard::FixPlace& place = hazard->fix_at[i];
      before.emplace(place.step + (place.behind ? 1 : 0), &hazard->fix[i]);
    }
  }
  std::vector<isa::Step> steps;
  steps.reserve(c.program.size() + before.size());
  auto next = before.begin();
  for (std::size_t i = 0; i <= c.program.size(); ++i) {
    for (; next != before.end() && next->first == i; ++next) {
      steps.push_back(*next->second);
    }
    if (i < c.program.size()) steps.push_back(std::move(c.program[i]));
  }
  c.sources.clear();
  c.program = std::move(steps);
  return c;
}

std::string DoneText(const Hazard& hazard) {
  std::string calls;
  for (const isa::Step& step : hazard.fix) {
    calls += (calls.empty() ? "" : " and ") + std::string(isa::OpName(step));
  }
  return hazard.earlier ? fmt::format("{}: {} between step {} and step {}",
                                      hazard.rule.text(), calls,
                                      hazard.earlier->step, hazard.later.step)
                        : fmt::format("{}: {} at step {}", hazard.rule.text(),
                                      calls, hazard.later.step);
}

std::size_t FirstStep(const Hazard& hazard) {
  return hazard.earlier ? std::min(hazard.earlier->step, hazard.later.step)
                        : hazard.later.step;
}

/// Of hazards with a missing call those of which no two have a step in common,
/// from the first step to the last of each; of those that end first, the
/// shortest.
std::vector<const Hazard*> Apart(std::vector<const Hazard*> all) {
  SortStably(all, [](const Hazard* h) {
    return std::pair(h->later.step, ~FirstStep(*h));
  });
  std::vector<const Hazard*> apart;
  for (const Hazard* hazard : all) {
    // Two may meet at a step: one ends before it, the other begins behind it.
    if (apart.empty() ||
        FirstStep(*hazard) >= apart.back()->later.step + !hazard->earlier) {
      apart.push_back(hazard);
    }
  }
  return apart;
}

/// Puts in missing calls, as many as make the hazards fewer by as many: of all
/// hazards that stand apart, of the first half of them and so on, or of the
/// first single one. Whether any were.
bool PutInCalls(FixedProgram& fixed, Verdict& verdict) {
  std::vector<const Hazard*> lacking = HazardsIn(verdict);
  std::erase_if(lacking, [](const Hazard* h) { return h->fix.empty(); });
  std::vector<std::vector<const Hazard*>> choices;
  for (auto some = Apart(lacking); !some.empty();
       some.resize(some.size() / 2)) {
    choices.push_back(some);
  }
  lacking.resize(std::min(lacking.size(), kMostSingleCalls));
  for (const Hazard* hazard : lacking) choices.push_back({hazard});
  for (const auto& some : choices) {
    Case changed = WithCalls(some, fixed.c);
    Verdict now = Lint(changed);
    if (!IsBetter(now, verdict, some.size())) continue;
    for (const Hazard* hazard : some) fixed.done.push_back(DoneText(*hazard));
    fixed.c = std::move(changed);
    verdict = std::move(now);
    return true;
  }
  return false;
}

}  // namespace

FixedProgram FixProgram(const Case& c) {
  FixedProgram fixed{.c = c, .done = {}, .left = {}};
  fixed.c.expect.reset();
  fixed.c.requirement.clear();
  for (int round = 0; round < kMostRounds && RepairRejected(fixed); ++round) {
  }
  Verdict verdict = Lint(fixed.c);
  for (int round = 0; round < kMostRounds && RepairFlag(fixed, verdict);
       ++round) {
  }
  for (int round = 0; round < kMostCallRounds && PutInCalls(fixed, verdict);
       ++round) {
  }
  return fixed;
}

}  // namespace lanediff::lint
