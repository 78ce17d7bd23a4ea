#include <algorithm>
#include <array>
#include <functional>

#include "differential/testcase/case.h"
#include "generators/random/generate.h"
#include "generators/random/operands.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using isa::DType;
using isa::Layout;
using isa::Order;
using isa::Product;
using isa::Tile;

/// The numbers of the tiles.
constexpr std::size_t kDst = 0;
constexpr std::size_t kSrc = 1;
constexpr std::size_t kTmp = 2;

constexpr std::array kProducts = {Product::kAtlasA2, Product::kAtlasA3};

/// Tiles may not share a byte, so there is little to choose.
constexpr std::array<Weighted<LayoutIntent>, 4> kLayouts = {{
    {LayoutIntent::kDisjoint, 38},
    {LayoutIntent::kTouching, 50},
    {LayoutIntent::kIdentical, 5},
    {LayoutIntent::kOverlapOneBlock, 7},
}};

/// Columns around the multiples of a repeat, where orders differ. The first
/// ones are cheap.
constexpr std::array<std::int64_t, 8> kFewColumns = {1,  2,  3,  8,
                                                     15, 16, 17, 33};
constexpr std::array<std::int64_t, 14> kManyColumns = {
    63, 64, 65, 127, 128, 129, 192, 200, 256, 320, 384, 448, 512, 640};
constexpr std::array<std::int64_t, 4> kMostColumns = {768, 896, 960, 1024};

std::int64_t BytesOf(const Tile& tile, DType type) {
  return isa::TileBytes(tile, type).value();
}

/// About how many multiplications a row takes.
std::int64_t RowNodes(const isa::Call& s) {
  const bool folds = !s.order || *s.order == Order::kDocumented ||
                     *s.order == Order::kRegisterLanes;
  const std::int64_t lanes = isa::kIterationBytes / isa::SizeBytes(s.dtype);
  return s.tiles[kSrc].valid_col + (folds ? lanes : 16);
}

void SetShape(Random& random, const Plan& plan, isa::Call& s) {
  Tile& src = s.tiles[kSrc];
  if (plan.style == Style::kUniform) {
    src.valid_col = random.Between(1, 1024);
    src.valid_row = random.Between(
        1, std::max<std::int64_t>(
               1, kUniformSpaceBytes / 1024 / isa::SizeBytes(s.dtype)));
    return;
  }
  if (!plan.few_repeats && random.Percent(5)) {  // many rows, few columns
    src.valid_row =
        random.Percent(85) ? random.Between(64, 66) : random.Between(67, 140);
    src.valid_col =
        random.Percent(90) ? random.Pick(kFewColumns) : random.Between(1, 130);
    const bool more_than_a_byte = random.Percent(6);
    if (more_than_a_byte) {
      src.valid_row = random.Between(255, 272);
      src.valid_col = random.Between(1, 3);
    }
    if (more_than_a_byte || random.Percent(75)) {
      s.order = random.OneOf({Order::kBlockLanes, Order::kLeftFold});
    }
    return;
  }
  const std::int64_t kind = random.Between(0, 99);
  src.valid_col = random.Pick(kFewColumns);
  if (kind >= 25) src.valid_col = random.Pick(kManyColumns);
  if (kind >= 90) src.valid_col = random.Pick(kMostColumns);
  if (random.Percent(30)) {
    src.valid_col =
        std::max<std::int64_t>(1, src.valid_col + random.Between(-3, 3));
  }
  src.valid_row = random.OneOf<std::int64_t>({1, 1, 1, 2, 3, 4, 8});
  if (!Affordable(random, plan, src.valid_row * RowNodes(s))) {
    src.valid_row = std::max<std::int64_t>(1, plan.operations / RowNodes(s));
  }
}

void SetSource(Random& random, const Plan& plan, isa::Call& s) {
  SetShape(random, plan, s);
  Tile& src = s.tiles[kSrc];
  const std::int64_t unit = kDataBlockBytes / isa::SizeBytes(s.dtype);
  src.cols = RoundUp(src.valid_col, unit) +
             unit * random.OneOf<std::int64_t>({0, 0, 0, 1, 3});
  src.rows = src.valid_row;
  if (src.rows < 8 && random.Percent(30)) src.rows += random.Between(1, 2);
  src.layout = Layout::kNd;
}

