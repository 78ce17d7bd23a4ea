#pragma once

#include "cli/explain/facts.h"
#include "isa/step.h"

/// What is particular to an instruction, in a file of its own for each. A new
/// instruction adds its overload here and its file.
namespace lanediff::cli::explain {

/// Prints what an executed step did: DataBlocks, lanes, arithmetic.
void Picture(const isa::RepeatReduceSum& call, const StepFacts& facts);
void Picture(const isa::Min& call, const StepFacts& facts);
void Picture(const isa::DataCopy& call, const StepFacts& facts);
void Picture(const isa::Trowprod& call, const StepFacts& facts);
void Picture(const isa::VecTrans& call, const StepFacts& facts);

/// The steps that set machine state have none.
template <class StateStep>
void Picture(const StateStep&, const StepFacts&) {}

}  // namespace lanediff::cli::explain
