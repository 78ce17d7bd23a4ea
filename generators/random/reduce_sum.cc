#include "generators/reduce_sum.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "generators/random/generate.h"
#include "generators/random/operands.h"
#include "generators/values.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::make {
namespace {

using isa::DType;
using isa::kIterationBytes;
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

template <ReduceSum Step>
struct Call {
  Step step;
  LaneRange lanes;
  LayoutIntent layout = LayoutIntent::kDisjoint;

  std::int64_t element() const { return isa::SizeBytes(step.dtype); }
  VectorShape src() const {
    return {element(), step.src_blk_stride, step.src_rep_stride, RepeatOf(step),
            lanes};
  }
  /// From the first to behind the last byte written.
  std::int64_t dst_bytes() const {
    const isa::Footprint sums{
        .operand = {},
        .first = element(),
        .stride = step.dst_rep_stride * element(),
        .iterations = std::max<std::int64_t>(RepeatOf(step), 1)};
    return sums.Touched().value();
  }
};

/// Two words as mask; few lanes where many would be too much.
template <ReduceSum Step>
void SetWords(Random& random, const Plan& plan, Call<Step>& call) {
  Step& s = call.step;
  s.form = Step::kBitwise;
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  isa::SetVectorMask words = random.Percent(40)
                                 ? isa::SetVectorMask{.high = kAll, .low = kAll}
                                 : GenerateMask(random);
  if (!Affordable(random, plan, RepeatOf(s) * 48)) {
    words = {.high = 0, .low = std::uint64_t{5} << random.Between(0, 61)};
  }
  const std::int64_t lanes = kIterationBytes / call.element();
  if (lanes <= 64) words.high = 0;
  if (words.low == 0 && words.high == 0) words.low = 8;
  s.mask_words = {words.low, words.high};
  call.lanes = RangeOf(words.low, words.high, lanes);
}

/// Type, repeats and lanes; `mask` is set where the call reads the register.
template <ReduceSum Step>
void SetLanes(Random& random, const Plan& plan, Call<Step>& call,
              std::optional<isa::SetVectorMask>& mask) {
  Step& s = call.step;
  s.dtype = random.Percent(66) ? DType::kHalf : DType::kFloat;
  RepeatOf(s) = GenerateRepeat(random, plan, 0, 255);
  const std::int64_t lanes = s.dtype == DType::kHalf ? 128 : 64;
  s.is_set_mask = random.Percent(80);
  if (!s.is_set_mask) {
    if constexpr (kHasMaskWords<Step>) {
      if (random.Percent(50)) s.form = Step::kBitwise;
    }
    if (random.Percent(85)) mask = GenerateMask(random);
    call.lanes =
        mask ? RangeOf(mask->low, mask->high, lanes) : LaneRange{0, lanes - 1};
    if (!Affordable(random, plan, RepeatOf(s) * 48)) {
      mask = isa::SetVectorMask{
          .high = 0, .low = std::uint64_t{5} << random.Between(0, 61)};
      call.lanes = RangeOf(mask->low, mask->high, lanes);
    }
    return;
  }
  if constexpr (kHasMaskWords<Step>) {
    if (random.Percent(20)) {
      SetWords(random, plan, call);
      return;
    }
  }
  LanesOf(s) = random.Between(1, lanes);
  if (plan.style == Style::kByIntent) {
    if (random.Percent(45)) {
      LanesOf(s) = random.OneOf<std::int64_t>(
          {1, 2, lanes / 2, lanes - 1, lanes, lanes, lanes});
    }
    if (!Affordable(random, plan, RepeatOf(s) * LanesOf(s) / 2)) {
      LanesOf(s) = random.Between(
          1, std::max<std::int64_t>(1, 2 * plan.operations / RepeatOf(s)));
    }
  }
  call.lanes = {0, LanesOf(s) - 1};
}

template <ReduceSum Step>
void SetStrides(Random& random, const Plan& plan, Product product,
                Call<Step>& call) {
  Step& s = call.step;
  if constexpr (!kHasMaskWords<Step>) {
    s.dst_blk_stride = plan.style == Style::kUniform
                           ? random.Between(-2147483648, 2147483647)
                           : random.OneOf<std::int64_t>(
                                 {0, 1, 1, -7, -2147483648, 2147483647});
  }
  const std::int64_t last = std::max<std::int64_t>(RepeatOf(s) - 1, 0);
  const std::int64_t blocks = SpaceBytes(random, plan) / kDataBlockBytes;
  s.src_blk_stride =
      GenerateStride(random, plan.style, kBlockStrides, 65535, 7, blocks - 1);
  s.src_rep_stride = GenerateStride(random, plan.style, kSourceStrides, 65535,
                                    last, blocks - 1 - 7 * s.src_blk_stride);
  const std::int64_t limit = blocks * kDataBlockBytes / 4 / call.element();
  s.dst_rep_stride =
      GenerateStride(random, plan.style, kTargetStrides, 65535, last, limit);
  if (product == Product::kAtlasTraining && s.dst_rep_stride == 0) {
    s.dst_rep_stride = 1;
  }
}

/// Brings the call into the shape that its layout needs.
template <ReduceSum Step>
void FitLayout(Random& random, Call<Step>& call) {
  Step& s = call.step;
  const std::int64_t per_block = kDataBlockBytes / call.element();
  switch (call.layout) {
    case LayoutIntent::kIdentical:
      if (s.src_rep_stride > 0 && random.Percent(40)) {
        s.dst_rep_stride = s.src_rep_stride * per_block;
      }
      break;
    case LayoutIntent::kInterleaved:
      s.src_blk_stride = 2;
      if (RepeatOf(s) > 8) {  // sums side by side in one gap; reads come again
        s.src_rep_stride = 0;
        s.dst_rep_stride = 1;
        RepeatOf(s) = std::min(RepeatOf(s), per_block);
      } else {
        s.src_rep_stride = 16;
        s.dst_rep_stride = 16 * per_block;
      }
      break;
    case LayoutIntent::kOverlapOneElement:
      RepeatOf(s) = std::clamp<std::int64_t>(RepeatOf(s), 1, 4);
      break;
    case LayoutIntent::kLastIterationDepends:
      RepeatOf(s) = std::clamp<std::int64_t>(RepeatOf(s), 2, 8);
      s.src_rep_stride = std::max<std::int64_t>(s.src_rep_stride, 8);
      s.dst_rep_stride = 256 / call.element();
      break;
    default:
      break;
  }
}

/// Where dst lies, relative to src; negative for before it.
template <ReduceSum Step>
std::int64_t TargetOffset(Random& random, Call<Step>& call) {
  const Step& s = call.step;
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
      return src.OffsetOf(RepeatOf(s) - 1, random.Between(call.lanes.lowest,
                                                          call.lanes.highest));
    default:
      return random.Between(0, src.bytes() / element - 1) * element;
  }
}

