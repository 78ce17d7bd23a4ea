#include "isa/data_copy.h"

#include <algorithm>
#include <array>

#include "differential/testcase/case.h"
#include "generators/random/copy_routes.h"
#include "generators/random/generate.h"
#include "generators/random/operands.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using isa::DataCopy;
using isa::DType;
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

/// A DataCopy on its way to its place.
struct CopyCall {
  isa::DataCopy step;
  LayoutIntent layout = LayoutIntent::kDisjoint;
  std::int64_t wider = 1;  ///< 2 for half to float

  /// From the first to behind the last byte that the call touches.
  std::int64_t dst_bytes() const {
    return isa::FootprintsOf(step)[0].Touched().value();
  }
  std::int64_t src_bytes() const {
    return isa::FootprintsOf(step)[1].Touched().value();
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
  DataCopy& s = call.step;
  const std::int64_t size = isa::SizeBytes(s.dtype);
  const std::int64_t most = plan.style == Style::kUniform
                                ? limit / size
                                : std::min(limit / size, plan.operations);
  s.count = random.Between(0, most);
  if (plan.style == Style::kByIntent && size == 1 && limit > 16 * 1024 &&
      random.Percent(2)) {  // more than 16 bits
    s.count = 65536 + 32 * random.Between(0, 2);
    return;
  }
  if (plan.style == Style::kByIntent && random.Percent(40)) {
    const std::int64_t blocks = random.Between(0, most * size / 32);
    s.count =
        std::max<std::int64_t>(0, blocks * 32 / size + random.Between(-1, 1));
  }
}

/// Halves what can be halved until both sides fit `limit`.
void Shrink(std::int64_t limit, CopyCall& call) {
  auto& p = call.step.params;
  while (std::max(call.dst_bytes(), call.src_bytes()) > limit) {
    if (p.block_len > 1) {
      p.block_len = (p.block_len + 1) / 2;
    } else if (p.src_gap + p.dst_gap > 0) {
      p.src_gap /= 2;
      p.dst_gap /= 2;
    } else {
      p.block_count = (p.block_count + 1) / 2;
    }
  }
}

/// Blocks and gaps that fit `limit` bytes on the side of dst.
void SetParams(Random& random, const Plan& plan, std::int64_t limit,
               CopyCall& call) {
  auto& p = call.step.params;
  call.step.form = DataCopy::kParams;
  const std::int64_t src_unit = isa::CopyUnitBytes(call.step.dst.position);
  const std::int64_t unit = src_unit * call.wider;
  if (plan.style == Style::kUniform) {
    const std::int64_t units = std::max<std::int64_t>(1, limit / unit);
    p.block_count = random.Between(1, std::min<std::int64_t>(4095, units));
    p.block_len = random.Between(1, units / p.block_count);
    const std::int64_t left =
        p.block_count == 1
            ? 65535
            : (units - p.block_count * p.block_len) / (p.block_count - 1);
    p.src_gap = random.Between(0, left);
    p.dst_gap = random.Between(0, left);
    return Shrink(limit, call);
  }
  p.block_count = GenerateRepeat(random, plan, 1, 4095);
  p.block_len =
      random.Percent(70) ? random.Between(1, 3) : random.Between(1, 12);
  p.src_gap = random.OneOf<std::int64_t>({0, 0, 1, 2, 7});
  p.dst_gap = random.OneOf<std::int64_t>({0, 0, 1, 2, 7});
  if (p.block_count == 1 && random.Percent(20)) p.src_gap = p.dst_gap = 65535;
  if (p.block_count > 1 && p.block_count <= 4 && random.Percent(3)) {
    const std::int64_t gap = random.OneOf<std::int64_t>({255, 256, 300});
    (random.Percent(50) ? p.src_gap : p.dst_gap) = gap;
  }
  const std::int64_t elements =
      p.block_count * p.block_len * src_unit / isa::SizeBytes(call.step.dtype);
  if (!Affordable(random, plan, elements)) p.block_len = 1;
  if (p.block_count > 1000) {
    limit *= 4;
    p.src_gap = p.dst_gap = 0;
  }
  Shrink(limit, call);
}

/// Brings blocks and gaps into the shape that the layout needs.
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

/// Where dst begins, relative to src in the same memory; negative for before.
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

/// The first free byte of each memory.
using Ends = std::array<std::int64_t, isa::kCount<isa::Memory>>;

/// Places an operand behind what its memory holds already.
void Append(Random& random, Product product, isa::Operand& operand,
            std::int64_t bytes, Ends& ends) {
  const isa::Memory memory = isa::MemoryAt(product, operand.position);
  std::int64_t& end = ends[static_cast<std::size_t>(memory)];
  const bool tight = memory == isa::Memory::kFb || memory == isa::Memory::kBt;
  const std::int64_t unit = memory == isa::Memory::kFb   ? 128
                            : memory == isa::Memory::kBt ? 64
                                                         : kDataBlockBytes;
  const std::int64_t slack =
      tight ? 0 : random.OneOf<std::int64_t>({0, 0, 32, 96});
  operand.at = RoundUp(end + slack, unit);
  if (memory == isa::Memory::kGm && random.Percent(30)) operand.at += 8;
  operand.bytes = bytes;
  end = operand.at + operand.bytes;
}

void Place(Random& random, Product product, CopyCall& call, Ends& ends) {
  DataCopy& s = call.step;
  Append(random, product, s.src, call.src_bytes(), ends);
  if (isa::MemoryAt(product, s.src.position) !=
      isa::MemoryAt(product, s.dst.position)) {
    Append(random, product, s.dst, call.dst_bytes(), ends);
  } else {
    const std::int64_t offset = CopyTargetOffset(random, call);
    s.src.at += RoundUp(std::max<std::int64_t>(-offset, 0), kDataBlockBytes);
    s.dst.at = s.src.at + offset;
    s.dst.bytes = call.dst_bytes();
    std::int64_t& end =
        ends[static_cast<std::size_t>(isa::MemoryAt(product, s.src.position))];
    end = std::max({end, s.src.at + s.src.bytes, s.dst.at + s.dst.bytes});
  }
}

CopyCall NewCall(Random& random, const Plan& plan, Product product,
                 LayoutIntent layout, Ends& ends) {
  CopyCall call;
  call.layout = layout;
  DataCopy& s = call.step;
  const CopyRoute route =
      PickRoute(random, product,
                NeedsOneMemory(layout)                    ? RouteKind::kInside
                : layout == LayoutIntent::kOverlapOneByte ? RouteKind::kToGm
                                                          : RouteKind::kAny);
  s.src.position = route.src;
  s.dst.position = route.dst;
  s.dtype = Type(random, product, layout);
  if (route.dst == Position::kC2 && random.Percent(50)) {
    s.dtype = DType::kHalf;
    s.dst.dtype = DType::kFloat;
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

/// Small copies on the same route to places of their own, which are under way
/// when the next step comes.
void AddCopiesBetween(Random& random, const CopyCall& call, Ends& ends,
                      Case& c) {
  DataCopy small = call.step;
  small.form = DataCopy::kCount;
  small.params = {};
  small.count = kDataBlockBytes / isa::SizeBytes(small.dtype);
  if (call.wider > 1 || call.src_bytes() < kDataBlockBytes) return;
  for (std::int64_t i = random.Between(1, 12); i > 0; --i) {
    Append(random, c.product, small.dst, kDataBlockBytes, ends);
    c.program.emplace_back(small);
  }
}

/// A second copy to the same place, or to its last byte, and what is between.
void AddSecondCopy(Random& random, const CopyCall& call, Ends& ends, Case& c) {
  const isa::Pipe any = static_cast<isa::Pipe>(random.Between(0, 5));
  const bool one_byte = call.layout == LayoutIntent::kOverlapOneByte;
  const isa::Memory memory = isa::MemoryAt(c.product, call.step.dst.position);
  if ((memory == isa::Memory::kUb || memory == isa::Memory::kL1) &&
      random.Percent(10)) {
    AddCopiesBetween(random, call, ends, c);
  }
  if (random.Percent(one_byte ? 40 : 80)) {
    c.program.emplace_back(
        isa::PipeBarrier{random.Percent(75) ? isa::Pipe::kAll : any});
  }
  DataCopy again = call.step;
  if (one_byte) {
    again.dst.at += std::max<std::int64_t>(call.dst_bytes() - 1, 0);
    std::int64_t& end = ends[static_cast<std::size_t>(isa::Memory::kGm)];
    end = std::max(end, again.dst.at + again.dst.bytes);
  }
  c.program.emplace_back(again);
}

Generated GenerateDataCopy(Random& random, const Plan& plan) {
  Generated g;
  Case& c = g.c;
  c.id = "generated/data_copy";
  c.product = PickProduct(random, plan, kProducts);
  Ends ends{};
  std::array<CopyCall, 2> calls;
  const std::size_t count = random.Percent(20) ? 2 : 1;
  for (std::size_t i = 0; i < count; ++i) {
    LayoutIntent layout = random.PickWeighted(kLayouts);
    if (NeedsOneMemory(layout) && !HasInsideRoute(c.product)) {
      layout = LayoutIntent::kDisjoint;
    }
    calls[i] = NewCall(random, plan, c.product, layout, ends);
    c.program.emplace_back(calls[i].step);
    if (layout == LayoutIntent::kSameDestination ||
        layout == LayoutIntent::kOverlapOneByte) {
      AddSecondCopy(random, calls[i], ends, c);
    }
  }
  for (std::size_t m = 0; m < ends.size(); ++m) {
    if (ends[m] > 0) AddMemory(random, c, static_cast<isa::Memory>(m), ends[m]);
  }
  g.layout = calls[0].layout;
  for (std::size_t i = 0; i < count; ++i) {
    const DataCopy& s = calls[i].step;
    const DataTheme theme =
        GenerateTheme(random, s.dtype, DataUse::kCopy, plan.style);
    if (i == 0) g.data = theme.intent;
    AddData(random, c, isa::MemoryAt(c.product, s.src.position), s.src.at,
            calls[i].src_bytes(), s.dtype, theme);
  }
  MakeWellFormed(c);
  MaybeMutate(random, plan, 30, g);
  return g;
}

}  // namespace

Generator GeneratorOf(const DataCopy&) {
  return {.slug = DataCopy::kSlug,
          .op = DataCopy::kOp,
          .generate = GenerateDataCopy,
          .layouts = kLayouts,
          .products = {kProducts.begin(), kProducts.end()}};
}

}  // namespace lanediff::make
