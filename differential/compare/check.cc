#include "differential/compare/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include "differential/compare/compare.h"
#include "differential/compare/compare_outcome.h"
#include "differential/compare/expected_result.h"
#include "differential/compare/memory_compare.h"
#include "differential/compare/rule_text.h"
#include "differential/compare/signature.h"
#include "differential/compare/unspecified.h"
#include "differential/memory/filled_memory.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/capabilities.h"
#include "differential/targets/find_target.h"

namespace lanediff::diff {
namespace {

using Status = Outcome::Status;

/// The first difference between the memories, where both are specified, and
/// the step that it is of. What is correctly rounded by its nature is compared
/// bit for bit.
std::optional<ElementDifference> CompareChanges(const Case& c,
                                                const RegionsByMemory& expected,
                                                const Outcome& outcome,
                                                bool rounds_correctly,
                                                std::size_t& step) {
  const MemorySet initial(c);
  MemorySet want = Overwritten(c, expected);
  MemorySet have = Overwritten(c, *outcome.memory);
  const auto undetermined = UndeterminedAfter(c, StepsExecuted(c, outcome));
  CopyRanges(undetermined.unspecified, initial, want);
  CopyRanges(undetermined.unspecified, initial, have);
  if (!rounds_correctly) {
    static_cast<void>(Settle(undetermined.open, want, have));
  }
  // What the program writes, and under it the types that the expectation names.
  std::vector<TypedRun> runs = RunsOf(expected, "expected");
  const std::size_t named = runs.size();
  // The program's own runs are more precise and come last: checked first.
  std::ranges::move(WritesOfProgram(c), std::back_inserter(runs));
  auto difference = CompareMemory(want, have, runs);
  if (!difference) return std::nullopt;
  NoteBefore(initial, *difference);
  step = WriterOf(std::span(runs).subspan(named), difference->memory,
                  difference->at, 0);
  return difference;
}

/// Whether writing `a` and writing `b` over the initial memory of `c` leaves
/// the same bytes.
bool LeaveSameBytes(const Case& c, const RegionsByMemory& a,
                    const RegionsByMemory& b) {
  const MemorySizes sizes = SizesOf(c);
  FilledMemory left(c, sizes, Background::kFill);
  FilledMemory right(c, sizes, Background::kFill);
  Touched touched(sizes);
  AddRegions(c, touched);
  const RegionsByMemory* const over[] = {&a, &b};
  FilledMemory* const sides[] = {&left, &right};
  for (int i = 0; i < 2; ++i) {
    WriteRegions(c, sides[i]->set());
    WriteRegions(*over[i], sides[i]->set());
    AddRegions(*over[i], touched);
  }
  const bool same = SameTouched(touched, left.set(), right.set());
  left.Restore(touched);
  right.Restore(touched);
  return same;
}

/// How the outcomes differ, memory aside; what the outcome doesn't state is as
/// expected.
std::optional<std::string> CompareOutcome(const Expectation& expect,
                                          const Outcome& outcome,
                                          Finding& finding) {
  const bool rejected = outcome.rejected();
  if (rejected && expect.rejected && outcome.step != expect.step) {
    return fmt::format("expected step {} to be rejected, found step {}",
                       expect.step, outcome.step);
  }
  Answer expected{expect.rejected, expect.rules, {}};
  Answer actual{rejected, {}, {}};
  if (rejected) actual.rules = outcome.rules.value_or(expect.rules);
  if (expect.notes && outcome.notes) {
    expected.notes = *expect.notes;
    actual.notes = *outcome.notes;
  }
  auto found = CompareAnswers(expected, actual);
  if (!found) return std::nullopt;
  finding.expected_rules = std::move(found->expected_rules);
  finding.actual_rules = std::move(found->actual_rules);
  return std::move(found->message);
}

using StepStatus = isa::StepResult::Status;

/// Looks at the reference's steps and puts its outcome together.
class Onlooker {
 public:
  explicit Onlooker(const Case& c) : case_(c) {}

  void operator()(const ReferenceStep& step) {
    steps_ = step.index + 1;
    notes_.AddAll(step.result.notes);
    if (step.result.status == StepStatus::kRejected) {
      outcome_.status = Outcome::Status::kRejected;
      outcome_.step = step.index;
      outcome_.rules.emplace(step.result.rules.begin(),
                             step.result.rules.end());
    }
    if (outcome_.rejected() || steps_ == case_.program.size()) {
      TakeMemory(step.after);
    }
  }

  /// None where the reference did not come to an end.
  std::optional<Outcome> Take(std::string_view name) {
    if (!outcome_.memory) return std::nullopt;
    outcome_.notes.emplace(notes_.begin(), notes_.end());
    outcome_.observed = name;
    return std::move(outcome_);
  }

 private:
  void TakeMemory(const MemorySet& after) {
    const MemorySet initial(case_);
    MemorySet left(after);
    CopyRanges(UnspecifiedAfter(case_, StepsExecuted(case_, outcome_)), initial,
               left);
    outcome_.memory = ChangedRanges(initial, left);
  }

