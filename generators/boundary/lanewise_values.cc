// Special values, rounding and kinds of data of lane-wise calls.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "differential/testcase/element.h"
#include "generators/boundary/lanewise.h"
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

/// What a case of values is about.
isa::RuleId RuleOfValues(const LanewiseRow& row, DType dtype, bool saturate) {
  if (!row.known.arithmetic) return row.Rule(isa::CallRule::kValue);
  if (!IsFloating(dtype) && row.Has(isa::CallRule::kIntegerOverflow)) {
    return row.Rule(isa::CallRule::kIntegerOverflow);
  }
  return saturate ? row.Rule(isa::CallRule::kValue) : isa::arith::kZeroSign;
}

/// The values, turned by some places, where the call reads dst.
void PutDst(Case& c, DType dtype, std::vector<std::uint64_t> values,
            std::size_t turned) {
  if (!Subject(c).signature->ReadsDst()) return;
  std::ranges::rotate(values, values.begin() + static_cast<std::ptrdiff_t>(
                                                   turned % values.size()));
  PutElements(c, isa::Memory::kUb, dtype, Subject(c).dst().at, values);
}

/// One iteration over as many special values as there are, or as it holds.
Case CaseOfValues(const LanewiseRow& row, DType dtype, std::uint8_t form) {
  const auto n = static_cast<std::int64_t>(SpecialValues(dtype).size());
  return row.MakeCase(
      {.dtype = dtype,
       .form = form,
       .count = n,
       .mask = std::min(n, isa::kIterationBytes / isa::SizeBytes(dtype)),
       .repeat = 1});
}

/// Each of those pairs with every two signs, both ways round, in both modes.
void SweepRounding(Emitter& out, const LanewiseRow& row) {
  constexpr auto kPairs = static_cast<std::int64_t>(std::size(kRoundedHalves));
  const bool scalar = row.signature.Has(isa::Param::kScalar);
  for (const auto& [signs, swap, saturate, of] :
       out.Each<std::uint64_t, bool, bool, std::int64_t>(
           {0, 1, 2, 3}, {false, true}, {true, false},
           Range(0, scalar ? kPairs - 1 : 0))) {
    Case c = row.MakeCase({.form = isa::kCountForm, .count = kPairs});
    std::vector<std::uint64_t> sides[2];
    for (const auto& pair : kRoundedHalves) {
      sides[0].push_back(pair[0] | (signs & 1) << 15);
      sides[1].push_back(pair[1] | (signs >> 1) << 15);
    }
    if (swap) std::swap(sides[0], sides[1]);
    for (std::size_t i = 0; i < row.signature.sources(); ++i) {
      PutElements(c, isa::Memory::kUb, DType::kHalf, Subject(c).src(i).at,
                  sides[i % 2]);
    }
    if (scalar) Subject(c).scalar = sides[1][static_cast<std::size_t>(of)];
    PutDst(c, DType::kHalf, sides[0], 5);
    Prepend(c, isa::SetSaturation{.enabled = saturate});
    out.Give({.what = fmt::format("rounding: signs {}{}{}{}", signs,
                                  swap ? ", swapped" : "",
                                  saturate ? ", saturating" : "",
                                  scalar ? fmt::format(", pair {}", of) : ""),
              .rule = isa::arith::kRound,
              .c = std::move(c)});
  }
}

/// Each kind of data in every type, mode and form, on each product with
/// different results of the modes and one without.
void SweepArithmetic(Emitter& out, const LanewiseRow& row) {
  constexpr std::uint64_t kHoles = 0x6db6db6db6db6db6;
  constexpr std::uint64_t kRun = 0x00007ffffffffff0;
  for (const auto& [product, dtype, data, saturate, form] :
       out.Each<Product, DType, std::int64_t, bool, std::uint8_t>(
           {Product::kAtlasA2, Product::kAtlasA3,
            Product::kAtlasInferenceAicore},
           row.types, Range(0, kDataCount - 1), {true, false},
           {isa::kCountForm, isa::kMaskForm, isa::kBitsForm})) {
    Case c = row.MakeCase({.product = product,
                           .dtype = dtype,
                           .form = form,
                           .count = 400,
                           .mask = isa::kIterationBytes / isa::SizeBytes(dtype),
                           .words = {data % 2 == 0 ? kHoles : kRun, 0},
                           .repeat = 4});
    const Data kind = static_cast<Data>(data);
    Prepend(c, isa::SetSaturation{.enabled = saturate});
    out.Give({.what = fmt::format("arithmetic: {} of {} on {}, form {}{}",
                                  DataName(kind), isa::Name(dtype),
                                  isa::Name(product), form,
                                  saturate ? ", saturating" : ""),
              .rule = RuleOfValues(row, dtype, saturate),
              .c = std::move(c),
              .data = kind});
  }
}

