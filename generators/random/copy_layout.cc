#include "generators/random/copy_layout.h"

#include <algorithm>
#include <array>

#include "generators/random/operands.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using isa::DataCopy;
using isa::Position;

constexpr std::array<Weighted<LayoutIntent>, 10> kLayouts = {{
    {LayoutIntent::kDisjoint, 35},
    {LayoutIntent::kTouching, 14},
    {LayoutIntent::kSameDestination, 16},
    {LayoutIntent::kIdentical, 7},
    {LayoutIntent::kInterleaved, 9},
    {LayoutIntent::kOverlapOneByte, 6},
    {LayoutIntent::kOverlapOneBlock, 4},
    {LayoutIntent::kOverlapAnywhere, 3},
    {LayoutIntent::kSameStart, 3},
    {LayoutIntent::kLastIterationDepends, 3},
}};

}  // namespace

std::span<const Weighted<LayoutIntent>> CopyLayouts() { return kLayouts; }

bool NeedsOneMemory(LayoutIntent layout) {
  return layout != LayoutIntent::kDisjoint &&
         layout != LayoutIntent::kSameDestination &&
         layout != LayoutIntent::kOverlapOneByte;
}

std::int64_t CopyCall::dst_bytes() const {
  return isa::FootprintsOf(step)[0].Touched().value();
}
std::int64_t CopyCall::src_bytes() const {
  return isa::FootprintsOf(step)[1].Touched().value();
}

void FitCopyLayout(Random& random, CopyCall& call) {
  auto& p = call.step.params;
  const bool blocks = call.step.form == DataCopy::kParams;
  switch (call.layout) {
    case LayoutIntent::kIdentical:
      p.dst_gap = p.src_gap;
      break;
    case LayoutIntent::kInterleaved:
      if (!blocks) break;
      p.block_count = std::min<std::int64_t>(p.block_count, 72);
      p.block_len =
          p.block_count > 16 ? 1 : std::min<std::int64_t>(p.block_len, 4);
      p.src_gap = p.dst_gap = p.block_len;
      break;
    case LayoutIntent::kSameStart:
      if (!blocks) break;
      p.block_count = random.Between(2, 8);
      p.block_len = std::min<std::int64_t>(p.block_len, 4);
      p.dst_gap = p.src_gap + 1;
      break;
    case LayoutIntent::kLastIterationDepends:
      if (!blocks) break;
      p.block_count = random.Between(2, 8);
      p.block_len = std::min<std::int64_t>(p.block_len, 4);
      break;
    default:
      break;
  }
}

std::int64_t CopyTargetOffset(Random& random, const CopyCall& call) {
  const std::int64_t src = call.src_bytes();
  const std::int64_t first = call.step.form == DataCopy::kParams
                                 ? call.step.params.block_len * kDataBlockBytes
                                 : src;
  switch (call.layout) {
    case LayoutIntent::kIdentical:
    case LayoutIntent::kSameStart:
      return 0;
    case LayoutIntent::kInterleaved:
      return first;
    case LayoutIntent::kOverlapOneBlock:
      return random.Percent(50) ? src - kDataBlockBytes
                                : kDataBlockBytes - call.dst_bytes();
    case LayoutIntent::kLastIterationDepends:
      return src - first;
    case LayoutIntent::kOverlapAnywhere:
      return kDataBlockBytes * random.Between(0, src / kDataBlockBytes);
    default: {
      const std::int64_t slack =
          call.layout == LayoutIntent::kDisjoint ? 64 : 0;
      return random.Percent(50) ? src + slack : -call.dst_bytes() - slack;
    }
  }
}

}  // namespace lanediff::make
