#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "generators/random/generate.h"
#include "generators/random/operands.h"
#include "isa/catalogue.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using isa::Memory;
using enum isa::Param;
using isa::Position;

/// How two copies lie to each other, with weights. The operands of one never
/// meet.
constexpr std::array<Weighted<LayoutIntent>, 6> kLayouts = {{
    {LayoutIntent::kDisjoint, 50},
    {LayoutIntent::kTouching, 10},
    {LayoutIntent::kSameDestination, 16},
    {LayoutIntent::kOverlapOneByte, 7},
    {LayoutIntent::kOverlapOneBlock, 7},
    {LayoutIntent::kInterleaved, 10},
}};

std::int64_t DstBytes(const isa::Call& s) {
  return isa::FootprintsOf(s)[0].Touched().value();
}
std::int64_t SrcBytes(const isa::Call& s) {
  return isa::FootprintsOf(s)[1].Touched().value();
}

/// Halves what can be halved until both sides fit `limit`.
void Shrink(std::int64_t limit, isa::Call& s) {
  const std::int64_t size = isa::SizeBytes(s.dtype);
  while (std::max(DstBytes(s), SrcBytes(s)) > limit) {
    if (s[kBlockLen] > size) {
      s[kBlockLen] = RoundUp(s[kBlockLen] / 2, size);
    } else if (s[kLeftPadding] + s[kRightPadding] > 0) {
      s[kLeftPadding] = s[kRightPadding] = 0;
    } else if (s[kSrcGap] + s[kDstGap] > 0) {
      s[kSrcGap] /= 2;
      s[kDstGap] /= 2;
    } else {
      s[kBlockCount] = (s[kBlockCount] + 1) / 2;
    }
  }
}

/// Of a call into UB.
void SetPadding(Random& random, const Plan& plan, isa::Call& s) {
  const std::int64_t size = isa::SizeBytes(s.dtype);
  const std::int64_t most = kDataBlockBytes / size;
  const bool is_uniform = plan.style == Style::kUniform;
  if (is_uniform || random.Percent(65)) {
    for (const isa::Param side : {kLeftPadding, kRightPadding}) {
      const std::int64_t any = random.Between(0, most);
      s[side] = is_uniform
                    ? any
                    : random.OneOf<std::int64_t>({0, 0, 1, most, any, any});
    }
  }
  s.is_pad = random.Percent(65);
  if (size == 8) return;
  s.scalar = is_uniform ? random.Bits() & isa::WidthMask(s.dtype)
                        : SpecialElement(random, s.dtype);
}

/// Blocks and gaps, of which neither side is longer than some KiB mostly.
void SetBlocks(Random& random, const Plan& plan, isa::Call& s) {
  const std::int64_t size = isa::SizeBytes(s.dtype);
  const bool is_into_ub = s.Has(kIsPad);
  if (plan.style == Style::kUniform) {
    const std::int64_t units = kUniformSpaceBytes / kDataBlockBytes;
    s[kBlockCount] = random.Between(1, units);
    s[kBlockLen] =
        size * random.Between(1, kUniformSpaceBytes / s[kBlockCount] / size);
    const std::int64_t left = units / s[kBlockCount];
    s[kSrcGap] = random.Between(0, left * (is_into_ub ? kDataBlockBytes : 1));
    s[kDstGap] = random.Between(0, left * (is_into_ub ? 1 : kDataBlockBytes));
    return Shrink(kUniformSpaceBytes, s);
  }
  s[kBlockCount] = GenerateRepeat(random, plan, 1, 4095);
  const std::int64_t most = random.Percent(75) ? 64 : 192;
  s[kBlockLen] = size * random.Between(1, most / size);
  if (random.Percent(25)) {  // about whole DataBlocks
    const std::int64_t blocks = random.Between(1, most / kDataBlockBytes);
    s[kBlockLen] = blocks * kDataBlockBytes + size * random.Between(-1, 1);
  }
  if (!Affordable(random, plan, s[kBlockCount] * s[kBlockLen] / size)) {
    s[kBlockLen] = std::min(s[kBlockLen], size * random.Between(1, 8));
  }
  const auto bytes = random.OneOf<std::int64_t>({0, 0, 1, 2, 7, 32, 100});
  const auto blocks = random.OneOf<std::int64_t>({0, 0, 1, 2, 7});
  s[kSrcGap] = is_into_ub ? bytes : blocks;
  s[kDstGap] = is_into_ub ? blocks : bytes;
  if (s[kBlockCount] == 1 && random.Percent(20)) {
    s[kSrcGap] = s[kDstGap] = 0xffffffff;
  }
  if (random.Percent(2)) s[random.OneOf({kBlockCount, kBlockLen})] = 0;
  Shrink(s[kBlockCount] > 1000 ? 4 * kUniformSpaceBytes : kUniformSpaceBytes,
         s);
}

/// The first free byte of each memory.
using Ends = std::array<std::int64_t, isa::kCount<Memory>>;

