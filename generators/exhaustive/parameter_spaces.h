#pragma once

#include <memory>
#include <string_view>

#include "generators/exhaustive/space.h"
#include "isa/step.h"

/// The parameter spaces of the instructions. Each integer field runs through
/// small values and the neighbours on both sides of its range, in every form;
/// operands start around each other, in steps that reach every way of
/// overlapping. The bounds are in the grids themselves, from where `Bounds()`
/// lists them. Saturation mode is on; data is `PatternBytes`.
namespace lanediff::make::exhaust {

/// One for each intrinsic, in the file of its name.
template <isa::Intrinsic Call>
std::unique_ptr<Space> ParametersOf();
/// 2 million calls on 1 KiB of UB.
template <>
std::unique_ptr<Space> ParametersOf<isa::RepeatReduceSum>();
/// 0.9 million calls on 1 KiB of each memory, some of two copies.
template <>
std::unique_ptr<Space> ParametersOf<isa::DataCopy>();
/// 2 million calls on 4 KiB of UB.
template <>
std::unique_ptr<Space> ParametersOf<isa::Trowprod>();
/// 0.1 million calls on 4 KiB of UB.
template <>
std::unique_ptr<Space> ParametersOf<isa::VecTrans>();
/// 1.7 million calls on 1 KiB of UB.
template <>
std::unique_ptr<Space> ParametersOf<isa::WholeReduceSum>();

/// Of the element-wise call `op`: 2 million calls on 3 KiB of UB.
std::unique_ptr<Space> ElementwiseParameters(std::string_view op);
template <isa::Intrinsic Call>
  requires isa::Elementwise<Call>
std::unique_ptr<Space> ParametersOf() {
  return ElementwiseParameters(Call::kOp);
}

}  // namespace lanediff::make::exhaust
