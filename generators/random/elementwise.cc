#include "generators/elementwise.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "generators/random/generate.h"
#include "generators/random/operands.h"
#include "generators/values.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using isa::DType;
using isa::Operand;
using isa::Product;

/// What the calls of the family do not have in common.
struct Kind {
  std::string id;
  std::vector<Product> products;
  DataUse use;
  isa::Step (*make)(const AnyElementwise& call);
};

template <isa::Elementwise Call>
const Kind& KindOf() {
  static const Kind kind = {
      .id = "generated/" + std::string(Call::kSlug),
      .products = MostlyA2(Call::kOp),
      .use = kValuesOf<Call>.use,
      .make = [](const AnyElementwise& call) -> isa::Step {
        return As<Call>(call);
      }};
  return kind;
}

/// How the operands lie, with weights.
constexpr std::array<Weighted<LayoutIntent>, 12> kLayouts = {{
    {LayoutIntent::kDisjoint, 22},
    {LayoutIntent::kTouching, 20},
    {LayoutIntent::kIdentical, 14},
    {LayoutIntent::kSameSource, 7},
    {LayoutIntent::kInterleaved, 7},
    {LayoutIntent::kException, 9},
    {LayoutIntent::kExceptionNearMiss, 6},
    {LayoutIntent::kOverlapOneByte, 5},
    {LayoutIntent::kSameStart, 3},
    {LayoutIntent::kOverlapOneElement, 3},
    {LayoutIntent::kOverlapOneBlock, 2},
    {LayoutIntent::kLastIterationDepends, 3},
}};

/// Repeats that a layout with large strides keeps.
constexpr std::int64_t kFewRepeats = 8;
/// DataBlocks that repeats in place may take, 16 KiB.
constexpr std::int64_t kMostBlocks = 512;

/// A call on its way to its place.
struct ElementwiseDraft {
  AnyElementwise step;
  LaneRange lanes;  ///< not of the count form
  LayoutIntent layout = LayoutIntent::kDisjoint;

  /// From the start to behind the last byte that the operand's lanes touch.
  std::int64_t dst_bytes() const {
    return Bytes(step.repeat_params.dst_blk_stride,
                 step.repeat_params.dst_rep_stride);
  }
  std::int64_t src0_bytes() const {
    return Bytes(step.repeat_params.src0_blk_stride,
                 step.repeat_params.src0_rep_stride);
  }
  std::int64_t src1_bytes() const {
    return Bytes(step.repeat_params.src1_blk_stride,
                 step.repeat_params.src1_rep_stride);
  }

 private:
  std::int64_t Bytes(std::int64_t blk, std::int64_t rep) const {
    const std::int64_t element = isa::SizeBytes(step.dtype);
    if (step.form == AnyElementwise::kCount) return step.count * element;
    return VectorShape{element, blk, rep, step.repeat_times, lanes}.bytes();
  }
};

constexpr std::array<std::int64_t, 6> kBlockStrides = {1, 1, 1, 2, 3, 9};
constexpr std::array<std::int64_t, 6> kSourceBlockStrides = {1, 1, 1, 0, 2, 9};
constexpr std::array<std::int64_t, 7> kRepeatStrides = {8, 8, 0, 1, 7, 9, 16};

DType Type(Random& random, Product product) {
  const std::int64_t kind = random.Between(0, 99);
  if (kind < 40) return DType::kHalf;
  if (kind < 65) return DType::kFloat;
  return kind < 85 || product == Product::kAtlasTraining ? DType::kInt32
                                                         : DType::kInt16;
}

void SetCount(Random& random, const Plan& plan, ElementwiseDraft& call) {
  AnyElementwise& s = call.step;
  const std::int64_t most = SpaceBytes(random, plan) / isa::SizeBytes(s.dtype);
  s.count = random.Between(0, most);
  if (plan.style == Style::kUniform) return;
  if (random.Between(0, 499) == 0) {  // more than 255 iterations
    s.count = 255 * 256 / isa::SizeBytes(s.dtype) + random.Between(0, 64);
  } else if (random.Percent(30)) {
    s.count = random.OneOf<std::int64_t>({0, 1, 15, 16, 17, 128, 129, 1024});
  } else if (!Affordable(random, plan, s.count * 2)) {
    s.count = random.Between(1, plan.operations / 2);
  }
}