/// Places both operands at `start` or behind it; returns the first byte behind.
template <ReduceSum Step>
std::int64_t Place(Random& random, std::int64_t start, Call<Step>& call) {
  Step& s = call.step;
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

template <ReduceSum Step>
const std::vector<Product>& Products() {
  static const std::vector<Product> products = MostlyA2(Step::kOp);
  return products;
}

template <ReduceSum Step>
Generated GenerateReduceSum(Random& random, const Plan& plan) {
  Generated g;
  Case& c = g.c;
  c.id = "generated/" + std::string(Step::kSlug);
  c.product = PickProduct(random, plan, Products<Step>());
  MaybeSwitchSaturation(random, plan, 25, c);
  std::array<Call<Step>, 2> calls;
  const std::size_t count = random.Percent(15) ? 2 : 1;
  std::int64_t end = random.OneOf<std::int64_t>({0, 0, 32, 256});
  for (std::size_t i = 0; i < count; ++i) {
    Call<Step>& call = calls[i];
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
    const Step& s = calls[i].step;
    const DataTheme theme =
        GenerateTheme(random, s.dtype, ValuesOf(Step::kOp).use, plan.style);
    if (i == 0) g.data = theme.intent;
    AddData(random, c, isa::Memory::kUb, s.src.at, calls[i].src().bytes(),
            s.dtype, theme);
  }
  FitMemories(c);
  MaybeMutate(random, plan, 42, g);
  return g;
}

template <ReduceSum Step>
Generator ReduceSumGenerator() {
  return {.slug = Step::kSlug,
          .op = Step::kOp,
          .generate = GenerateReduceSum<Step>,
          .layouts = kLayouts,
          .products = Products<Step>()};
}

}  // namespace

Generator GeneratorOf(const isa::RepeatReduceSum&) {
  return ReduceSumGenerator<isa::RepeatReduceSum>();
}
Generator GeneratorOf(const isa::WholeReduceSum&) {
  return ReduceSumGenerator<isa::WholeReduceSum>();
}

}  // namespace lanediff::make
