#pragma once

#include <vector>

#include "emulator/mutants/mutant.h"

/// The tables that `Mutants()` joins, by instruction and kind of seam.
namespace lanediff::mutants {

using Table = std::vector<Mutant>;

/// All of `first`, then all of each of `more`.
template <class... Tables>
Table Joined(Table first, const Tables&... more) {
  (first.insert(first.end(), more.begin(), more.end()), ...);
  return first;
}

Table ProgramSteps();
Table FlagSteps();

/// RepeatReduceSum and WholeReduceSum.
Table ReduceSumLegality();
Table ReduceSumOverlaps();
Table ReduceSumPlans();
Table ReduceSumOrders();
Table ReduceSumArithmetic();
Table ReduceSumWriteBacks();
Table ReduceSumVectorKernels();

/// Every element-wise call.
Table ElementwiseLegality();
Table ElementwiseOverlaps();
Table ElementwisePlans();
Table ElementwiseKernels();
Table ElementwiseWriteBacks();
Table ElementwiseVectorKernels();

Table DataCopyLegality();
Table DataCopyOverlaps();
Table DataCopyPlans();
Table DataCopyKernels();
Table DataCopyWriteBacks();
Table DataCopyVectorKernels();

Table TrowprodLegality();
Table TrowprodPlans();
Table TrowprodOrders();
Table TrowprodArithmetic();
Table TrowprodWriteBacks();
Table TrowprodVectorKernels();

Table VecTransLegality();
Table VecTransPlans();
Table VecTransKernels();
Table VecTransWriteBacks();
Table VecTransVectorKernels();

}  // namespace lanediff::mutants
