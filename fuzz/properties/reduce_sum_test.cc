#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
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
using isa::RepeatReduceSum;
using isa::WholeReduceSum;

/// A legal call of RepeatReduceSum with its surroundings; dst and src lie
/// apart. WholeReduceSum has other parameters for the same call, see `As`.
struct ReduceSumSample {
  isa::Product product = isa::Product::kAtlasA2;
  bool saturation = true;
  std::uint8_t fill = 0;
  isa::RepeatReduceSum call;
  /// Elements from src.at to the end of its window.
  std::vector<std::uint64_t> source;

  std::int64_t element_bytes() const { return isa::SizeBytes(call.dtype); }
  std::int64_t lanes() const { return isa::kIterationBytes / element_bytes(); }
  /// Where an iteration of contiguous lanes starts in `source`.
  std::int64_t StartOf(std::int64_t iteration) const {
    return iteration * call.src_rep_stride * kDataBlockBytes / element_bytes();
  }
};

/// A sum as a call of either: the same lanes, of a contiguous mask, the same
/// places.
template <class Call>
Call As(const isa::RepeatReduceSum& sum) {
  if constexpr (std::same_as<Call, isa::RepeatReduceSum>) {
    return sum;
  } else {
    return {.dtype = sum.dtype,
            .dst = sum.dst,
            .src = sum.src,
            .form = Call::kContiguous,
            .mask = sum.elems_in_one_repeat,
            .repeat_times = sum.repeat,
            .dst_rep_stride = sum.dst_rep_stride,
            .src_blk_stride = sum.src_blk_stride,
            .src_rep_stride = sum.src_rep_stride,
            .is_set_mask = sum.is_set_mask};
  }
}

/// Puts dst at `dst_at` and src behind it, both in windows without slack.
void Place(isa::RepeatReduceSum& call, std::int64_t dst_at) {
  const std::int64_t last = call.repeat - 1;
  call.dst = At(isa::Position::kVecout, dst_at,
                isa::SizeBytes(call.dtype) * (last * call.dst_rep_stride + 1));
  const std::int64_t free = dst_at + call.dst.bytes + kMarginBytes;
  call.src =
      At(isa::Position::kVecin,
         (free + kDataBlockBytes - 1) / kDataBlockBytes * kDataBlockBytes,
         kDataBlockBytes *
             (last * call.src_rep_stride + 7 * call.src_blk_stride + 1));
}

/// Fills the source window with `elements` over and over.
void FillSource(ReduceSumSample& s,
                const std::vector<std::uint64_t>& elements) {
  s.source.assign(s.call.src.bytes / s.element_bytes(), 0);
  if (elements.empty()) return;
  for (std::size_t i = 0; i < s.source.size(); ++i) {
    s.source[i] = elements[i % elements.size()];
  }
}

