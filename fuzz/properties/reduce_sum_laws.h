#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/element.h"
#include "fuzz/properties/law.h"
#include "fuzz/properties/reduce_sum.h"
#include "fuzz/properties/support.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// Laws of RepeatReduceSum and WholeReduceSum. No law defines a sum.
namespace lanediff::properties {

// ---- Calls ------------------------------------------------------------------

/// Whether each lane of each iteration has an element of its own, in order.
enum class Source { kAnyStrides, kContiguous };

/// A sample without source elements.
template <class Call>
ReduceSumSample DrawCall(Source source) {
  ReduceSumSample s;
  s.product = DrawProduct<Call>();
  s.saturation = DrawSaturation(s.product);
  s.fill = static_cast<std::uint8_t>(Draw("fill", 0, 255));
  isa::RepeatReduceSum& call = s.call;
  call.dtype =
      *rc::gen::element(isa::DType::kHalf, isa::DType::kFloat).as("dtype");
  call.repeat = Draw<std::int64_t>("repeat", 1, 12);
  // All lanes in one case of five.
  call.elems_in_one_repeat = std::min(
      Draw("elemsInOneRepeat", std::int64_t{1}, s.lanes() * 5 / 4), s.lanes());
  call.dst_blk_stride = 1;
  call.dst_rep_stride = Draw<std::int64_t>(
      "dstRepStride", s.product == isa::Product::kAtlasTraining ? 1 : 0, 20);
  const bool any = source == Source::kAnyStrides;
  call.src_blk_stride = any ? Draw<std::int64_t>("srcBlkStride", 0, 3) : 1;
  call.src_rep_stride = Draw<std::int64_t>("srcRepStride", any ? 0 : 8, 12);
  Place(call, kMarginBytes + s.element_bytes() * Draw("dst offset", 0, 20));
  return s;
}

template <class Call>
ReduceSumSample DrawSample(Source source, Values values = Values::kAny) {
  ReduceSumSample s = DrawCall<Call>(source);
  FillSource(s, DrawElements(AnElement(s.call.dtype, values)));
  return s;
}

/// The call of `s` itself, as one of either instruction.
template <class Call>
Case CaseOf(const ReduceSumSample& s) {
  return CaseOf(s, {As<Call>(s.call)});
}

// ---- Verdicts ---------------------------------------------------------------

inline bool SameUpToZeroSign(isa::DType type, std::uint64_t a,
                             std::uint64_t b) {
  const std::uint64_t sign = Compose(type, true, 0, 0);
  return SameElement(type, a, b) || ((a | b) & ~sign) == 0;
}

/// Both calls write the same elements.
template <class Call>
Verdict SameSums(const ReduceSumSample& first, const ReduceSumSample& second,
                 const Same& same = SameElement) {
  return Related(CaseOf<Call>(first), CaseOf<Call>(second),
                 [&](const Bytes& a, const Bytes& b) {
                   return WrittenDifference(first.call, a, b, same);
                 });
}

/// Both programs leave the same memory; `s` is what the first one runs.
template <class Call>
Verdict SameMemory(const ReduceSumSample& s, const Case& second) {
  return Related(CaseOf<Call>(s), second, [&](const Bytes& a, const Bytes& b) {
    const std::string written = WrittenDifference(s.call, a, b);
    return written.empty() ? OutsideDifference(s.call, a, b) : written;
  });
}

// ---- Laws -------------------------------------------------------------------

template <class Call>
Verdict RepeatIsSingleRepeats() {
  const ReduceSumSample s = DrawSample<Call>(Source::kAnyStrides);
  std::vector<isa::Step> singles;
  for (std::int64_t r = 0; r < s.call.repeat; ++r) {
    isa::RepeatReduceSum single = s.call;
    const std::int64_t dst = r * s.call.dst_rep_stride * s.element_bytes();
    const std::int64_t src = r * s.call.src_rep_stride * kDataBlockBytes;
    single.repeat = 1;
    single.dst.at += dst;
    single.dst.bytes -= dst;
    single.src.at += src;
    single.src.bytes -= src;
    singles.emplace_back(As<Call>(single));
  }
  return SameMemory<Call>(s, CaseOf(s, singles));
}

template <class Call>
Verdict PowerOfTwoScales() {
  ReduceSumSample s = DrawCall<Call>(Source::kAnyStrides);
  const isa::DType type = s.call.dtype;
  // 128 · 8 is 2^10, exact in both types at every scale from the smallest
  // subnormal up to 2^15 and 2^127.
  FillSource(s, DrawElements(IntegerElement(type, 8)));
  const bool half = type == isa::DType::kHalf;
  const int exponent = half ? Draw("up to", -24, 5) : Draw("up to", -149, 117);
  ReduceSumSample scaled = s;
  for (std::uint64_t& bits : scaled.source) {
    bits = TimesPowerOfTwo(type, bits, exponent);
  }
  return SameSums<Call>(s, scaled,
                        [=](isa::DType, std::uint64_t a, std::uint64_t b) {
                          return TimesPowerOfTwo(type, a, exponent) == b;
                        });
}

template <class Call>
Verdict ZeroLanesAddNothing() {
  ReduceSumSample zeros =
      DrawSample<Call>(Source::kContiguous, Values::kFinite);
  const bool negative = DrawFlag("negative zeros");
  const std::int64_t n = zeros.call.elems_in_one_repeat;
  for (std::int64_t r = 0; r < zeros.call.repeat; ++r) {
    std::fill_n(zeros.source.begin() + zeros.StartOf(r) + n, zeros.lanes() - n,
                Compose(zeros.call.dtype, negative, 0, 0));
  }
  const ReduceSumSample s = zeros;
  zeros.call.elems_in_one_repeat = zeros.lanes();
  return SameSums<Call>(s, zeros, SameUpToZeroSign);
}

/// Exchanges the two sides of each node that `nodes` names, `side` lanes each.
template <class Call>
Verdict SidesCanBeExchanged(std::int64_t side, ReduceSumSample s) {
  s.call.elems_in_one_repeat =
      std::max(s.call.elems_in_one_repeat / (2 * side), std::int64_t{1}) * 2 *
      side;
  ReduceSumSample exchanged = s;
  const std::uint64_t nodes = DrawWord("nodes");
  for (std::int64_t r = 0; r < s.call.repeat; ++r) {
    for (std::int64_t i = 0; i < s.call.elems_in_one_repeat / (2 * side); ++i) {
      if ((nodes >> i & 1) == 0) continue;
      const auto left = exchanged.source.begin() + s.StartOf(r) + 2 * side * i;
      std::swap_ranges(left, left + side, left + side);
    }
  }
  return SameSums<Call>(s, exchanged);
}

template <class Call>
Verdict PairsCanBeExchanged() {
  return SidesCanBeExchanged<Call>(1, DrawSample<Call>(Source::kContiguous));
}

template <class Call>
Verdict SubtreesCanBeExchanged() {
  const ReduceSumSample s = DrawSample<Call>(Source::kContiguous);
  const int levels = s.call.dtype == isa::DType::kHalf ? 6 : 5;
  return SidesCanBeExchanged<Call>(std::int64_t{1} << Draw("level", 1, levels),
                                   s);
}

template <class Call>
Verdict BackgroundIsKept() {
  const ReduceSumSample s = DrawSample<Call>(Source::kAnyStrides);
  ReduceSumSample other = s;
  other.fill ^= static_cast<std::uint8_t>(Draw("fill difference", 1, 255));
  const Bytes before = UbBefore(CaseOf<Call>(s));
  const Bytes other_before = UbBefore(CaseOf<Call>(other));
  return Related(CaseOf<Call>(s), CaseOf<Call>(other),
                 [&](const Bytes& a, const Bytes& b) {
                   std::string broken = WrittenDifference(s.call, a, b);
                   if (broken.empty())
                     broken = OutsideDifference(s.call, before, a);
                   if (broken.empty())
                     broken = OutsideDifference(s.call, other_before, b);
                   return broken;
                 });
}

/// The call of `s` with its lanes taken from a mask register set to `mask`.
template <class Call>
Case MaskedCase(const ReduceSumSample& s, const isa::SetVectorMask& mask) {
  isa::RepeatReduceSum call = s.call;
  call.is_set_mask = false;
  call.elems_in_one_repeat = 0;
  return CaseOf(s, {mask, As<Call>(call)});
}

template <class Call>
Verdict RegisterMaskIsCount() {
  const ReduceSumSample s = DrawSample<Call>(Source::kAnyStrides);
  const std::int64_t n = s.call.elems_in_one_repeat;
  isa::SetVectorMask mask{.high = Ones(n - 64), .low = Ones(n)};
  // Of a 32-bit type only the low half counts.
  if (s.call.dtype == isa::DType::kFloat) mask.high = DrawWord("high");
  return SameMemory<Call>(s, MaskedCase<Call>(s, mask));
}

template <class Call>
Verdict MaskedLanesMayHoldAnything() {
  const ReduceSumSample s = DrawSample<Call>(Source::kContiguous);
  const isa::SetVectorMask mask{.high = DrawWord("high"),
                                .low = DrawWord("low")};
  ReduceSumSample other = s;
  const std::uint64_t all = s.element_bytes() == 2 ? 0xffff : 0xffffffff;
  for (std::int64_t r = 0; r < s.call.repeat; ++r) {
    for (std::int64_t k = 0; k < s.lanes(); ++k) {
      const std::uint64_t word = k < 64 ? mask.low : mask.high;
      if ((word >> (k % 64) & 1) == 0) other.source[s.StartOf(r) + k] ^= all;
    }
  }
  return Related(MaskedCase<Call>(s, mask), MaskedCase<Call>(other, mask),
                 [&](const Bytes& a, const Bytes& b) {
                   return WrittenDifference(s.call, a, b);
                 });
}

/// Those of both.
template <class Call>
bool GiveLawsOfSums() {
  return GiveLaws<Call>(
      {{"RepeatIsSingleRepeats", RepeatIsSingleRepeats<Call>},
       {"PowerOfTwoScales", PowerOfTwoScales<Call>},
       {"ZeroLanesAddNothing", ZeroLanesAddNothing<Call>},
       {"PairsCanBeExchanged", PairsCanBeExchanged<Call>},
       {"SubtreesCanBeExchanged", SubtreesCanBeExchanged<Call>},
       {"BackgroundIsKept", BackgroundIsKept<Call>},
       {"RegisterMaskIsCount", RegisterMaskIsCount<Call>},
       {"MaskedLanesMayHoldAnything", MaskedLanesMayHoldAnything<Call>},
       {"EmulatorAgreesWithOracle", EmulatorAgreesWithOracle<Call>}});
}

}  // namespace lanediff::properties
