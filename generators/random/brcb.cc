#include <algorithm>
#include <array>
#include <functional>

#include "differential/testcase/case.h"
#include "generators/random/generate.h"
#include "generators/random/operands.h"
#include "isa/catalogue.h"
#include "isa/footprint.h"

namespace lanediff::make {
namespace {

using isa::DType;
using isa::Param;

constexpr std::array<Weighted<LayoutIntent>, 6> kLayouts = {{
    {LayoutIntent::kDisjoint, 30},
    {LayoutIntent::kTouching, 30},
    {LayoutIntent::kInterleaved, 24},
    {LayoutIntent::kOverlapOneBlock, 7},
    {LayoutIntent::kOverlapAnywhere, 5},
    {LayoutIntent::kIdentical, 4},
}};

constexpr std::array<std::int64_t, 5> kBlockStrides = {1, 1, 2, 3, 9};
constexpr std::array<std::int64_t, 6> kRepeatStrides = {8, 8, 0, 1, 9, 24};

std::int64_t BytesOf(const isa::Call& s, std::size_t operand) {
  return isa::FootprintsOfMove(s)[operand].Touched().value();
}

void SetRepeat(Random& random, const Plan& plan, isa::Call& s) {
  std::int64_t& repeat = s[Param::kRepeatTimes];
  const std::int64_t written =
      isa::kIterationBytes / isa::SizeBytes(s.dtype);  // elements each
  repeat = GenerateRepeat(random, plan, 0, 255);
  if (plan.style == Style::kByIntent &&
      !Affordable(random, plan, repeat * written)) {
    const std::int64_t most = plan.operations / written;
    repeat = random.Percent(25)
                 ? random.Between(64, 80)
                 : random.Between(1, std::max<std::int64_t>(most, 1));
  }
}

void SetStrides(Random& random, const Plan& plan, isa::Call& s) {
  const std::int64_t last =
      std::max<std::int64_t>(s[Param::kRepeatTimes] - 1, 0);
  const std::int64_t blocks = SpaceBytes(random, plan) / kDataBlockBytes;
  std::int64_t& blk = s.BlkStride(0);
  blk = GenerateStride(random, plan.style, kBlockStrides, 65535, 7, blocks - 1);
  blk = std::max<std::int64_t>(blk, 1);
  s.RepStride(0) = GenerateStride(random, plan.style, kRepeatStrides, 65535,
                                  last, blocks - 1 - 7 * blk);
  if (last == 0 && random.Percent(10)) {  // a stride that nothing follows
    s.RepStride(0) = random.Between(65534, 65535);
  }
}

/// Makes space for all of src between the first two DataBlocks of dst.
void SetGap(isa::Call& s) {
  s.BlkStride(0) = 1 + std::max<std::int64_t>(
                           isa::RoundUp(BytesOf(s, 1)) / kDataBlockBytes, 1);
  s.RepStride(0) = 8 * s.BlkStride(0);
}

/// Where dst lies, relative to src; negative for before it.
std::int64_t TargetOffset(Random& random, LayoutIntent layout,
                          const isa::Call& s) {
  const std::int64_t src = isa::RoundUp(BytesOf(s, 1));
  const std::int64_t dst = BytesOf(s, 0);
  switch (layout) {
    case LayoutIntent::kIdentical:
      return 0;
    case LayoutIntent::kInterleaved:
      return -kDataBlockBytes;
    case LayoutIntent::kOverlapOneBlock:
      return random.Percent(50) ? src - kDataBlockBytes : kDataBlockBytes - dst;
    case LayoutIntent::kOverlapAnywhere:
      return -random.Between(0, dst / kDataBlockBytes) * kDataBlockBytes;
    default: {
      const std::int64_t slack =
          layout == LayoutIntent::kDisjoint ? 32 * random.Between(1, 3) : 0;
      return random.Percent(50) ? src + slack : -dst - slack;
    }
  }
}

void GenerateBrcb(const isa::Signature& row, Random& random, const Plan& plan,
                  Generated& g) {
  Case& c = g.c;
  isa::Call s = isa::CallOf(row);
  const isa::Instruction& known = *isa::FindInstruction(row.op);
  do {
    s.dtype = random.Pick(std::span<const DType>(known.dtypes));
  } while (known.Has(c.product) && !known.Has(c.product, s.dtype));
  SetRepeat(random, plan, s);
  SetStrides(random, plan, s);
  LayoutIntent layout = random.PickWeighted(kLayouts);
  // Space for a long src would make a dst that no memory holds.
  if (layout == LayoutIntent::kInterleaved && s[Param::kRepeatTimes] > 8) {
    s[Param::kRepeatTimes] = random.Between(1, 4);
  }
  if (layout == LayoutIntent::kInterleaved) SetGap(s);
  const std::int64_t offset = TargetOffset(random, layout, s);
  s.dst().position = VectorPosition(random);
  s.src(0).position = VectorPosition(random);
  s.src(0).at = random.OneOf<std::int64_t>({0, 32, 256}) +
                std::max<std::int64_t>(-offset, 0);
  s.dst().at = s.src(0).at + offset;
  const std::int64_t src_bytes = BytesOf(s, 1);
  s.src(0).bytes = src_bytes;
  s.dst().bytes = BytesOf(s, 0);
  if (random.Percent(20)) {
    s.dst().bytes += random.OneOf<std::int64_t>({1, 32});
  }
  AddMemory(random, c, isa::Memory::kUb,
            std::max(s.dst().at + s.dst().bytes, s.src(0).at + src_bytes));
  const DataTheme theme =
      GenerateTheme(random, s.dtype, DataUse::kCopy, plan.style);
  AddData(random, c, isa::Memory::kUb, s.src(0).at, src_bytes, s.dtype, theme);
  c.program.emplace_back(s);
  g.layout = layout;
  g.data = theme.intent;
}

}  // namespace

Generator BroadcastGenerator(const isa::Signature& row) {
  return GeneratorOf(row, MostlyA2(row.op), kLayouts, 38,
                     std::bind_front(GenerateBrcb, std::cref(row)));
}

}  // namespace lanediff::make
