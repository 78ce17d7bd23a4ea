#include <array>
#include <limits>

#include "fuzz/properties/reduce_sum_laws.h"

/// Laws that only one of RepeatReduceSum and WholeReduceSum has.
namespace lanediff::properties {
namespace {

using isa::RepeatReduceSum;
using isa::WholeReduceSum;

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
    GiveLaws<RepeatReduceSum>(
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
    GiveLaws<WholeReduceSum>(
        {{"IsRepeatReduceSum", IsRepeatReduceSum},
         {"BitwiseMaskIsContiguous", BitwiseMaskIsContiguous},
         {"RegisterMaskIsBitwiseMask", RegisterMaskIsBitwiseMask},
         {"MaskedPairsCanBeExchanged", MaskedPairsCanBeExchanged},
         {"LoneLaneMayBeAny", LoneLaneMayBeAny}});

}  // namespace
}  // namespace lanediff::properties
