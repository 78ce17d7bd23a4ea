#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/element.h"
#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "isa/memory_map.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/units.h"
#include "isa/vocabulary.h"

/// Laws of RepeatReduceSum and WholeReduceSum. No law defines a sum.
namespace lanediff::properties {
namespace {

using isa::kDataBlockBytes;
using isa::Param;
using isa::Signature;

constexpr const Signature& kRepeatReduceSum =
    *isa::FindSignature("RepeatReduceSum");
constexpr const Signature& kWholeReduceSum =
    *isa::FindSignature("WholeReduceSum");

/// A legal call of either, of its first lanes, with its surroundings; dst and
/// src lie apart.
struct ReduceSumSample {
  isa::Product product = isa::Product::kAtlasA2;
  bool saturation = true;
  std::uint8_t fill = 0;
  isa::Call call;
  /// Elements from src.at to the end of its window.
  std::vector<std::uint64_t> source;

  std::int64_t element_bytes() const { return isa::SizeBytes(call.dtype); }
  std::int64_t lanes() const { return isa::kIterationBytes / element_bytes(); }
  /// Where an iteration of contiguous lanes starts in `source`.
  std::int64_t StartOf(std::int64_t iteration) const {
    return iteration * call.RepStride(1) * kDataBlockBytes / element_bytes();
  }
};

/// Puts dst at `dst_at` and src behind it, both in windows without slack.
void Place(isa::Call& call, std::int64_t dst_at) {
  const std::int64_t last = call[Param::kRepeatTimes] - 1;
  call.dst() = At(isa::Position::kVecout, dst_at,
                  isa::SizeBytes(call.dtype) * (last * call.RepStride(0) + 1));
  const std::int64_t free = dst_at + call.dst().bytes + kMarginBytes;
  call.src(0) = At(
      isa::Position::kVecin,
      (free + kDataBlockBytes - 1) / kDataBlockBytes * kDataBlockBytes,
      kDataBlockBytes * (last * call.RepStride(1) + 7 * call.BlkStride(1) + 1));
}

/// Fills the source window with `elements` over and over.
void FillSource(ReduceSumSample& s,
                const std::vector<std::uint64_t>& elements) {
  s.source.assign(s.call.src(0).bytes / s.element_bytes(), 0);
  if (elements.empty()) return;
  for (std::size_t i = 0; i < s.source.size(); ++i) {
    s.source[i] = elements[i % elements.size()];
  }
}

/// `program`, with the surroundings and the source of `s`.
Case CaseOf(const ReduceSumSample& s, std::vector<isa::Step> program) {
  Region source{.at = s.call.src(0).at, .dtype = s.call.dtype, .bytes = {}};
  for (std::uint64_t bits : s.source) {
    AppendElement(s.call.dtype, bits, source.bytes);
  }
  const std::int64_t size = source.end() + kMarginBytes;
  return UbCase(s.product, s.fill, size, {std::move(source)},
                std::move(program), s.saturation);
}

/// Whether two elements count as the same.
using Same = std::function<bool(isa::DType, std::uint64_t, std::uint64_t)>;

/// What each iteration of `call` writes.
std::vector<Written> WrittenBy(const isa::Call& call) {
  std::vector<Written> all;
  const std::int64_t bytes = isa::SizeBytes(call.dtype);
  for (std::int64_t r = 0; r < call[Param::kRepeatTimes]; ++r) {
    all.push_back({call.dst().at + r * call.RepStride(0) * bytes, bytes});
  }
  return all;
}

/// How the elements that `call` writes differ, if they do.
std::string WrittenDifference(const isa::Call& call, const Bytes& first,
                              const Bytes& second,
                              const Same& same = SameElement) {
  const std::vector<Written> written = WrittenBy(call);
  for (std::size_t r = 0; r < written.size(); ++r) {
    const auto load = [&](const Bytes& ub) {
      const auto at = static_cast<std::size_t>(written[r].at);
      return LoadElement(call.dtype, std::span(ub).subspan(at));
    };
    const std::uint64_t a = load(first);
    const std::uint64_t b = load(second);
    if (same(call.dtype, a, b)) continue;
    return fmt::format("iteration {} gives {} and {}", r,
                       DescribeElement(call.dtype, a),
                       DescribeElement(call.dtype, b));
  }
  return {};
}

constexpr std::string_view kUnwritten = ", which no iteration writes,";

/// How two memories differ: what `call` writes, or else.
std::string AnyDifference(const isa::Call& call, const Bytes& first,
                          const Bytes& second) {
  const std::string written = WrittenDifference(call, first, second);
  return written.empty()
             ? OutsideDifference(WrittenBy(call), first, second, kUnwritten)
             : written;
}

// ---- Calls ------------------------------------------------------------------

/// Whether each lane of each iteration has an element of its own, in order.
enum class Source { kAnyStrides, kContiguous };

/// A sample without source elements.
ReduceSumSample DrawCall(const Signature& row, Source source) {
  ReduceSumSample s;
  s.product = DrawProduct(row.op);
  s.saturation = DrawSaturation(s.product);
  s.fill = DrawFill();
  isa::Call& call = s.call;
  call.signature = &row;
  call.dtype =
      *rc::gen::element(isa::DType::kHalf, isa::DType::kFloat).as("dtype");
  call[Param::kRepeatTimes] = Draw<std::int64_t>("repeat", 1, 12);
  // All lanes in one case of five.
  call[Param::kMask] = std::min(
      Draw("elemsInOneRepeat", std::int64_t{1}, s.lanes() * 5 / 4), s.lanes());
  if (row.Has(Param::kDstBlkStride)) call[Param::kDstBlkStride] = 1;
  call[Param::kDstRepStride] = Draw<std::int64_t>(
      "dstRepStride", s.product == isa::Product::kAtlasTraining ? 1 : 0, 20);
  const bool any = source == Source::kAnyStrides;
  call[Param::kSrc0BlkStride] =
      any ? Draw<std::int64_t>("srcBlkStride", 0, 3) : 1;
  call[Param::kSrc0RepStride] =
      Draw<std::int64_t>("srcRepStride", any ? 0 : 8, 12);
  Place(call, kMarginBytes + s.element_bytes() * Draw("dst offset", 0, 20));
  return s;
}

ReduceSumSample DrawSample(const Signature& row, Source source,
                           Values values = Values::kAny) {
  ReduceSumSample s = DrawCall(row, source);
  FillSource(s, DrawElements(AnElement(s.call.dtype, values)));
  return s;
}

/// The call of `s` itself.
Case CaseOf(const ReduceSumSample& s) { return CaseOf(s, {s.call}); }

// ---- Verdicts ---------------------------------------------------------------

bool SameUpToZeroSign(isa::DType type, std::uint64_t a, std::uint64_t b) {
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
    return AnyDifference(s.call, a, b);
  });
}

