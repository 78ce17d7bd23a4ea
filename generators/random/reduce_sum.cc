#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "differential/testcase/case.h"
#include "generators/random/generate.h"
#include "generators/random/operands.h"
#include "generators/values.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::make {
namespace {

using isa::DType;
using isa::kIterationBytes;
using isa::Param;
using isa::Product;

/// In place is legal, too, where later iterations read behind what was written.
constexpr std::array<Weighted<LayoutIntent>, 9> kLayouts = {{
    {LayoutIntent::kDisjoint, 25},
    {LayoutIntent::kTouching, 25},
    {LayoutIntent::kIdentical, 16},
    {LayoutIntent::kInterleaved, 12},
    {LayoutIntent::kOverlapOneByte, 6},
    {LayoutIntent::kOverlapOneElement, 4},
    {LayoutIntent::kOverlapOneBlock, 3},
    {LayoutIntent::kOverlapAnywhere, 5},
    {LayoutIntent::kLastIterationDepends, 4},
}};

constexpr std::array<std::int64_t, 7> kBlockStrides = {1, 1, 0, 2, 3, 9, 16};
constexpr std::array<std::int64_t, 7> kSourceStrides = {8, 8, 0, 1, 3, 7, 9};
constexpr std::array<std::int64_t, 6> kTargetStrides = {1, 0, 2, 3, 16, 129};

/// A call on its way to its place.
struct SumDraft {
  isa::Call step;
  LaneRange lanes;
  LayoutIntent layout = LayoutIntent::kDisjoint;

