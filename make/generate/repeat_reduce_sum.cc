#include "isa/repeat_reduce_sum.h"

#include <algorithm>
#include <array>

#include "case/fit_memories.h"
#include "isa/memory_map.h"
#include "make/generate/generate.h"
#include "make/generate/operands.h"

namespace lanediff::make {
namespace {

using isa::DType;
using isa::Product;
using isa::RepeatReduceSum;

constexpr std::array kProducts = {Product::kAtlasA2, Product::kAtlasA2,
                                  Product::kAtlasTraining,
                                  Product::kAtlasInferenceAicore};

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

struct Call {
  RepeatReduceSum step;
  LaneRange lanes;
  LayoutIntent layout = LayoutIntent::kDisjoint;

  std::int64_t element() const { return isa::SizeBytes(step.dtype); }
  VectorShape src() const {
    return {element(), step.src_blk_stride, step.src_rep_stride, step.repeat,
            lanes};
  }
  /// From the first to behind the last byte written.
  std::int64_t dst_bytes() const {
    return element() *
           (std::max<std::int64_t>(step.repeat - 1, 0) * step.dst_rep_stride +
            1);
  }
};

/// Type, repeats and lanes; `mask` is set where the call reads the register.
void SetLanes(Random& random, const Plan& plan, Call& call,
              std::optional<isa::SetVectorMask>& mask) {
  RepeatReduceSum& s = call.step;
  s.dtype = random.Percent(66) ? DType::kHalf : DType::kFloat;
  s.repeat = GenerateRepeat(random, plan, 0, 255);
  const std::int64_t lanes = s.dtype == DType::kHalf ? 128 : 64;
  s.is_set_mask = random.Percent(80);
  if (!s.is_set_mask) {
    if (random.Percent(85)) mask = GenerateMask(random);
    call.lanes =
        mask ? RangeOf(mask->low, mask->high, lanes) : LaneRange{0, lanes - 1};
    if (!Affordable(random, plan, s.repeat * 48)) {
      mask = isa::SetVectorMask{
          .high = 0, .low = std::uint64_t{5} << random.Between(0, 61)};
      call.lanes = RangeOf(mask->low, mask->high, lanes);
    }
    return;
  }
  s.elems_in_one_repeat = random.Between(1, lanes);
  if (plan.style == Style::kByIntent) {
    if (random.Percent(45)) {
      s.elems_in_one_repeat = random.OneOf<std::int64_t>(
          {1, 2, lanes / 2, lanes - 1, lanes, lanes, lanes});
    }
    if (!Affordable(random, plan, s.repeat * s.elems_in_one_repeat / 2)) {
      s.elems_in_one_repeat = random.Between(
          1, std::max<std::int64_t>(1, 2 * plan.operations / s.repeat));
    }
  }
  call.lanes = {0, s.elems_in_one_repeat - 1};
}

void SetStrides(Random& random, const Plan& plan, Product product, Call& call) {
  RepeatReduceSum& s = call.step;
  s.dst_blk_stride =
      plan.style == Style::kUniform
          ? random.Between(-2147483648, 2147483647)
          : random.OneOf<std::int64_t>({0, 1, 1, -7, -2147483648, 2147483647});
  const std::int64_t last = std::max<std::int64_t>(s.repeat - 1, 0);
  const std::int64_t blocks = RoomBytes(random, plan) / kDataBlockBytes;
  s.src_blk_stride =
      GenerateStride(random, plan.style, kBlockStrides, 65535, 7, blocks - 1);
  s.src_rep_stride = GenerateStride(random, plan.style, kSourceStrides, 65535,
                                    last, blocks - 1 - 7 * s.src_blk_stride);
  const std::int64_t room = blocks * kDataBlockBytes / 4 / call.element();
  s.dst_rep_stride =
      GenerateStride(random, plan.style, kTargetStrides, 65535, last, room);
  if (product == Product::kAtlasTraining && s.dst_rep_stride == 0) {
    s.dst_rep_stride = 1;
  }
}

/// Brings the call into the shape that its layout needs.
void FitLayout(Random& random, Call& call) {
  RepeatReduceSum& s = call.step;
  const std::int64_t per_block = kDataBlockBytes / call.element();
  switch (call.layout) {
    case LayoutIntent::kIdentical:
      if (s.src_rep_stride > 0 && random.Percent(40)) {
        s.dst_rep_stride = s.src_rep_stride * per_block;
      }
      break;
    case LayoutIntent::kInterleaved:
      s.src_blk_stride = 2;
      if (s.repeat > 8) {  // sums side by side in one gap; reads come again
        s.src_rep_stride = 0;
        s.dst_rep_stride = 1;
        s.repeat = std::min(s.repeat, per_block);
      } else {
        s.src_rep_stride = 16;
        s.dst_rep_stride = 16 * per_block;
      }
      break;
    case LayoutIntent::kOverlapOneElement:
      s.repeat = std::clamp<std::int64_t>(s.repeat, 1, 4);
      break;
    case LayoutIntent::kLastIterationDepends:
      s.repeat = std::clamp<std::int64_t>(s.repeat, 2, 8);
      s.src_rep_stride = std::max<std::int64_t>(s.src_rep_stride, 8);
      s.dst_rep_stride = 256 / call.element();
      break;
    default:
      break;
  }
}

/// Where dst lies, relative to src; negative for before it.
std::int64_t TargetOffset(Random& random, Call& call) {
  const RepeatReduceSum& s = call.step;
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
          s.repeat - 1, random.Between(call.lanes.lowest, call.lanes.highest));
    default:
      return random.Between(0, src.bytes() / element - 1) * element;
  }
}