// ---- Laws -------------------------------------------------------------------

Verdict RepeatIsSingleRepeats(const Signature& row) {
  const ReduceSumSample s = DrawSample(row, Source::kAnyStrides);
  std::vector<isa::Step> singles;
  for (std::int64_t r = 0; r < s.call[Param::kRepeatTimes]; ++r) {
    isa::Call single = s.call;
    const std::int64_t dst = r * s.call.RepStride(0) * s.element_bytes();
    const std::int64_t src = r * s.call.RepStride(1) * kDataBlockBytes;
    single[Param::kRepeatTimes] = 1;
    single.dst().at += dst;
    single.dst().bytes -= dst;
    single.src(0).at += src;
    single.src(0).bytes -= src;
    singles.emplace_back(single);
  }
  return SameMemory(s, CaseOf(s, singles));
}

Verdict PowerOfTwoScales(const Signature& row) {
  ReduceSumSample s = DrawCall(row, Source::kAnyStrides);
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
  return SameSums(s, scaled, [=](isa::DType, std::uint64_t a, std::uint64_t b) {
    return TimesPowerOfTwo(type, a, exponent) == b;
  });
}

Verdict ZeroLanesAddNothing(const Signature& row) {
  ReduceSumSample zeros = DrawSample(row, Source::kContiguous, Values::kFinite);
  const bool negative = DrawFlag("negative zeros");
  const std::int64_t n = zeros.call[Param::kMask];
  for (std::int64_t r = 0; r < zeros.call[Param::kRepeatTimes]; ++r) {
    std::fill_n(zeros.source.begin() + zeros.StartOf(r) + n, zeros.lanes() - n,
                Compose(zeros.call.dtype, negative, 0, 0));
  }
  const ReduceSumSample s = zeros;
  zeros.call[Param::kMask] = zeros.lanes();
  return SameSums(s, zeros, SameUpToZeroSign);
}

