#include "sanitizer/diagnostics.h"

#include <algorithm>
#include <utility>

#include "sanitizer/hazard_repair.h"
#include "sanitizer/lint.h"

namespace lanediff::lint {
namespace {

/// Each repair replays the program: of a longer one only so many are sought.
constexpr std::size_t kLongToReplay = 2000;
constexpr std::size_t kFewRepairs = 2;

}  // namespace

std::vector<Diagnosis> Diagnose(const Case& c, const Verdict& verdict,
                                const DiagnosisLimits& limits) {
  std::vector<Diagnosis> all;
  std::vector<RejectedStep> rejected = RejectedIn(verdict);
  std::vector<std::size_t> numbers;
  for (const RejectedStep& one : rejected) numbers.push_back(one.step);
  const std::size_t most_repairs = c.program.size() > kLongToReplay
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
    Diagnosis diagnosis;
    diagnosis.step = one.step;
    diagnosis.witnesses = WitnessesOf(situation, one.rules);
    diagnosis.looked_for_repair = all.size() < most_repairs;
    if (diagnosis.looked_for_repair) {
      diagnosis.repair = FindRepair(situation, diagnosis.witnesses);
    }
    all.push_back(std::move(diagnosis));
  }
  return all;
}

Diagnosis DiagnoseRejected(const Case& c, std::size_t step,
                           const isa::RuleSet& rules, bool look_for_repair) {
  Verdict verdict;
  verdict.rejected = RejectedStep{.step = step, .rules = rules};
  Case in_turn = c;
  in_turn.lint.sync.reset();
  return Diagnose(in_turn, verdict,
                  {.witnesses = 1, .repairs = look_for_repair ? 1U : 0U})
      .front();
}

std::string TriedRepairOf(const Case& c, isa::RuleId rule) {
  const Verdict verdict = Lint(c);
  if (verdict.rejected && verdict.rejected->rules.Contains(rule)) {
    const Diagnosis diagnosis =
        Diagnose(c, verdict, {.witnesses = 1, .repairs = 1}).front();
    return diagnosis.repair ? TextOf(*diagnosis.repair) : "";
  }
  const auto hazard = std::ranges::find(verdict.hazards, rule, &Hazard::rule);
  if (hazard == verdict.hazards.end()) return "";
  const auto repair = FindHazardRepair(c, verdict, *hazard);
  return repair ? repair->text : "";
}

}  // namespace lanediff::lint
