// Special values, rounding and kinds of data of lane-wise calls.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
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

/// Adds elements next to where values are rounded otherwise, or saturated: in
/// the middle of two whole numbers, of two halves and so on, and neighbours.
void AddRoundingValues(DType dtype, std::vector<std::uint64_t>& values) {
  constexpr std::string_view kNumbers[] = {"0.5",
                                           "1.5",
                                           "2.5",
                                           "-0.5",
                                           "-1.5",
                                           "-2.5",
                                           "0.25",
                                           "-3.75",
                                           "126.5",
                                           "127",
                                           "127.5",
                                           "128",
                                           "-128",
                                           "-128.5",
                                           "-129",
                                           "254.5",
                                           "255",
                                           "255.5",
                                           "256",
                                           "32767",
                                           "32767.5",
                                           "32768",
                                           "-32768",
                                           "-32769",
                                           "2147483520",
                                           "2147483648",
                                           "-2147483648",
                                           "2147483647",
                                           "2049",
                                           "2051",
                                           "-2051",
                                           "4098",
                                           "65504",
                                           "65505",
                                           "65519",
                                           "65520",
                                           "65536",
                                           "-65520",
                                           "16777217",
                                           "16777219",
                                           "33554435",
                                           "-33554434",
                                           "2147483584",
                                           "1.00048828125",
                                           "1.00146484375",
                                           "1.00390625",
                                           "-1.01171875",
                                           "2.98023223876953125e-08",
                                           "4.470348358154297e-08",
                                           "-8.940696716308594e-08",
                                           "5.960464477539063e-08",
                                           "3.3961775292304957e+38",
                                           "3.3895313892515355e+38",
                                           "34359744512",
                                           "9223372036854775807",
                                           "-9223372036854775808",
                                           "9223371761976868864",
                                           "9223372036854775808",
                                           "-4611686293305294848",
                                           "562949987008512"};
  for (std::string_view number : kNumbers) {
    const auto bits = ElementFromNumber(dtype, number);
    if (!bits) continue;
    values.push_back(*bits);
    if (!IsFloating(dtype)) continue;
    values.push_back(*bits + 1);
    values.push_back(*bits - 1);
  }
}

/// " to half by CAST_RINT".
std::string NameOf(const std::optional<Conversion>& way) {
  return way ? fmt::format(" to {} by {}", isa::Name(way->to),
                           isa::Name(way->mode))
             : "";
}

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

/// Bits of both kinds where the call has a bit for each lane, each byte another
/// one.
void PutBits(Case& c, bool flipped) {
  const std::size_t packed = PackedSource(*Subject(c).signature);
  if (packed == Subject(c).signature->operands.size()) return;
  const isa::Operand& bits = Subject(c).operands[packed];
  std::vector<std::uint64_t> bytes;
  for (std::int64_t i = 0; i < bits.bytes; ++i) {
    const auto byte = static_cast<std::uint64_t>(0x35 + 0x4d * i);
    bytes.push_back((flipped ? ~byte : byte) & 0xff);
  }
  PutElements(c, isa::Memory::kUb, DType::kUint8, bits.at, bytes);
}

