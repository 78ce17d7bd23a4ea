#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "generators/boundary/calls.h"
#include "generators/values.h"
#include "isa/memory_map.h"
#include "isa/units.h"

/// Calls of Min and its family, shared by the files that sweep them. All of
/// them have the same cases, but for what their documents state of products and
/// for what they compute.
namespace lanediff::make::sweep {

using isa::DType;
using isa::Position;
using isa::Product;

/// What a generator of `Tag`'s call may vary; the rest is as small as can be.
struct ElementwiseShape {
  Product product = Product::kAtlasA2;
  DType dtype = DType::kHalf;
  std::uint8_t form = isa::Min::kContiguous;
  std::int64_t count = 40;
  std::int64_t mask = 20;
  std::array<std::uint64_t, 2> words = {0x8001, 0};
  std::int64_t repeat = 2;
  isa::BinaryRepeatParams strides = {1, 1, 1, 8, 8, 8};
  bool set_mask = true;
};

/// The module of one of them.
template <class Tag>
struct ElementwiseModule {
  using Call = isa::ElementwiseCall<Tag>;
  using rule = isa::ElementwiseRules<Tag>;
  static constexpr Values kValues = kValuesOf<Call>;

  /// The call under test.
  static Call& S(Case& c) { return Subject<Call>(c); }

  /// A legal call of this shape, placed; without memories where it is too
  /// large.
  static Case MakeCase(const ElementwiseShape& shape);

  static std::vector<Base> Bases();
  static std::vector<Breaker> Breakers();
  static Kit MakeKit();
  /// Every type, form and place.
  static std::vector<EveryBase> EveryBases();
  /// All cases of the instruction, in the order of their numbers.
  static void SweepAll(Emitter& out);

  // Lanes, addresses and overlap.
  static void SweepMasks(Emitter& out);
  static void SweepCounts(Emitter& out);
  static void SweepLongCounts(Emitter& out);
  static void SweepStrides(Emitter& out);
  static void SweepOverlap(Emitter& out);
  static void SweepRunning(Emitter& out);

  // Values, and combinations of parameter classes.
  static isa::RuleId RuleOfValues(DType dtype, bool saturate);
  static void SweepValues(Emitter& out);
  static void SweepRounding(Emitter& out);
  static void SweepArithmetic(Emitter& out);
  static std::optional<Sketch> Combine(const std::vector<std::size_t>& row);
  static void SweepClasses(Emitter& out);
};

/// Without isSetMask all lanes are counted.
template <class Tag>
Case ElementwiseModule<Tag>::MakeCase(const ElementwiseShape& shape) {
  Call s;
  s.dtype = shape.dtype;
  s.dst = At(Position::kVecout);
  s.src0 = At(Position::kVecin);
  s.src1 = At(Position::kVeccalc);
  s.form = shape.form;
  if (s.form == Call::kCount) {
    s.count = shape.count;
  } else {
    if (s.form == Call::kContiguous && shape.set_mask) s.mask = shape.mask;
    if (s.form == Call::kBitwise && shape.set_mask) s.mask_words = shape.words;
    s.repeat_times = shape.repeat;
    s.repeat_params = shape.strides;
    s.is_set_mask = shape.set_mask;
  }
  return Placed(shape.product, s);
}

}  // namespace lanediff::make::sweep