/// Lanes of a masked call; at most `most` of them are to take part.
void SetLanes(Random& random, std::int64_t most, const Plan& plan,
              ElementwiseDraft& call, std::optional<isa::SetVectorMask>& mask) {
  AnyElementwise& s = call.step;
  const std::int64_t lanes = 256 / isa::SizeBytes(s.dtype);
  isa::SetVectorMask words = GenerateMask(random);
  if (most < lanes) {
    words = {.high = 0, .low = std::uint64_t{5} << random.Between(0, 61)};
  }
  if (lanes <= 64) words.high = 0;
  if (words.low == 0 && words.high == 0) words.low = 8;
  s.is_set_mask = random.Percent(80);
  if (!s.is_set_mask) {
    if (random.Percent(85) || most < lanes) mask = words;
    call.lanes =
        mask ? RangeOf(mask->low, mask->high, lanes) : LaneRange{0, lanes - 1};
  } else if (s.form == AnyElementwise::kContiguous) {
    s.mask = random.Between(1, std::min(most, lanes));
    if (plan.style == Style::kByIntent && random.Percent(45) && most >= lanes) {
      s.mask = random.OneOf<std::int64_t>({1, 2, lanes / 2, lanes - 1, lanes});
    }
    call.lanes = {0, s.mask - 1};
  } else {
    s.mask_words = {words.low, words.high};
    call.lanes = RangeOf(words.low, words.high, lanes);
  }
}

void SetStrides(Random& random, const Plan& plan, ElementwiseDraft& call) {
  const std::int64_t blocks = SpaceBytes(random, plan) / kDataBlockBytes;
  const std::int64_t last =
      std::max<std::int64_t>(call.step.repeat_times - 1, 0);
  const auto block_stride = [&](std::span<const std::int64_t> usual) {
    return GenerateStride(random, plan.style, usual, 255, 7, blocks - 1);
  };
  const auto repeat_stride = [&](std::int64_t blk) {
    return GenerateStride(random, plan.style, kRepeatStrides, 255, last,
                          blocks - 1 - 7 * blk);
  };
  auto& p = call.step.repeat_params;
  p.dst_blk_stride = std::max<std::int64_t>(1, block_stride(kBlockStrides));
  p.src0_blk_stride = block_stride(kSourceBlockStrides);
  p.src1_blk_stride = block_stride(kSourceBlockStrides);
  p.dst_rep_stride = repeat_stride(p.dst_blk_stride);
  p.src0_rep_stride = repeat_stride(p.src0_blk_stride);
  p.src1_rep_stride = repeat_stride(p.src1_blk_stride);
}

ElementwiseDraft NewCall(Random& random, const Plan& plan, Product product,
                         std::optional<isa::SetVectorMask>& mask) {
  ElementwiseDraft call;
  AnyElementwise& s = call.step;
  s.dtype = Type(random, product);
  s.form = static_cast<std::uint8_t>(
      random.Percent(25) ? AnyElementwise::kCount
                         : random.OneOf({AnyElementwise::kContiguous,
                                         AnyElementwise::kBitwise}));
  if (s.form == AnyElementwise::kCount) {
    SetCount(random, plan, call);
  } else {
    s.repeat_times = GenerateRepeat(random, plan, 0, 255);
    const std::int64_t lanes = 256 / isa::SizeBytes(s.dtype);
    std::int64_t most = lanes;
    if (plan.style == Style::kByIntent &&
        !Affordable(random, plan, 2 * s.repeat_times * lanes * 2 / 3)) {
      most = std::max<std::int64_t>(1, plan.operations / 2 / s.repeat_times);
    }
    SetLanes(random, most, plan, call, mask);
    SetStrides(random, plan, call);
  }
  s.dst.position = VectorPosition(random);
  s.src0.position = VectorPosition(random);
  s.src1.position = VectorPosition(random);
  call.layout = random.PickWeighted(kLayouts);
  return call;
}

/// From the block of the lowest lane to that of the highest.
std::int64_t BlocksBetween(const ElementwiseDraft& call) {
  const std::int64_t block = kDataBlockBytes / isa::SizeBytes(call.step.dtype);
  return call.lanes.highest / block - call.lanes.lowest / block;
}

/// One of the sources, with its strides.
struct Source {
  Operand& operand;
  std::int64_t& blk_stride;
  std::int64_t& rep_stride;
};

Source SourceOf(ElementwiseDraft& call, bool first) {
  auto& p = call.step.repeat_params;
  if (first) return {call.step.src0, p.src0_blk_stride, p.src0_rep_stride};
  return {call.step.src1, p.src1_blk_stride, p.src1_rep_stride};
}

/// Layouts of the masked forms that the count form doesn't have become others.
void FitCountForm(Random& random, ElementwiseDraft& call) {
  switch (call.layout) {
    case LayoutIntent::kInterleaved:
    case LayoutIntent::kException:
      call.layout = LayoutIntent::kIdentical;
      break;
    case LayoutIntent::kSameStart:
    case LayoutIntent::kExceptionNearMiss:
      call.layout = LayoutIntent::kTouching;
      break;
    case LayoutIntent::kLastIterationDepends:
    case LayoutIntent::kOverlapOneElement: {
      // One element of src lies in its last block: dst can begin there.
      const std::int64_t block =
          kDataBlockBytes / isa::SizeBytes(call.step.dtype);
      call.layout = LayoutIntent::kOverlapOneElement;
      call.step.count = 1 + block * random.Between(1, 8);
      break;
    }
    default:
      break;
  }
}

