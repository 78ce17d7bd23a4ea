#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/element.h"
#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "generators/lanewise.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/memory_map.h"
#include "isa/operand.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/units.h"

/// What the laws of lane-wise calls need: calls with their surroundings, and
/// verdicts on what they leave.
namespace lanediff::properties {

using isa::kDataBlockBytes;
using isa::Param;
using make::BlkStride;
using make::RepStride;
using make::SetDenseStrides;

/// What is around a call whose operands lie apart.
struct Surroundings {
  isa::Product product = isa::Product::kAtlasA2;
  bool saturation = true;
  std::uint8_t fill = 0;
  isa::DType dtype = isa::DType::kHalf;
  std::vector<Region> sources = {};
  std::int64_t end = 0;  ///< of the last operand

  std::int64_t element_bytes() const { return isa::SizeBytes(dtype); }
  std::int64_t lanes() const { return isa::kIterationBytes / element_bytes(); }

  /// A window of `bytes` behind all others.
  isa::Operand Add(std::int64_t bytes) {
    const std::int64_t free = end + kMarginBytes + kDataBlockBytes - 1;
    const std::int64_t at = free / kDataBlockBytes * kDataBlockBytes;
    end = at + bytes;
    return At(isa::Position::kVeccalc, at, bytes);
  }

  /// Fills the window with `elements` over and over; zeros if there are none.
  void Fill(const isa::Operand& window,
            const std::vector<std::uint64_t>& elements) {
    Region region{.at = window.at, .dtype = dtype, .bytes = {}};
    const std::size_t n = elements.size();
    const auto count = static_cast<std::size_t>(window.bytes / element_bytes());
    for (std::size_t i = 0; i < count; ++i) {
      AppendElement(dtype, n == 0 ? 0 : elements[i % n], region.bytes);
    }
    sources.push_back(std::move(region));
  }

  /// What is written of `bits` if nothing is computed.
  std::uint64_t AsWritten(std::uint64_t bits) const {
    if (dtype != isa::DType::kHalf || !saturation) return bits;
    if (IsNan(dtype, bits)) return 0;
    return (bits & 0x7fff) == 0x7c00 ? (bits & 0x8000) | 0x7bff : bits;
  }
};

/// `program` in the surroundings, with what the sources hold.
inline Case CaseOf(const Surroundings& s, std::vector<isa::Step> program) {
  std::vector<Region> regions = s.sources;
  std::ranges::sort(regions, {}, &Region::at);
  return UbCase(s.product, s.fill, s.end + kMarginBytes, std::move(regions),
                std::move(program), s.saturation);
}

/// A legal call with its surroundings.
struct LanewiseSample : Surroundings {
  isa::Call call;
};

/// The window without its first `bytes`.
inline isa::Operand Behind(isa::Operand window, std::int64_t bytes) {
  window.at += bytes;
  window.bytes -= bytes;
  return window;
}

inline std::uint64_t ElementAt(isa::DType type, const Bytes& ub,
                               const isa::Operand& window, std::int64_t i) {
  const std::int64_t at = window.at + i * isa::SizeBytes(type);
  return LoadElement(type, std::span(ub).subspan(static_cast<std::size_t>(at)));
}

/// How the first of `count` elements differs that does: `of(i)` has the two
/// values of element i.
template <class Of>
std::string FirstDifference(isa::DType type, std::int64_t count, const Of& of) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::pair<std::uint64_t, std::uint64_t> values = of(i);
    if (SameElement(type, values.first, values.second)) continue;
    return fmt::format("element {} is {} and {}", i,
                       DescribeElement(type, values.first),
                       DescribeElement(type, values.second));
  }
  return {};
}

/// How the elements of a window differ, if they do.
inline std::string WindowDifference(isa::DType type, const isa::Operand& window,
                                    const Bytes& first, const Bytes& second) {
  return FirstDifference(type, window.bytes / isa::SizeBytes(type),
                         [&](std::int64_t i) {
                           return std::pair(ElementAt(type, first, window, i),
                                            ElementAt(type, second, window, i));
                         });
}