/// One iteration over `n` values, or as many as it holds.
Case CaseOfValues(const LanewiseRow& row, DType dtype, std::uint8_t form,
                  std::size_t n, std::size_t conversion = 0) {
  const auto count = static_cast<std::int64_t>(n);
  return row.MakeCase({.dtype = dtype,
                       .form = form,
                       .count = count,
                       .mask = std::min(count, row.Lanes(dtype, conversion)),
                       .repeat = 1,
                       .conversion = conversion});
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
           row.Forms({isa::kCountForm, isa::kMaskForm, isa::kBitsForm}))) {
    // Each conversion with some data, product or form.
    const auto way = static_cast<std::size_t>(data * 5 + form * 7 +
                                              static_cast<int>(product) * 3);
    Case c = row.MakeCase({.product = product,
                           .dtype = dtype,
                           .form = form,
                           .count = 400,
                           .mask = row.Lanes(dtype, way),
                           .words = {data % 2 == 0 ? kHoles : kRun, 0},
                           .repeat = 4,
                           .conversion = way});
    if (row.Lanes(dtype, way) <= 32) Subject(c).mask_words[0] &= 0xffffffffu;
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
      Case c = CaseOfValues(row, dtype, form, values.size());
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

/// Every mode of every pair of types, listed or not, on every product.
void SweepConversions(Emitter& out, const LanewiseRow& row) {
  for (const isa::Instruction::Conversion& pair : row.known.conversions) {
    for (const auto& [p, m] : out.Each<std::int64_t, std::int64_t>(
             Range(0, isa::kCount<Product> - 1),
             Range(0, row.Has(isa::CallRule::kRoundMode)
                          ? isa::kCount<isa::RoundMode> - 1
                          : 0))) {
      const auto product = static_cast<Product>(p);
      const auto mode = static_cast<isa::RoundMode>(m);
      Case c = row.MakeCase({.product = product,
                             .dtype = pair.from,
                             .form = isa::kCountForm,
                             .count = 1});
      SetConversion(Subject(c), {pair.from, pair.to, mode});
      if (!Place(c)) continue;
      out.Give({.what = fmt::format("{} to {} by {} on {}",
                                    isa::Name(pair.from), isa::Name(pair.to),
                                    isa::Name(mode), isa::Name(product)),
                .rule = row.Rule(row.Has(isa::CallRule::kRoundMode)
                                     ? isa::CallRule::kRoundMode
                                     : isa::CallRule::kDtype),
                .c = std::move(c)});
    }
  }
}

/// Every mode of every type, and one that is none, on every product.
void SweepComparisons(Emitter& out, const LanewiseRow& row) {
  for (const auto& [dtype, p, m, form] :
       out.Each<DType, std::int64_t, std::int64_t, std::uint8_t>(
           row.types, Range(0, isa::kCount<Product> - 1),
           Range(0, isa::kCount<isa::CmpMode> - 1),
           {isa::kCountForm, isa::kBitsForm})) {
    const auto product = static_cast<Product>(p);
    Case c = row.MakeCase({.product = product,
                           .dtype = dtype,
                           .form = form,
                           .count = 1,
                           .words = {0x5a5a5a5a5a5a, 0}});
    Subject(c).cmp_mode = static_cast<isa::CmpMode>(m);
    const auto& values = SpecialValues(dtype);
    for (std::size_t i = 0; i < row.signature.sources(); ++i) {
      std::vector<std::uint64_t> some = values;
      some.resize(std::min<std::size_t>(some.size(), 64));
      std::ranges::rotate(some, some.begin() + static_cast<std::ptrdiff_t>(i));
      PutElements(c, isa::Memory::kUb, dtype, Subject(c).src(i).at, some);
    }
    if (row.signature.sources() == 1) Subject(c).scalar = values[1];
    out.Give(
        {.what = fmt::format("{} by {} on {}, form {}", isa::Name(dtype),
                             isa::Name(Subject(c).cmp_mode), isa::Name(product),
                             form),
         .rule = row.Rule(form == isa::kBitsForm ? isa::CallRule::kUnmasked
                                                 : isa::CallRule::kCmpMode),
         .c = std::move(c)});
  }
}

/// Each bit of selMask alone, and each byte without one, in each mode, over
/// several iterations.
void SweepSelections(Emitter& out, const LanewiseRow& row) {
  for (DType dtype : row.types) {
    const std::int64_t lanes = row.Lanes(dtype);
    for (const auto& [bit, mode, form, alone] :
         out.Each<std::int64_t, isa::SelMode, std::uint8_t, bool>(
             Range(0, 3 * lanes - 1),
             {isa::SelMode::kSameBits, isa::SelMode::kScalar,
              isa::SelMode::kTensor},
             {isa::kCountForm, isa::kMaskForm}, {true, false})) {
      if (mode == isa::SelMode::kSameBits && bit >= lanes) continue;
      Case c = row.MakeCase({.dtype = dtype,
                             .form = form,
                             .count = 3 * lanes,
                             .mask = lanes,
                             .repeat = 3,
                             .sel_mode = mode});
      const isa::Operand& bits = Subject(c).src(1);
      std::vector<std::uint64_t> bytes(static_cast<std::size_t>(bits.bytes),
                                       alone ? 0x00 : 0xff);
      auto& byte = bytes[static_cast<std::size_t>(bit / 8)];
      byte = alone ? std::uint64_t{1} << bit % 8 : 0;
      for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
        if (i >= Subject(c).sources()) continue;
        std::vector<std::uint64_t> values;
        for (std::int64_t n = 0; n < 3 * lanes; ++n) {
          values.push_back(
              static_cast<std::uint64_t>(i == 0 ? 0x7c01 + n : 0x8000 + n));
        }
        PutElements(c, isa::Memory::kUb, dtype, Subject(c).src(i).at, values);
      }
      PutElements(c, isa::Memory::kUb, DType::kUint8, bits.at, bytes);
      out.Give({.what = fmt::format("bits: {} {} of {} by {}{}", bit,
                                    alone ? "alone" : "and its byte not",
                                    isa::Name(dtype), isa::Name(mode),
                                    form == isa::kCountForm ? ", count" : ""),
                .rule = row.Rule(bit == 0 ? isa::CallRule::kSelMode
                                          : isa::CallRule::kBits),
                .c = std::move(c)});
    }
  }
}

}  // namespace

