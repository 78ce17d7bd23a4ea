#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "differential/testcase/fit_memories.h"
#include "generators/random/elementwise_layout.h"
#include "generators/random/generate.h"
#include "generators/random/operands.h"
#include "generators/values.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using isa::DType;
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
  call.layout = random.PickWeighted(ElementwiseLayouts());
  return call;
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
                   .layouts = ElementwiseLayouts(),
                   .products = KindOf<Call>().products};
    }
  });
  return generator;
}

}  // namespace lanediff::make