/// `program`, with the surroundings and the source of `s`.
Case CaseOf(const ReduceSumSample& s, std::vector<isa::Step> program) {
  Region source{.at = s.call.src.at, .dtype = s.call.dtype, .bytes = {}};
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
std::vector<Written> WrittenBy(const isa::RepeatReduceSum& call) {
  std::vector<Written> all;
  const std::int64_t bytes = isa::SizeBytes(call.dtype);
  for (std::int64_t r = 0; r < call.repeat; ++r) {
    all.push_back({call.dst.at + r * call.dst_rep_stride * bytes, bytes});
  }
  return all;
}

/// How the elements that `call` writes differ, if they do.
std::string WrittenDifference(const isa::RepeatReduceSum& call,
                              const Bytes& first, const Bytes& second,
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
std::string AnyDifference(const isa::RepeatReduceSum& call, const Bytes& first,
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
template <class Call>
ReduceSumSample DrawCall(Source source) {
  ReduceSumSample s;
  s.product = DrawProduct(Call::kOp);
  s.saturation = DrawSaturation(s.product);
  s.fill = DrawFill();
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

bool SameUpToZeroSign(isa::DType type, std::uint64_t a, std::uint64_t b) {
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
    return AnyDifference(s.call, a, b);
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

/// Those of both.
template <class Call>
bool GiveLawsOfSums() {
  return GiveLaws(Call::kSlug,
                  {{"RepeatIsSingleRepeats", RepeatIsSingleRepeats<Call>},
                   {"PowerOfTwoScales", PowerOfTwoScales<Call>},
                   {"ZeroLanesAddNothing", ZeroLanesAddNothing<Call>},
                   {"PairsCanBeExchanged", PairsCanBeExchanged<Call>},
                   {"SubtreesCanBeExchanged", SubtreesCanBeExchanged<Call>},
                   {"RegisterMaskIsCount", RegisterMaskIsCount<Call>}});
}

// ---- Laws of one of them ----------------------------------------------------

Verdict DstBlkStrideIsIgnored() {
  const ReduceSumSample s = DrawSample<RepeatReduceSum>(Source::kAnyStrides);
  ReduceSumSample other = s;
  using Limits = std::numeric_limits<std::int32_t>;
  other.call.dst_blk_stride =
      *rc::gen::oneOf(rc::gen::arbitrary<std::int32_t>(),
                      rc::gen::element(0, -1, Limits::min(), Limits::max()))
           .as("dstBlkStride");
  return SameMemory<RepeatReduceSum>(s, CaseOf<RepeatReduceSum>(other));
}

[[maybe_unused]] const bool kRepeatGiven =
    GiveLawsOfSums<RepeatReduceSum>() &&
    GiveLaws(RepeatReduceSum::kSlug,
             {{"DstBlkStrideIsIgnored", DstBlkStrideIsIgnored}});

WholeReduceSum Bitwise(const ReduceSumSample& s, std::uint64_t low,
                       std::uint64_t high) {
  auto call = As<WholeReduceSum>(s.call);
  call.form = WholeReduceSum::kBitwise;
  call.mask = 0;
  call.mask_words = {low, s.lanes() > 64 ? high : 0};
  return call;
}

/// On the products that have both.
Verdict IsRepeatReduceSum() {
  const ReduceSumSample s =
      DrawSample<isa::RepeatReduceSum>(Source::kAnyStrides);
  return SameMemory<WholeReduceSum>(s, CaseOf<isa::RepeatReduceSum>(s));
}

Verdict BitwiseMaskIsContiguous() {
  const ReduceSumSample s = DrawSample<WholeReduceSum>(Source::kAnyStrides);
  const std::int64_t n = s.call.elems_in_one_repeat;
  return SameMemory<WholeReduceSum>(
      s, CaseOf(s, {Bitwise(s, Ones(n), Ones(n - 64))}));
}

Verdict RegisterMaskIsBitwiseMask() {
  const ReduceSumSample s = DrawSample<WholeReduceSum>(Source::kAnyStrides);
  const isa::SetVectorMask mask{.high = DrawWord("high"),
                                .low = DrawWord("low")};
  RC_PRE(mask.low != 0U);
  const Case own = CaseOf(s, {Bitwise(s, mask.low, mask.high)});
  return Related(own, MaskedCase<WholeReduceSum>(s, mask),
                 [&](const Bytes& a, const Bytes& b) {
                   return AnyDifference(s.call, a, b);
                 });
}

/// Neighbours that change places together with their bits of the mask give the
/// same sum, whether both of them, one or none takes part.
Verdict MaskedPairsCanBeExchanged() {
  ReduceSumSample s = DrawSample<WholeReduceSum>(Source::kContiguous);
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
    for (std::int64_t r = 0; r < s.call.repeat; ++r) {
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
  ReduceSumSample s = DrawSample<WholeReduceSum>(Source::kContiguous);
  s.call.repeat = 1;
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

[[maybe_unused]] const bool kWholeGiven =
    GiveLawsOfSums<WholeReduceSum>() &&
    GiveLaws(WholeReduceSum::kSlug,
             {{"IsRepeatReduceSum", IsRepeatReduceSum},
              {"BitwiseMaskIsContiguous", BitwiseMaskIsContiguous},
              {"RegisterMaskIsBitwiseMask", RegisterMaskIsBitwiseMask},
              {"MaskedPairsCanBeExchanged", MaskedPairsCanBeExchanged},
              {"LoneLaneMayBeAny", LoneLaneMayBeAny}});

}  // namespace
}  // namespace lanediff::properties
