#include "diff/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "diff/compare_recorded.h"
#include "diff/memory/changed_memory.h"
#include "diff/memory/filled_memory.h"
#include "diff/memory/memory_set.h"
#include "diff/memory/touched.h"
#include "diff/memory_compare.h"
#include "diff/recording.h"
#include "diff/rule_text.h"
#include "diff/signature.h"
#include "diff/unspecified.h"

namespace lanediff::diff {
namespace {

using Status = Outcome::Status;

/// What the program writes, and under it the types that the expectation names.
class Writes {
 public:
  Writes(const Case& c, const RegionsByMemory& expected) {
    for (isa::Memory m : kAllMemories) {
      for (const Region& region : expected[static_cast<std::size_t>(m)]) {
        if (!region.dtype) continue;
        runs_.push_back({m, region.at,
                         static_cast<std::int64_t>(region.bytes.size()),
                         *region.dtype, "expected", 0, 0});
      }
    }
    named_ = runs_.size();
    MemorySet memory(c);
    oracle::Oracle oracle(c.product, memory.view());
    for (std::size_t i = 0; i < c.program.size(); ++i) {
      if (oracle.Execute(c.program[i]).status !=
          isa::StepResult::Status::kExecuted) {
        break;
      }
      // The program's own runs say more and are looked at first, being last.
      std::ranges::copy(WritesOf(oracle.accesses()), std::back_inserter(runs_));
      steps_.resize(runs_.size() - named_, i);
    }
  }

  const std::vector<TypedRun>& runs() const { return runs_; }

  /// The step that wrote the byte last; of a byte that none wrote, the last
  /// that wrote any.
  std::size_t WriterOf(isa::Memory memory, std::int64_t byte) const {
    for (std::size_t i = steps_.size(); i-- > 0;) {
      const TypedRun& run = runs_[named_ + i];
      if (run.memory == memory && run.at <= byte && byte < run.at + run.bytes) {
        return steps_[i];
      }
    }
    return steps_.empty() ? 0 : steps_.back();
  }