  const Case& case_;
  std::size_t steps_ = 0;
  isa::RuleSet notes_;
  Outcome outcome_;
};

/// Whether `outcome` leaves what the reference leaves, to the byte, and so what
/// the target left when it was compared step by step without a finding.
bool LeavesTheSame(const Outcome& outcome, const Outcome& reference) {
  return outcome.status == reference.status && outcome.step == reference.step &&
         outcome.memory == reference.memory &&
         (!outcome.rules || outcome.rules == reference.rules) &&
         (!outcome.notes || outcome.notes == reference.notes);
}

/// A run of the target as a whole; false, with a finding, where it failed.
bool RunOnce(const Case& c, const Target& target, Examination& all) {
  auto outcome = target.Run(c);
  if (outcome) {
    all.target_outcome = std::move(*outcome);
    return true;
  }
  all.why_none = outcome.error().why;
  if (all.comparison.findings.empty() && IsFailure(outcome.error().kind)) {
    all.comparison.findings.push_back(FailureFinding(
        c, all.target, all.reference, std::nullopt, outcome.error()));
  }
  return false;
}

/// A run of the target as a whole, and another one where the first does not
/// show that two runs give one outcome.
void RunAgain(const Case& c, const Target& target, Examination& all) {
  Comparison& result = all.comparison;
  if (!RunOnce(c, target, all)) return;
  if (result.unsupported) return;
  if (result.findings.empty() &&
      LeavesTheSame(*all.target_outcome, all.reference_outcome)) {
    return;
  }
  const auto again = target.Run(c);
  if (!again || *again == *all.target_outcome) return;
  Finding finding;
  finding.kind = FindingKind::kNotDeterministic;
  finding.side = target.name();
  finding.reference = target.name();
  finding.op = isa::OpName(c.program.front());
  finding.message = fmt::format(
      "{}: two runs of the same case gave two results", target.name());
  finding.signature = SignatureOf(c, finding).Text();
  result.findings.push_back(std::move(finding));
}

/// Adds what the target and the reference differ in from what is expected.
void AddExpectationFindings(const Case& c, Examination& all) {
  auto of_target =
      all.comparison.tolerated.empty()
          ? CompareWithExpectation(c, *all.target_outcome, all.target)
          : std::nullopt;
  auto of_reference =
      CompareWithExpectation(c, all.reference_outcome, all.reference);
  std::vector<Finding>& findings = all.comparison.findings;
  if (of_target) {
    // Where the reference does what is expected, this is the difference between
    // the two, seen once more.
    if (!of_reference && !findings.empty()) {
      of_target->signature = findings.front().signature;
    }
    findings.push_back(std::move(*of_target));
  }
  if (of_reference) findings.push_back(std::move(*of_reference));
}

Examination Named(const Target& target, const Target& reference) {
  Examination all;
  all.target = target.name();
  all.reference = reference.name();
  return all;
}

}  // namespace

std::optional<Finding> CompareWithExpectation(const Case& c,
                                              const Outcome& outcome,
                                              std::string_view side) {
  if (!c.expect || outcome.status == Status::kUnsupported) return std::nullopt;
  Finding finding;
  finding.kind = FindingKind::kExpectation;
  finding.side = side;
  finding.reference = "expect";
  finding.step =
      !outcome.rejected() && c.expect->rejected ? c.expect->step : outcome.step;
  auto what = CompareOutcome(*c.expect, outcome, finding);
  if (!what && c.expect->memory && outcome.memory &&
      !LeaveSameBytes(c, *c.expect->memory, *outcome.memory)) {
    finding.difference =
        CompareChanges(c, *c.expect->memory, outcome,
                       side == TheOracle().name(), finding.step);
    if (finding.difference) what = Describe(*finding.difference);
  }
  if (!what) return std::nullopt;
  finding.op = isa::OpName(c.program[finding.step]);
  finding.message = *what + ObservedText(outcome, side);
  finding.signature = SignatureOf(c, finding).Text();
  return finding;
}

Expectation ToExpectation(const Outcome& outcome) {
  Expectation expect;
  expect.rejected = outcome.rejected();
  if (expect.rejected) {
    expect.step = outcome.step;
    expect.rules = outcome.RulesOrNone();
  }
  expect.notes = outcome.notes;
  expect.memory = outcome.memory;
  return expect;
}

Examination Examine(const Case& c, const Target& target,
                    const Target& reference) {
  if (auto ordered = InOrderOf(c, target.capabilities())) {
    ordered->expect.reset();  // it is of the documented order
    return Examine(*ordered, target, reference);
  }
  Examination all = Named(target, reference);
  Onlooker onlooker(c);
  all.comparison = CompareCase(c, target, reference, std::ref(onlooker));
  Comparison& result = all.comparison;
  if (auto seen = onlooker.Take(reference.name())) {
    all.reference_outcome = std::move(*seen);
  } else {
    all.reference_outcome = reference.Run(c).value();
  }
  const bool compared = result.why.empty();
  if (result.has_failed()) {
    all.why_none = result.findings.back().message;
  } else if (target.stepwise() != nullptr && compared) {
    RunAgain(c, target, all);
  } else if (result.outcome) {
    all.target_outcome = std::move(result.outcome);
  } else {
    all.why_none = !compared || result.findings.empty()
                       ? result.why
                       : result.findings.front().message;
  }
  if (all.target_outcome && !result.unsupported) AddExpectationFindings(c, all);
  return all;
}

Examination ExamineReference(const Case& c, const Target& target,
                             const Target& reference) {
  Examination all = Named(target, reference);
  all.reference_outcome = reference.Run(c).value();
  return all;
}

}  // namespace lanediff::diff
