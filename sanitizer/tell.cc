#include "sanitizer/tell.h"

#include <algorithm>
#include <utility>

#include "sanitizer/hazard_repair.h"
#include "sanitizer/lint.h"

namespace lanediff::lint {
namespace {

/// Each repair replays the program: of a longer one only so many are sought.
constexpr std::size_t kLongProgram = 2000;
constexpr std::size_t kFewRepairs = 2;

}  // namespace

std::vector<Told> Tell(const Case& c, const Verdict& verdict,
                       const TellLimits& limits) {
  std::vector<Told> all;
  if (!verdict.rejected) return all;
  std::vector<RejectedStep> rejected = {*verdict.rejected};
  if (verdict.after)
    std::ranges::copy(verdict.after->rejected, std::back_inserter(rejected));
  std::vector<std::size_t> numbers;
  for (const RejectedStep& one : rejected) numbers.push_back(one.step);
  const std::size_t most_repairs = c.program.size() > kLongProgram
                                       ? std::min(limits.repairs, kFewRepairs)
                                       : limits.repairs;
  rejected.resize(std::min(rejected.size(), limits.witnesses));
  Judge judge(c);
  std::vector<bool> executed;
  executed.reserve(c.program.size());
  for (const RejectedStep& one : rejected) {
    while (executed.size() < one.step) {
      const auto result = judge.Take(c.program[executed.size()]);
      executed.push_back(result.status == isa::StepResult::Status::kExecuted);
    }
    const Situation situation{c, one.step, judge, numbers, &executed};
    Told told;
    told.step = one.step;
    told.witnesses = WitnessesOf(situation, one.rules);
    told.looked_for_repair = all.size() < most_repairs;
    if (told.looked_for_repair) {
      told.repair = FindRepair(situation, told.witnesses);
    }
    all.push_back(std::move(told));
  }
  return all;
}

Told TellRejected(const Case& c, std::size_t step, const isa::RuleSet& rules,
                  bool look_for_repair) {
  Verdict verdict;
  verdict.rejected = RejectedStep{.step = step, .rules = rules};
  Case in_turn = c;
  in_turn.lint.sync.reset();
  return Tell(in_turn, verdict,
              {.witnesses = 1, .repairs = look_for_repair ? 1U : 0U})
      .front();
}

std::string TriedRepairOf(const Case& c, isa::RuleId rule) {
  const Verdict verdict = Lint(c);
  if (verdict.rejected && verdict.rejected->rules.Contains(rule)) {
    const Told told = Tell(c, verdict, {.witnesses = 1, .repairs = 1}).front();
    // A window is no value of the call that its author wrote.
    const bool of_author =
        told.repair && std::ranges::none_of(
                           told.repair->changes, [](const Repair::Change& one) {
                             return one.field.ends_with(".bytes");
                           });
    return of_author ? TextOf(*told.repair) : "";
  }
  const HazardRepairs repairs = FindHazardRepairs(c, verdict);
  for (const auto& [index, repair] : repairs) {
    if (verdict.hazards[index].rule == rule && repair) return repair->text;
  }
  return "";
}

}  // namespace lanediff::lint
