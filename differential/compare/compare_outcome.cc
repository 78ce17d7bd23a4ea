#include "differential/compare/compare_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "differential/compare/signature.h"
#include "differential/compare/unspecified.h"
#include "differential/memory/filled_memory.h"
#include "differential/testcase/json.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using StepStatus = isa::StepResult::Status;

std::int64_t BytesOf(const MemorySet& memory) {
  std::int64_t bytes = 0;
  for (isa::Memory m : kAllMemories) {
    bytes += static_cast<std::int64_t>(memory[m].size());
  }
  return bytes;
}

}  // namespace

OutcomeComparer::OutcomeComparer(const Case& c, Outcome outcome,
                                 const Target& target,
                                 const StepwiseTarget& reference)
    : case_(c),
      outcome_(std::move(outcome)),
      target_(target),
      reference_(reference),
      last_(outcome_.rejected() ? outcome_.step : c.program.size() - 1),
      memory_(c) {}

void OutcomeComparer::See(const ReferenceStep& step) {
  if (step.index > last_) return;
  results_.push_back(step.result);
  nodes_ = step.nodes;
  for (const TypedRun& run : WritesOf(step.step, step.accesses)) {
    writes_.push_back(run);
    writes_.back().step = step.index;
  }
  for (const isa::Access& access : step.accesses) {
    most_iterations_ = std::max(most_iterations_, access.iteration + 1);
  }
  if (step.index == last_ || step.result.status != StepStatus::kExecuted) {
    CopyAll(step.after, memory_);
  }
}

/// False where the reference could not do a step.
bool OutcomeComparer::IsComplete() const {
  return results_.size() > last_ || ReferenceRejected();
}

bool OutcomeComparer::ReferenceRejected() const {
  return !results_.empty() && results_.back().status == StepStatus::kRejected;
}

/// Whether the target executed the step that the reference rejected.
bool OutcomeComparer::ExecutesIllegal() const {
  return ReferenceRejected() &&
         !(outcome_.rejected() && outcome_.step <= last_step());
}

Answer OutcomeComparer::ReferenceAnswer() const {
  Answer answer = AnswerOf(results_.back());
  isa::RuleSet notes;
  for (const auto& result : results_) notes.AddAll(result.notes);
  answer.notes.assign(notes.begin(), notes.end());
  return answer;
}

/// What the outcome states of the step with which the reference ended; where it
/// states nothing, what is expected.
Answer OutcomeComparer::TargetAnswer(const Answer& expected) const {
  Answer answer;
  answer.rejected = outcome_.rejected() && outcome_.step == last_step();
  if (answer.rejected) {
    answer.rules = outcome_.rules.value_or(
        expected.rejected ? expected.rules : std::vector<isa::RuleId>());
  }
  answer.notes = outcome_.notes.value_or(expected.notes);
  return answer;
}

/// The step that noted `rule`, else the first of its instruction, else the
/// last.
std::size_t OutcomeComparer::StepOfNote(isa::RuleId rule) const {
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (results_[i].notes.Contains(rule)) return i;
  }
  const isa::Rule* const entry = isa::FindRule(rule.text());
  for (std::size_t i = 0; entry != nullptr && i < results_.size(); ++i) {
    if (isa::OpName(case_.program[i]) == entry->instruction) return i;
  }
  return last_step();
}

MemorySet OutcomeComparer::MemoryBefore(std::size_t step) const {
  MemorySet memory(case_);
  const auto session = reference_.Open(case_.profile(), memory.view());
  for (std::size_t i = 0; i < step; ++i) session->Execute(case_.program[i]);
  return memory;
}

std::optional<Finding> OutcomeComparer::CompareTheAnswer() const {
  const Answer expected = ReferenceAnswer();
  auto finding = CompareAnswers(expected, TargetAnswer(expected));
  if (!finding) return std::nullopt;
  finding->step = last_step();
  if (finding->kind == FindingKind::kNotes) {
    std::vector<isa::RuleId> odd;
    std::ranges::set_symmetric_difference(finding->expected_rules,
                                          finding->actual_rules,
                                          std::back_inserter(odd));
    finding->step = StepOfNote(odd.front());
  }
  return finding;
}

/// What is unspecified is not compared; `parted`: the step at which one side
/// rejected what the other executed.
std::optional<Finding> OutcomeComparer::CompareBytes(
    const Undetermined& undetermined, std::optional<std::size_t> parted,
    OpenCounts& open) const {
  MemorySet actual = Overwritten(case_, *outcome_.memory);
  CopyRanges(undetermined.unspecified, memory_, actual);
  open = Settle(undetermined.open, memory_, actual);
  auto difference = CompareMemory(memory_, actual, writes_);
  if (!difference) return std::nullopt;
  Finding finding;
  finding.kind = FindingKind::kMemory;
  finding.step =
      parted && difference->operand.empty()
          ? *parted
          : WriterOf(writes_, difference->memory, difference->at, last_step());
  finding.message = Describe(*difference);
  NoteBefore(MemoryBefore(finding.step), *difference);
  finding.difference = std::move(difference);
  return finding;
}

void OutcomeComparer::Count(Comparison& result) const {
  result.steps = results_.size();
  result.rejected = ReferenceRejected();
  result.nodes = nodes_;
  result.most_iterations = most_iterations_;
  for (const TypedRun& run : writes_) {
    result.written_elements += run.bytes / isa::SizeBytes(run.dtype);
  }
}

void OutcomeComparer::Report(Finding finding, Comparison& result) const {
  finding.side = target_.name();
  finding.reference = reference_.name();
  finding.op = isa::OpName(case_.program[finding.step]);
  finding.message =
      fmt::format("step {} {}: {}{}", finding.step, finding.op, finding.message,
                  ObservedText(outcome_, target_.name()));
  finding.signature = SignatureOf(case_, finding).Text();
  result.findings.push_back(std::move(finding));
}

Comparison OutcomeComparer::Compare() {
  Comparison result;
  if (!IsComplete()) {
    result.unsupported = true;
    result.outcome = std::move(outcome_);
    return result;
  }
  Count(result);
  if (ExecutesIllegal() &&
      target_.capabilities().legality == Capabilities::Legality::kNone) {
    const auto& rules = results_.back().rules;
    result.tolerated.assign(rules.begin(), rules.end());
    result.outcome = std::move(outcome_);
    return result;
  }
  std::optional<std::size_t> parted;
  if (auto finding = CompareTheAnswer()) {
    if (finding->kind == FindingKind::kOutcome) parted = finding->step;
    Report(std::move(*finding), result);
  }
  // What it did instead of refusing is reported once.
  if (outcome_.memory && !ExecutesIllegal()) {
    const Undetermined undetermined =
        UndeterminedAfter(case_, StepsExecuted(case_, outcome_));
    result.compared_bytes = BytesOf(memory_) -
                            BytesIn(undetermined.unspecified) -
                            BytesIn(RangesOf(undetermined.open));
    if (auto finding = CompareBytes(undetermined, parted, result.open)) {
      Report(std::move(*finding), result);
    }
  }
  result.outcome = std::move(outcome_);
  return result;
}

std::string UnsupportedText(const Target& target, const Outcome& outcome) {
  return fmt::format("{}unsupported at step {}",
                     target.runs_any_case() ? "" : "recorded as ",
                     outcome.step);
}

std::string ObservedText(const Outcome& outcome, std::string_view name) {
  return outcome.observed.empty() || outcome.observed == name
             ? ""
             : fmt::format(" (observed: {})", Quote(outcome.observed));
}

}  // namespace lanediff::diff
