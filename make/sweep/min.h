#pragma once

#include <vector>

#include "make/sweep/calls.h"
#include "make/sweep/rooms.h"

/// Calls of Min, shared by the files that sweep it.
namespace lanediff::make::sweep::minimum {

using isa::DType;
using isa::Min;
using isa::Position;
using isa::Product;
namespace min = isa::min;

/// What a generator may vary; the rest is as small as can be.
struct Shape {
  Product product = Product::kAtlasA2;
  DType dtype = DType::kHalf;
  std::uint8_t form = Min::kContiguous;
  std::int64_t count = 40;
  std::int64_t mask = 20;
  std::array<std::uint64_t, 2> words = {0x8001, 0};
  std::int64_t repeat = 2;
  isa::BinaryRepeatParams strides = {1, 1, 1, 8, 8, 8};
  bool set_mask = true;
};

/// The call under test.
inline Min& S(Case& c) { return Subject<Min>(c); }

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
void SweepMasks(Emitter& out);
void SweepCounts(Emitter& out);
void SweepLongCounts(Emitter& out);
void SweepStrides(Emitter& out);
void SweepOverlap(Emitter& out, const Kit& kit);
void SweepRunningMinimum(Emitter& out);

// Values, and combinations of parameter classes.
void SweepValues(Emitter& out);
void SweepClasses(Emitter& out);

}  // namespace lanediff::make::sweep::minimum
