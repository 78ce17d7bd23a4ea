#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "generators/boundary/calls.h"
#include "generators/reduce_sum.h"
#include "isa/elementwise.h"
#include "isa/memory_map.h"
#include "isa/units.h"

/// Calls of RepeatReduceSum and WholeReduceSum, shared by the files that sweep
/// them. What one of them has to itself is behind `if constexpr`.
namespace lanediff::make::sweep {

using isa::DType;
using isa::Position;
using isa::Product;

/// What a generator may vary; the rest is as small as can be.
struct ReduceSumShape {
  Product product = Product::kAtlasA2;
  DType dtype = DType::kHalf;
  std::int64_t repeat = 2;
  std::int64_t elems = 5;
  std::int64_t src_blk = 1;
  std::int64_t dst_rep = 1;
  std::int64_t src_rep = 8;
  bool set_mask = true;
};

/// The module of one of them.
template <ReduceSum Call>
struct ReduceSumModule {
  using Names = ReduceSumWords<Call>;
  /// "RRS-PRODUCT" of "-PRODUCT".
  template <isa::RuleEnd kEnd>
  static constexpr isa::RuleId kRule = isa::NamedRule<Names, kEnd>::kId;
  static constexpr isa::RuleId kLanesRule{Names::kLanesRule};

  /// The call under test.
  static Call& S(Case& c) { return Subject<Call>(c); }

  /// A legal call of this shape, placed; without memories where it is too
  /// large.
  static Case MakeCase(const ReduceSumShape& shape);
  /// The same, with words as mask.
  static Case MakeCase(const ReduceSumShape& shape, MaskWords words);

  static std::vector<Base> Bases();
  static std::vector<Breaker> ParameterBreakers();
  static std::vector<Breaker> OwnBreakers();
  static std::vector<Breaker> PlaceBreakers();
  static Kit MakeKit();
  /// Every type, form and place.
  static std::vector<EveryBase> EveryBases();
  /// All cases of the instruction, in the order of their numbers.
  static void SweepAll(Emitter& out);

  // Lanes, addresses and overlap.
  static void SweepElems(Emitter& out);
  static void SweepRegister(Emitter& out);
  static void SweepWords(Emitter& out);
  static void SweepRepeats(Emitter& out);
  static void SweepStrides(Emitter& out);
  static void SweepOverlap(Emitter& out);
  static void SweepDependency(Emitter& out);
  static void SweepDstRepStride(Emitter& out);
  static void SweepDstBlkStride(Emitter& out);

  // Values, and combinations of parameter classes.
  static void SweepNodes(Emitter& out);
  static void SweepTrees(Emitter& out);
  static std::optional<Sketch> Combine(const std::vector<std::size_t>& row);
  static void SweepClasses(Emitter& out);
};

/// Without isSetMask all lanes are counted: a caller with a smaller register
/// passes the windows.
template <ReduceSum Call>
Case ReduceSumModule<Call>::MakeCase(const ReduceSumShape& shape) {
  Call s;
  s.dtype = shape.dtype;
  s.dst = At(Position::kVecout);
  s.src = At(Position::kVecin);
  RepeatOf(s) = shape.repeat;
  LanesOf(s) = shape.set_mask ? shape.elems : 0;
  s.src_blk_stride = shape.src_blk;
  s.dst_rep_stride = shape.dst_rep;
  s.src_rep_stride = shape.src_rep;
  s.is_set_mask = shape.set_mask;
  return Placed(shape.product, s);
}

template <ReduceSum Call>
Case ReduceSumModule<Call>::MakeCase(const ReduceSumShape& shape,
                                     MaskWords words) {
  Case c = MakeCase(shape);
  Call s = S(c);
  s.form = Call::kBitwise;
  s.mask = 0;
  if (shape.set_mask) s.mask_words = words;
  return Placed(shape.product, s);
}

}  // namespace lanediff::make::sweep