/// The value with the other sign: of integers the two's complement.
inline std::uint64_t Negative(isa::DType type, std::uint64_t bits) {
  if (IsFloating(type)) return bits ^ Compose(type, true, 0, 0);
  return (0 - bits) & Ones(8 * isa::SizeBytes(type));
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
  return static_cast<std::uint64_t>(integer) & Ones(8 * isa::SizeBytes(type));
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

/// `call` with the lanes of a bitwise mask.
inline isa::Call Bitwise(isa::Call call, std::uint64_t low,
                         std::uint64_t high) {
  call.form = isa::kBitsForm;
  call[Param::kMask] = 0;
  call.mask_words = {low, high};
  return call;
}

/// Iteration `r` of `call` as a call of its own.
inline isa::Call Iteration(isa::Call call, std::int64_t r) {
  call[Param::kRepeatTimes] = 1;
  for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
    isa::Operand& operand = call.operands[i];
    operand = Behind(operand, r * call.RepStride(i) * kDataBlockBytes);
  }
  return call;
}

/// The count form of `s` as masked calls: whole iterations, then the tail.
inline std::vector<isa::Step> CountAsMasks(const LanewiseSample& s) {
  const std::int64_t count = s.call[Param::kCount];
  isa::Call whole = s.call;
  whole.form = isa::kMaskForm;
  whole[Param::kCount] = 0;
  whole[Param::kMask] = s.lanes();
  whole[Param::kRepeatTimes] = count / s.lanes();
  SetDenseStrides(whole);
  std::vector<isa::Step> program = {whole};
  if (const std::int64_t tail = count % s.lanes(); tail > 0) {
    isa::Call rest = Iteration(whole, whole[Param::kRepeatTimes]);
    rest[Param::kMask] = tail;
    program.emplace_back(rest);
  }
  return program;
}

inline rc::Gen<std::uint64_t> AnIntegerElement(isa::DType type) {
  const std::uint64_t bits = Ones(8 * isa::SizeBytes(type));
  const std::int64_t top =
      DrawFlag("small integers") ? 3 : static_cast<std::int64_t>(bits >> 1);
  return rc::gen::map(
      rc::gen::inRange<std::int64_t>(-top - 1, top + 1),
      [bits](std::int64_t n) { return static_cast<std::uint64_t>(n) & bits; });
}

