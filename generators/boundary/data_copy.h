#pragma once

#include <vector>

#include "generators/boundary/calls.h"
#include "generators/boundary/modules.h"

/// Calls of DataCopy, shared by the files that sweep it.
namespace lanediff::make::sweep::data_copy {

using isa::DataCopy;
using isa::DType;
using isa::Position;
using isa::Product;
namespace dc = isa::dc;

/// What a generator may vary; the rest is as small as can be.
struct Shape {
  Product product = Product::kAtlasA2;
  DType dtype = DType::kHalf;
  Position src = Position::kGm;
  Position dst = Position::kVecin;
  bool params = true;
  std::int64_t count = 40;
  isa::DataCopyParams blocks = {2, 1, 1, 2};
};

/// The call under test.
inline DataCopy& S(Case& c) { return Subject<DataCopy>(c); }

/// A legal call of this shape, placed; without memories where it is too large.
Case MakeCase(const Shape& shape);
/// half to float from C1 to C2.
Case MakeWidening(const isa::DataCopyParams& blocks);

Kit MakeKit();
/// Every route of some product with every type, in both forms.
std::vector<EveryBase> EveryBases();
/// All cases of the instruction, in the order of their numbers.
void SweepAll(Emitter& out);

// Complete tables of routes and types, and places.
void SweepRoutes(Emitter& out);
void SweepMixed(Emitter& out);
void SweepPlaces(Emitter& out);

// Counts, blocks, overlap and barriers.
void SweepCounts(Emitter& out);
void SweepBlocks(Emitter& out);
void SweepOverlap(Emitter& out);
void SweepBarriers(Emitter& out);
void SweepUnderWay(Emitter& out);

// Values, and combinations of parameter classes.
void SweepBits(Emitter& out);
void SweepClasses(Emitter& out);

}  // namespace lanediff::make::sweep::data_copy