void SetDestination(Random& random, isa::Call& s) {
  const std::int64_t unit = kDataBlockBytes / isa::SizeBytes(s.dtype);
  Tile& dst = s.tiles[kDst];
  dst.valid_row = s.tiles[kSrc].valid_row;
  if (random.Percent(70)) {
    dst.layout = Layout::kDn;
    dst.rows = RoundUp(dst.valid_row, unit);
    dst.cols = 1;
    dst.valid_col = 1;
  } else {
    dst.layout = Layout::kNd;
    dst.rows = dst.valid_row + random.Between(0, 2);
    dst.cols = unit * random.Between(1, 2);
    dst.valid_col = random.Between(0, dst.cols);
  }
}

/// Places the tiles; returns the first byte behind them.
std::int64_t Place(Random& random, LayoutIntent layout, isa::Call& s) {
  std::int64_t end = random.OneOf<std::int64_t>({0, 0, 32, 256});
  std::array<Tile*, 3> tiles = {&s.tiles[kSrc], &s.tiles[kDst], &s.tiles[kTmp]};
  if (random.Percent(50)) std::ranges::rotate(tiles, tiles.begin() + 1);
  for (Tile* tile : tiles) {
    tile->at = end;
    end += BytesOf(*tile, s.dtype);
    if (layout == LayoutIntent::kDisjoint) {
      end += kDataBlockBytes * random.Between(1, 4);
    }
  }
  // One of the later tiles moves onto the first.
  Tile& moved = *tiles[random.Percent(50) ? 1 : 2];
  if (layout == LayoutIntent::kIdentical) moved.at = tiles[0]->at;
  if (layout == LayoutIntent::kOverlapOneBlock) {
    moved.at = tiles[0]->at + BytesOf(*tiles[0], s.dtype) - kDataBlockBytes;
  }
  return std::max(end, moved.at + BytesOf(moved, s.dtype));
}

void GenerateTrowprod(const isa::Signature& row, Random& random,
                      const Plan& plan, Generated& g) {
  Case& c = g.c;
  isa::Call s = isa::CallOf(row);
  const bool older = plan.edition == isa::Edition::k2024;
  s.dtype = random.OneOf({DType::kHalf, DType::kFloat});
  if (!older && random.Percent(20)) {
    s.dtype = random.OneOf({DType::kInt16, DType::kInt32});
  }
  if (random.Percent(65)) {
    s.order = random.OneOf({Order::kDocumented, Order::kBlockLanes,
                            Order::kRegisterLanes, Order::kLeftFold});
  }
  SetSource(random, plan, s);
  SetDestination(random, s);
  const Tile& src = s.tiles[kSrc];
  Tile& tmp = s.tiles[kTmp];
  tmp = src;
  if (!older && random.Percent(25)) {  // as small as it may be
    tmp.rows = 1;
    tmp.cols = kDataBlockBytes / isa::SizeBytes(s.dtype);
    tmp.valid_row = tmp.valid_col = 1;
  }
  const LayoutIntent layout = random.PickWeighted(kLayouts);
  const std::int64_t end = Place(random, layout, s);
  if (random.Percent(30)) {
    c.program.emplace_back(isa::SetSaturation{.enabled = false});
  }
  AddMemory(random, c, isa::Memory::kUb, end);
  const DataTheme theme =
      GenerateTheme(random, s.dtype, DataUse::kProduct, plan.style);
  AddData(random, c, isa::Memory::kUb, src.at, BytesOf(src, s.dtype), s.dtype,
          theme);
  c.program.emplace_back(s);
  g.layout = layout;
  g.data = theme.intent;
}

}  // namespace

Generator TileGenerator(const isa::Signature& row) {
  return GeneratorOf(row, {kProducts.begin(), kProducts.end()}, kLayouts, 46,
                     std::bind_front(GenerateTrowprod, std::cref(row)));
}

}  // namespace lanediff::make
