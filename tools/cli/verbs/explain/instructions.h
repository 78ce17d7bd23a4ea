#pragma once

#include <string>

#include "isa/step.h"
#include "isa/vocabulary.h"
#include "reports/trace/elementwise.h"
#include "tools/cli/verbs/explain/facts.h"

/// What is particular to an instruction, in a file of its own for each. A new
/// instruction adds its overload here and its file; one of Min's family
/// adds nothing.
namespace lanediff::cli::explain {

/// Prints what an executed step did: DataBlocks, lanes, arithmetic.
void Picture(const isa::RepeatReduceSum& call, const StepFacts& facts);
void Picture(const isa::WholeReduceSum& call, const StepFacts& facts);
void Picture(const isa::DataCopy& call, const StepFacts& facts);
void Picture(const isa::Trowprod& call, const StepFacts& facts);
void Picture(const isa::VecTrans& call, const StepFacts& facts);

/// Min and its family: a node for each lane.
void PictureOfLanes(isa::DType dtype, const std::string& mask_origin,
                    const StepFacts& facts);
template <isa::Elementwise Call>
void Picture(const Call& call, const StepFacts& facts) {
  PictureOfLanes(call.dtype, view::PortraitOf(call, facts).mask_origin, facts);
}

/// The steps that set machine state have none.
template <isa::StateStep Step>
void Picture(const Step&, const StepFacts&) {}

}  // namespace lanediff::cli::explain
