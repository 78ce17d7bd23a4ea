#include "differential/targets/target.h"

#include <fmt/format.h>

#include <stdexcept>

#include "differential/compare/unspecified.h"
#include "differential/memory/filled_memory.h"
#include "differential/memory/memory_set.h"

namespace lanediff::diff {
namespace {

using StepStatus = isa::StepResult::Status;

/// Executes the program and reports how it ended, but not what it left.
std::expected<Outcome, NoOutcome> Answered(const Case& c,
                                           const Capabilities& can,
                                           Session& session) {
  Outcome outcome;
  isa::RuleSet notes;
  session.MakeSpaceFor(c.program.size());
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    const isa::StepResult result = session.Execute(c.program[i]);
    if (session.failure() != nullptr) {
      return std::unexpected(*session.failure());
    }
    notes.AddAll(result.notes);
    if (result.status == StepStatus::kExecuted) continue;
    outcome.step = i;
    if (result.status == StepStatus::kUnsupported) {
      outcome.status = Outcome::Status::kUnsupported;
    } else {
      outcome.status = Outcome::Status::kRejected;
      if (can.legality == Capabilities::Legality::kRules) {
        outcome.rules.emplace(result.rules.begin(), result.rules.end());
      }
    }
    break;
  }
  if (can.notes) outcome.notes.emplace(notes.begin(), notes.end());
  return outcome;
}

}  // namespace

std::expected<Outcome, NoOutcome> StepwiseTarget::Run(const Case& c) const {
  const MemorySizes sizes = SizesOf(c);
  FilledMemory initial(c, sizes, Background::kFill);
  FilledMemory memory(c, sizes, Background::kFill);
  WriteRegions(c, initial.set());
  WriteRegions(c, memory.set());
  const auto session = Open(c.profile(), memory.set().view());
  auto answered = Answered(c, capabilities(), *session);
  if (!answered) return answered;  // of the memories nothing is known
  Outcome& outcome = *answered;
  outcome.observed = name();
  // What is unspecified is never compared and stands in no outcome.
  CopyRanges(UnspecifiedAfter(c, StepsExecuted(c, outcome)), initial.set(),
             memory.set());
  Touched touched(sizes);
  AddRegions(c, touched);
  memory.FindTouched(touched);
  outcome.memory = ChangedRanges(initial.set(), memory.set(), touched);
  initial.Restore(touched);
  memory.Restore(touched);
  return answered;
}

const StepwiseTarget& StepsOf(const Target& target) {
  const StepwiseTarget* const steps = target.stepwise();
  if (steps == nullptr) {
    throw std::logic_error(
        fmt::format("{} does not go step by step", target.name()));
  }
  return *steps;
}

std::expected<Outcome, NoOutcome> TargetAround::Run(const Case& c) const {
  return stepwise() != nullptr ? StepwiseTarget::Run(c) : inner_.Run(c);
}

const StepwiseTarget* TargetAround::stepwise() const {
  return inner_.stepwise() != nullptr ? this : nullptr;
}

}  // namespace lanediff::diff