/// Strides, repeats and masks that a layout needs.
void FitMaskedForm(Random& random, ElementwiseDraft& call, Source source) {
  AnyElementwise& s = call.step;
  auto& p = s.repeat_params;
  switch (call.layout) {
    case LayoutIntent::kIdentical:
      if (s.repeat_times > 1) p.dst_blk_stride = 1;
      source.blk_stride = p.dst_blk_stride;
      // No iteration reaches into the blocks of the next one.
      if (random.Percent(90)) {
        p.dst_rep_stride = std::max(p.dst_rep_stride, BlocksBetween(call) + 1);
      }
      if (s.repeat_times * p.dst_rep_stride > kMostBlocks) {
        s.repeat_times = random.Between(9, 16);
      }
      source.rep_stride = p.dst_rep_stride;
      break;
    case LayoutIntent::kInterleaved:
      s.repeat_times = std::min(s.repeat_times, kFewRepeats);
      p.dst_blk_stride = source.blk_stride = 2;
      p.dst_rep_stride = source.rep_stride = 16;
      break;
    case LayoutIntent::kException:
      if (s.dtype == DType::kInt16) s.dtype = DType::kHalf;
      p.src1_blk_stride = p.dst_blk_stride;
      p.dst_rep_stride = p.src1_rep_stride = 0;
      break;
    case LayoutIntent::kExceptionNearMiss:
      s.repeat_times = std::max<std::int64_t>(s.repeat_times, 2);
      p.src1_blk_stride = p.dst_blk_stride;
      p.dst_rep_stride = p.src1_rep_stride = 0;
      break;
    case LayoutIntent::kLastIterationDepends:
      s.repeat_times = std::clamp<std::int64_t>(s.repeat_times, 2, kFewRepeats);
      source.rep_stride = std::max<std::int64_t>(source.rep_stride, 8);
      source.blk_stride = 1;
      p.dst_rep_stride = std::max<std::int64_t>(p.dst_rep_stride, 8);
      break;
    case LayoutIntent::kOverlapOneElement:
      // The last lane stands alone in its block.
      s.repeat_times = 1;
      if (source.blk_stride == 0) source.blk_stride = 1;
      if (s.form == AnyElementwise::kContiguous && s.is_set_mask) {
        const std::int64_t block = kDataBlockBytes / isa::SizeBytes(s.dtype);
        s.mask = 1 + block * random.Between(1, 6);
        call.lanes = {0, s.mask - 1};
      }
      break;
    default:
      break;
  }
}

/// One condition of the exception is not met.
void Miss(Random& random, ElementwiseDraft& call) {
  AnyElementwise& s = call.step;
  auto& p = s.repeat_params;
  s.dst.at = s.src1.at;
  switch (random.Between(0, 3)) {
    case 0:  // through the other source
      s.dst.at = s.src0.at;
      p.src0_blk_stride = p.dst_blk_stride;
      p.src0_rep_stride = 0;
      break;
    case 1:  // no stride is 0
      p.dst_rep_stride = p.src1_rep_stride = 1;
      break;
    case 2:  // sources that overlap
      s.src0.at = s.src1.at;
      break;
    default:  // a later iteration meets another lane of the accumulator
      p.src1_rep_stride = 1;
      break;
  }
}

/// Puts dst on or beside `source`, whose operand has its place.
void PlaceTarget(Random& random, ElementwiseDraft& call, Source source,
                 std::int64_t source_bytes) {
  AnyElementwise& s = call.step;
  const std::int64_t at = source.operand.at;
  const std::int64_t last = std::max<std::int64_t>(s.repeat_times - 1, 0);
  const std::int64_t last_block = std::max<std::int64_t>(source_bytes - 1, 0) /
                                  kDataBlockBytes * kDataBlockBytes;
  switch (call.layout) {
    case LayoutIntent::kIdentical:
    case LayoutIntent::kSameStart:
      s.dst.at = at;
      break;
    case LayoutIntent::kInterleaved:
      s.dst.at = at + kDataBlockBytes;
      break;
    case LayoutIntent::kOverlapOneElement:
    case LayoutIntent::kOverlapOneBlock:
      s.dst.at = at + last_block;
      break;
    case LayoutIntent::kLastIterationDepends:
      s.dst.at = at + last * source.rep_stride * kDataBlockBytes +
                 random.Between(0, 1) * 7 * kDataBlockBytes;
      break;
    case LayoutIntent::kException:
      s.dst.at = s.src1.at;
      break;
    case LayoutIntent::kExceptionNearMiss:
      Miss(random, call);
      break;
    case LayoutIntent::kSameSource:
      s.src1.at = s.src0.at;
      break;
    default:
      break;
  }
}

