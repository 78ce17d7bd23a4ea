#include "diff/compare_recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "case/json.h"
#include "diff/answers.h"
#include "diff/check.h"
#include "diff/memory/changed_memory.h"
#include "diff/memory/memory_set.h"
#include "diff/memory_compare.h"
#include "diff/signature.h"
#include "diff/unspecified.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using Status = isa::StepResult::Status;

/// The reference's way through the program, up to the step with which the
/// recording ends.
class ReferenceRun {
 public:
  ReferenceRun(const Case& c, const Target& reference, std::size_t last)
      : case_(c), reference_(reference), memory_(c), last_(last) {
    const auto session = reference.Open(c.product, memory_.view());
    CompareStepByStep(c, std::span<const Target* const>(), reference,
                      [&](const ReferenceStep& step) {
                        if (step.index > last_) return;
                        results_.push_back(session->Execute(step.step));
                        Note(step);
                      });
    nodes_ = session->node_count();
  }

  /// False where the reference could not do a step.
  bool complete() const { return results_.size() > last_ || rejected(); }
  bool rejected() const {
    return !results_.empty() && results_.back().status == Status::kRejected;
  }
  std::size_t last_step() const { return results_.size() - 1; }
  const MemorySet& memory() const { return memory_; }
  const std::vector<TypedRun>& writes() const { return writes_; }

  Answer answer() const {
    Answer answer = AnswerOf(results_.back());
    isa::RuleSet notes;
    for (const auto& result : results_) notes.AddAll(result.notes);
    answer.notes.assign(notes.begin(), notes.end());
    return answer;
  }

  /// The step that noted `rule`, else the first of its instruction, else the
  /// last.
  std::size_t StepOfNote(isa::RuleId rule) const {
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (results_[i].notes.Contains(rule)) return i;
    }
    const isa::Rule* const entry = isa::FindRule(rule.text());
    for (std::size_t i = 0; entry != nullptr && i < results_.size(); ++i) {
      if (isa::OpName(case_.program[i]) == entry->instruction) return i;
    }
    return last_step();
  }

  /// The step that wrote `byte` last; of a byte that none wrote, the last step
  /// that wrote any.
  std::size_t WriterOf(isa::Memory memory, std::int64_t byte) const {
    for (std::size_t i = writes_.size(); i-- > 0;) {
      const TypedRun& run = writes_[i];
      if (run.memory == memory && run.at <= byte && byte < run.at + run.bytes) {
        return writers_[i];
      }
    }
    return writers_.empty() ? last_step() : writers_.back();
  }

  MemorySet MemoryBefore(std::size_t step) const {
    MemorySet memory(case_);
    const auto session = reference_.Open(case_.product, memory.view());
    for (std::size_t i = 0; i < step; ++i) session->Execute(case_.program[i]);
    return memory;
  }

  void Count(Comparison& result) const {
    result.steps = results_.size();
    result.rejected = rejected();
    result.nodes = nodes_;
    result.most_iterations = most_iterations_;
    for (const TypedRun& run : writes_) {
      result.written_elements += run.bytes / isa::SizeBytes(run.dtype);
    }
  }

 private:
  void Note(const ReferenceStep& step) {
    for (const TypedRun& run : WritesOf(step.step, step.accesses)) {
      writes_.push_back(run);
      writers_.push_back(step.index);
    }
    for (const oracle::Access& access : step.accesses) {
      most_iterations_ = std::max(most_iterations_, access.iteration + 1);
    }
  }

  const Case& case_;
  const Target& reference_;
  MemorySet memory_;
  std::size_t last_;
  std::vector<isa::StepResult> results_;
  std::vector<TypedRun> writes_;
  std::vector<std::size_t> writers_;  ///< the step of each of `writes_`
  std::int64_t most_iterations_ = 0;
  std::uint64_t nodes_ = 0;
};

/// What the recording says of the step with which the reference ended; where it
/// says nothing, what is expected.
Answer RecordedAnswer(const RecordedOutcome& recorded, const ReferenceRun& run,
                      const Answer& expected) {
  Answer answer;
  answer.rejected = recorded.status == Outcome::Status::kRejected &&
                    recorded.step == run.last_step();
  if (answer.rejected) {
    answer.rules = recorded.rules.value_or(
        expected.rejected ? expected.rules : std::vector<isa::RuleId>());
  }
  answer.notes = recorded.notes.value_or(expected.notes);
  return answer;
}

