// Special values, rounding and kinds of data of element-wise calls.

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "differential/testcase/element.h"
#include "generators/boundary/elementwise.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::make::sweep {
namespace {

using isa::DType;
using isa::Product;

/// Pairs of halves whose results are rounded, or next to where that changes:
/// ties to either side, the largest number and half a unit beyond, results
/// below the smallest normal and the smallest subnormal number.
constexpr std::uint64_t kRoundedHalves[][2] = {
    {0x6800, 0x3c00},  // 2048 and 1
    {0x6800, 0x4200},  // 2048 and 3
    {0x6801, 0x3c00},  // 2050 and 1
    {0x6800, 0x3c01},  // 2048 and just above 1
    {0x6801, 0x3bff},  // 2050 and just below 1
    {0x7bff, 0x4b80},  // 65504 and 15
    {0x7bff, 0x4bff},  // 65504 and just below 16
    {0x7bff, 0x4c00},  // 65504 and 16
    {0x0400, 0x3800},  // 2^-14 and 0.5
    {0x0001, 0x3800},  // 2^-24 and 0.5
    {0x0001, 0x3801},  // 2^-24 and just above 0.5
    {0x0001, 0x3a00},  // 2^-24 and 0.75
    {0x0003, 0x3800},  // 3 * 2^-24 and 0.5
    {0x03ff, 0x3c01},  // the largest subnormal and just above 1
    {0x0401, 0x3bff},  // just above 2^-14 and just below 1
    {0x3c01, 0x3e00},  // 1 + 2^-10 and 1.5: a tie
    {0x3c03, 0x3e00},  // 1 + 3 * 2^-10 and 1.5: a tie to the other side
    {0x3fff, 0x3c01},  // just below 2 and just above 1
    {0x5bff, 0x5c00},  // 255.875 and 256
    {0x5c00, 0x5c00},  // 256 and 256: too large a product
    {0x5bff, 0x5c01},  // and just beside
};

/// The sweeps of values.
template <class Tag>
struct ElementwiseValues : ElementwiseCases<Tag> {
  using Cases = ElementwiseCases<Tag>;
  using Cases::kValues;
  using Cases::MakeCase;
  using Cases::S;
  using typename Cases::Call;
  using typename Cases::rule;

  /// What a case of values is about.
  static isa::RuleId RuleOfValues(DType dtype, bool saturate) {
    if (Computes(kValues.use) && !IsFloating(dtype)) {
      return rule::kIntegerOverflow;
    }
    return saturate ? rule::kValue : isa::arith::kZeroSign;
  }

  /// Every pair of special values, both ways round, in both modes.
  static void SweepValues(Emitter& out) {
    for (DType dtype : kArithmeticTypes) {
      const auto& values = SpecialValues(dtype);
      const auto n = static_cast<std::int64_t>(values.size());
      for (const auto& [a, saturate, swap, form] :
           Combinations<std::int64_t, bool, bool, std::uint8_t>(
               Range(0, n - 1), {true, false}, {true, false},
               {Call::kCount, Call::kContiguous})) {
        out.Add([&] {
          Case c = MakeCase({.dtype = dtype,
                             .form = form,
                             .count = n,
                             .mask = n,
                             .repeat = 1});
          const std::vector<std::uint64_t> same(
              values.size(), values[static_cast<std::size_t>(a)]);
          PutElements(c, isa::Memory::kUb, dtype, S(c).src0.at,
                      swap ? values : same);
          PutElements(c, isa::Memory::kUb, dtype, S(c).src1.at,
                      swap ? same : values);
          Prepend(c, isa::SetSaturation{.enabled = saturate});
          return Sketch{
              .what = fmt::format(
                  "values: {} value {} {} every value{}{}", isa::Name(dtype), a,
                  swap ? "behind" : "before", saturate ? ", saturating" : "",
                  form == Call::kCount ? ", count" : ""),
              .rule = RuleOfValues(dtype, saturate),
              .c = std::move(c)};
        });
      }
    }
  }

  /// Each of those pairs with every two signs, both ways round, in both modes.
  static void SweepRounding(Emitter& out) {
    constexpr auto kPairs =
        static_cast<std::int64_t>(std::size(kRoundedHalves));
    for (const auto& [signs, swap, saturate] :
         Combinations<std::uint64_t, bool, bool>({0, 1, 2, 3}, {false, true},
                                                 {true, false})) {
      out.Add([&] {
        Case c = MakeCase({.form = Call::kCount, .count = kPairs});
        std::vector<std::uint64_t> sides[2];
        for (const auto& pair : kRoundedHalves) {
          sides[0].push_back(pair[0] | (signs & 1) << 15);
          sides[1].push_back(pair[1] | (signs >> 1) << 15);
        }
        PutElements(c, isa::Memory::kUb, DType::kHalf, S(c).src0.at,
                    sides[swap ? 1 : 0]);
        PutElements(c, isa::Memory::kUb, DType::kHalf, S(c).src1.at,
                    sides[swap ? 0 : 1]);
        Prepend(c, isa::SetSaturation{.enabled = saturate});
        return Sketch{.what = fmt::format("rounding: signs {}{}{}", signs,
                                          swap ? ", swapped" : "",
                                          saturate ? ", saturating" : ""),
                      .rule = isa::arith::kRound,
                      .c = std::move(c)};
      });
    }
  }

  /// Each kind of data in every type, mode and form, on each product with
  /// different results of the modes and one without.
  static void SweepArithmetic(Emitter& out) {
    constexpr std::uint64_t kHoles = 0x6db6db6db6db6db6;
    constexpr std::uint64_t kRun = 0x00007ffffffffff0;
    for (const auto& [product, dtype, data, saturate, form] :
         Combinations<Product, DType, std::int64_t, bool, std::uint8_t>(
             {Product::kAtlasA2, Product::kAtlasA3,
              Product::kAtlasInferenceAicore},
             kArithmeticTypes, Range(0, kDataCount - 1), {true, false},
             {Call::kCount, Call::kContiguous, Call::kBitwise})) {
      out.Add([&] {
        Case c = MakeCase({.product = product,
                           .dtype = dtype,
                           .form = form,
                           .count = 400,
                           .mask = isa::kIterationBytes / isa::SizeBytes(dtype),
                           .words = {data % 2 == 0 ? kHoles : kRun, 0},
                           .repeat = 4});
        const Data kind = static_cast<Data>(data);
        Prepend(c, isa::SetSaturation{.enabled = saturate});
        return Sketch{.what = fmt::format(
                          "arithmetic: {} of {} on {}, form {}{}",
                          DataName(kind), isa::Name(dtype), isa::Name(product),
                          form, saturate ? ", saturating" : ""),
                      .rule = RuleOfValues(dtype, saturate),
                      .c = std::move(c),
                      .data = kind};
      });
    }
  }
};

}  // namespace

void SweepElementwiseValues(Emitter& out, std::string_view op) {
  ForElementwise(op,
                 [&]<class Tag>(std::type_identity<isa::ElementwiseCall<Tag>>) {
                   ElementwiseValues<Tag>::SweepValues(out);
                 });
}

void SweepElementwiseArithmetic(Emitter& out, std::string_view op) {
  ForElementwise(
      op, [&]<class Tag>(std::type_identity<isa::ElementwiseCall<Tag>>) {
        using Module = ElementwiseValues<Tag>;
        if constexpr (Computes(Module::kValues.use)) Module::SweepRounding(out);
        // Min's cases keep their numbers.
        if constexpr (!std::is_same_v<typename Module::Call, isa::Min>) {
          Module::SweepArithmetic(out);
        }
      });
}

}  // namespace lanediff::make::sweep
