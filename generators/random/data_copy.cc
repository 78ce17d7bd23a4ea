#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "differential/testcase/case.h"
#include "generators/random/generate.h"
#include "generators/random/operands.h"
#include "generators/random/small_calls.h"
#include "isa/catalogue.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using isa::DType;
using enum isa::Param;
using isa::Position;
using isa::Product;

constexpr std::array kProducts = {Product::kAtlasA2,
                                  Product::kAtlasA3,
                                  Product::kAtlasTraining,
                                  Product::kAtlasInferenceAicore,
                                  Product::kAtlasInferenceVectorcore,
                                  Product::kAtlas200i500A2};

/// How a DataCopy's operands, or two copies, lie, with weights.
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
/// How two copies that pad lie. The operands of one never meet.
constexpr std::array<Weighted<LayoutIntent>, 6> kPaddedLayouts = {{
    {LayoutIntent::kDisjoint, 50},
    {LayoutIntent::kTouching, 10},
    {LayoutIntent::kSameDestination, 16},
    {LayoutIntent::kOverlapOneByte, 7},
    {LayoutIntent::kOverlapOneBlock, 7},
    {LayoutIntent::kInterleaved, 10},
}};

std::span<const Weighted<LayoutIntent>> LayoutsOf(const isa::Signature& row) {
  if (row.Has(kIsPad)) return kPaddedLayouts;
  return kLayouts;
}

/// A copy on its way to its place.
struct CopyCall {
  isa::Call step;
  LayoutIntent layout = LayoutIntent::kDisjoint;
  std::int64_t wider = 1;  ///< 2 for half to float

  /// Whether the row is one of bytes that pads.
  bool pads() const { return step.signature->Has(kIsPad); }
  bool has_blocks() const { return step.Has(kBlockCount); }
  /// From the first to behind the last byte that the call touches.
  std::int64_t dst_bytes() const {
    return isa::FootprintsOfMove(step)[0].Touched().value();
  }
  std::int64_t src_bytes() const {
    return isa::FootprintsOfMove(step)[1].Touched().value();
  }
};

/// Whether src and dst lie in one memory.
bool NeedsOneMemory(LayoutIntent layout) {
  return layout != LayoutIntent::kDisjoint &&
         layout != LayoutIntent::kSameDestination &&
         layout != LayoutIntent::kOverlapOneByte;
}

DType Type(Random& random, Product product, LayoutIntent layout) {
  if (layout == LayoutIntent::kOverlapOneByte) {  // GM aligns it to one byte
    return random.OneOf({DType::kInt8, DType::kUint8});
  }
  const DType type = random.AnyWord<DType>();
  const bool bfloat = product == Product::kAtlasA2 ||
                      product == Product::kAtlasA3 ||
                      product == Product::kAtlas200i500A2;
  return type == DType::kBfloat16 && !bfloat ? DType::kHalf : type;
}

void SetCount(Random& random, const Plan& plan, std::int64_t limit,
              CopyCall& call) {
  isa::Call& s = call.step;
  const std::int64_t size = isa::SizeBytes(s.dtype);
  const std::int64_t most = plan.style == Style::kUniform
                                ? limit / size
                                : std::min(limit / size, plan.operations);
  std::int64_t& elements = s[kCount];
  elements = random.Between(0, most);
  if (plan.style == Style::kByIntent && size == 1 && limit > 16 * 1024 &&
      random.Percent(2)) {  // more than 16 bits
    elements = 65536 + 32 * random.Between(0, 2);
    return;
  }
  if (plan.style == Style::kByIntent && random.Percent(40)) {
    const std::int64_t blocks = random.Between(0, most * size / 32);
    elements =
        std::max<std::int64_t>(0, blocks * 32 / size + random.Between(-1, 1));
  }
}

