#include "generators/random/operands.h"

#include <algorithm>
#include <bit>
#include <string>

#include "generators/random/mutate.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

/// GM now and then, and what other memories seldom go beyond.
constexpr std::int64_t kLargeGmBytes = 256 * 1024;
/// So many steps of a long stride still fit beside each other.
constexpr std::int64_t kFewSteps = 4;

}  // namespace

isa::Product PickProduct(Random& random, const Plan& plan,
                         std::span<const isa::Product> products) {
  if (plan.product) return *plan.product;
  std::vector claimed(products.begin(), products.end());
  if (plan.can != nullptr && plan.can->products) {
    std::erase_if(claimed, [&](isa::Product product) {
      return std::ranges::count(*plan.can->products, product) == 0;
    });
  }
  return claimed.empty() ? random.Pick(products) : random.Pick(claimed);
}

std::vector<isa::Product> MostlyA2(std::string_view op) {
  std::vector products = {isa::Product::kAtlasA2, isa::Product::kAtlasA2};
  for (isa::Product product : isa::FindInstruction(op)->products) {
    if (product != isa::Product::kAtlasA2) products.push_back(product);
  }
  return products;
}

void MaybeSwitchSaturation(Random& random, const Plan& plan, int on_percent,
                           Case& c) {
  const bool can = c.product == isa::Product::kAtlasA2 ||
                   c.product == isa::Product::kAtlasA3;
  if (!random.Percent(can ? 30 : 3)) return;
  const bool illegal = !plan.untouched && random.Percent(15);
  c.program.emplace_back(isa::SetSaturation{
      .enabled = can ? random.Percent(on_percent) : !illegal});
}

isa::Position VectorPosition(Random& random) {
  return random.OneOf(
      {isa::Position::kVecin, isa::Position::kVeccalc, isa::Position::kVecout});
}

void SetRoute(Random& random, isa::Call& call) {
  if (!isa::HasRule(*call.signature, isa::CallRule::kRoute)) return;
  isa::Position& dst = call.dst().position;
  while (dst == call.src(0).position && random.Percent(95)) {
    dst = VectorPosition(random);
  }
}

std::int64_t GenerateRepeat(Random& random, const Plan& plan,
                            std::int64_t least, std::int64_t most) {
  if (plan.style == Style::kUniform) return random.Between(least, most);
  const std::int64_t kind = random.Between(0, plan.few_repeats ? 934 : 999);
  std::int64_t repeat = least;
  if (kind >= 20) repeat = 1;
  if (kind >= 240) repeat = random.Between(2, 4);
  if (kind >= 640) repeat = random.Between(5, 8);
  if (kind >= 840) repeat = random.Between(9, 33);
  if (kind >= 935) repeat = random.Between(64, 72);
  if (kind >= 985)
    repeat = random.Between(73, std::min<std::int64_t>(most, 260));
  if (kind >= 995) repeat = most - random.Between(0, 1);
  return std::clamp(repeat, least, most);
}

bool Affordable(Random& random, const Plan& plan, std::int64_t operations) {
  return operations <= plan.operations ||
         (operations <= 4 * plan.operations && random.Percent(10)) ||
         random.Between(0, 199) == 0;
}

std::int64_t SpaceBytes(Random& random, const Plan& plan) {
  if (plan.style == Style::kUniform) return kUniformSpaceBytes;
  return random.Percent(3) ? 32 * 1024 : 3 * 1024;
}

std::int64_t GenerateStride(Random& random, Style style,
                            std::span<const std::int64_t> usual,
                            std::int64_t most, std::int64_t steps,
                            std::int64_t limit) {
  const std::int64_t largest =
      steps > 0 ? std::min(most, std::max<std::int64_t>(limit, 0) / steps)
                : most;
  if (style == Style::kUniform) return random.Between(0, largest);
  if (steps > 0 && steps <= kFewSteps && random.Percent(2)) {
    return std::min(most, random.OneOf<std::int64_t>({255, 256, 257, 300}));
  }
  return std::min(largest,
                  random.Percent(50) ? usual.front() : random.Pick(usual));
}