std::optional<Finding> CompareAnswer(const RecordedOutcome& recorded,
                                     const ReferenceRun& run) {
  const Answer expected = run.answer();
  auto finding =
      CompareAnswers(expected, RecordedAnswer(recorded, run, expected));
  if (!finding) return std::nullopt;
  finding->step = run.last_step();
  if (finding->kind == FindingKind::kNotes) {
    std::vector<isa::RuleId> odd;
    std::ranges::set_symmetric_difference(finding->expected_rules,
                                          finding->actual_rules,
                                          std::back_inserter(odd));
    finding->step = run.StepOfNote(odd.front());
  }
  return finding;
}

/// `unspecified` is not compared; `parted`: the step at which one side rejected
/// what the other executed.
std::optional<Finding> CompareBytes(const Case& c,
                                    const RegionsByMemory& recorded,
                                    const ReferenceRun& run,
                                    const std::vector<ByteRange>& unspecified,
                                    std::optional<std::size_t> parted) {
  const MemorySet expected(run.memory());
  MemorySet actual = Overwritten(c, recorded);
  CopyRanges(unspecified, expected, actual);
  auto difference = CompareMemory(expected, actual, run.writes());
  if (!difference) return std::nullopt;
  Finding finding;
  finding.kind = FindingKind::kMemory;
  finding.step = parted && difference->operand.empty()
                     ? *parted
                     : run.WriterOf(difference->memory, difference->at);
  finding.message = Describe(*difference);
  NoteBefore(run.MemoryBefore(finding.step), *difference);
  finding.difference = std::move(difference);
  return finding;
}

/// " (observed: …)", or nothing.
std::string Observed(const RecordedOutcome& recorded) {
  return recorded.observed.empty()
             ? ""
             : fmt::format(" (observed: {})", Quote(recorded.observed));
}

std::int64_t BytesOf(const MemorySet& memory) {
  std::int64_t bytes = 0;
  for (isa::Memory m : kAllMemories) {
    bytes += static_cast<std::int64_t>(memory[m].size());
  }
  return bytes;
}

}  // namespace

Comparison CompareRecorded(const Case& c, const RecordedOutcome& recorded,
                           std::string_view name, const Target& reference) {
  Comparison result;
  if (recorded.status == Outcome::Status::kUnsupported) {
    result.unsupported = true;
    result.why = fmt::format("recorded as unsupported at step {}{}",
                             recorded.step, Observed(recorded));
    return result;
  }
  const bool rejected = recorded.status == Outcome::Status::kRejected;
  const ReferenceRun run(c, reference,
                         rejected ? recorded.step : c.program.size() - 1);
  if (!run.complete()) {
    result.unsupported = true;
    return result;
  }
  run.Count(result);
  const auto report = [&](Finding finding) {
    finding.side = name;
    finding.reference = reference.name();
    finding.op = isa::OpName(c.program[finding.step]);
    finding.message = fmt::format("step {} {}: {}{}", finding.step, finding.op,
                                  finding.message, Observed(recorded));
    finding.signature = SignatureOf(c, finding);
    result.findings.push_back(std::move(finding));
  };
  std::optional<std::size_t> parted;
  if (auto finding = CompareAnswer(recorded, run)) {
    if (finding->kind == FindingKind::kOutcome) parted = finding->step;
    report(std::move(*finding));
  }
  if (recorded.memory) {
    const auto unspecified =
        UnspecifiedAfter(c, StepsExecuted(c, recorded.status, recorded.step));
    result.compared_bytes = BytesOf(run.memory()) - BytesIn(unspecified);
    if (auto finding =
            CompareBytes(c, *recorded.memory, run, unspecified, parted)) {
      report(std::move(*finding));
    }
  }
  return result;
}

std::optional<Finding> CompareRecordedWithExpectation(
    const Case& c, const RecordedOutcome& recorded, std::string_view name) {
  if (!c.expect) return std::nullopt;
  // What was not observed is not expected.
  Case asked = c;
  if (!recorded.notes) asked.expect->notes.reset();
  if (!recorded.memory) asked.expect->memory.reset();
  Outcome outcome{.status = recorded.status,
                  .step = recorded.step,
                  .rules = {},
                  .notes = recorded.notes.value_or(std::vector<isa::RuleId>()),
                  .changed = recorded.memory.value_or(RegionsByMemory())};
  if (outcome.status == Outcome::Status::kRejected) {
    outcome.rules = recorded.rules.value_or(c.expect->rules);
  }
  auto finding = CompareWithExpectation(asked, outcome, name);
  if (finding) finding->message += Observed(recorded);
  return finding;
}

}  // namespace lanediff::diff