/// Places both operands at `start` or behind it; returns the first byte behind.
std::int64_t Place(Random& random, std::int64_t start, Call& call) {
  RepeatReduceSum& s = call.step;
  const std::int64_t offset = TargetOffset(random, call);
  s.src.at = RoundUp(start + std::max<std::int64_t>(-offset, 0), 32);
  s.dst.at = s.src.at + offset;
  s.src.bytes = call.src().bytes();
  s.dst.bytes = call.dst_bytes();
  if (call.layout == LayoutIntent::kOverlapOneByte) {
    ++(offset < 0 ? s.dst : s.src).bytes;
  } else if (random.Percent(30)) {
    s.src.bytes += random.OneOf<std::int64_t>({1, 32, 256});
    s.dst.bytes += random.OneOf<std::int64_t>({0, 1, 32});
  }
  s.dst.position = VectorPosition(random);
  s.src.position = VectorPosition(random);
  return RoundUp(std::max(s.src.at + s.src.bytes, s.dst.at + s.dst.bytes), 32);
}

void AddStateSteps(Random& random, const Plan& plan, Case& c) {
  const bool a2 = c.product == Product::kAtlasA2;
  if (!random.Percent(a2 ? 30 : 3)) return;
  const bool illegal = !plan.untouched && random.Percent(15);
  c.program.emplace_back(
      isa::SetSaturation{.enabled = a2 ? random.Percent(25) : !illegal});
}

Generated GenerateRepeatReduceSum(Random& random, const Plan& plan) {
  Generated g;
  Case& c = g.c;
  c.id = "generated/repeat_reduce_sum";
  c.product = PickProduct(random, plan, kProducts);
  AddStateSteps(random, plan, c);
  std::array<Call, 2> calls;
  const std::size_t count = random.Percent(15) ? 2 : 1;
  std::int64_t end = random.OneOf<std::int64_t>({0, 0, 32, 256});
  for (std::size_t i = 0; i < count; ++i) {
    Call& call = calls[i];
    std::optional<isa::SetVectorMask> mask;
    call.layout = random.PickWeighted(kLayouts);
    SetLanes(random, plan, call, mask);
    SetStrides(random, plan, c.product, call);
    FitLayout(random, call);
    end = Place(random, end, call);
    if (mask) c.program.emplace_back(*mask);
    c.program.emplace_back(call.step);
  }
  AddMemory(random, c, isa::Memory::kUb, end);
  g.layout = calls[0].layout;
  for (std::size_t i = 0; i < count; ++i) {
    const RepeatReduceSum& s = calls[i].step;
    const DataTheme theme =
        GenerateTheme(random, s.dtype, DataUse::kSum, plan.style);
    if (i == 0) g.data = theme.intent;
    AddData(random, c, isa::Memory::kUb, s.src.at, calls[i].src().bytes(),
            s.dtype, theme);
  }
  FitMemories(c);
  MaybeMutate(random, plan, 42, g);
  return g;
}

}  // namespace

Generator RepeatReduceSumGenerator() {
  return {.room = RepeatReduceSum::kRoom,
          .op = RepeatReduceSum::kOp,
          .generate = GenerateRepeatReduceSum,
          .layouts = kLayouts,
          .products = kProducts};
}

}  // namespace lanediff::make