/// Places an operand behind what its memory holds already.
void Append(Random& random, isa::Product product, isa::Operand& operand,
            std::int64_t bytes, Ends& ends) {
  auto& end =
      ends[static_cast<std::size_t>(isa::MemoryAt(product, operand.position))];
  operand.at = operand.position == Position::kGm
                   ? end + random.OneOf<std::int64_t>({0, 1, 2, 7, 32, 64})
                   : RoundUp(end, kDataBlockBytes) +
                         random.OneOf<std::int64_t>({0, 0, 32, 96});
  operand.bytes = bytes;
  end = operand.at + bytes;
}

isa::Call NewCall(const isa::Signature& row, Random& random, const Plan& plan,
                  isa::Product product, LayoutIntent layout, Ends& ends) {
  isa::Call s = isa::CallOf(row);
  s.form = row.FormWith(kIsPad);
  // In UB no two operands share less than a DataBlock.
  const bool is_into_ub =
      layout == LayoutIntent::kOverlapOneBlock ||
      (layout != LayoutIntent::kOverlapOneByte && random.Percent(60));
  if (!is_into_ub) ++s.form;
  const Position ub = random.OneOf({Position::kVecin, Position::kVecout});
  s.src(0).position = is_into_ub ? Position::kGm : ub;
  s.dst().position = is_into_ub ? ub : Position::kGm;
  s.dtype = random.AnyWord<isa::DType>();
  if (!isa::FindInstruction(row.op)->Has(product, s.dtype)) {
    s.dtype = isa::DType::kHalf;
  }
  if (is_into_ub) SetPadding(random, plan, s);
  SetBlocks(random, plan, s);
  if (layout == LayoutIntent::kInterleaved) {
    // A gap takes a block.
    s[kBlockCount] = std::min<std::int64_t>(s[kBlockCount], 24);
    s[kDstGap] = isa::FootprintsOf(s)[0].first;
    if (is_into_ub) s[kDstGap] /= kDataBlockBytes;
  }
  Append(random, product, s.src(0), SrcBytes(s), ends);
  Append(random, product, s.dst(), DstBytes(s), ends);
  return s;
}

/// How far behind the first copy the second one writes.
std::int64_t SecondOffset(const isa::Call& s, LayoutIntent layout) {
  switch (layout) {
    case LayoutIntent::kTouching:
      return s.dst().bytes;
    case LayoutIntent::kOverlapOneByte:
      return std::max<std::int64_t>(s.dst().bytes - 1, 0);
    case LayoutIntent::kOverlapOneBlock:
      return std::max<std::int64_t>(s.dst().bytes - kDataBlockBytes, 0);
    case LayoutIntent::kInterleaved:
      return isa::FootprintsOf(s)[0].first;
    default:
      return 0;
  }
}

/// The same copy to where `layout` has it; a barrier between them, mostly one
/// that orders them, where they share bytes.
void AddSecondCopy(Random& random, const isa::Call& call, LayoutIntent layout,
                   Ends& ends, Case& c) {
  const bool is_apart =
      layout == LayoutIntent::kTouching || layout == LayoutIntent::kInterleaved;
  if (random.Percent(is_apart ? 20 : 65)) {
    c.program.emplace_back(isa::PipeBarrier{
        random.Percent(75) ? isa::Pipe::kAll : random.AnyWord<isa::Pipe>()});
  }
  isa::Call again = call;
  again.dst().at += SecondOffset(call, layout);
  c.program.emplace_back(again);
  auto& end = ends[static_cast<std::size_t>(
      isa::MemoryAt(c.product, again.dst().position))];
  end = std::max(end, again.dst().at + again.dst().bytes);
}

Generated GeneratePaddedCopy(const isa::Signature& row, Random& random,
                             const Plan& plan) {
  Generated g;
  Case& c = g.c;
  c.id = "generated/" + std::string(row.slug);
  c.product = PickProduct(random, plan, MostlyA2(row.op));
  Ends ends{};
  std::vector<isa::Call> calls;
  for (std::int64_t i = random.Percent(20) ? 2 : 1; i > 0; --i) {
    const LayoutIntent layout = random.PickWeighted(kLayouts);
    calls.push_back(NewCall(row, random, plan, c.product, layout, ends));
    c.program.emplace_back(calls.back());
    if (layout != LayoutIntent::kDisjoint) {
      AddSecondCopy(random, calls.back(), layout, ends, c);
    }
    if (!g.layout) g.layout = layout;
  }
  for (std::size_t m = 0; m < ends.size(); ++m) {
    if (ends[m] > 0) AddMemory(random, c, static_cast<Memory>(m), ends[m]);
  }
  for (const isa::Call& s : calls) {
    const DataTheme theme =
        GenerateTheme(random, s.dtype, DataUse::kCopy, plan.style);
    if (!g.data) g.data = theme.intent;
    AddData(random, c, isa::MemoryAt(c.product, s.src(0).position), s.src(0).at,
            SrcBytes(s), s.dtype, theme);
  }
  MakeWellFormed(c);
  MaybeMutate(random, plan, 35, g);
  return g;
}

}  // namespace

Generator PaddedCopyGenerator(const isa::Signature& row) {
  return {.slug = row.slug,
          .op = row.op,
          .generate = std::bind_front(GeneratePaddedCopy, std::cref(row)),
          .layouts = kLayouts,
          .products = MostlyA2(row.op)};
}

}  // namespace lanediff::make
