#pragma once

#include "isa/rule.h"
#include "isa/step.h"
#include "reports/trace/elementwise.h"
#include "reports/trace/facts.h"
#include "reports/trace/portrait.h"

/// What is particular to an instruction when a step is shown, in a file of its
/// own for each. A new instruction adds its two overloads here and its file;
/// one of Min's family adds nothing (reports/trace/elementwise.h).
namespace lanediff::view {

/// Whether the executed step made use of `rule`, a semantics rule of its own
/// instruction: a call of one iteration has no order of iterations.
bool Uses(const isa::RepeatReduceSum& call, isa::RuleId rule,
          const StepFacts& facts);
bool Uses(const isa::WholeReduceSum& call, isa::RuleId rule,
          const StepFacts& facts);
bool Uses(const isa::DataCopy& call, isa::RuleId rule, const StepFacts& facts);
bool Uses(const isa::Trowprod& call, isa::RuleId rule, const StepFacts& facts);
bool Uses(const isa::VecTrans& call, isa::RuleId rule, const StepFacts& facts);

Portrait PortraitOf(const isa::RepeatReduceSum& call, const StepFacts& facts);
Portrait PortraitOf(const isa::WholeReduceSum& call, const StepFacts& facts);
Portrait PortraitOf(const isa::DataCopy& call, const StepFacts& facts);
Portrait PortraitOf(const isa::Trowprod& call, const StepFacts& facts);
Portrait PortraitOf(const isa::VecTrans& call, const StepFacts& facts);

/// The steps that set machine state have neither.
template <isa::StateStep Step>
bool Uses(const Step&, isa::RuleId, const StepFacts&) {
  return true;
}
template <isa::StateStep Step>
Portrait PortraitOf(const Step&, const StepFacts&) {
  return {};
}

}  // namespace lanediff::view