/// Exchanges the two sides of each node that `nodes` names, `side` lanes each.
Verdict SidesCanBeExchanged(std::int64_t side, ReduceSumSample s) {
  s.call[Param::kMask] =
      std::max(s.call[Param::kMask] / (2 * side), std::int64_t{1}) * 2 * side;
  ReduceSumSample exchanged = s;
  const std::uint64_t nodes = DrawWord("nodes");
  for (std::int64_t r = 0; r < s.call[Param::kRepeatTimes]; ++r) {
    for (std::int64_t i = 0; i < s.call[Param::kMask] / (2 * side); ++i) {
      if ((nodes >> i & 1) == 0) continue;
      const auto left = exchanged.source.begin() + s.StartOf(r) + 2 * side * i;
      std::swap_ranges(left, left + side, left + side);
    }
  }
  return SameSums(s, exchanged);
}

Verdict PairsCanBeExchanged(const Signature& row) {
  return SidesCanBeExchanged(1, DrawSample(row, Source::kContiguous));
}

Verdict SubtreesCanBeExchanged(const Signature& row) {
  const ReduceSumSample s = DrawSample(row, Source::kContiguous);
  const int levels = s.call.dtype == isa::DType::kHalf ? 6 : 5;
  return SidesCanBeExchanged(std::int64_t{1} << Draw("level", 1, levels), s);
}

/// The call of `s` with its lanes taken from a mask register set to `mask`.
Case MaskedCase(const ReduceSumSample& s, const isa::SetVectorMask& mask) {
  isa::Call call = s.call;
  call.is_set_mask = false;
  call[Param::kMask] = 0;
  return CaseOf(s, {mask, call});
}

Verdict RegisterMaskIsCount(const Signature& row) {
  const ReduceSumSample s = DrawSample(row, Source::kAnyStrides);
  const std::int64_t n = s.call[Param::kMask];
  isa::SetVectorMask mask{.high = Ones(n - 64), .low = Ones(n)};
  // Of a 32-bit type only the low half counts.
  if (s.call.dtype == isa::DType::kFloat) mask.high = DrawWord("high");
  return SameMemory(s, MaskedCase(s, mask));
}

// ---- Laws of one of them ----------------------------------------------------

Verdict DstBlkStrideIsIgnored() {
  const ReduceSumSample s = DrawSample(kRepeatReduceSum, Source::kAnyStrides);
  ReduceSumSample other = s;
  using Limits = std::numeric_limits<std::int32_t>;
  other.call[Param::kDstBlkStride] =
      *rc::gen::oneOf(rc::gen::arbitrary<std::int32_t>(),
                      rc::gen::element(0, -1, Limits::min(), Limits::max()))
           .as("dstBlkStride");
  return SameMemory(s, CaseOf(other));
}

/// The call of `s` with the lanes of a bitwise mask.
isa::Call Bitwise(const ReduceSumSample& s, std::uint64_t low,
                  std::uint64_t high) {
  isa::Call call = s.call;
  call.form = call.signature->FormWith(Param::kMaskWords);
  call[Param::kMask] = 0;
  call.mask_words = {low, s.lanes() > 64 ? high : 0};
  return call;
}

/// On the products that have both.
Verdict IsRepeatReduceSum() {
  const ReduceSumSample s = DrawSample(kRepeatReduceSum, Source::kAnyStrides);
  ReduceSumSample whole = s;
  whole.call.signature = &kWholeReduceSum;
  whole.call[Param::kDstBlkStride] = 0;
  return SameMemory(whole, CaseOf(s));
}

Verdict BitwiseMaskIsContiguous() {
  const ReduceSumSample s = DrawSample(kWholeReduceSum, Source::kAnyStrides);
  const std::int64_t n = s.call[Param::kMask];
  return SameMemory(s, CaseOf(s, {Bitwise(s, Ones(n), Ones(n - 64))}));
}

Verdict RegisterMaskIsBitwiseMask() {
  const ReduceSumSample s = DrawSample(kWholeReduceSum, Source::kAnyStrides);
  const isa::SetVectorMask mask{.high = DrawWord("high"),
                                .low = DrawWord("low")};
  RC_PRE(mask.low != 0U);
  const Case own = CaseOf(s, {Bitwise(s, mask.low, mask.high)});
  return Related(own, MaskedCase(s, mask), [&](const Bytes& a, const Bytes& b) {
    return AnyDifference(s.call, a, b);
  });
}