/// Places the operands of `call` from byte `start` on, as its layout requires;
/// may change strides, repeats and `count`, and the layout where the form has
/// none such. Returns the first byte behind all windows.
std::int64_t PlaceElementwise(Random& random, std::int64_t start,
                              ElementwiseDraft& call) {
  AnyElementwise& s = call.step;
  const bool first = random.Percent(50);
  const Source source = SourceOf(call, first);
  if (s.form == AnyElementwise::kCount) {
    FitCountForm(random, call);
  } else {
    FitMaskedForm(random, call, source);
  }
  const std::int64_t slack = call.layout == LayoutIntent::kDisjoint ? 64 : 0;
  // dst touches src1 from behind, or src0 from before.
  std::int64_t next = RoundUp(start, kDataBlockBytes);
  const auto place = [&](Operand& operand, std::int64_t bytes) {
    operand.at = next;
    next = RoundUp(next + bytes, kDataBlockBytes) + slack;
  };
  const bool before =
      call.layout == LayoutIntent::kTouching && random.Percent(50);
  if (before) place(s.dst, call.dst_bytes());
  place(s.src0, call.src0_bytes());
  place(s.src1, call.src1_bytes());
  if (!before) place(s.dst, call.dst_bytes());
  PlaceTarget(random, call, source,
              first ? call.src0_bytes() : call.src1_bytes());
  s.dst.bytes = call.dst_bytes();
  s.src0.bytes = call.src0_bytes();
  s.src1.bytes = call.src1_bytes();
  if (call.layout == LayoutIntent::kOverlapOneByte) {
    s.src1.bytes = s.dst.at - s.src1.at + 1;
  } else if (random.Percent(20)) {
    s.dst.bytes += random.OneOf<std::int64_t>({1, 32});
  }
  return RoundUp(std::max({s.dst.at + s.dst.bytes, s.src0.at + s.src0.bytes,
                           s.src1.at + s.src1.bytes}),
                 kDataBlockBytes);
}

/// Sources of one theme, or of two; sometimes the old contents of dst, too.
void AddSources(Random& random, const Plan& plan, DataUse use,
                const ElementwiseDraft& call, Generated& g) {
  const AnyElementwise& s = call.step;
  DataTheme theme = GenerateTheme(random, s.dtype, use, plan.style);
  g.data = theme.intent;
  const auto ub = isa::Memory::kUb;
  AddData(random, g.c, ub, s.src0.at, call.src0_bytes(), s.dtype, theme);
  if (random.Percent(30)) {
    theme = GenerateTheme(random, s.dtype, use, plan.style);
  }
  theme.second = true;
  AddData(random, g.c, ub, s.src1.at, call.src1_bytes(), s.dtype, theme);
  if (random.Percent(15)) {
    AddData(random, g.c, ub, s.dst.at, call.dst_bytes(), s.dtype, theme);
  }
}

Generated GenerateKind(Random& random, const Plan& plan, const Kind& kind) {
  Generated g;
  Case& c = g.c;
  c.id = kind.id;
  c.product = PickProduct(random, plan, kind.products);
  MaybeSwitchSaturation(random, plan, 20, c);
  std::optional<isa::SetVectorMask> mask;
  ElementwiseDraft call = NewCall(random, plan, c.product, mask);
  const std::int64_t end = PlaceElementwise(
      random, random.OneOf<std::int64_t>({0, 0, 32, 512}), call);
  AddMemory(random, c, isa::Memory::kUb, end);
  AddSources(random, plan, kind.use, call, g);
  g.layout = call.layout;
  if (mask) c.program.emplace_back(*mask);
  c.program.push_back(kind.make(call.step));
  // A second call sees the state that the first one left.
  if (random.Percent(15) && call.step.repeat_times <= 2) {
    AnyElementwise again = call.step;
    again.is_set_mask = again.form == AnyElementwise::kCount;
    again.mask = 0;
    again.mask_words = {};
    c.program.push_back(kind.make(again));
  }
  FitMemories(c);
  MaybeMutate(random, plan, 44, g);
  return g;
}

}  // namespace

Generator ElementwiseGenerator(std::string_view op) {
  Generator generator = {};
  isa::ForEachIntrinsic([&]<class Call>() {
    if constexpr (isa::Elementwise<Call>) {
      if (Call::kOp != op) return;
      generator = {.slug = Call::kSlug,
                   .op = Call::kOp,
                   .generate =
                       [](Random& random, const Plan& plan) {
                         return GenerateKind(random, plan, KindOf<Call>());
                       },
                   .layouts = kLayouts,
                   .products = KindOf<Call>().products};
    }
  });
  return generator;
}

}  // namespace lanediff::make