void SweepLanewiseValues(Emitter& out, const LanewiseRow& row) {
  if (row.Has(isa::CallRule::kScalarRange)) return SweepShifts(out, row);
  SweepConversions(out, row);
  if (row.signature.PacksBits()) SweepComparisons(out, row);
  if (row.signature.Has(isa::Param::kSelMode)) SweepSelections(out, row);
  const bool scalar = row.signature.Has(isa::Param::kScalar);
  const bool pairs = row.signature.sources() > 1;
  for (DType dtype : row.types) {
    const auto ways = row.Ways(dtype);
    std::vector<std::uint64_t> values = SpecialValues(dtype);
    if (ways.front()) AddRoundingValues(dtype, values);
    const auto n = static_cast<std::int64_t>(values.size());
    for (const auto& [a, saturate, swap, form, way] :
         out.Each<std::int64_t, bool, bool, std::uint8_t, std::int64_t>(
             Range(0, pairs || scalar ? n - 1 : 0), {true, false},
             pairs ? ValueList<bool>{true, false} : ValueList<bool>{true},
             row.Forms({isa::kCountForm, isa::kMaskForm}),
             Range(0, static_cast<std::int64_t>(ways.size()) - 1))) {
      const auto conversion = static_cast<std::size_t>(way);
      Case c = CaseOfValues(row, dtype, form, values.size(), conversion);
      const std::uint64_t value = values[static_cast<std::size_t>(a)];
      const std::vector<std::uint64_t> same(values.size(), value);
      for (std::size_t i = 0; i < Subject(c).sources(); ++i) {
        if (row.signature.operands[i + 1].is_packed) continue;
        PutElements(c, isa::Memory::kUb, dtype, Subject(c).src(i).at,
                    swap == (i == 0) ? values : same);
      }
      PutBits(c, saturate);
      if (scalar && Subject(c).Has(isa::Param::kScalar)) {
        Subject(c).scalar = value;
      }
      PutDst(c, dtype, values, static_cast<std::size_t>(a) + 1);
      Prepend(c, isa::SetSaturation{.enabled = saturate});
      out.Give(
          {.what = fmt::format("values: {}{} value {}{}{}{}", isa::Name(dtype),
                               NameOf(ways[conversion]), a,
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
  if (half && Computes(row.values.use) &&
      row.values.use != DataUse::kConversion) {
    SweepRounding(out, row);
  }
  // Min's cases keep their numbers.
  if (row.signature.op != "Min") SweepArithmetic(out, row);
}

}  // namespace lanediff::make::sweep
