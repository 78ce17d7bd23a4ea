#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "generators/boundary/calls.h"
#include "generators/boundary/emitter.h"
#include "generators/values.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// Calls of Min and its family. All of them have the same cases, but for what
/// their documents state of products and for what they compute.
namespace lanediff::make::sweep {

/// What a generator of an element-wise call may vary; the rest is as small as
/// can be.
struct ElementwiseShape {
  isa::Product product = isa::Product::kAtlasA2;
  isa::DType dtype = isa::DType::kHalf;
  std::uint8_t form = isa::Min::kContiguous;
  std::int64_t count = 40;
  std::int64_t mask = 20;
  std::array<std::uint64_t, 2> words = {0x8001, 0};
  std::int64_t repeat = 2;
  isa::BinaryRepeatParams strides = {1, 1, 1, 8, 8, 8};
  bool set_mask = true;
};

/// The types that the calls compute with.
inline constexpr isa::DType kArithmeticTypes[] = {
    isa::DType::kHalf, isa::DType::kFloat, isa::DType::kInt16,
    isa::DType::kInt32};

/// What the generators of `Tag`'s call share.
template <class Tag>
struct ElementwiseCases {
  using Call = isa::ElementwiseCall<Tag>;
  using rule = isa::ElementwiseRules<Tag>;
  static constexpr Values kValues = kValuesOf<Call>;

  /// The call under test.
  static Call& S(Case& c) { return Subject<Call>(c); }

  /// A legal call of this shape, placed; without memories where it is too
  /// large. Without isSetMask all lanes are counted.
  static Case MakeCase(const ElementwiseShape& shape) {
    Call s;
    s.dtype = shape.dtype;
    s.dst = At(isa::Position::kVecout);
    s.src0 = At(isa::Position::kVecin);
    s.src1 = At(isa::Position::kVeccalc);
    s.form = shape.form;
    if (s.form == Call::kCount) {
      s.count = shape.count;
    } else {
      if (s.form == Call::kContiguous && shape.set_mask) s.mask = shape.mask;
      if (s.form == Call::kBitwise && shape.set_mask)
        s.mask_words = shape.words;
      s.repeat_times = shape.repeat;
      s.repeat_params = shape.strides;
      s.is_set_mask = shape.set_mask;
    }
    return Placed(shape.product, s);
  }
};

/// Calls `sweep` with the type of the element-wise call `op`.
template <class Sweep>
void ForElementwise(std::string_view op, const Sweep& sweep) {
  isa::ForEachIntrinsic([&]<class Call>() {
    if constexpr (isa::Elementwise<Call>) {
      if (Call::kOp == op) sweep(std::type_identity<Call>());
    }
  });
}

/// Masks, counts, strides and overlap.
void SweepElementwiseLayout(Emitter& out, std::string_view op);

/// Pairs of special values.
void SweepElementwiseValues(Emitter& out, std::string_view op);

/// Rounded results, and each kind of data in every type, mode and form.
void SweepElementwiseArithmetic(Emitter& out, std::string_view op);

}  // namespace lanediff::make::sweep
