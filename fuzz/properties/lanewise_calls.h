#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "generators/lanewise.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "isa/units.h"

/// What the laws of lane-wise calls draw, and verdicts on what calls leave.
namespace lanediff::properties {
using isa::kDataBlockBytes;
using isa::Param;
using isa::Signature;

// ---- Elements ---------------------------------------------------------------

/// The value with the other sign: of integers the two's complement.
inline std::uint64_t Negative(isa::DType type, std::uint64_t bits) {
  if (IsFloating(type)) return bits ^ Compose(type, true, 0, 0);
  return (0 - bits) & isa::WidthMask(type);
}

/// `elements`, each negative; an empty list stands for zeros, as in `Fill`.
inline std::vector<std::uint64_t> Negatives(
    isa::DType type, std::vector<std::uint64_t> elements) {
  if (elements.empty()) elements.push_back(0);
  for (std::uint64_t& bits : elements) bits = Negative(type, bits);
  return elements;
}

/// `integer` as an element of any type.
inline std::uint64_t ElementOfInteger(isa::DType type, std::int64_t integer) {
  if (IsFloating(type)) return ScaledInteger(type, integer, 0);
  return static_cast<std::uint64_t>(integer) & isa::WidthMask(type);
}

inline rc::Gen<std::uint64_t> AnIntegerElement(isa::DType type) {
  const std::uint64_t bits = isa::WidthMask(type);
  const std::int64_t top =
      DrawFlag("small integers") ? 3 : static_cast<std::int64_t>(bits >> 1);
  return rc::gen::map(
      rc::gen::inRange<std::int64_t>(-top - 1, top + 1),
      [bits](std::int64_t n) { return static_cast<std::uint64_t>(n) & bits; });
}

/// Zeros of both signs, infinities, NaNs and ordinary numbers, often equal.
inline rc::Gen<std::uint64_t> ASpecialElement(isa::DType type, Values values) {
  std::vector<std::uint64_t> special;
  const std::int64_t top = make::LayoutOf(type).top();
  for (bool negative : {false, true}) {
    special.push_back(Compose(type, negative, 0, 0));
    special.push_back(Compose(type, negative, 0, 1));
    special.push_back(Compose(type, negative, top / 2, 0));
    if (values == Values::kFinite) continue;
    special.push_back(Compose(type, negative, top, 0));
    special.push_back(Compose(type, negative, top, 1));
  }
  return rc::gen::elementOf(special);
}

inline rc::Gen<std::uint64_t> ElementOf(isa::DType type, Values values) {
  if (!IsFloating(type)) return AnIntegerElement(type);
  if (Draw("special", 0, 3) == 0) return ASpecialElement(type, values);
  return AnElement(type, values);
}

inline std::vector<std::uint64_t> DrawElementsOf(const Sample& s,
                                                 Values values = Values::kAny) {
  return DrawElements(ElementOf(s.call.dtype, values));
}

/// Whether saturation makes zeros of NaNs.
inline bool NanIsZero(const Sample& s) {
  return s.call.dtype == isa::DType::kHalf && s.saturation;
}

/// NaNs that saturation makes zeros depend on the order of arithmetic.
inline Values OrderlessValues(const Sample& s) {
  return NanIsZero(s) ? Values::kFinite : Values::kAny;
}

// ---- Calls ------------------------------------------------------------------

/// Bytes that all iterations of an operand with these strides span.
inline std::int64_t SpanBytes(std::int64_t repeat_times,
                              std::int64_t rep_stride,
                              std::int64_t blk_stride) {
  return kDataBlockBytes *
         ((repeat_times - 1) * rep_stride + 7 * blk_stride + 1);
}

/// The same call of the instruction `op`.
inline isa::Call As(std::string_view op, isa::Call call) {
  call.signature = isa::FindSignature(op);
  return call;
}

/// The same call of other operands.
inline isa::Call Of(isa::Call call, const isa::Operand& dst,
                    const isa::Operand& src0, const isa::Operand& src1) {
  call.dst() = dst;
  call.src(0) = src0;
  call.src(1) = src1;
  return call;
}

/// Product, mode, fill and type for a call.
inline Sample DrawSurroundings(const Signature& signature,
                               bool with_int16 = true) {
  const isa::Instruction& call = *isa::FindInstruction(signature.op);
  Sample s;
  s.product = DrawProduct(signature.op);
  s.saturation = DrawSaturation(s.product);
  s.fill = DrawFill();
  std::vector<isa::DType> dtypes = call.dtypes;
  std::erase_if(dtypes, [&](isa::DType dtype) {
    return !call.Has({s.product, EditionUnderTest()}, dtype) ||
           (dtype == isa::DType::kInt16 && !with_int16);
  });
  s.call.signature = &signature;
  s.call.dtype = *rc::gen::elementOf(dtypes).as("dtype");
  if (signature.Converts()) {
    // Masks are of 64 lanes or more.
    auto all = make::ConversionsOf(signature.op, s.product);
    std::erase_if(all, [](const make::Conversion& one) {
      return std::max(isa::SizeBytes(one.from), isa::SizeBytes(one.to)) > 4;
    });
    make::SetConversion(
        s.call, all[Draw("conversion", std::size_t{0}, all.size() - 1)]);
  }
  if (const auto most = make::MostBits(s.call)) {
    s.call.scalar =
        static_cast<std::uint64_t>(Draw("scalar", std::int64_t{0}, *most));
  } else if (s.call.Has(Param::kScalar)) {
    s.call.scalar = *ElementOf(s.call.dtype, Values::kAny).as("scalar");
  }
  return s;
}

/// The same of floating types, `otherwise` where an integer is drawn.
inline Sample DrawFloating(const Signature& signature, isa::DType otherwise) {
  Sample s = DrawSurroundings(signature);
  if (!IsFloating(s.call.dtype)) s.call.dtype = otherwise;
  return s;
}

/// The same for integers whose low bits are kept: arithmetic modulo 2^16 or
/// 2^32.
inline Sample DrawModular(const Signature& signature, bool with_int16 = true) {
  Sample s;
  s.product = *rc::gen::element(isa::Product::kAtlasA2, isa::Product::kAtlasA3)
                   .as("product");
  s.saturation = false;
  s.fill = DrawFill();
  s.call.signature = &signature;
  s.call.dtype =
      with_int16 && DrawFlag("int16") ? isa::DType::kInt16 : isa::DType::kInt32;
  return s;
}

inline Sample Filled(Sample s, Values values = Values::kAny) {
  const auto element = ElementOf(s.call.dtype, values);
  for (std::size_t i = 0; i < s.call.sources(); ++i) {
    s.Fill(s.call.src(i), DrawElements(element));
  }
  return s;
}

/// A stride of operand `i` in [low, high]; `first` is that of dst.
inline std::int64_t DrawStride(const isa::Call& call, Param first,
                               std::size_t i, std::int64_t low,
                               std::int64_t high) {
  return Draw(std::string(isa::NameOf(*call.signature, first, i)), low, high);
}

/// Whether what the iterations write may overlap.
enum class DstIterations { kAny, kApart };

/// A call of the contiguous form.
inline Sample DrawMasked(const Signature& signature,
                         DstIterations iterations = DstIterations::kAny) {
  Sample s = DrawSurroundings(signature);
  isa::Call& call = s.call;
  const std::size_t operands = signature.operands.size();
  call.form = signature.FormWith(Param::kMask);
  const auto times = Draw<std::int64_t>(
      std::string(isa::NameOf(signature, Param::kRepeatTimes)), 1, 6);
  call[Param::kRepeatTimes] = times;
  // All lanes in one case of five.
  call[Param::kMask] =
      std::min(Draw("mask", std::int64_t{1}, s.lanes() * 5 / 4), s.lanes());
  const auto has_strides = [&](std::size_t i) {  // but of bits that are read
    return !signature.operands[i].is_packed || signature.operands[i].is_written;
  };
  for (std::size_t i = 0; i < operands; ++i) {
    if (!has_strides(i)) continue;
    call.BlkStride(i) =
        DrawStride(call, Param::kDstBlkStride, i, i == 0 ? 1 : 0, 3);
  }
  const std::int64_t apart = 8 * call.BlkStride(0);
  for (std::size_t i = 0; i < operands; ++i) {
    if (!has_strides(i)) continue;
    const bool is_apart =
        i == 0 && (iterations == DstIterations::kApart || signature.ReadsDst());
    call.RepStride(i) =
        DrawStride(call, Param::kDstRepStride, i, is_apart ? apart : 0,
                   i == 0 ? apart + 4 : 12);
  }
  for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
    const auto own_type = call.operands[i].dtype;
    call.operands[i] =
        s.Add(SpanBytes(times, call.RepStride(i), call.BlkStride(i)),
              i == 0 ? isa::Position::kVecout : isa::Position::kVecin);
    call.operands[i].dtype = own_type;
  }
  return Filled(std::move(s));
}