 private:
  std::vector<TypedRun> runs_;
  std::size_t named_ = 0;           ///< of them by the expectation
  std::vector<std::size_t> steps_;  ///< of those of the program
};

/// The first difference between the memories, where both are specified, and
/// the step that it is of.
std::optional<ElementDifference> CompareChanges(const Case& c,
                                                const RegionsByMemory& expected,
                                                const Outcome& outcome,
                                                std::size_t& step) {
  const MemorySet initial(c);
  MemorySet want = Overwritten(c, expected);
  MemorySet have = Overwritten(c, outcome.changed);
  const auto unspecified =
      UnspecifiedAfter(c, StepsExecuted(c, outcome.status, outcome.step));
  CopyRanges(unspecified, initial, want);
  CopyRanges(unspecified, initial, have);
  const Writes writes(c, expected);
  auto difference = CompareMemory(want, have, writes.runs());
  if (!difference) return std::nullopt;
  NoteBefore(initial, *difference);
  step = writes.WriterOf(difference->memory, difference->at);
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

std::optional<std::string> CompareOutcome(const Expectation& expect,
                                          const Outcome& outcome,
                                          Finding& finding) {
  const bool rejected = outcome.status == Status::kRejected;
  if (rejected != expect.rejected) {
    finding.actual_rules = outcome.rules;
    finding.expected_rules = expect.rules;
    return fmt::format(
        "expected {}{}, found {}{}", expect.rejected ? "rejected" : "executed",
        RuleList(expect.rules), rejected ? "rejected" : "executed",
        RuleList(outcome.rules));
  }
  if (rejected && outcome.step != expect.step) {
    return fmt::format("expected step {} to be rejected, found step {}",
                       expect.step, outcome.step);
  }
  if (rejected && outcome.rules != expect.rules) {
    finding.expected_rules = expect.rules;
    finding.actual_rules = outcome.rules;
    return "rules differ: " + RuleDifference(expect.rules, outcome.rules);
  }
  if (expect.notes && outcome.notes != *expect.notes) {
    finding.expected_rules = *expect.notes;
    finding.actual_rules = outcome.notes;
    return "notes differ: " + RuleDifference(*expect.notes, outcome.notes);
  }
  return std::nullopt;
}

/// Adds what the target and the reference differ in from what is expected.
void AddExpectationFindings(const Case& c, std::optional<Finding> of_target,
                            const Target& reference, Comparison& result) {
  auto of_reference =
      CompareWithExpectation(c, RunCase(c, reference), reference.name());
  if (of_target) {
    // Where the reference does what is expected, this is the difference between
    // the two, seen once more.
    if (!of_reference && !result.findings.empty()) {
      of_target->signature = result.findings.front().signature;
    }
    result.findings.push_back(std::move(*of_target));
  }
  if (of_reference) result.findings.push_back(std::move(*of_reference));
}

Comparison CheckRecorded(const Case& c, const Recording& recording,
                         std::string_view name, const Target& reference) {
  Comparison result;
  const auto recorded = recording.Find(c);
  if (!recorded) {
    result.malformed = recorded.error().malformed;
    result.unrecorded = !result.malformed;
    result.unsupported = result.unrecorded;
    result.why = recorded.error().why;
    return result;
  }
  result = CompareRecorded(c, *recorded, name, reference);
  if (result.unsupported) return result;
  AddExpectationFindings(c, CompareRecordedWithExpectation(c, *recorded, name),
                         reference, result);
  return result;
}

}  // namespace

Outcome RunCase(const Case& c, const Target& target) {
  const MemorySizes sizes = SizesOf(c);
  FilledMemory initial(c, sizes, Background::kFill);
  FilledMemory memory(c, sizes, Background::kFill);
  WriteRegions(c, initial.set());
  WriteRegions(c, memory.set());
  const auto session = target.Open(c.product, memory.set().view());
  session->MakeRoomFor(c.program.size());
  Outcome outcome;
  isa::RuleSet notes;
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    const isa::StepResult result = session->Execute(c.program[i]);
    notes.AddAll(result.notes);
    if (result.status == isa::StepResult::Status::kExecuted) continue;
    outcome.status = result.status == isa::StepResult::Status::kRejected
                         ? Status::kRejected
                         : Status::kUnsupported;
    outcome.step = i;
    outcome.rules.assign(result.rules.begin(), result.rules.end());
    break;
  }
  outcome.notes.assign(notes.begin(), notes.end());
  // What is unspecified is never compared and stands in no outcome.
  CopyRanges(
      UnspecifiedAfter(c, StepsExecuted(c, outcome.status, outcome.step)),
      initial.set(), memory.set());
  Touched touched(sizes);
  AddRegions(c, touched);
  memory.FindTouched(touched);
  outcome.changed = ChangedRanges(initial.set(), memory.set(), touched);
  initial.Restore(touched);
  memory.Restore(touched);
  return outcome;
}

std::optional<Finding> CompareWithExpectation(const Case& c,
                                              const Outcome& outcome,
                                              std::string_view side) {
  if (!c.expect || outcome.status == Status::kUnsupported) return std::nullopt;
  Finding finding;
  finding.kind = FindingKind::kExpectation;
  finding.side = side;
  finding.reference = "expect";
  const bool refused = outcome.status == Status::kRejected;
  finding.step = !refused && c.expect->rejected ? c.expect->step : outcome.step;
  auto what = CompareOutcome(*c.expect, outcome, finding);
  if (!what && c.expect->memory &&
      !LeaveSameBytes(c, *c.expect->memory, outcome.changed)) {
    finding.difference =
        CompareChanges(c, *c.expect->memory, outcome, finding.step);
    if (finding.difference) what = Describe(*finding.difference);
  }
  if (!what) return std::nullopt;
  finding.op = isa::OpName(c.program[finding.step]);
  finding.message = *what;
  finding.signature = SignatureOf(c, finding);
  return finding;
}

Comparison CheckCase(const Case& c, const Target& target,
                     const Target& reference) {
  if (const Recording* const recording = target.recording()) {
    return CheckRecorded(c, *recording, target.name(), reference);
  }
  Comparison result = CompareStepByStep(c, target, reference);
  if (result.unsupported) return result;
  const Outcome outcome = RunCase(c, target);
  if (RunCase(c, target) != outcome) {
    Finding finding;
    finding.kind = FindingKind::kNotDeterministic;
    finding.side = target.name();
    finding.reference = target.name();
    finding.op = isa::OpName(c.program.front());
    finding.message = fmt::format(
        "{}: two runs of the same case gave two results", target.name());
    finding.signature = SignatureOf(c, finding);
    result.findings.push_back(std::move(finding));
  }
  AddExpectationFindings(c, CompareWithExpectation(c, outcome, target.name()),
                         reference, result);
  return result;
}

Expectation ToExpectation(const Outcome& outcome) {
  Expectation expect;
  expect.rejected = outcome.status == Status::kRejected;
  if (expect.rejected) {
    expect.step = outcome.step;
    expect.rules = outcome.rules;
  }
  expect.notes = outcome.notes;
  expect.memory = outcome.changed;
  return expect;
}

}  // namespace lanediff::diff