  std::int64_t element() const { return isa::SizeBytes(step.dtype); }
  VectorShape src() const {
    return {element(), step[Param::kSrc0BlkStride], step[Param::kSrc0RepStride],
            step[Param::kRepeatTimes], lanes};
  }
  /// All results of an iteration; dst is a multiple of them, but of pairs.
  std::int64_t results() const { return isa::ResultBytes(step); }
  std::int64_t align() const { return std::min(results(), kDataBlockBytes); }
  /// From the first to behind the last byte that may be written.
  std::int64_t dst_bytes() const {
    const isa::Footprint written{
        .operand = {},
        .first = results(),
        .stride = step[Param::kDstRepStride] * results(),
        .iterations = std::max<std::int64_t>(step[Param::kRepeatTimes], 1)};
    return written.Touched().value();
  }
};

/// Two words as mask; few lanes where many would be too much.
void SetWords(Random& random, const Plan& plan, SumDraft& call) {
  isa::Call& s = call.step;
  s.form = s.signature->FormWith(Param::kMaskWords);
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  isa::SetVectorMask words = random.Percent(40)
                                 ? isa::SetVectorMask{.high = kAll, .low = kAll}
                                 : GenerateMask(random);
  if (!Affordable(random, plan, s[Param::kRepeatTimes] * 48)) {
    words = {.high = 0, .low = std::uint64_t{5} << random.Between(0, 61)};
  }
  const std::int64_t lanes = kIterationBytes / call.element();
  if (lanes <= 64) words.high = 0;
  if (words.low == 0 && words.high == 0) words.low = 8;
  s.mask_words = {words.low, words.high};
  call.lanes = RangeOf(words.low, words.high, lanes);
}

/// Type, repeats and lanes; `mask` is set where the call reads the register.
void SetLanes(Random& random, const Plan& plan, Product product, SumDraft& call,
              std::optional<isa::SetVectorMask>& mask) {
  isa::Call& s = call.step;
  const bool has_float =
      isa::FindInstruction(s.signature->op)->Has(product, DType::kFloat);
  s.dtype = random.Percent(66) || !has_float ? DType::kHalf : DType::kFloat;
  const std::int64_t repeat = GenerateRepeat(random, plan, 0, 255);
  s[Param::kRepeatTimes] = repeat;
  const std::int64_t lanes = s.dtype == DType::kHalf ? 128 : 64;
  const bool has_words = s.signature->Has(Param::kMaskWords);
  s.is_set_mask = random.Percent(80);
  if (!s.is_set_mask) {
    if (has_words && random.Percent(50)) {
      s.form = s.signature->FormWith(Param::kMaskWords);
    }
    if (random.Percent(85)) mask = GenerateMask(random);
    call.lanes =
        mask ? RangeOf(mask->low, mask->high, lanes) : LaneRange{0, lanes - 1};
    if (!Affordable(random, plan, repeat * 48)) {
      mask = isa::SetVectorMask{
          .high = 0, .low = std::uint64_t{5} << random.Between(0, 61)};
      call.lanes = RangeOf(mask->low, mask->high, lanes);
    }
    return;
  }
  if (has_words && random.Percent(20)) {
    SetWords(random, plan, call);
    return;
  }
  std::int64_t& elems = s[Param::kMask];
  elems = random.Between(1, lanes);
  if (plan.style == Style::kByIntent) {
    if (random.Percent(45)) {
      elems = random.OneOf<std::int64_t>(
          {1, 2, lanes / 2, lanes - 1, lanes, lanes, lanes});
    }
    if (!Affordable(random, plan, repeat * elems / 2)) {
      elems = random.Between(
          1, std::max<std::int64_t>(1, 2 * plan.operations / repeat));
    }
  }
  call.lanes = {0, elems - 1};
}

/// An order that the product has, for the most part.
isa::ReduceOrder GenerateOrder(Random& random, Product product) {
  using enum isa::ReduceOrder;
  if (product == Product::kAtlasA2 || product == Product::kAtlasA3 ||
      random.Percent(3)) {
    return random.AnyWord<isa::ReduceOrder>();
  }
  if (product == Product::kAtlas200i500A2) {
    return random.OneOf<isa::ReduceOrder>({kValueIndex, kOnlyValue});
  }
  if (product == Product::kAtlasInferenceAicore) {
    return random.OneOf<isa::ReduceOrder>({kValueIndex, kIndexValue});
  }
  return kValueIndex;
}

void SetStrides(Random& random, const Plan& plan, Product product,
                SumDraft& call) {
  isa::Call& s = call.step;
  if (s.Has(Param::kDstBlkStride)) {
    s[Param::kDstBlkStride] = plan.style == Style::kUniform
                                  ? random.Between(-2147483648, 2147483647)
                                  : random.OneOf<std::int64_t>(
                                        {0, 1, 1, -7, -2147483648, 2147483647});
  }
  const std::int64_t last =
      std::max<std::int64_t>(s[Param::kRepeatTimes] - 1, 0);
  const std::int64_t blocks = SpaceBytes(random, plan) / kDataBlockBytes;
  s[Param::kSrc0BlkStride] =
      GenerateStride(random, plan.style, kBlockStrides, 65535, 7, blocks - 1);
  s[Param::kSrc0RepStride] =
      GenerateStride(random, plan.style, kSourceStrides, 65535, last,
                     blocks - 1 - 7 * s[Param::kSrc0BlkStride]);
  const std::int64_t limit = blocks * kDataBlockBytes / 4 / call.results();
  s[Param::kDstRepStride] =
      GenerateStride(random, plan.style, kTargetStrides, 65535, last, limit);
  if (product == Product::kAtlasTraining && s[Param::kDstRepStride] == 0) {
    s[Param::kDstRepStride] = 1;
  }
}

/// Brings the call into the shape that its layout needs.
void FitLayout(Random& random, SumDraft& call) {
  isa::Call& s = call.step;
  std::int64_t& repeat = s[Param::kRepeatTimes];
  std::int64_t& dst_rep = s[Param::kDstRepStride];
  std::int64_t& src_rep = s[Param::kSrc0RepStride];
  const std::int64_t per_block =
      std::max<std::int64_t>(kDataBlockBytes / call.results(), 1);
  switch (call.layout) {
    case LayoutIntent::kIdentical:
      if (src_rep > 0 && random.Percent(40)) {
        dst_rep = src_rep * per_block;
      }
      break;
    case LayoutIntent::kInterleaved:
      s[Param::kSrc0BlkStride] = 2;
      if (repeat > 8) {  // sums side by side in one gap; reads come again
        src_rep = 0;
        dst_rep = 1;
        repeat = std::min(repeat, per_block);
      } else {
        src_rep = 16;
        dst_rep = 16 * per_block;
      }
      break;
    case LayoutIntent::kOverlapOneElement:
      repeat = std::clamp<std::int64_t>(repeat, 1, 4);
      break;
    case LayoutIntent::kLastIterationDepends:
      repeat = std::clamp<std::int64_t>(repeat, 2, 8);
      src_rep = std::max<std::int64_t>(src_rep, 8);
      dst_rep = 256 / call.results();
      break;
    default:
      break;
  }
}

/// Where dst lies, relative to src; negative for before it.
std::int64_t TargetOffsetOfAny(Random& random, SumDraft& call) {
  const isa::Call& s = call.step;
  const VectorShape src = call.src();
  const std::int64_t element = call.element();
  switch (call.layout) {
    case LayoutIntent::kDisjoint:
    case LayoutIntent::kTouching:
    case LayoutIntent::kOverlapOneByte: {
      const std::int64_t slack = call.layout == LayoutIntent::kDisjoint
                                     ? 32 * random.Between(1, 2)
                                     : 0;
      return random.Percent(50) ? src.bytes() + slack
                                : -call.dst_bytes() - slack;
    }
    case LayoutIntent::kIdentical:
      return src.OffsetOf(0, call.lanes.lowest);
    case LayoutIntent::kInterleaved:
      return kDataBlockBytes;
    case LayoutIntent::kOverlapOneElement:
      return random.Percent(50) ? src.bytes() - element
                                : element - call.dst_bytes();
    case LayoutIntent::kOverlapOneBlock:
      return (src.bytes() - 1) / kDataBlockBytes * kDataBlockBytes;
    case LayoutIntent::kLastIterationDepends:
      return src.OffsetOf(
          s[Param::kRepeatTimes] - 1,
          random.Between(call.lanes.lowest, call.lanes.highest));
    default:
      return random.Between(0, src.bytes() / element - 1) * element;
  }
}

/// The same, a multiple of what dst is aligned to.
std::int64_t TargetOffset(Random& random, SumDraft& call) {
  const std::int64_t offset = TargetOffsetOfAny(random, call);
  const std::int64_t align = call.align();
  const std::int64_t down = offset >= 0 ? offset : offset - align + 1;
  return down / align * align;
}

/// Places both operands at `start` or behind it; returns the first byte behind.
std::int64_t Place(Random& random, std::int64_t start, SumDraft& call) {
  isa::Call& s = call.step;
  const std::int64_t offset = TargetOffset(random, call);
  s.src(0).at = RoundUp(start + std::max<std::int64_t>(-offset, 0), 32);
  s.dst().at = s.src(0).at + offset;
  s.src(0).bytes = call.src().bytes();
  s.dst().bytes = call.dst_bytes();
  if (call.layout == LayoutIntent::kOverlapOneByte) {
    ++(offset < 0 ? s.dst() : s.src(0)).bytes;
  } else if (random.Percent(30)) {
    s.src(0).bytes += random.OneOf<std::int64_t>({1, 32, 256});
    s.dst().bytes += random.OneOf<std::int64_t>({0, 1, 32});
  }
  s.dst().position = VectorPosition(random);
  s.src(0).position = VectorPosition(random);
  return RoundUp(
      std::max(s.src(0).at + s.src(0).bytes, s.dst().at + s.dst().bytes), 32);
}

void GenerateReduceSum(const isa::Signature& row, Random& random,
                       const Plan& plan, Generated& g) {
  Case& c = g.c;
  MaybeSwitchSaturation(random, plan, 25, c);
  std::array<SumDraft, 2> calls;
  const std::size_t count = random.Percent(15) ? 2 : 1;
  std::int64_t end = random.OneOf<std::int64_t>({0, 0, 32, 256});
  for (std::size_t i = 0; i < count; ++i) {
    SumDraft& call = calls[i];
    call.step.signature = &row;
    std::optional<isa::SetVectorMask> mask;
    call.layout = random.PickWeighted(kLayouts);
    SetLanes(random, plan, c.product, call, mask);
    if (row.Has(Param::kReduceOrder)) {
      call.step.reduce_order = GenerateOrder(random, c.product);
    }
    SetStrides(random, plan, c.product, call);
    FitLayout(random, call);
    end = Place(random, end, call);
    if (mask) c.program.emplace_back(*mask);
    c.program.emplace_back(call.step);
  }
  AddMemory(random, c, isa::Memory::kUb, end);
  g.layout = calls[0].layout;
  for (std::size_t i = 0; i < count; ++i) {
    const isa::Call& s = calls[i].step;
    const DataTheme theme =
        GenerateTheme(random, s.dtype, ValuesOf(row.op).use, plan.style);
    if (i == 0) g.data = theme.intent;
    AddData(random, c, isa::Memory::kUb, s.src(0).at, calls[i].src().bytes(),
            s.dtype, theme);
  }
}

}  // namespace

Generator ReductionGenerator(const isa::Signature& row) {
  return GeneratorOf(row, MostlyA2(row.op), kLayouts, 42,
                     std::bind_front(GenerateReduceSum, std::cref(row)));
}

}  // namespace lanediff::make
