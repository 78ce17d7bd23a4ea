#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "isa/catalogue.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "isa/units.h"

/// Laws of reductions. No law defines a sum.
namespace lanediff::properties {
namespace {

using isa::kDataBlockBytes;
using isa::Param;
using isa::Signature;

constexpr const Signature& kRepeatReduceSum =
    *isa::FindSignature("RepeatReduceSum");
constexpr const Signature& kWholeReduceSum =
    *isa::FindSignature("WholeReduceSum");

/// Whether each lane of each iteration has an element of its own, in order.
enum class Source { kAnyStrides, kContiguous };

/// A legal call of the first lanes, its source not filled.
Sample DrawCall(const Signature& row, Source source) {
  Sample s;
  s.product = DrawProduct(row.op);
  s.saturation = DrawSaturation(s.product);
  s.fill = DrawFill();
  isa::Call& call = s.call;
  call.signature = &row;
  const bool has_float =
      isa::FindInstruction(row.op)->Has(s.product, isa::DType::kFloat);
  call.dtype =
      *rc::gen::element(isa::DType::kHalf,
                        has_float ? isa::DType::kFloat : isa::DType::kHalf)
           .as("dtype");
  const auto repeat = Draw<std::int64_t>("repeat", 1, 12);
  call[Param::kRepeatTimes] = repeat;
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
  // Windows without slack, all results of the last iteration in them.
  const std::int64_t last = repeat - 1;
  const std::int64_t results = isa::ResultBytes(call);
  const std::int64_t unit = std::min(results, kDataBlockBytes);
  s.end = unit * Draw("dst offset", 0, 20);
  call.dst() = s.Add(results * (last * call.RepStride(0) + 1),
                     isa::Position::kVecout, unit);
  call.src(0) = s.Add(
      kDataBlockBytes * (last * call.RepStride(1) + 7 * call.BlkStride(1) + 1),
      isa::Position::kVecin);
  return s;
}

Sample DrawSample(const Signature& row, Source source,
                  Values values = Values::kAny) {
  Sample s = DrawCall(row, source);
  s.Fill(s.call.src(0), DrawElements(AnElement(s.call.dtype, values)));
  return s;
}

/// Where iteration `r` of contiguous lanes starts in the source.
std::vector<std::uint64_t>::iterator StartOf(Sample& s, std::int64_t r) {
  return s.source().begin() +
         r * s.call.RepStride(1) * kDataBlockBytes / s.element_bytes();
}

// ---- Laws -------------------------------------------------------------------

Verdict RepeatIsSingles(const Signature& row) {
  return RepeatIsSingleRepeats(DrawSample(row, Source::kAnyStrides));
}

Verdict PowerOfTwoScales(const Signature& row) {
  Sample s = DrawCall(row, Source::kAnyStrides);
  const isa::DType type = s.call.dtype;
  // 128 · 8 is 2^10, exact in both types at every scale from the smallest
  // subnormal up to 2^15 and 2^127.
  s.Fill(s.call.src(0), DrawElements(IntegerElement(type, 8)));
  const bool half = type == isa::DType::kHalf;
  const int exponent = half ? Draw("up to", -24, 5) : Draw("up to", -149, 117);
  Sample scaled = s;
  for (std::uint64_t& bits : scaled.source()) {
    bits = TimesPowerOfTwo(type, bits, exponent);
  }
  return SameWritten(CaseOf(s), CaseOf(scaled),
                     [=](isa::DType, std::uint64_t a, std::uint64_t b) {
                       return TimesPowerOfTwo(type, a, exponent) == b;
                     });
}

Verdict ZeroLanesAddNothing(const Signature& row) {
  Sample zeros = DrawSample(row, Source::kContiguous, Values::kFinite);
  const bool negative = DrawFlag("negative zeros");
  const std::int64_t n = zeros.call[Param::kMask];
  for (std::int64_t r = 0; r < zeros.call[Param::kRepeatTimes]; ++r) {
    std::fill_n(StartOf(zeros, r) + n, zeros.lanes() - n,
                Compose(zeros.call.dtype, negative, 0, 0));
  }
  const Sample s = zeros;
  zeros.call[Param::kMask] = zeros.lanes();
  return SameWritten(CaseOf(s), CaseOf(zeros),
                     [](isa::DType type, std::uint64_t a, std::uint64_t b) {
                       const std::uint64_t sign = Compose(type, true, 0, 0);
                       return SameElement(type, a, b) || ((a | b) & ~sign) == 0;
                     });
}

/// Exchanges the two sides of each node that `nodes` names, `side` lanes each.
Verdict SidesCanBeExchanged(std::int64_t side, Sample s) {
  s.call[Param::kMask] =
      std::max(s.call[Param::kMask] / (2 * side), std::int64_t{1}) * 2 * side;
  Sample exchanged = s;
  const std::uint64_t nodes = DrawWord("nodes");
  for (std::int64_t r = 0; r < s.call[Param::kRepeatTimes]; ++r) {
    for (std::int64_t i = 0; i < s.call[Param::kMask] / (2 * side); ++i) {
      if ((nodes >> i & 1) == 0) continue;
      const auto left = StartOf(exchanged, r) + 2 * side * i;
      std::swap_ranges(left, left + side, left + side);
    }
  }
  return SameWritten(CaseOf(s), CaseOf(exchanged));
}

Verdict PairsCanBeExchanged(const Signature& row) {
  return SidesCanBeExchanged(1, DrawSample(row, Source::kContiguous));
}

Verdict SubtreesCanBeExchanged(const Signature& row) {
  const Sample s = DrawSample(row, Source::kContiguous);
  const int levels = s.call.dtype == isa::DType::kHalf ? 6 : 5;
  return SidesCanBeExchanged(std::int64_t{1} << Draw("level", 1, levels), s);
}

Verdict RegisterMaskIsCount(const Signature& row) {
  const Sample s = DrawSample(row, Source::kAnyStrides);
  const std::int64_t n = s.call[Param::kMask];
  isa::SetVectorMask mask{.high = Ones(n - 64), .low = Ones(n)};
  // Of a 32-bit type only the low half counts.
  if (s.call.dtype == isa::DType::kFloat) mask.high = DrawWord("high");
  isa::Call call = s.call;
  call.is_set_mask = false;
  call[Param::kMask] = 0;
  return SameMemory(s, {mask, call});
}

// ---- Laws of one of them ----------------------------------------------------

Verdict DstBlkStrideIsIgnored() {
  const Sample s = DrawSample(kRepeatReduceSum, Source::kAnyStrides);
  isa::Call other = s.call;
  using Limits = std::numeric_limits<std::int32_t>;
  other[Param::kDstBlkStride] =
      *rc::gen::oneOf(rc::gen::arbitrary<std::int32_t>(),
                      rc::gen::element(0, -1, Limits::min(), Limits::max()))
           .as("dstBlkStride");
  return SameMemory(s, {other});
}

/// On the products that have both.
Verdict IsRepeatReduceSum() {
  const Sample s = DrawSample(kRepeatReduceSum, Source::kAnyStrides);
  isa::Call whole = s.call;
  whole.signature = &kWholeReduceSum;
  whole[Param::kDstBlkStride] = 0;
  return SameMemory(s, {whole});
}

Verdict BitwiseIsContiguous() {
  return BitwiseMaskIsContiguous(
      DrawSample(kWholeReduceSum, Source::kAnyStrides));
}

Verdict RegisterIsBitwise() {
  const Sample s = DrawSample(kWholeReduceSum, Source::kAnyStrides);
  const std::uint64_t high = DrawWord("high");
  const std::uint64_t low = DrawWord("low");
  RC_PRE(low != 0U);
  return RegisterMaskIsBitwiseMask(s, low, high);
}

/// Neighbours that change places together with their bits of the mask give the
/// same sum, whether both of them, one or none takes part.
Verdict MaskedPairsCanBeExchanged() {
  const Sample s = DrawSample(kWholeReduceSum, Source::kContiguous);
  const std::array words = {DrawWord("low"), DrawWord("high")};
  RC_PRE(words[0] != 0U);
  const std::uint64_t pairs = DrawWord("pairs");
  Sample exchanged = s;
  std::array exchanged_words = words;
  for (std::int64_t pair = 0; pair < s.lanes() / 2; ++pair) {
    if ((pairs >> pair & 1) == 0) continue;
    std::uint64_t& word = exchanged_words[static_cast<std::size_t>(pair / 32)];
    const std::int64_t at = pair % 32 * 2;
    const std::uint64_t two = word >> at & 3;
    word ^= (two ^ (two >> 1 | (two & 1) << 1)) << at;
    for (std::int64_t r = 0; r < s.call[Param::kRepeatTimes]; ++r) {
      const auto left = StartOf(exchanged, r) + 2 * pair;
      std::iter_swap(left, left + 1);
    }
  }
  return SameWritten(CaseOf(s, {Bitwise(s.call, words[0], words[1])}),
                     CaseOf(exchanged, {Bitwise(s.call, exchanged_words[0],
                                                exchanged_words[1])}));
}

/// A sum of one lane is what a value is written as that nothing is done to, the
/// same wherever the lane is.
Verdict LoneLaneMayBeAny() {
  Sample s = DrawSample(kWholeReduceSum, Source::kContiguous);
  s.call[Param::kRepeatTimes] = 1;
  const std::int64_t lane = Draw<std::int64_t>("lane", 0, s.lanes() - 1);
  Sample first = s;
  std::swap(first.source().at(0),
            first.source().at(static_cast<std::size_t>(lane)));
  return SameWritten(CaseOf(s, {Bitwise(s.call, Ones(lane + 1) & ~Ones(lane),
                                        Ones(lane - 63) & ~Ones(lane - 64))}),
                     CaseOf(first, {Bitwise(s.call, 1, 0)}));
}

// ---- Laws of reductions of several results
// -----------------------------------

constexpr const Signature& kPairReduceSum =
    *isa::FindSignature("PairReduceSum");

/// A call of `row` of all lanes of contiguous iterations, whose results lie
/// side by side.
Sample DrawDense(const Signature& row, Values values) {
  Sample s = DrawSample(row, Source::kContiguous, values);
  s.product = isa::Product::kAtlasA2;
  s.call[Param::kMask] = s.lanes();
  s.call[Param::kRepeatTimes] = 1;
  s.call[Param::kDstRepStride] = 1;
  return s;
}

/// The sum of an iteration is that of its parts, which `first` sums and `rest`
/// again and again: each call reads what the one before wrote, elsewhere.
Verdict PartsAreTheTree(const Signature& first, const Signature& rest) {
  Sample s = DrawDense(kWholeReduceSum, Values::kAny);
  std::vector<isa::Step> program;
  isa::Call call = s.call;
  const Signature* row = &first;
  for (std::int64_t lanes = s.lanes(); lanes > 1; row = &rest) {
    call.signature = row;
    call[Param::kMask] = lanes;
    call.dst() = s.Add(isa::kIterationBytes, isa::Position::kVecout);
    program.emplace_back(call);
    call.src(0) = call.dst();
    call.src(0).position = isa::Position::kVecin;
    lanes = row == &kWholeReduceSum
                ? 1
                : lanes / isa::LanesOfResult(row->group, s.element_bytes());
  }
  return SameWritten(CaseOf(s), CaseOf(s, program));
}

Verdict BlocksAreTheTree() {
  return PartsAreTheTree(*isa::FindSignature("BlockReduceSum"),
                         kWholeReduceSum);
}

Verdict PairsAreTheTree() {
  return PartsAreTheTree(kPairReduceSum, kPairReduceSum);
}

/// The largest lane of a DataBlock is that of its lanes in another order.
Verdict LanesMayChangePlaces(const Signature& row) {
  const Sample s = DrawDense(row, Values::kFinite);
  Sample shuffled = s;
  const auto per_block =
      static_cast<std::size_t>(kDataBlockBytes / s.element_bytes());
  const auto turns = Draw<std::size_t>("turns", 0, 15) % per_block;
  auto& elements = shuffled.source();
  for (std::size_t at = 0; at + per_block <= elements.size(); at += per_block) {
    const auto first = elements.begin() + static_cast<std::ptrdiff_t>(at);
    std::rotate(first, first + static_cast<std::ptrdiff_t>(turns),
                first + static_cast<std::ptrdiff_t>(per_block));
  }
  return SameWritten(CaseOf(s), CaseOf(shuffled));
}

bool GiveGroupLaws() {
  for (const Signature& row : isa::kReductionRows) {
    const bool trees = isa::HasRule(row, isa::CallRule::kTree);
    if (row.group == isa::Group::kIteration && trees) continue;
    const auto of = [&row](Verdict (*law)(const Signature&)) {
      return [&row, law] { return law(row); };
    };
    GiveLaws(row.slug, {{"RepeatIsSingleRepeats", of(RepeatIsSingles)},
                        {"RegisterMaskIsCount", of(RegisterMaskIsCount)}});
    if (!trees && row.group != isa::Group::kIteration) {
      GiveLaws(row.slug, {{"LanesMayChangePlaces", of(LanesMayChangePlaces)}});
    }
  }
  return GiveLaws("block_reduce_sum",
                  {{"WholeIsOfBlocks", BlocksAreTheTree}}) &&
         GiveLaws(kPairReduceSum.slug, {{"WholeIsOfPairs", PairsAreTheTree}});
}

bool GiveReduceSumLaws() {
  for (const Signature& row : isa::kReductionRows) {
    if (row.group != isa::Group::kIteration ||
        !isa::HasRule(row, isa::CallRule::kTree)) {
      continue;
    }
    const auto of = [&row](Verdict (*law)(const Signature&)) {
      return [&row, law] { return law(row); };
    };
    GiveLaws(row.slug, {{"RepeatIsSingleRepeats", of(RepeatIsSingles)},
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
                   {"BitwiseMaskIsContiguous", BitwiseIsContiguous},
                   {"RegisterMaskIsBitwiseMask", RegisterIsBitwise},
                   {"MaskedPairsCanBeExchanged", MaskedPairsCanBeExchanged},
                   {"LoneLaneMayBeAny", LoneLaneMayBeAny}});
}

[[maybe_unused]] const bool kGiven = GiveReduceSumLaws() && GiveGroupLaws();

}  // namespace
}  // namespace lanediff::properties