/// Halves what can be halved until both sides fit `limit`.
void Shrink(std::int64_t limit, CopyCall& call) {
  isa::Call& p = call.step;
  const std::int64_t unit = call.pads() ? isa::SizeBytes(p.dtype) : 1;
  while (std::max(call.dst_bytes(), call.src_bytes()) > limit) {
    if (p[kBlockLen] > unit) {
      p[kBlockLen] = RoundUp((p[kBlockLen] + (call.pads() ? 0 : 1)) / 2, unit);
    } else if (p[kLeftPadding] + p[kRightPadding] > 0) {
      p[kLeftPadding] = p[kRightPadding] = 0;
    } else if (p[kSrcGap] + p[kDstGap] > 0) {
      p[kSrcGap] /= 2;
      p[kDstGap] /= 2;
    } else {
      p[kBlockCount] = (p[kBlockCount] + 1) / 2;
    }
  }
}

/// Blocks and gaps that fit `limit` bytes on the side of dst.
void SetParams(Random& random, const Plan& plan, std::int64_t limit,
               CopyCall& call) {
  isa::Call& p = call.step;
  p.form = p.signature->FormWith(kBlockCount);
  const std::int64_t src_unit = isa::CopyUnitBytes(p.dst().position);
  const std::int64_t unit = src_unit * call.wider;
  if (plan.style == Style::kUniform) {
    const std::int64_t units = std::max<std::int64_t>(1, limit / unit);
    p[kBlockCount] = random.Between(1, std::min<std::int64_t>(4095, units));
    p[kBlockLen] = random.Between(1, units / p[kBlockCount]);
    const std::int64_t left =
        p[kBlockCount] == 1
            ? 65535
            : (units - p[kBlockCount] * p[kBlockLen]) / (p[kBlockCount] - 1);
    p[kSrcGap] = random.Between(0, left);
    p[kDstGap] = random.Between(0, left);
    return Shrink(limit, call);
  }
  p[kBlockCount] = GenerateRepeat(random, plan, 1, 4095);
  p[kBlockLen] =
      random.Percent(70) ? random.Between(1, 3) : random.Between(1, 12);
  p[kSrcGap] = random.OneOf<std::int64_t>({0, 0, 1, 2, 7});
  p[kDstGap] = random.OneOf<std::int64_t>({0, 0, 1, 2, 7});
  if (p[kBlockCount] == 1 && random.Percent(20)) {
    p[kSrcGap] = p[kDstGap] = 65535;
  }
  if (p[kBlockCount] > 1 && p[kBlockCount] <= 4 && random.Percent(3)) {
    const std::int64_t gap = random.OneOf<std::int64_t>({255, 256, 300});
    (random.Percent(50) ? p[kSrcGap] : p[kDstGap]) = gap;
  }
  const std::int64_t elements =
      p[kBlockCount] * p[kBlockLen] * src_unit / isa::SizeBytes(p.dtype);
  if (!Affordable(random, plan, elements)) p[kBlockLen] = 1;
  if (p[kBlockCount] > 1000) {
    limit *= 4;
    p[kSrcGap] = p[kDstGap] = 0;
  }
  Shrink(limit, call);
}

/// Of a copy into UB that pads.
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

/// Blocks of bytes and gaps, of which neither side is longer than some KiB
/// mostly.
void SetBytes(Random& random, const Plan& plan, CopyCall& call) {
  isa::Call& s = call.step;
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
    return Shrink(kUniformSpaceBytes, call);
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
  s[kSrcGap] = random.OneOf<std::int64_t>({0, 0, 1, 2, 7, 32, 100});
  s[kDstGap] = random.OneOf<std::int64_t>({0, 0, 1, 2, 7});
  if (!is_into_ub) std::swap(s[kSrcGap], s[kDstGap]);
  if (s[kBlockCount] == 1 && random.Percent(20)) {
    s[kSrcGap] = s[kDstGap] = 0xffffffff;
  }
  if (random.Percent(2)) s[random.OneOf({kBlockCount, kBlockLen})] = 0;
  Shrink((s[kBlockCount] > 1000 ? 4 : 1) * kUniformSpaceBytes, call);
}

