#include "lint/fix_program.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <utility>

#include "isa/state.h"
#include "lint/lint.h"
#include "lint/tell.h"

namespace lanediff::lint {
namespace {

/// A repaired step may let later ones break a rule; each round looks again.
constexpr int kMostRounds = 8;
/// Missing calls to put in.
constexpr std::size_t kMostCalls = 512;

void Insert(Case& c, std::size_t before, const isa::Step& step) {
  c.program.insert(c.program.begin() + static_cast<std::ptrdiff_t>(before),
                   step);
}

/// Repairs what is rejected, last step first, so that numbers hold; whether
/// anything was.
bool RepairAll(FixedProgram& fixed) {
  const std::vector<Told> told = Tell(fixed.c, Lint(fixed.c));
  bool any = false;
  for (const Told& one : told) {
    if (!one.repair) continue;
    fixed.done.push_back(fmt::format("step {} {}: {}", one.step,
                                     isa::OpName(one.repair->step),
                                     one.repair->text));
    any = true;
  }
  for (const Told& one : std::views::reverse(told)) {
    if (one.repair) fixed.c = Repaired(fixed.c, one.step, *one.repair);
  }
  return any;
}

/// Where the calls of a fix go: `Hazard::fix`.
void Apply(const Hazard& hazard, Case& c) {
  if (hazard.fix.size() == 2) {
    Insert(c, hazard.later.step, hazard.fix[1]);
    Insert(c, hazard.earlier->step + 1, hazard.fix[0]);
    return;
  }
  const bool behind = hazard.rule == isa::sync::kFlagUnwaited ||
                      hazard.rule == isa::state::kCounterLeft;
  Insert(c, hazard.later.step + (behind ? 1 : 0), hazard.fix[0]);
}

std::vector<const Hazard*> AllOf(const Verdict& verdict) {
  std::vector<const Hazard*> all;
  for (const Hazard& hazard : verdict.hazards) all.push_back(&hazard);
  if (verdict.after) {
    for (const Hazard& hazard : verdict.after->hazards) all.push_back(&hazard);
  }
  return all;
}

std::size_t RejectedSteps(const Verdict& verdict) {
  if (!verdict.rejected) return 0;
  return 1 + verdict.after->rejected.size();
}

/// Whether `now` has fewer hazards than `before` and rejects no more.
bool IsBetter(const Verdict& now, const Verdict& before) {
  return AllOf(now).size() < AllOf(before).size() &&
         RejectedSteps(now) <= RejectedSteps(before) &&
         now.unsupported.has_value() <= before.unsupported.has_value();
}

std::string Line(const Hazard& hazard) {
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

/// Puts in the first missing call that makes the hazards fewer.
bool PutInOne(FixedProgram& fixed, Verdict& verdict) {
  for (const Hazard* hazard : AllOf(verdict)) {
    if (hazard->fix.empty()) continue;
    Case changed = fixed.c;
    Apply(*hazard, changed);
    Verdict now = Lint(changed);
    if (!IsBetter(now, verdict)) continue;
    fixed.done.push_back(Line(*hazard));
    fixed.c = std::move(changed);
    verdict = std::move(now);
    return true;
  }
  return false;
}

}  // namespace

FixedProgram FixProgram(const Case& c) {
  FixedProgram fixed{.c = c, .done = {}};
  fixed.c.expect.reset();
  fixed.c.requirement.clear();
  for (int round = 0; round < kMostRounds && RepairAll(fixed); ++round) {
  }
  Verdict verdict = Lint(fixed.c);
  for (std::size_t i = 0; i < kMostCalls && PutInOne(fixed, verdict); ++i) {
  }
  return fixed;
}

}  // namespace lanediff::lint