isa::SetVectorMask GenerateMask(Random& random) {
  switch (random.Between(0, 4)) {
    case 0:
      return {.high = 0, .low = std::uint64_t{1} << random.Between(0, 63)};
    case 1:
      return {.high = random.Bits() & random.Bits(), .low = 0};
    case 2:
      return {.high = 0,
              .low = (std::uint64_t{1} << random.Between(0, 63)) - 1};
    default:
      return {.high = random.Bits(), .low = random.Bits()};
  }
}

LaneRange RangeOf(std::uint64_t low, std::uint64_t high, std::int64_t lanes) {
  if (lanes <= 64) high = 0;
  if (low == 0 && high == 0) return {0, lanes - 1};
  return {
      low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high),
      high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(low)};
}

std::int64_t VectorShape::OffsetOf(std::int64_t iteration,
                                   std::int64_t lane) const {
  const std::int64_t block_lanes = kDataBlockBytes / element_bytes;
  return kDataBlockBytes *
             (iteration * rep_stride + lane / block_lanes * blk_stride) +
         lane % block_lanes * element_bytes;
}

std::int64_t VectorShape::bytes() const {
  const isa::Lanes all =
      isa::FirstLanes(lanes.highest + 1, isa::kIterationBytes / element_bytes);
  const isa::Footprint footprint{
      .operand = {},
      .first = isa::LanesBytes(all, element_bytes, blk_stride),
      .stride = rep_stride * kDataBlockBytes,
      .iterations = std::max<std::int64_t>(repeat, 1)};
  return footprint.Touched().value();
}

void AddData(Random& random, Case& c, isa::Memory memory, std::int64_t at,
             std::int64_t bytes, isa::DType type, const DataTheme& theme) {
  auto& image = c.memory[static_cast<std::size_t>(memory)];
  const std::int64_t size = isa::SizeBytes(type);
  if (!image || at < 0 || bytes < size || at + bytes > image->size) return;
  auto& regions = image->regions;
  const auto place = std::ranges::lower_bound(regions, at, {}, &Region::at);
  if (place != regions.end() && place->at < at + bytes) return;
  if (place != regions.begin() && std::prev(place)->end() > at) return;
  regions.insert(place,
                 {.at = at,
                  .dtype = type,
                  .bytes = GenerateData(random, type, theme, bytes / size)});
}

void AddMemory(Random& random, Case& c, isa::Memory memory, std::int64_t end) {
  const bool gm = memory == isa::Memory::kGm;
  const std::int64_t capacity =
      gm ? kLargeGmBytes : isa::CapacityBytes(c.product, memory);
  std::int64_t size = end + random.OneOf<std::int64_t>({0, 0, 32, 256});
  if (random.Between(0, capacity <= kLargeGmBytes ? 99 : 999) == 0) {
    size = std::max(size, capacity);
  }
  c.memory[static_cast<std::size_t>(memory)] =
      MemoryImage{.fill = static_cast<std::uint8_t>(random.Between(0, 255)),
                  .size = gm ? size : std::min(size, capacity),
                  .regions = {}};
}

void MaybeMutate(Random& random, const Plan& plan, int percent, Generated& g) {
  // Uniform calls are larger and so more often spoilt by a change.
  if (plan.style == Style::kUniform) percent = percent * 3 / 4;
  if (plan.untouched || !random.Percent(percent)) return;
  g.mutated = true;
  Mutate(random, g.c, plan.style);
}

Generator GeneratorOf(
    const isa::Signature& row, std::vector<isa::Product> products,
    std::span<const Weighted<LayoutIntent>> layouts, int percent,
    std::function<void(Random& random, const Plan& plan, Generated& g)> make) {
  return {.slug = row.slug,
          .op = row.op,
          .generate =
              [=, slug = row.slug](Random& random, const Plan& plan) {
                Generated g;
                g.c.id = "generated/" + std::string(slug);
                g.c.product = PickProduct(random, plan, products);
                make(random, plan, g);
                MakeWellFormed(g.c);
                MaybeMutate(random, plan, percent, g);
                return g;
              },
          .layouts = layouts,
          .products = products};
}

}  // namespace lanediff::make
