#pragma once

#include <fmt/format.h>

#include "differential/testcase/element.h"
#include "generators/boundary/elementwise.h"
#include "generators/boundary/pairwise.h"
#include "isa/catalogue.h"

/// See `ElementwiseModule`: values, and combinations of parameter classes.
namespace lanediff::make::sweep {

template <class Tag>
std::optional<Sketch> ElementwiseModule<Tag>::Combine(
    const std::vector<std::size_t>& row) {
  static constexpr Product kProducts[] = {Product::kAtlasA2,
                                          Product::kAtlas200i500A2,
                                          Product::kAtlasInferenceAicore,
                                          Product::kAtlasTraining,
                                          Product::kAtlasInferenceVectorcore,
                                          Product::kAtlasA3};
  static constexpr DType kTypes[] = {DType::kHalf, DType::kFloat, DType::kInt16,
                                     DType::kInt32, DType::kUint16};
  static constexpr Position kPositions[] = {
      Position::kVecin, Position::kVeccalc, Position::kVecout};
  static constexpr std::int64_t kMasks[] = {1, 15, 16, 17, 63, 64, 127, 128};
  static constexpr std::int64_t kRepeats[] = {0, 1, 2, 3, 17, 40};
  static constexpr std::int64_t kBlk[] = {1, 0, 2, 9};
  static constexpr std::int64_t kRep[] = {8, 0, 1, 7, 9};
  const DType dtype = kTypes[row[1]];
  const std::int64_t mask =
      std::min(kMasks[row[7]], 256 / isa::SizeBytes(dtype));
  const isa::SetVectorMask lanes = FirstLanes(mask);
  const bool set_mask = row[3] < 2;
  Case c = MakeCase(
      {.product = kProducts[row[0]],
       .dtype = dtype,
       .form = static_cast<std::uint8_t>(row[2]),
       .count = kMasks[row[7]] * (kRepeats[row[8]] + 1),
       .mask = mask,
       .words = {lanes.low & ~std::uint64_t{row[15] * 2}, lanes.high},
       .repeat = kRepeats[row[8]],
       .strides = {std::max<std::int64_t>(1, kBlk[row[9]]), kBlk[row[10]],
                   kBlk[row[11]], kRep[row[12]], kRep[row[13]], kRep[row[14]]},
       .set_mask = set_mask});
  if (!Ub(c)) return std::nullopt;
  S(c).dst.position = kPositions[row[4]];
  S(c).src0.position = kPositions[row[5]];
  S(c).src1.position = kPositions[row[6]];
  if (row[16] == 1) S(c).dst.at = S(c).src0.at;
  if (row[16] == 2) S(c).dst.at = S(c).src1.at;
  if (row[16] == 3) S(c).src1.at = S(c).src0.at;
  for (const auto* o : {&S(c).dst, &S(c).src0, &S(c).src1}) {
    Ub(c)->size = std::max(Ub(c)->size, o->at + o->bytes);
  }
  if (!set_mask) Prepend(c, lanes);
  if (c.product == Product::kAtlasA2 || c.product == Product::kAtlasA3) {
    Prepend(c, isa::SetSaturation{.enabled = row[15] == 0});
  }
  return Sketch{.what = fmt::format("pairwise: classes {}", RowText(row)),
                .rule = std::nullopt,
                .c = std::move(c),
                .data = static_cast<Data>(row[17])};
}

/// What a case of values is about.
template <class Tag>
isa::RuleId ElementwiseModule<Tag>::RuleOfValues(DType dtype, bool saturate) {
  if (Computes(kValues.use) && !IsFloating(dtype)) {
    return rule::kIntegerOverflow;
  }
  return saturate ? rule::kValue : isa::arith::kZeroSign;
}

/// Every pair of special values, both ways round, in both modes.
template <class Tag>
void ElementwiseModule<Tag>::SweepValues(Emitter& out) {
  for (DType dtype :
       {DType::kHalf, DType::kFloat, DType::kInt16, DType::kInt32}) {
    const auto& values = SpecialValues(dtype);
    for (std::size_t a = 0; a < values.size(); ++a) {
      for (bool saturate : {true, false}) {
        for (bool swap : {true, false}) {
          for (std::uint8_t form : {Call::kCount, Call::kContiguous}) {
            out.Add([&]() -> std::optional<Sketch> {
              const auto n = static_cast<std::int64_t>(values.size());
              Case c = MakeCase({.dtype = dtype,
                                 .form = form,
                                 .count = n,
                                 .mask = n,
                                 .repeat = 1});
              const std::vector<std::uint64_t> same(values.size(), values[a]);
              PutElements(c, isa::Memory::kUb, dtype, S(c).src0.at,
                          swap ? values : same);
              PutElements(c, isa::Memory::kUb, dtype, S(c).src1.at,
                          swap ? same : values);
              Prepend(c, isa::SetSaturation{.enabled = saturate});
              return Sketch{.what = fmt::format(
                                "values: {} value {} {} every value{}{}",
                                isa::Name(dtype), a, swap ? "behind" : "before",
                                saturate ? ", saturating" : "",
                                form == Call::kCount ? ", count" : ""),
                            .rule = RuleOfValues(dtype, saturate),
                            .c = std::move(c)};
            });
          }
        }
      }
    }
  }
}

/// Pairs of halves whose results are rounded, or next to where that changes:
/// ties to either side, the largest number and half a unit beyond, results
/// below the smallest normal and the smallest subnormal number.
inline constexpr std::uint64_t kRoundedHalves[][2] = {
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

/// Each of those pairs with every two signs, both ways round, in both modes.
template <class Tag>
void ElementwiseModule<Tag>::SweepRounding(Emitter& out) {
  constexpr auto kPairs = static_cast<std::int64_t>(std::size(kRoundedHalves));
  for (std::uint64_t signs = 0; signs < 4; ++signs) {
    for (bool swap : {false, true}) {
      for (bool saturate : {true, false}) {
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
  }
}

/// Each kind of data in every type, mode and form, on each product with
/// different results of the modes and one without.
template <class Tag>
void ElementwiseModule<Tag>::SweepArithmetic(Emitter& out) {
  constexpr std::uint64_t kHoles = 0x6db6db6db6db6db6;
  constexpr std::uint64_t kRun = 0x00007ffffffffff0;
  for (Product product :
       {Product::kAtlasA2, Product::kAtlasA3, Product::kAtlasInferenceAicore}) {
    for (DType dtype :
         {DType::kHalf, DType::kFloat, DType::kInt16, DType::kInt32}) {
      for (std::size_t data = 0; data < kDataCount; ++data) {
        for (bool saturate : {true, false}) {
          for (std::uint8_t form :
               {Call::kCount, Call::kContiguous, Call::kBitwise}) {
            out.Add([&]() -> std::optional<Sketch> {
              Case c = MakeCase(
                  {.product = product,
                   .dtype = dtype,
                   .form = form,
                   .count = 400,
                   .mask = isa::kIterationBytes / isa::SizeBytes(dtype),
                   .words = {data % 2 == 0 ? kHoles : kRun, 0},
                   .repeat = 4});
              const Data kind = static_cast<Data>(data);
              Prepend(c, isa::SetSaturation{.enabled = saturate});
              return Sketch{
                  .what = fmt::format("arithmetic: {} of {} on {}, form {}{}",
                                      DataName(kind), isa::Name(dtype),
                                      isa::Name(product), form,
                                      saturate ? ", saturating" : ""),
                  .rule = RuleOfValues(dtype, saturate),
                  .c = std::move(c),
                  .data = kind};
            });
          }
        }
      }
    }
  }
}

template <class Tag>
void ElementwiseModule<Tag>::SweepClasses(Emitter& out) {
  SweepRows(out, {6, 5, 3, 3, 3, 3, 3, 8, 6, 4, 4, 4, 5, 5, 5, 2, 4, 8}, 24,
            Combine);
}

}  // namespace lanediff::make::sweep
