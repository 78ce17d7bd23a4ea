#include <algorithm>
#include <array>
#include <functional>

#include "differential/testcase/case.h"
#include "generators/random/generate.h"
#include "generators/random/operands.h"
#include "isa/footprint.h"

namespace lanediff::make {
namespace {

using isa::DType;
using isa::Param;
using isa::Product;

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

std::int64_t DstBytes(const isa::Call& s) {
  return isa::FootprintsOfMove(s)[0].Touched().value();
}
std::int64_t SrcBytes(const isa::Call& s) {
  return isa::FootprintsOfMove(s)[1].Touched().value();
}

void SetStrides(Random& random, const Plan& plan, isa::Call& s) {
  std::int64_t& dst_stride = s[Param::kDstRepStride];
  std::int64_t& src_stride = s[Param::kSrc0RepStride];
  const std::int64_t last = s[Param::kRepeatTimes] - 1;
  const std::int64_t limit = plan.style == Style::kUniform ? 63 : 32;
  if (last == 0 && random.Percent(10)) {  // strides that nothing follows
    dst_stride = random.Between(4094, 4095);
    src_stride = random.Between(0, 4095);
    return;
  }
  // Long calls read or write few blocks over and over.
  dst_stride = GenerateStride(random, plan.style, kStrides, 4095, last, limit);
  src_stride = GenerateStride(random, plan.style, kStrides, 4095, last, limit);
  if (last >= 63 && last < 300 && random.Percent(85)) {
    (random.Percent(50) ? dst_stride : src_stride) = 1;
  }
}

void FitLayout(Random& random, LayoutIntent layout, isa::Call& s) {
  std::int64_t& repeat = s[Param::kRepeatTimes];
  std::int64_t& dst_stride = s[Param::kDstRepStride];
  std::int64_t& src_stride = s[Param::kSrc0RepStride];
  switch (layout) {
    case LayoutIntent::kIdentical:
      dst_stride = src_stride;
      break;
    case LayoutIntent::kSameStart:
      dst_stride = src_stride + 1;
      if (repeat > 8) repeat = 2;
      break;
    case LayoutIntent::kInterleaved:
      dst_stride = src_stride = repeat > 8 ? 0 : 2;
      if (repeat <= 8 && random.Percent(40)) {
        // One matrix in the gap, the other where the row would go on.
        repeat = 2;
        ++(random.Percent(50) ? dst_stride : src_stride);
      }
      break;
    case LayoutIntent::kLastIterationDepends:
      if (repeat > 8) repeat = random.Between(3, 5);
      repeat = std::max<std::int64_t>(repeat, 2);
      dst_stride = src_stride = std::clamp<std::int64_t>(src_stride, 1, 3);
      break;
    default:
      break;
  }
}

/// Where dst lies, relative to src; negative for before it.
std::int64_t TargetOffset(Random& random, LayoutIntent layout,
                          const isa::Call& s) {
  const std::int64_t src = SrcBytes(s);
  const std::int64_t dst = DstBytes(s);
  switch (layout) {
    case LayoutIntent::kIdentical:
    case LayoutIntent::kSameStart:
      return 0;
    case LayoutIntent::kInterleaved: {
      const std::int64_t wider = s.RepStride(0) - s.RepStride(1);
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

void GenerateVecTrans(const isa::Signature& row, Random& random,
                      const Plan& plan, Generated& g) {
  Case& c = g.c;
  isa::Call s = isa::CallOf(row);
  s.dtype = random.OneOf({DType::kHalf, DType::kInt16, DType::kUint16});
  std::int64_t& repeat = s[Param::kRepeatTimes];
  repeat = Repeat(random, plan);
  if (plan.operations < kMatrixElements && repeat < 64) repeat = 1;
  SetStrides(random, plan, s);
  const LayoutIntent layout = random.PickWeighted(kLayouts);
  FitLayout(random, layout, s);
  const std::int64_t offset = TargetOffset(random, layout, s);
  s.dst().position = s.src(0).position = isa::Position::kUb;
  s.src(0).at = random.OneOf<std::int64_t>({0, 32, 512}) +
                std::max<std::int64_t>(-offset, 0);
  s.dst().at = s.src(0).at + offset;
  const std::int64_t src_bytes = SrcBytes(s);
  s.src(0).bytes = src_bytes;
  s.dst().bytes = DstBytes(s);
  if (layout == LayoutIntent::kOverlapOneByte) {
    ++(offset < 0 ? s.dst() : s.src(0)).bytes;
  } else if (random.Percent(20)) {
    s.dst().bytes += random.OneOf<std::int64_t>({1, 32});
  }
  AddMemory(random, c, isa::Memory::kUb,
            std::max(s.dst().at + s.dst().bytes, s.src(0).at + s.src(0).bytes));
  const DataTheme theme =
      GenerateTheme(random, s.dtype, DataUse::kCopy, plan.style);
  AddData(random, c, isa::Memory::kUb, s.src(0).at, src_bytes, s.dtype, theme);
  c.program.emplace_back(s);
  g.layout = layout;
  g.data = theme.intent;
}

}  // namespace

Generator TransposeGenerator(const isa::Signature& row) {
  return GeneratorOf(row, {kProducts.begin(), kProducts.end()}, kLayouts, 44,
                     std::bind_front(GenerateVecTrans, std::cref(row)));
}

}  // namespace lanediff::make
