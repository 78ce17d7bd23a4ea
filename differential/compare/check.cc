#include "differential/compare/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "differential/compare/compare_outcome.h"
#include "differential/compare/examine.h"
#include "differential/compare/memory_compare.h"
#include "differential/compare/rule_text.h"
#include "differential/compare/signature.h"
#include "differential/compare/unspecified.h"
#include "differential/memory/changed_memory.h"
#include "differential/memory/filled_memory.h"
#include "differential/memory/memory_set.h"
#include "differential/memory/touched.h"
#include "oracle/oracle.h"

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
    oracle::Oracle oracle(c.profile(), memory.view());
    for (std::size_t i = 0; i < c.program.size(); ++i) {
      if (oracle.Execute(c.program[i]).status !=
          isa::StepResult::Status::kExecuted) {
        break;
      }
      // The program's own runs are more precise and come last: checked first.
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
  MemorySet have = Overwritten(c, *outcome.memory);
  const auto unspecified = UnspecifiedAfter(c, StepsExecuted(c, outcome));
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
  const bool rejected = outcome.rejected();
  const std::vector<isa::RuleId> rules =
      rejected ? outcome.rules.value_or(expect.rules)
               : std::vector<isa::RuleId>();
  if (rejected != expect.rejected) {
    finding.actual_rules = rules;
    finding.expected_rules = expect.rules;
    return fmt::format("expected {}{}, found {}{}",
                       expect.rejected ? "rejected" : "executed",
                       RuleList(expect.rules),
                       rejected ? "rejected" : "executed", RuleList(rules));
  }
  if (rejected && outcome.step != expect.step) {
    return fmt::format("expected step {} to be rejected, found step {}",
                       expect.step, outcome.step);
  }
  if (rejected && rules != expect.rules) {
    finding.expected_rules = expect.rules;
    finding.actual_rules = rules;
    return "rules differ: " + RuleDifference(expect.rules, rules);
  }
  if (expect.notes && outcome.notes && *outcome.notes != *expect.notes) {
    finding.expected_rules = *expect.notes;
    finding.actual_rules = *outcome.notes;
    return "notes differ: " + RuleDifference(*expect.notes, *outcome.notes);
  }
  return std::nullopt;
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
        CompareChanges(c, *c.expect->memory, outcome, finding.step);
    if (finding.difference) what = Describe(*finding.difference);
  }
  if (!what) return std::nullopt;
  finding.op = isa::OpName(c.program[finding.step]);
  finding.message = *what + ObservedText(outcome, side);
  finding.signature = SignatureOf(c, finding).Text();
  return finding;
}

Comparison CheckCase(const Case& c, const Target& target,
                     const Target& reference) {
  return Examine(c, target, reference).comparison;
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

}  // namespace lanediff::diff
