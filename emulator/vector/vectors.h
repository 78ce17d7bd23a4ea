#pragma once

#include "emulator/brcb.h"
#include "emulator/data_copy.h"
#include "emulator/lanewise.h"
#include "emulator/reduce_sum.h"
#include "emulator/trowprod.h"
#include "emulator/vec_trans.h"
#include "emulator/vector/target.h"

namespace lanediff::emulator {

/// Gives every row the vectors of `target`: every type, all three forms.
void UseVectors(VectorTarget target, LanewiseRows& rows);

/// RepeatReduceSum and WholeReduceSum with vectors: both types, all lanes.
extern const ByVectorTarget<ReduceSumVectors> kReduceSumByTarget;
/// Reductions of several results an iteration, largest and smallest lanes with
/// their numbers: both types, all lanes.
extern const ByVectorTarget<ReduceSumVectors> kReduceGroupsByTarget;

/// TROWPROD with vectors: half and float, every order.
extern const ByVectorTarget<TrowprodVectors> kTrowprodByTarget;

/// vec_trans with vectors: transposes blocks of 8 × 8 elements at a time.
extern const ByVectorTarget<VecTransVectors> kVecTransByTarget;

/// Brcb with vectors: every type, a DataBlock at a time.
extern const ByVectorTarget<BrcbVectors> kBrcbByTarget;

/// Copies with vectors: DataBlock by DataBlock, or whole blocks as the C
/// library copies them; half is widened to float. What pads is written first.
extern const ByVectorTarget<DataCopyVectors> kDataCopyByTarget;

}  // namespace lanediff::emulator
