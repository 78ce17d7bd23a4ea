#include "properties/repeat_reduce_sum.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "case/case.h"
#include "case/element.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "make/generate/generate.h"
#include "properties/law.h"
#include "properties/support.h"

/// Laws of RepeatReduceSum. None of them says what a sum is.
namespace lanediff::properties {
namespace {

using isa::DType;
using isa::Product;
using isa::RepeatReduceSum;

// ---- Calls ------------------------------------------------------------------

/// Whether each lane of each iteration has an element of its own, in order.
enum class Source { kAnyStrides, kContiguous };

/// A sample without source elements.
ReduceSumSample DrawCall(Source source) {
  ReduceSumSample s;
  s.product = *rc::gen::element(Product::kAtlasA2, Product::kAtlasTraining,
                                Product::kAtlasInferenceAicore)
                   .as("product");
  s.saturation = s.product != Product::kAtlasA2 || DrawFlag("saturation");
  s.fill = static_cast<std::uint8_t>(Draw("fill", 0, 255));
  RepeatReduceSum& call = s.call;
  call.dtype = *rc::gen::element(DType::kHalf, DType::kFloat).as("dtype");
  call.repeat = Draw<std::int64_t>("repeat", 1, 12);
  // All lanes in one case of five.
  call.elems_in_one_repeat = std::min(
      Draw("elemsInOneRepeat", std::int64_t{1}, s.lanes() * 5 / 4), s.lanes());
  call.dst_blk_stride = 1;
  call.dst_rep_stride = Draw<std::int64_t>(
      "dstRepStride", s.product == Product::kAtlasTraining ? 1 : 0, 20);
  const bool any = source == Source::kAnyStrides;
  call.src_blk_stride = any ? Draw<std::int64_t>("srcBlkStride", 0, 3) : 1;
  call.src_rep_stride = Draw<std::int64_t>("srcRepStride", any ? 0 : 8, 12);
  Place(call, kMarginBytes + s.element_bytes() * Draw("dst offset", 0, 20));
  return s;
}

ReduceSumSample DrawSample(Source source, Values values = Values::kAny) {
  ReduceSumSample s = DrawCall(source);
  FillSource(s, DrawElements(AnElement(s.call.dtype, values)));
  return s;
}

// ---- Verdicts ---------------------------------------------------------------

bool SameUpToZeroSign(DType type, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sign = Compose(type, true, 0, 0);
  return SameElement(type, a, b) || ((a | b) & ~sign) == 0;
}

/// Both calls write the same elements.
Verdict SameSums(const ReduceSumSample& first, const ReduceSumSample& second,
                 const Same& same = SameElement) {
  return Related(CaseOf(first), CaseOf(second),
                 [&](const Bytes& a, const Bytes& b) {
                   return WrittenDifference(first.call, a, b, same);
                 });
}

/// Both programs leave the same memory; `s` is what the first one runs.
Verdict SameMemory(const ReduceSumSample& s, const Case& second) {
  return Related(CaseOf(s), second, [&](const Bytes& a, const Bytes& b) {
    const std::string written = WrittenDifference(s.call, a, b);
    return written.empty() ? OutsideDifference(s.call, a, b) : written;
  });
}

void Check(std::string_view name, Verdict (*law)()) {
  CheckLaw(RepeatReduceSum::kRoom, name, law);
}

// ---- Laws -------------------------------------------------------------------

Verdict RepeatIsSingleRepeats() {
  const ReduceSumSample s = DrawSample(Source::kAnyStrides);
  std::vector<isa::Step> singles;
  for (std::int64_t r = 0; r < s.call.repeat; ++r) {
    RepeatReduceSum single = s.call;
    const std::int64_t dst = r * s.call.dst_rep_stride * s.element_bytes();
    const std::int64_t src = r * s.call.src_rep_stride * kBlockBytes;
    single.repeat = 1;
    single.dst.at += dst;
    single.dst.bytes -= dst;
    single.src.at += src;
    single.src.bytes -= src;
    singles.emplace_back(single);
  }
  return SameMemory(s, CaseOf(s, singles));
}

Verdict PowerOfTwoScales() {
  ReduceSumSample s = DrawCall(Source::kAnyStrides);
  const DType type = s.call.dtype;
  // 128 · 8 is 2^10, exact in both types at every scale from the smallest
  // subnormal up to 2^15 and 2^127.
  FillSource(s, DrawElements(IntegerElement(type, 8)));
  const bool half = type == DType::kHalf;
  const int exponent = half ? Draw("up to", -24, 5) : Draw("up to", -149, 117);
  ReduceSumSample scaled = s;
  for (std::uint64_t& bits : scaled.source) {
    bits = TimesPowerOfTwo(type, bits, exponent);
  }
  return SameSums(s, scaled, [=](DType, std::uint64_t a, std::uint64_t b) {
    return TimesPowerOfTwo(type, a, exponent) == b;
  });
}

Verdict DstBlkStrideIsIgnored() {
  const ReduceSumSample s = DrawSample(Source::kAnyStrides);
  ReduceSumSample other = s;
  using Limits = std::numeric_limits<std::int32_t>;
  other.call.dst_blk_stride =
      *rc::gen::oneOf(rc::gen::arbitrary<std::int32_t>(),
                      rc::gen::element(0, -1, Limits::min(), Limits::max()))
           .as("dstBlkStride");
  return SameMemory(s, CaseOf(other));
}

Verdict ZeroLanesAddNothing() {
  ReduceSumSample zeros = DrawSample(Source::kContiguous, Values::kFinite);
  const bool negative = DrawFlag("negative zeros");
  const std::int64_t n = zeros.call.elems_in_one_repeat;
  for (std::int64_t r = 0; r < zeros.call.repeat; ++r) {
    std::fill_n(zeros.source.begin() + zeros.StartOf(r) + n, zeros.lanes() - n,
                Compose(zeros.call.dtype, negative, 0, 0));
  }
  const ReduceSumSample s = zeros;
  zeros.call.elems_in_one_repeat = zeros.lanes();
  return SameSums(s, zeros, SameUpToZeroSign);
}

/// Exchanges the two sides of each node that `nodes` names, `side` lanes each.
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
  return SameSums(s, exchanged);
}

Verdict PairsCanBeExchanged() {
  return SidesCanBeExchanged(1, DrawSample(Source::kContiguous));
}

Verdict SubtreesCanBeExchanged() {
  const ReduceSumSample s = DrawSample(Source::kContiguous);
  const int levels = s.call.dtype == DType::kHalf ? 6 : 5;
  return SidesCanBeExchanged(std::int64_t{1} << Draw("level", 1, levels), s);
}

Verdict BackgroundIsKept() {
  const ReduceSumSample s = DrawSample(Source::kAnyStrides);
  ReduceSumSample other = s;
  other.fill ^= static_cast<std::uint8_t>(Draw("fill difference", 1, 255));
  const Bytes before = UbBefore(CaseOf(s));
  const Bytes other_before = UbBefore(CaseOf(other));
  return Related(CaseOf(s), CaseOf(other), [&](const Bytes& a, const Bytes& b) {
    std::string broken = WrittenDifference(s.call, a, b);
    if (broken.empty()) broken = OutsideDifference(s.call, before, a);
    if (broken.empty()) broken = OutsideDifference(s.call, other_before, b);
    return broken;
  });
}

/// The call of `s` with its lanes taken from a mask register set to `mask`.
Case MaskedCase(const ReduceSumSample& s, const isa::SetVectorMask& mask) {
  RepeatReduceSum call = s.call;
  call.is_set_mask = false;
  call.elems_in_one_repeat = 0;
  return CaseOf(s, {mask, call});
}

Verdict RegisterMaskIsCount() {
  const ReduceSumSample s = DrawSample(Source::kAnyStrides);
  const std::int64_t n = s.call.elems_in_one_repeat;
  const auto ones = [](std::int64_t count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  };
  isa::SetVectorMask mask{.high = n > 64 ? ones(n - 64) : 0, .low = ones(n)};
  // Of a 32-bit type only the low half counts.
  if (s.call.dtype == DType::kFloat) mask.high = DrawWord("high");
  return SameMemory(s, MaskedCase(s, mask));
}

Verdict MaskedLanesMayHoldAnything() {
  const ReduceSumSample s = DrawSample(Source::kContiguous);
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
  return Related(MaskedCase(s, mask), MaskedCase(other, mask),
                 [&](const Bytes& a, const Bytes& b) {
                   return WrittenDifference(s.call, a, b);
                 });
}

/// On programs of any kind, legal or not.
Verdict EmulatorAgreesWithOracle() {
  make::Random random(DrawWord("seed"));
  return Agreed(make::Generate("repeat_reduce_sum", random).c);
}

TEST(RepeatReduceSumLaws, RepeatIsSingleRepeats) {
  Check("repeat-is-single-repeats", RepeatIsSingleRepeats);
}
TEST(RepeatReduceSumLaws, PowerOfTwoScales) {
  Check("power-of-two-scales", PowerOfTwoScales);
}
TEST(RepeatReduceSumLaws, DstBlkStrideIsIgnored) {
  Check("dst-blk-stride-is-ignored", DstBlkStrideIsIgnored);
}
TEST(RepeatReduceSumLaws, ZeroLanesAddNothing) {
  Check("zero-lanes-add-nothing", ZeroLanesAddNothing);
}
TEST(RepeatReduceSumLaws, PairsCanBeExchanged) {
  Check("pairs-can-be-exchanged", PairsCanBeExchanged);
}
TEST(RepeatReduceSumLaws, SubtreesCanBeExchanged) {
  Check("subtrees-can-be-exchanged", SubtreesCanBeExchanged);
}
TEST(RepeatReduceSumLaws, BackgroundIsKept) {
  Check("background-is-kept", BackgroundIsKept);
}
TEST(RepeatReduceSumLaws, RegisterMaskIsCount) {
  Check("register-mask-is-count", RegisterMaskIsCount);
}
TEST(RepeatReduceSumLaws, MaskedLanesMayHoldAnything) {
  Check("masked-lanes-may-hold-anything", MaskedLanesMayHoldAnything);
}
TEST(RepeatReduceSumLaws, EmulatorAgreesWithOracle) {
  Check("emulator-agrees-with-oracle", EmulatorAgreesWithOracle);
}

}  // namespace
}  // namespace lanediff::properties
