#pragma once

#include <vector>

#include "make/sweep/calls.h"
#include "make/sweep/rooms.h"

/// Calls of RepeatReduceSum, shared by the files that sweep it.
namespace lanediff::make::sweep::reduce_sum {

using isa::DType;
using isa::Position;
using isa::Product;
using isa::RepeatReduceSum;
namespace rrs = isa::rrs;

/// What a generator may vary; the rest is as small as can be.
struct Shape {
  Product product = Product::kAtlasA2;
  DType dtype = DType::kHalf;
  std::int64_t repeat = 2;
  std::int64_t elems = 5;
  std::int64_t src_blk = 1;
  std::int64_t dst_rep = 1;
  std::int64_t src_rep = 8;
  bool set_mask = true;
};

/// The call under test.
inline RepeatReduceSum& S(Case& c) { return Subject<RepeatReduceSum>(c); }

/// See `NeedsFunction`.
std::vector<std::int64_t> Needs(const isa::Step& step);
/// A legal call of this shape, placed; without memories where it is too large.
Case MakeCase(const Shape& shape);

Kit MakeKit();
/// Every type, form and place.
std::vector<EveryBase> EveryBases();
/// All cases of the room, in the order of their numbers.
void SweepAll(Emitter& out);

// Lanes, addresses and overlap.
void SweepElems(Emitter& out);
void SweepRegister(Emitter& out);
void SweepRepeats(Emitter& out);
void SweepStrides(Emitter& out);
void SweepOverlap(Emitter& out, const Kit& kit);
void SweepDependency(Emitter& out);
void SweepDstRepStride(Emitter& out);
void SweepDstBlkStride(Emitter& out);

// Values, and combinations of parameter classes.
void SweepNodes(Emitter& out);
void SweepTrees(Emitter& out);
void SweepClasses(Emitter& out);

}  // namespace lanediff::make::sweep::reduce_sum