/// `s` as a call of the count form, its sources still empty.
inline Sample Counted(Sample s) {
  s.call.form = isa::kCountForm;
  s.call[Param::kCount] = Draw<std::int64_t>("count", 1, 600);
  for (isa::Operand& operand : s.call.used_operands()) {
    const auto own_type = operand.dtype;
    operand = s.Add(s.call[Param::kCount] * isa::LaneBytes(s.call));
    operand.dtype = own_type;
  }
  return s;
}

// ---- Verdicts ---------------------------------------------------------------

/// Both programs leave the same in dst.
inline Verdict SameResult(const Sample& s, std::vector<isa::Step> first,
                          std::vector<isa::Step> second) {
  return SameWritten(CaseOf(s, std::move(first)), CaseOf(s, std::move(second)));
}

/// `program` leaves src0 in dst, as a value is written that nothing is done to.
inline Verdict LeavesSrc0(const Sample& s, std::vector<isa::Step> program) {
  const auto as_written = [&](std::uint64_t bits) -> std::uint64_t {
    if (!NanIsZero(s)) return bits;
    if (IsNan(s.call.dtype, bits)) return 0;
    return (bits & 0x7fff) == 0x7c00 ? (bits & 0x8000) | 0x7bff : bits;
  };
  const std::vector<std::uint64_t>& sources = s.data.front().elements;
  const Case c = CaseOf(s, std::move(program));
  const std::size_t written = WrittenBy(c).size();
  if (written != sources.size()) {
    return {.broken = fmt::format("{} elements of {} are written", written,
                                  sources.size()),
            .witness = c};
  }
  return WrittenRelated(
      c, c,
      [&](std::int64_t i, std::uint64_t found, std::uint64_t) -> std::string {
        const std::uint64_t source =
            as_written(sources[static_cast<std::size_t>(i)]);
        if (SameElement(s.call.dtype, source, found)) return "";
        return fmt::format("element {} is {} and {}", i,
                           DescribeElement(s.call.dtype, source),
                           DescribeElement(s.call.dtype, found));
      });
}

/// The second program leaves the negative of what the first one does, where
/// `concerns(a, b)` holds of an element's two values.
inline Verdict OppositeResult(
    const Case& first, const Case& second,
    const std::function<bool(std::uint64_t, std::uint64_t)>& concerns) {
  return SameWritten(
      first, second, [=](isa::DType type, std::uint64_t a, std::uint64_t b) {
        return !concerns(a, b) || SameElement(type, a, Negative(type, b));
      });
}

}  // namespace lanediff::properties
