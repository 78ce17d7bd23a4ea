#pragma once

#include <span>

#include "isa/memories.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/oracle.h"
#include "oracle/reduce_sum.h"

/// The rules that RepeatReduceSum and WholeReduceSum have in common, stage by
/// stage.
namespace lanediff::oracle {

/// Stage 1, but for the masks and what one of the two has to itself.
isa::RuleSet CommonParameterRules(const ReduceSum& call,
                                  std::span<const isa::Product> products,
                                  isa::Product product);

/// Stage 2, after a clean stage 1: *-BOUNDS.
bool IsOutOfBounds(const ReduceSum& call, const SumListing& listing,
                   isa::Memory dst, isa::Memory src,
                   const isa::Memories& memories);

/// Stage 3, for operands in the same memory and all lanes inside it:
/// *-OVERLAP-ITERATION, *-OVERLAP-DEPENDENCY.
isa::RuleSet OverlapRules(const ReduceSum& call, const SumListing& listing);

/// Of stages 2 and 3, those that the call breaks, each judged by itself.
isa::RuleSet AccessRulesBrokenAnywhere(const ReduceSum& call,
                                       const Oracle::State& state);

}  // namespace lanediff::oracle
