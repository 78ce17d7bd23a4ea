#include "isa/vec_trans.h"

#include <algorithm>
#include <array>

#include "differential/testcase/case.h"
#include "generators/random/generate.h"
#include "generators/random/operands.h"
#include "isa/footprint.h"

namespace lanediff::make {
namespace {

using isa::DType;
using isa::Product;
using isa::VecTrans;

using isa::kMatrixBytes;
constexpr std::int64_t kMatrixElements = 256;

constexpr std::array kProducts = {Product::kAtlasTraining,
                                  Product::kAtlasInferenceAicore,
                                  Product::kAtlasInferenceVectorcore,
                                  Product::kAtlasA2,
                                  Product::kAtlas200i500A2,
                                  Product::kAtlas200_300_500};

constexpr std::array<Weighted<LayoutIntent>, 9> kLayouts = {{
    {LayoutIntent::kDisjoint, 24},
    {LayoutIntent::kTouching, 24},
    {LayoutIntent::kIdentical, 22},
    {LayoutIntent::kInterleaved, 12},
    {LayoutIntent::kOverlapOneByte, 6},
    {LayoutIntent::kSameStart, 4},
    {LayoutIntent::kOverlapOneBlock, 4},
    {LayoutIntent::kLastIterationDepends, 3},
    {LayoutIntent::kOverlapAnywhere, 3},
}};

constexpr std::array<std::int64_t, 5> kStrides = {1, 1, 0, 2, 3};

/// A call moves 256 elements an iteration: mostly one to three.
std::int64_t Repeat(Random& random, const Plan& plan) {
  if (plan.style == Style::kUniform) {
    return random.Between(1, kUniformSpaceBytes / kMatrixBytes);
  }
  // 64 iterations are 16,384 elements and weigh more than all short calls. The
  // largest repeats come from mutations.
  const std::int64_t kind = random.Between(0, plan.few_repeats ? 9590 : 9999);
  if (kind < 7800) return 1;
  if (kind < 9000) return 2;
  if (kind < 9591) return random.Between(3, 5);
  return kind < 9999 ? random.Between(64, 65) : random.Between(66, 300);
}

std::int64_t DstBytes(const VecTrans& s) {
  return isa::FootprintsOf(s)[0].Touched().value();
}
std::int64_t SrcBytes(const VecTrans& s) {
  return isa::FootprintsOf(s)[1].Touched().value();
}

void SetStrides(Random& random, const Plan& plan, VecTrans& s) {
  const std::int64_t last = s.repeat_times - 1;
  const std::int64_t limit = plan.style == Style::kUniform ? 63 : 32;
  if (last == 0 && random.Percent(10)) {  // strides that nothing follows
    s.dst_rep_stride = random.Between(4094, 4095);
    s.src_rep_stride = random.Between(0, 4095);
    return;
  }
  // Long calls read or write few blocks over and over.
  s.dst_rep_stride =
      GenerateStride(random, plan.style, kStrides, 4095, last, limit);
  s.src_rep_stride =
      GenerateStride(random, plan.style, kStrides, 4095, last, limit);
  if (last >= 63 && last < 300 && random.Percent(85)) {
    (random.Percent(50) ? s.dst_rep_stride : s.src_rep_stride) = 1;
  }
}

void FitLayout(Random& random, LayoutIntent layout, VecTrans& s) {
  switch (layout) {
    case LayoutIntent::kIdentical:
      s.dst_rep_stride = s.src_rep_stride;
      break;
    case LayoutIntent::kSameStart:
      s.dst_rep_stride = s.src_rep_stride + 1;
      if (s.repeat_times > 8) s.repeat_times = 2;
      break;
    case LayoutIntent::kInterleaved:
      s.dst_rep_stride = s.src_rep_stride = s.repeat_times > 8 ? 0 : 2;
      if (s.repeat_times <= 8 && random.Percent(40)) {
        // One matrix in the gap, the other where the row would go on.
        s.repeat_times = 2;
        ++(random.Percent(50) ? s.dst_rep_stride : s.src_rep_stride);
      }
      break;
    case LayoutIntent::kLastIterationDepends:
      if (s.repeat_times > 8) s.repeat_times = random.Between(3, 5);
      s.repeat_times = std::max<std::int64_t>(s.repeat_times, 2);
      s.dst_rep_stride = s.src_rep_stride =
          std::clamp<std::int64_t>(s.src_rep_stride, 1, 3);
      break;
    default:
      break;
  }
}

/// Where dst lies, relative to src; negative for before it.
std::int64_t TargetOffset(Random& random, LayoutIntent layout,
                          const VecTrans& s) {
  const std::int64_t src = SrcBytes(s);
  const std::int64_t dst = DstBytes(s);
  switch (layout) {
    case LayoutIntent::kIdentical:
    case LayoutIntent::kSameStart:
      return 0;
    case LayoutIntent::kInterleaved: {
      const std::int64_t wider = s.dst_rep_stride - s.src_rep_stride;
      const std::int64_t before = wider > 0 ? -2 : -1;
      const std::int64_t behind = wider < 0 ? 2 : 1;
      return kMatrixBytes * (random.Percent(50) ? behind : before);
    }
    case LayoutIntent::kOverlapOneBlock:
      return random.Percent(50) ? src - kDataBlockBytes : kDataBlockBytes - dst;
    case LayoutIntent::kLastIterationDepends:
      return src - kMatrixBytes;
    case LayoutIntent::kOverlapAnywhere:
      return random.Between(1, src / kDataBlockBytes - 1) * kDataBlockBytes;
    default: {
      const std::int64_t slack =
          layout == LayoutIntent::kDisjoint ? 32 * random.Between(1, 3) : 0;
      return random.Percent(50) ? src + slack : -dst - slack;
    }
  }
}

Generated GenerateVecTrans(Random& random, const Plan& plan) {
  Generated g;
  Case& c = g.c;
  c.id = "generated/vec_trans";
  c.product = PickProduct(random, plan, kProducts);
  VecTrans s;
  s.dtype = random.OneOf({DType::kHalf, DType::kInt16, DType::kUint16});
  s.repeat_times = Repeat(random, plan);
  if (plan.operations < kMatrixElements && s.repeat_times < 64) {
    s.repeat_times = 1;
  }
  SetStrides(random, plan, s);
  const LayoutIntent layout = random.PickWeighted(kLayouts);
  FitLayout(random, layout, s);
  const std::int64_t offset = TargetOffset(random, layout, s);
  s.dst.position = s.src.position = isa::Position::kUb;
  s.src.at = random.OneOf<std::int64_t>({0, 32, 512}) +
             std::max<std::int64_t>(-offset, 0);
  s.dst.at = s.src.at + offset;
  const std::int64_t src_bytes = SrcBytes(s);
  s.src.bytes = src_bytes;
  s.dst.bytes = DstBytes(s);
  if (layout == LayoutIntent::kOverlapOneByte) {
    ++(offset < 0 ? s.dst : s.src).bytes;
  } else if (random.Percent(20)) {
    s.dst.bytes += random.OneOf<std::int64_t>({1, 32});
  }
  AddMemory(random, c, isa::Memory::kUb,
            std::max(s.dst.at + s.dst.bytes, s.src.at + s.src.bytes));
  const DataTheme theme =
      GenerateTheme(random, s.dtype, DataUse::kCopy, plan.style);
  AddData(random, c, isa::Memory::kUb, s.src.at, src_bytes, s.dtype, theme);
  c.program.emplace_back(s);
  g.layout = layout;
  g.data = theme.intent;
  FitMemories(c);
  MaybeMutate(random, plan, 44, g);
  return g;
}

}  // namespace

Generator GeneratorOf(const VecTrans&) {
  return {.slug = VecTrans::kSlug,
          .op = VecTrans::kOp,
          .generate = GenerateVecTrans,
          .layouts = kLayouts,
          .products = {kProducts.begin(), kProducts.end()}};
}

}  // namespace lanediff::make