/// Zeros of both signs, infinities, NaNs and ordinary numbers, often equal.
inline rc::Gen<std::uint64_t> ASpecialElement(isa::DType type, Values values) {
  std::vector<std::uint64_t> special;
  const auto top = static_cast<std::uint64_t>(FormatOf(type).top_exponent);
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

inline Values AnyValues(const Surroundings&) { return Values::kAny; }

/// NaNs that saturation makes zeros depend on the order of arithmetic.
inline Values OrderlessValues(const Surroundings& s) {
  return s.dtype == isa::DType::kHalf && s.saturation ? Values::kFinite
                                                      : Values::kAny;
}

/// Product, mode, fill and type for a call.
inline LanewiseSample DrawSurroundings(const isa::Signature& signature,
                                       bool with_int16 = true) {
  const isa::Instruction& call = *isa::FindInstruction(signature.op);
  LanewiseSample s;
  s.product = DrawProduct(signature.op);
  s.saturation = DrawSaturation(s.product);
  s.fill = DrawFill();
  std::vector<isa::DType> dtypes = call.dtypes;
  std::erase_if(dtypes, [&](isa::DType dtype) {
    return !call.Has({s.product, EditionUnderTest()}, dtype) ||
           (dtype == isa::DType::kInt16 && !with_int16);
  });
  s.dtype = *rc::gen::elementOf(dtypes).as("dtype");
  s.call.signature = &signature;
  s.call.dtype = s.dtype;
  if (signature.Has(Param::kScalar)) {
    s.call.scalar = *ElementOf(s.dtype, Values::kAny).as("scalar");
  }
  return s;
}

/// The same for integers whose low bits are kept: arithmetic modulo 2^16 or
/// 2^32.
inline LanewiseSample DrawModular(const isa::Signature& signature,
                                  bool with_int16 = true) {
  LanewiseSample s;
  s.product = *rc::gen::element(isa::Product::kAtlasA2, isa::Product::kAtlasA3)
                   .as("product");
  s.saturation = false;
  s.fill = DrawFill();
  s.dtype =
      with_int16 && DrawFlag("int16") ? isa::DType::kInt16 : isa::DType::kInt32;
  s.call.signature = &signature;
  s.call.dtype = s.dtype;
  return s;
}

inline void FillSources(LanewiseSample& s, Values values) {
  const auto element = ElementOf(s.dtype, values);
  for (std::size_t i = 0; i < s.call.signature->sources(); ++i) {
    s.Fill(s.call.src(i), DrawElements(element));
  }
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
inline LanewiseSample DrawMasked(
    const isa::Signature& signature,
    DstIterations iterations = DstIterations::kAny) {
  LanewiseSample s = DrawSurroundings(signature);
  isa::Call& call = s.call;
  const std::size_t operands = signature.operands.size();
  call.form = isa::kMaskForm;
  const auto times = Draw<std::int64_t>(
      std::string(isa::NameOf(signature, Param::kRepeatTimes)), 1, 6);
  call[Param::kRepeatTimes] = times;
  // All lanes in one case of five.
  call[Param::kMask] =
      std::min(Draw("mask", std::int64_t{1}, s.lanes() * 5 / 4), s.lanes());
  for (std::size_t i = 0; i < operands; ++i) {
    call.BlkStride(i) =
        DrawStride(call, Param::kDstBlkStride, i, i == 0 ? 1 : 0, 3);
  }
  const std::int64_t apart = 8 * call.BlkStride(0);
  for (std::size_t i = 0; i < operands; ++i) {
    const bool is_apart = i == 0 && iterations == DstIterations::kApart;
    call.RepStride(i) =
        DrawStride(call, Param::kDstRepStride, i, is_apart ? apart : 0,
                   i == 0 ? apart + 4 : 12);
  }
  for (std::size_t i = 0; i < operands; ++i) {
    call.operands[i] =
        s.Add(SpanBytes(times, call.RepStride(i), call.BlkStride(i)));
  }
  FillSources(s, Values::kAny);
  return s;
}

/// `s` as a call of the count form, its sources still empty.
inline LanewiseSample Counted(LanewiseSample s) {
  s.call.form = isa::kCountForm;
  s.call[Param::kCount] = Draw<std::int64_t>("count", 1, 600);
  for (isa::Operand& operand : s.call.used_operands()) {
    operand = s.Add(s.call[Param::kCount] * s.element_bytes());
  }
  return s;
}

/// A call of the count form.
inline LanewiseSample DrawCounted(
    const isa::Signature& signature,
    Values (*values)(const Surroundings&) = AnyValues) {
  LanewiseSample s = Counted(DrawSurroundings(signature));
  FillSources(s, values(s));
  return s;
}

// ---- Verdicts ---------------------------------------------------------------

/// Both programs leave the same memory; the first one is the call of `s`.
inline Verdict SameMemory(const LanewiseSample& s,
                          std::vector<isa::Step> second) {
  return Related(
      CaseOf(s, {s.call}), CaseOf(s, std::move(second)),
      [&](const Bytes& a, const Bytes& b) {
        const isa::Operand& dst = s.call.dst();
        const std::string difference = WindowDifference(s.dtype, dst, a, b);
        return difference.empty() ? OutsideDifference({{dst.at, dst.bytes}}, a,
                                                      b, " outside dst")
                                  : difference;
      });
}

/// Both programs leave the same in dst.
inline Verdict SameResult(const LanewiseSample& s, std::vector<isa::Step> first,
                          std::vector<isa::Step> second) {
  return Related(CaseOf(s, std::move(first)), CaseOf(s, std::move(second)),
                 [&](const Bytes& a, const Bytes& b) {
                   return WindowDifference(s.dtype, s.call.dst(), a, b);
                 });
}

/// `program` leaves src0 in dst, as a value is written that nothing is done to.
inline Verdict LeavesSrc0(const LanewiseSample& s,
                          std::vector<isa::Step> program) {
  return Related(
      CaseOf(s, std::move(program)), CaseOf(s, {}),
      [&](const Bytes& a, const Bytes& b) {
        return FirstDifference(
            s.dtype, s.call[Param::kCount], [&](std::int64_t i) {
              return std::pair(
                  ElementAt(s.dtype, a, s.call.dst(), i),
                  s.AsWritten(ElementAt(s.dtype, b, s.call.src(0), i)));
            });
      });
}

/// The second program leaves the negative of what the first one does, where
/// `concerns(a, b)` holds of an element's two values.
inline Verdict OppositeResult(
    const LanewiseSample& s, const Case& first, const Case& second,
    const std::function<bool(std::uint64_t, std::uint64_t)>& concerns) {
  return Related(first, second, [&](const Bytes& a, const Bytes& b) {
    return FirstDifference(s.dtype, s.call[Param::kCount], [&](std::int64_t i) {
      const std::uint64_t left = ElementAt(s.dtype, a, s.call.dst(), i);
      const std::uint64_t right = ElementAt(s.dtype, b, s.call.dst(), i);
      return std::pair(left,
                       concerns(left, right) ? Negative(s.dtype, right) : left);
    });
  });
}

}  // namespace lanediff::properties