/// Neighbours that change places together with their bits of the mask give the
/// same sum, whether both of them, one or none takes part.
Verdict MaskedPairsCanBeExchanged() {
  ReduceSumSample s = DrawSample(kWholeReduceSum, Source::kContiguous);
  const std::array words = {DrawWord("low"), DrawWord("high")};
  RC_PRE(words[0] != 0U);
  const std::uint64_t pairs = DrawWord("pairs");
  const auto is_exchanged = [&](std::int64_t pair) {
    return (pairs >> pair & 1) != 0;
  };
  ReduceSumSample exchanged = s;
  std::array exchanged_words = words;
  for (std::int64_t pair = 0; pair < s.lanes() / 2; ++pair) {
    if (!is_exchanged(pair)) continue;
    std::uint64_t& word = exchanged_words[static_cast<std::size_t>(pair / 32)];
    const std::int64_t at = pair % 32 * 2;
    const std::uint64_t two = word >> at & 3;
    word ^= (two ^ (two >> 1 | (two & 1) << 1)) << at;
    for (std::int64_t r = 0; r < s.call[Param::kRepeatTimes]; ++r) {
      const auto left = exchanged.source.begin() + s.StartOf(r) + 2 * pair;
      std::iter_swap(left, left + 1);
    }
  }
  return Related(CaseOf(s, {Bitwise(s, words[0], words[1])}),
                 CaseOf(exchanged, {Bitwise(exchanged, exchanged_words[0],
                                            exchanged_words[1])}),
                 [&](const Bytes& a, const Bytes& b) {
                   return WrittenDifference(s.call, a, b);
                 });
}

/// A sum of one lane is what a value is written as that nothing is done to, the
/// same wherever the lane is.
Verdict LoneLaneMayBeAny() {
  ReduceSumSample s = DrawSample(kWholeReduceSum, Source::kContiguous);
  s.call[Param::kRepeatTimes] = 1;
  const std::int64_t lane = Draw<std::int64_t>("lane", 0, s.lanes() - 1);
  ReduceSumSample first = s;
  std::swap(first.source.at(0),
            first.source.at(static_cast<std::size_t>(lane)));
  const auto bit = [](std::int64_t at) {
    return at >= 0 && at < 64 ? std::uint64_t{1} << at : 0;
  };
  return Related(CaseOf(s, {Bitwise(s, bit(lane), bit(lane - 64))}),
                 CaseOf(first, {Bitwise(first, 1, 0)}),
                 [&](const Bytes& a, const Bytes& b) {
                   return WrittenDifference(s.call, a, b);
                 });
}

bool GiveReduceSumLaws() {
  for (const Signature& row : isa::kReductionRows) {
    const auto of = [&row](Verdict (*law)(const Signature&)) {
      return [&row, law] { return law(row); };
    };
    GiveLaws(row.slug, {{"RepeatIsSingleRepeats", of(RepeatIsSingleRepeats)},
                        {"PowerOfTwoScales", of(PowerOfTwoScales)},
                        {"ZeroLanesAddNothing", of(ZeroLanesAddNothing)},
                        {"PairsCanBeExchanged", of(PairsCanBeExchanged)},
                        {"SubtreesCanBeExchanged", of(SubtreesCanBeExchanged)},
                        {"RegisterMaskIsCount", of(RegisterMaskIsCount)}});
  }
  return GiveLaws(kRepeatReduceSum.slug,
                  {{"DstBlkStrideIsIgnored", DstBlkStrideIsIgnored}}) &&
         GiveLaws(kWholeReduceSum.slug,
                  {{"IsRepeatReduceSum", IsRepeatReduceSum},
                   {"BitwiseMaskIsContiguous", BitwiseMaskIsContiguous},
                   {"RegisterMaskIsBitwiseMask", RegisterMaskIsBitwiseMask},
                   {"MaskedPairsCanBeExchanged", MaskedPairsCanBeExchanged},
                   {"LoneLaneMayBeAny", LoneLaneMayBeAny}});
}

[[maybe_unused]] const bool kGiven = GiveReduceSumLaws();

}  // namespace
}  // namespace lanediff::properties
