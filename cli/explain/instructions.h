#pragma once

#include "cli/explain/facts.h"
#include "isa/rule.h"
#include "isa/step.h"

/// What is particular to an instruction, in a file of its own for each. A new
/// instruction adds its two overloads here and its file.
namespace lanediff::cli::explain {

/// Whether the executed step made use of `rule`, a semantics rule of its own
/// instruction: a call of one iteration, say, has no order of iterations.
bool Uses(const isa::RepeatReduceSum& call, isa::RuleId rule,
          const StepFacts& facts);
bool Uses(const isa::Min& call, isa::RuleId rule, const StepFacts& facts);
bool Uses(const isa::DataCopy& call, isa::RuleId rule, const StepFacts& facts);
bool Uses(const isa::Trowprod& call, isa::RuleId rule, const StepFacts& facts);
bool Uses(const isa::VecTrans& call, isa::RuleId rule, const StepFacts& facts);

/// Prints what an executed step did: DataBlocks, lanes, arithmetic.
void Picture(const isa::RepeatReduceSum& call, const StepFacts& facts);
void Picture(const isa::Min& call, const StepFacts& facts);
void Picture(const isa::DataCopy& call, const StepFacts& facts);
void Picture(const isa::Trowprod& call, const StepFacts& facts);
void Picture(const isa::VecTrans& call, const StepFacts& facts);

/// The steps that set machine state have neither.
template <class StateStep>
bool Uses(const StateStep&, isa::RuleId, const StepFacts&) {
  return true;
}
template <class StateStep>
void Picture(const StateStep&, const StepFacts&) {}

}  // namespace lanediff::cli::explain
