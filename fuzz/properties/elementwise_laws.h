#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/element.h"
#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "generators/elementwise.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "isa/operand.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/units.h"

/// Laws of Min and its family that several of them keep. No law defines
/// the result of an instruction.
namespace lanediff::properties {

using isa::kDataBlockBytes;
using make::As;

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
template <isa::Elementwise Call>
struct ElementwiseSample : Surroundings {
  Call call;
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

/// The same call of other operands.
template <isa::Elementwise Call>
Call Of(Call call, const isa::Operand& dst, const isa::Operand& src0,
        const isa::Operand& src1) {
  call.dst = dst;
  call.src0 = src0;
  call.src1 = src1;
  return call;
}

/// `call` with the lanes of a bitwise mask.
template <isa::Elementwise Call>
Call Bitwise(Call call, std::uint64_t low, std::uint64_t high) {
  call.form = Call::kBitwise;
  call.mask = 0;
  call.mask_words = {low, high};
  return call;
}

/// Iteration `r` of `call` as a call of its own.
template <isa::Elementwise Call>
Call Iteration(Call call, std::int64_t r) {
  const isa::BinaryRepeatParams& p = call.repeat_params;
  call.repeat_times = 1;
  call.dst = Behind(call.dst, r * p.dst_rep_stride * kDataBlockBytes);
  call.src0 = Behind(call.src0, r * p.src0_rep_stride * kDataBlockBytes);
  call.src1 = Behind(call.src1, r * p.src1_rep_stride * kDataBlockBytes);
  return call;
}

/// The count form of `s` as masked calls: whole iterations, then the tail.
template <isa::Elementwise Call>
std::vector<isa::Step> CountAsMasks(const ElementwiseSample<Call>& s) {
  const std::int64_t tail = s.call.count % s.lanes();
  Call whole = s.call;
  whole.form = Call::kContiguous;
  whole.count = 0;
  whole.mask = s.lanes();
  whole.repeat_times = s.call.count / s.lanes();
  whole.repeat_params = {1, 1, 1, 8, 8, 8};
  std::vector<isa::Step> program = {whole};
  if (tail > 0) {
    Call rest = Iteration(whole, whole.repeat_times);
    rest.mask = tail;
    program.emplace_back(rest);
  }
  return program;
}

inline rc::Gen<std::uint64_t> AnIntegerElement(isa::DType type) {
  const bool narrow = type == isa::DType::kInt16;
  const std::int64_t most = narrow ? 0x7fff : 0x7fffffff;
  const std::uint64_t bits = narrow ? 0xffff : 0xffffffff;
  const std::int64_t top = DrawFlag("small integers") ? 3 : most;
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
template <isa::Elementwise Call>
ElementwiseSample<Call> DrawSurroundings(bool with_int16 = true) {
  const isa::Instruction& call = *isa::FindInstruction(Call::kOp);
  ElementwiseSample<Call> s;
  s.product = DrawProduct<Call>();
  s.saturation = DrawSaturation(s.product);
  s.fill = DrawFill();
  std::vector<isa::DType> dtypes = call.dtypes;
  std::erase_if(dtypes, [&](isa::DType dtype) {
    return !call.Has({s.product, EditionUnderTest()}, dtype) ||
           (dtype == isa::DType::kInt16 && !with_int16);
  });
  s.dtype = *rc::gen::elementOf(dtypes).as("dtype");
  s.call.dtype = s.dtype;
  return s;
}

/// The same for integers whose low bits are kept: arithmetic modulo 2^16 or
/// 2^32.
template <isa::Elementwise Call>
ElementwiseSample<Call> DrawModular(bool with_int16 = true) {
  ElementwiseSample<Call> s;
  s.product = *rc::gen::element(isa::Product::kAtlasA2, isa::Product::kAtlasA3)
                   .as("product");
  s.saturation = false;
  s.fill = DrawFill();
  s.dtype =
      with_int16 && DrawFlag("int16") ? isa::DType::kInt16 : isa::DType::kInt32;
  s.call.dtype = s.dtype;
  return s;
}

template <isa::Elementwise Call>
void FillSources(ElementwiseSample<Call>& s, Values values) {
  const auto element = ElementOf(s.dtype, values);
  s.Fill(s.call.src0, DrawElements(element));
  s.Fill(s.call.src1, DrawElements(element));
}

/// Whether what the iterations write may overlap.
enum class DstIterations { kAny, kApart };

/// A call of the contiguous form.
template <isa::Elementwise Call>
ElementwiseSample<Call> DrawMasked(
    DstIterations iterations = DstIterations::kAny) {
  ElementwiseSample<Call> s = DrawSurroundings<Call>();
  Call& call = s.call;
  call.form = Call::kContiguous;
  call.repeat_times = Draw<std::int64_t>("repeatTimes", 1, 6);
  // All lanes in one case of five.
  call.mask =
      std::min(Draw("mask", std::int64_t{1}, s.lanes() * 5 / 4), s.lanes());
  isa::BinaryRepeatParams& p = call.repeat_params;
  p.dst_blk_stride = Draw<std::int64_t>("dstBlkStride", 1, 3);
  p.src0_blk_stride = Draw<std::int64_t>("src0BlkStride", 0, 3);
  p.src1_blk_stride = Draw<std::int64_t>("src1BlkStride", 0, 3);
  const std::int64_t apart = 8 * p.dst_blk_stride;
  p.dst_rep_stride =
      Draw("dstRepStride", iterations == DstIterations::kApart ? apart : 0,
           apart + 4);
  p.src0_rep_stride = Draw<std::int64_t>("src0RepStride", 0, 12);
  p.src1_rep_stride = Draw<std::int64_t>("src1RepStride", 0, 12);
  const std::int64_t times = call.repeat_times;
  call.dst = s.Add(SpanBytes(times, p.dst_rep_stride, p.dst_blk_stride));
  call.src0 = s.Add(SpanBytes(times, p.src0_rep_stride, p.src0_blk_stride));
  call.src1 = s.Add(SpanBytes(times, p.src1_rep_stride, p.src1_blk_stride));
  FillSources(s, Values::kAny);
  return s;
}

/// `s` as a call of the count form, its sources still empty.
template <isa::Elementwise Call>
ElementwiseSample<Call> Counted(ElementwiseSample<Call> s) {
  s.call.form = Call::kCount;
  s.call.count = Draw<std::int64_t>("count", 1, 600);
  const std::int64_t bytes = s.call.count * s.element_bytes();
  s.call.dst = s.Add(bytes);
  s.call.src0 = s.Add(bytes);
  s.call.src1 = s.Add(bytes);
  return s;
}

/// A call of the count form.
template <isa::Elementwise Call>
ElementwiseSample<Call> DrawCounted(
    Values (*values)(const Surroundings&) = AnyValues) {
  ElementwiseSample<Call> s = Counted(DrawSurroundings<Call>());
  FillSources(s, values(s));
  return s;
}

// ---- Verdicts ---------------------------------------------------------------

/// Both programs leave the same memory; the first one is the call of `s`.
template <isa::Elementwise Call>
Verdict SameMemory(const ElementwiseSample<Call>& s,
                   std::vector<isa::Step> second) {
  return Related(
      CaseOf(s, {s.call}), CaseOf(s, std::move(second)),
      [&](const Bytes& a, const Bytes& b) {
        const isa::Operand& dst = s.call.dst;
        const std::string difference = WindowDifference(s.dtype, dst, a, b);
        return difference.empty() ? OutsideDifference({{dst.at, dst.bytes}}, a,
                                                      b, " outside dst")
                                  : difference;
      });
}

/// Both programs leave the same in dst.
template <isa::Elementwise Call>
Verdict SameResult(const ElementwiseSample<Call>& s,
                   std::vector<isa::Step> first,
                   std::vector<isa::Step> second) {
  return Related(CaseOf(s, std::move(first)), CaseOf(s, std::move(second)),
                 [&](const Bytes& a, const Bytes& b) {
                   return WindowDifference(s.dtype, s.call.dst, a, b);
                 });
}

/// `program` leaves src0 in dst, as a value is written that nothing is done to.
template <isa::Elementwise Call>
Verdict LeavesSrc0(const ElementwiseSample<Call>& s,
                   std::vector<isa::Step> program) {
  return Related(
      CaseOf(s, std::move(program)), CaseOf(s, {}),
      [&](const Bytes& a, const Bytes& b) {
        return FirstDifference(s.dtype, s.call.count, [&](std::int64_t i) {
          return std::pair(ElementAt(s.dtype, a, s.call.dst, i),
                           s.AsWritten(ElementAt(s.dtype, b, s.call.src0, i)));
        });
      });
}

/// The second program leaves the negative of what the first one does, where
/// `concerns(a, b)` holds of an element's two values.
template <isa::Elementwise Call>
Verdict OppositeResult(
    const ElementwiseSample<Call>& s, const Case& first, const Case& second,
    const std::function<bool(std::uint64_t, std::uint64_t)>& concerns) {
  return Related(first, second, [&](const Bytes& a, const Bytes& b) {
    return FirstDifference(s.dtype, s.call.count, [&](std::int64_t i) {
      const std::uint64_t left = ElementAt(s.dtype, a, s.call.dst, i);
      const std::uint64_t right = ElementAt(s.dtype, b, s.call.dst, i);
      return std::pair(left,
                       concerns(left, right) ? Negative(s.dtype, right) : left);
    });
  });
}

// ---- Laws of all ------------------------------------------------------------

template <isa::Elementwise Call>
Verdict BitwiseMaskIsContiguous() {
  const auto s = DrawMasked<Call>();
  const std::int64_t n = s.call.mask;
  return SameMemory(s, {Bitwise(s.call, Ones(n), Ones(n - 64))});
}

template <isa::Elementwise Call>
Verdict ComplementaryMasksAreWhole() {
  auto s = DrawMasked<Call>(DstIterations::kApart);
  s.call.mask = s.lanes();
  const std::uint64_t low = DrawWord("low");
  const std::uint64_t high = s.lanes() > 64 ? DrawWord("high") : 0;
  RC_PRE(low != 0U);
  RC_PRE(~low != 0U);
  return SameMemory(s, {Bitwise(s.call, low, high),
                        Bitwise(s.call, ~low, s.lanes() > 64 ? ~high : 0)});
}

template <isa::Elementwise Call>
Verdict RepeatIsSingleRepeats() {
  const auto s = DrawMasked<Call>();
  std::vector<isa::Step> singles;
  for (std::int64_t r = 0; r < s.call.repeat_times; ++r) {
    singles.emplace_back(Iteration(s.call, r));
  }
  return SameMemory(s, std::move(singles));
}

template <isa::Elementwise Call>
Verdict CountIsMasks() {
  const auto s = DrawCounted<Call>();
  return SameMemory(s, CountAsMasks(s));
}

template <isa::Elementwise Call>
Verdict RegisterMaskIsBitwiseMask() {
  auto s = DrawMasked<Call>();
  const std::uint64_t low = DrawWord("low");
  const std::uint64_t high = DrawWord("high");
  RC_PRE(low != 0U);
  s.call = Bitwise(s.call, low, s.lanes() > 64 ? high : 0);
  Call placeholder = Bitwise(s.call, 0, 0);
  placeholder.is_set_mask = false;
  return SameMemory(
      s, {isa::SetVectorMask{.high = high, .low = low}, placeholder});
}

// ---- Laws of some -----------------------------------------------------------

template <isa::Elementwise Call>
Verdict Commutes() {
  const auto s = DrawMasked<Call>();
  Call exchanged = s.call;
  isa::BinaryRepeatParams& p = exchanged.repeat_params;
  std::swap(exchanged.src0, exchanged.src1);
  std::swap(p.src0_blk_stride, p.src1_blk_stride);
  std::swap(p.src0_rep_stride, p.src1_rep_stride);
  return SameMemory(s, {exchanged});
}

template <isa::Elementwise Call>
Verdict IsIdempotent() {
  const auto s = DrawCounted<Call>();
  Call twice = s.call;
  twice.src1 = twice.src0;
  return LeavesSrc0(s, {twice});
}

/// Of `s` with sources of `values`: (a, b), c is a, (b, c).
template <isa::Elementwise Call>
Verdict AssociatesIn(ElementwiseSample<Call> s, Values values) {
  const isa::Operand third = s.Add(s.call.dst.bytes);
  const isa::Operand inner = s.Add(s.call.dst.bytes);
  s.Fill(third, DrawElements(ElementOf(s.dtype, values)));
  const Call& c = s.call;
  return SameResult(s,
                    {Of(c, inner, c.src0, c.src1), Of(c, c.dst, inner, third)},
                    {Of(c, inner, c.src1, third), Of(c, c.dst, c.src0, inner)});
}

template <isa::Elementwise Call>
Verdict Associates() {
  const auto s = DrawCounted<Call>(OrderlessValues);
  return AssociatesIn(s, OrderlessValues(s));
}

/// Of integers whose low bits are kept.
template <isa::Elementwise Call>
Verdict AssociatesModulo() {
  auto s = Counted(DrawModular<Call>());
  FillSources(s, Values::kAny);
  return AssociatesIn(s, Values::kAny);
}

/// A call whose dst is src1 and stays where it is, in `s` and with `values`:
/// its iterations give the same in any order.
template <isa::Elementwise Call>
Verdict RunsInAnyOrder(ElementwiseSample<Call> s, Values values) {
  Call& call = s.call;
  call.form = Call::kContiguous;
  call.repeat_times = Draw<std::int64_t>("repeatTimes", 1, 8);
  call.mask = Draw("mask", std::int64_t{1}, s.lanes());
  isa::BinaryRepeatParams& p = call.repeat_params;
  p.dst_blk_stride = Draw<std::int64_t>("dstBlkStride", 1, 3);
  p.src1_blk_stride = p.dst_blk_stride;
  p.src0_blk_stride = Draw<std::int64_t>("src0BlkStride", 0, 3);
  p.src0_rep_stride = Draw<std::int64_t>("src0RepStride", 0, 12);
  const std::int64_t times = call.repeat_times;
  call.dst = s.Add(SpanBytes(times, 0, p.dst_blk_stride));
  call.src1 = call.dst;
  call.src0 = s.Add(SpanBytes(times, p.src0_rep_stride, p.src0_blk_stride));
  FillSources(s, values);
  std::vector<isa::Step> backwards;
  for (std::int64_t r = call.repeat_times - 1; r >= 0; --r) {
    backwards.emplace_back(Iteration(call, r));
  }
  return SameMemory(s, std::move(backwards));
}

/// A running minimum or maximum.
template <isa::Elementwise Call>
Verdict RunningExtremeHasNoOrder() {
  const auto s = DrawSurroundings<Call>(/*with_int16=*/false);
  return RunsInAnyOrder(s, OrderlessValues(s));
}

/// A running sum or product of integers whose low bits are kept.
template <isa::Elementwise Call>
Verdict RunningIntegersHaveNoOrder() {
  return RunsInAnyOrder(DrawModular<Call>(/*with_int16=*/false), Values::kAny);
}

/// With `neutral` in every element of src1, src0 comes out.
template <isa::Elementwise Call>
Verdict LeavesSrc0With(std::uint64_t (*neutral)(isa::DType)) {
  auto s = Counted(DrawSurroundings<Call>());
  s.Fill(s.call.src0, DrawElements(ElementOf(s.dtype, Values::kAny)));
  s.Fill(s.call.src1, {neutral(s.dtype)});
  return LeavesSrc0(s, {s.call});
}

}  // namespace lanediff::properties