/// Brings blocks and gaps into the shape that the layout needs.
void FitCopyLayout(Random& random, CopyCall& call) {
  isa::Call& p = call.step;
  const bool blocks = call.has_blocks();
  switch (call.layout) {
    case LayoutIntent::kIdentical:
      p[kDstGap] = p[kSrcGap];
      break;
    case LayoutIntent::kInterleaved:
      if (!blocks) break;
      p[kBlockCount] = std::min<std::int64_t>(p[kBlockCount], 72);
      p[kBlockLen] =
          p[kBlockCount] > 16 ? 1 : std::min<std::int64_t>(p[kBlockLen], 4);
      p[kSrcGap] = p[kDstGap] = p[kBlockLen];
      break;
    case LayoutIntent::kSameStart:
      if (!blocks) break;
      p[kBlockCount] = random.Between(2, 8);
      p[kBlockLen] = std::min<std::int64_t>(p[kBlockLen], 4);
      p[kDstGap] = p[kSrcGap] + 1;
      break;
    case LayoutIntent::kLastIterationDepends:
      if (!blocks) break;
      p[kBlockCount] = random.Between(2, 8);
      p[kBlockLen] = std::min<std::int64_t>(p[kBlockLen], 4);
      break;
    default:
      break;
  }
}

/// Where dst begins, relative to src in the same memory; negative for before.
std::int64_t CopyTargetOffset(Random& random, const CopyCall& call) {
  const std::int64_t src = call.src_bytes();
  const std::int64_t first =
      call.has_blocks() ? call.step[kBlockLen] * kDataBlockBytes : src;
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

/// The first free byte of each memory.
using Ends = std::array<std::int64_t, isa::kCount<isa::Memory>>;

std::int64_t& EndOf(Ends& ends, Product product, const isa::Operand& operand) {
  return ends[static_cast<std::size_t>(
      isa::MemoryAt(product, operand.position))];
}

/// Places an operand behind what its memory holds already; at any byte of GM
/// where blocks are of bytes.
void Append(Random& random, Product product, bool is_of_bytes,
            isa::Operand& operand, std::int64_t bytes, Ends& ends) {
  const isa::Memory memory = isa::MemoryAt(product, operand.position);
  std::int64_t& end = EndOf(ends, product, operand);
  const bool tight = memory == isa::Memory::kFb || memory == isa::Memory::kBt;
  const bool anywhere = memory == isa::Memory::kGm && is_of_bytes;
  const std::int64_t unit = memory == isa::Memory::kFb   ? 128
                            : memory == isa::Memory::kBt ? 64
                            : anywhere                   ? 1
                                                         : kDataBlockBytes;
  const std::int64_t slack =
      tight      ? 0
      : anywhere ? random.OneOf<std::int64_t>({0, 1, 2, 7, 32, 64})
                 : random.OneOf<std::int64_t>({0, 0, 32, 96});
  operand.at = RoundUp(end + slack, unit);
  if (memory == isa::Memory::kGm && !anywhere && random.Percent(30)) {
    operand.at += 8;
  }
  operand.bytes = bytes;
  end = operand.at + operand.bytes;
}

void Place(Random& random, Product product, CopyCall& call, Ends& ends) {
  isa::Call& s = call.step;
  Append(random, product, call.pads(), s.src(0), call.src_bytes(), ends);
  if (isa::MemoryAt(product, s.src(0).position) !=
      isa::MemoryAt(product, s.dst().position)) {
    Append(random, product, call.pads(), s.dst(), call.dst_bytes(), ends);
  } else {
    const std::int64_t offset = CopyTargetOffset(random, call);
    s.src(0).at += RoundUp(std::max<std::int64_t>(-offset, 0), kDataBlockBytes);
    s.dst().at = s.src(0).at + offset;
    s.dst().bytes = call.dst_bytes();
    std::int64_t& end = EndOf(ends, product, s.src(0));
    end = std::max(
        {end, s.src(0).at + s.src(0).bytes, s.dst().at + s.dst().bytes});
  }
}

CopyCall NewCall(const isa::Signature& row, Random& random, const Plan& plan,
                 Product product, LayoutIntent layout, Ends& ends) {
  CopyCall call{.step = isa::CallOf(row), .layout = layout};
  isa::Call& s = call.step;
  const CopyRoute route =
      PickRoute(random, product,
                NeedsOneMemory(layout)                    ? RouteKind::kInside
                : layout == LayoutIntent::kOverlapOneByte ? RouteKind::kToGm
                                                          : RouteKind::kAny);
  s.src(0).position = route.src;
  s.dst().position = route.dst;
  s.dtype = Type(random, product, layout);
  if (route.dst == Position::kC2 && random.Percent(50)) {
    s.dtype = DType::kHalf;
    s.dst().dtype = DType::kFloat;
    call.wider = 2;
  }
  const isa::Memory memory = isa::MemoryAt(product, route.dst);
  const std::int64_t limit = memory == isa::Memory::kBt   ? 512
                             : memory == isa::Memory::kFb ? 3584
                                                          : kUniformSpaceBytes;
  if (call.wider == 1 && random.Percent(35)) {
    SetCount(random, plan, limit, call);
  } else {
    SetParams(random, plan, limit, call);
  }
  FitCopyLayout(random, call);
  Place(random, product, call, ends);
  return call;
}

CopyCall NewPaddedCall(const isa::Signature& row, Random& random,
                       const Plan& plan, Product product, LayoutIntent layout,
                       Ends& ends) {
  CopyCall call{.step = isa::CallOf(row), .layout = layout};
  isa::Call& s = call.step;
  // In UB no two operands share less than a DataBlock.
  const bool is_into_ub =
      layout == LayoutIntent::kOverlapOneBlock ||
      (layout != LayoutIntent::kOverlapOneByte && random.Percent(60));
  s.src(0).position = Position::kGm;
  s.dst().position = random.OneOf({Position::kVecin, Position::kVecout});
  s.dtype = random.AnyWord<DType>();
  if (!isa::FindInstruction(row.op)->Has(product, s.dtype)) {
    s.dtype = DType::kHalf;
  }
  if (is_into_ub) {
    SetPadding(random, plan, s);
  } else {
    std::swap(s.src(0), s.dst());
    ++s.form;
  }
  SetBytes(random, plan, call);
  if (layout == LayoutIntent::kInterleaved) {
    // A gap takes a block.
    s[kBlockCount] = std::min<std::int64_t>(s[kBlockCount], 24);
    s[kDstGap] = isa::FootprintsOfMove(s)[0].first;
    if (is_into_ub) s[kDstGap] /= kDataBlockBytes;
  }
  Place(random, product, call, ends);
  return call;
}

/// Small copies on the same route to places of their own, which are under way
/// when the next step comes.
void AddCopiesBetween(Random& random, const CopyCall& call, Ends& ends,
                      Case& c) {
  isa::Call small = call.step;
  small.form = small.signature->FormWith(kCount);
  small.params = {};
  small[kCount] = kDataBlockBytes / isa::SizeBytes(small.dtype);
  if (call.wider > 1 || call.src_bytes() < kDataBlockBytes) return;
  for (std::int64_t i = random.Between(1, 12); i > 0; --i) {
    Append(random, c.product, false, small.dst(), kDataBlockBytes, ends);
    c.program.emplace_back(small);
  }
}

/// What is between a DataCopy and the second one.
void AddBetween(Random& random, const CopyCall& call, Ends& ends, Case& c) {
  const isa::Pipe any = static_cast<isa::Pipe>(random.Between(0, 5));
  const bool one_byte = call.layout == LayoutIntent::kOverlapOneByte;
  const isa::Memory memory = isa::MemoryAt(c.product, call.step.dst().position);
  if ((memory == isa::Memory::kUb || memory == isa::Memory::kL1) &&
      random.Percent(10)) {
    AddCopiesBetween(random, call, ends, c);
  }
  if (random.Percent(one_byte ? 40 : 80)) {
    c.program.emplace_back(
        isa::PipeBarrier{random.Percent(75) ? isa::Pipe::kAll : any});
  }
}

/// How far behind the first copy the second one writes.
std::int64_t SecondOffset(const CopyCall& call) {
  const std::int64_t bytes = call.dst_bytes();
  switch (call.layout) {
    case LayoutIntent::kTouching:
      return bytes;
    case LayoutIntent::kOverlapOneByte:
      return std::max<std::int64_t>(bytes - 1, 0);
    case LayoutIntent::kOverlapOneBlock:
      return std::max<std::int64_t>(bytes - kDataBlockBytes, 0);
    case LayoutIntent::kInterleaved:
      return isa::FootprintsOfMove(call.step)[0].first;
    default:
      return 0;
  }
}

/// The copy again, where its layout has the second one; often a barrier
/// between, of copies that pad mostly where they share bytes.
void AddSecondCopy(Random& random, const CopyCall& call, Ends& ends, Case& c) {
  const bool is_apart = call.layout == LayoutIntent::kTouching ||
                        call.layout == LayoutIntent::kInterleaved;
  if (!call.pads()) {
    AddBetween(random, call, ends, c);
  } else if (random.Percent(is_apart ? 20 : 65)) {
    c.program.emplace_back(isa::PipeBarrier{
        random.Percent(75) ? isa::Pipe::kAll : random.AnyWord<isa::Pipe>()});
  }
  isa::Call again = call.step;
  again.dst().at += SecondOffset(call);
  std::int64_t& end = EndOf(ends, c.product, again.dst());
  end = std::max(end, again.dst().at + again.dst().bytes);
  c.program.emplace_back(again);
}

void GenerateCopy(const isa::Signature& row, Random& random, const Plan& plan,
                  Generated& g) {
  const bool pads = row.Has(kIsPad);
  Case& c = g.c;
  Ends ends{};
  std::array<CopyCall, 2> calls;
  const std::size_t count = random.Percent(20) ? 2 : 1;
  for (std::size_t i = 0; i < count; ++i) {
    LayoutIntent layout = random.PickWeighted(LayoutsOf(row));
    if (!pads && NeedsOneMemory(layout) && !HasInsideRoute(c.product)) {
      layout = LayoutIntent::kDisjoint;
    }
    calls[i] = (pads ? NewPaddedCall : NewCall)(row, random, plan, c.product,
                                                layout, ends);
    c.program.emplace_back(calls[i].step);
    if (layout == LayoutIntent::kSameDestination ||
        layout == LayoutIntent::kOverlapOneByte ||
        (pads && layout != LayoutIntent::kDisjoint)) {
      AddSecondCopy(random, calls[i], ends, c);
    }
  }
  for (std::size_t m = 0; m < ends.size(); ++m) {
    if (ends[m] > 0) AddMemory(random, c, static_cast<isa::Memory>(m), ends[m]);
  }
  g.layout = calls[0].layout;
  for (std::size_t i = 0; i < count; ++i) {
    const isa::Call& s = calls[i].step;
    const DataTheme theme =
        GenerateTheme(random, s.dtype, DataUse::kCopy, plan.style);
    if (i == 0) g.data = theme.intent;
    AddData(random, c, isa::MemoryAt(c.product, s.src(0).position), s.src(0).at,
            calls[i].src_bytes(), s.dtype, theme);
  }
}

}  // namespace

Generator CopyGenerator(const isa::Signature& row) {
  const bool pads = row.Has(kIsPad);
  return GeneratorOf(
      row,
      pads ? MostlyA2(row.op) : std::vector(kProducts.begin(), kProducts.end()),
      LayoutsOf(row), pads ? 35 : 30,
      std::bind_front(GenerateCopy, std::cref(row)));
}

}  // namespace lanediff::make