/// Every number of bits, and one more on either side, of special values.
void SweepShifts(Emitter& out, const LanewiseRow& row) {
  const bool rounds = row.signature.Has(isa::Param::kRoundEn);
  for (DType dtype : row.types) {
    const auto& values = SpecialValues(dtype);
    const std::int64_t all = 8 * isa::SizeBytes(dtype);
    for (const auto& [by, round, form] :
         out.Each<std::int64_t, bool, std::uint8_t>(
             Range(-1, all + 1),
             rounds ? ValueList<bool>{false, true} : ValueList<bool>{false},
             {isa::kCountForm, isa::kMaskForm})) {
      if (round && form == isa::kCountForm) continue;
      Case c = CaseOfValues(row, dtype, form);
      PutElements(c, isa::Memory::kUb, dtype, Subject(c).src(0).at, values);
      Subject(c).scalar =
          static_cast<std::uint64_t>(by) & (~0ULL >> (64 - all));
      Subject(c).round_en = round;
      out.Give(
          {.what = fmt::format("shift: {} by {}{}{}", isa::Name(dtype), by,
                               round ? ", rounded" : "",
                               form == isa::kCountForm ? ", count" : ""),
           .rule = row.Rule(by < 0 || by >= all ? isa::CallRule::kScalarRange
                            : round && by == 1  ? isa::CallRule::kRoundEn
                                                : isa::CallRule::kValue),
           .c = std::move(c)});
    }
  }
}

}  // namespace

void SweepLanewiseValues(Emitter& out, const LanewiseRow& row) {
  if (row.Has(isa::CallRule::kScalarRange)) return SweepShifts(out, row);
  const bool scalar = row.signature.Has(isa::Param::kScalar);
  const bool pairs = row.signature.sources() > 1;
  for (DType dtype : row.types) {
    const auto& values = SpecialValues(dtype);
    const auto n = static_cast<std::int64_t>(values.size());
    for (const auto& [a, saturate, swap, form] :
         out.Each<std::int64_t, bool, bool, std::uint8_t>(
             Range(0, pairs || scalar ? n - 1 : 0), {true, false},
             pairs ? ValueList<bool>{true, false} : ValueList<bool>{true},
             {isa::kCountForm, isa::kMaskForm})) {
      Case c = CaseOfValues(row, dtype, form);
      const std::uint64_t value = values[static_cast<std::size_t>(a)];
      const std::vector<std::uint64_t> same(values.size(), value);
      for (std::size_t i = 0; i < row.signature.sources(); ++i) {
        PutElements(c, isa::Memory::kUb, dtype, Subject(c).src(i).at,
                    swap == (i % 2 == 0) ? values : same);
      }
      if (scalar) Subject(c).scalar = value;
      PutDst(c, dtype, values, static_cast<std::size_t>(a) + 1);
      Prepend(c, isa::SetSaturation{.enabled = saturate});
      out.Give(
          {.what = fmt::format("values: {} value {}{}{}{}", isa::Name(dtype), a,
                               row.signature.sources() == 0 ? ""
                               : swap ? " behind every value"
                                      : " before every value",
                               saturate ? ", saturating" : "",
                               form == isa::kCountForm ? ", count" : ""),
           .rule = RuleOfValues(row, dtype, saturate),
           .c = std::move(c)});
    }
  }
}

void SweepLanewiseArithmetic(Emitter& out, const LanewiseRow& row) {
  const bool half = std::ranges::count(row.types, DType::kHalf) > 0;
  if (half && Computes(row.values.use)) SweepRounding(out, row);
  // Min's cases keep their numbers.
  if (row.signature.op != "Min") SweepArithmetic(out, row);
}

}  // namespace lanediff::make::sweep
