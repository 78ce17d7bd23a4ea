#include "diff/generate/trowprod.h"

#include <algorithm>
#include <array>

#include "diff/element.h"
#include "diff/generate/mutate.h"
#include "diff/generate/operands.h"
#include "isa/memory_map.h"
#include "isa/trowprod.h"

namespace lanediff::diff {
namespace {

using isa::DType;
using isa::Layout;
using isa::Product;
using isa::Tile;
using isa::Trowprod;

/// src and tmp of this size and a dst fit the smallest Unified Buffer.
constexpr std::int64_t kLargestTile = 80 * 1024;

/// Columns around the multiples of a repeat, where orders differ.
std::int64_t Columns(Random& random) {
  const std::int64_t base =
      random.OneOf<std::int64_t>({1, 2, 8, 16, 33, 64, 65, 127, 128, 192, 200,
                                  256, 320, 384, 448, 512, 640, 768, 1024});
  return random.Percent(70)
             ? base
             : std::max<std::int64_t>(1, base + random.Between(-3, 3));
}

std::int64_t TileBytes(const Tile& tile, DType type) {
  return tile.rows * tile.cols * isa::SizeBytes(type);
}

void SetSource(Random& random, Trowprod& call) {
  const std::int64_t unit = kDataBlockBytes / isa::SizeBytes(call.dtype);
  Tile& src = call.src;
  src.valid_col = Columns(random);
  src.cols = RoundUp(src.valid_col, unit) +
             unit * random.OneOf<std::int64_t>({0, 0, 0, 1, 3});
  const std::int64_t most = std::max<std::int64_t>(
      1, kLargestTile / (src.cols * isa::SizeBytes(call.dtype)));
  src.rows = std::min(most, random.Percent(8) ? random.Between(64, 128)
                                              : random.Between(1, 12));
  src.valid_row = random.Percent(60) ? src.rows : random.Between(1, src.rows);
  src.layout = Layout::kNd;
}

void SetDestination(Random& random, Trowprod& call) {
  const std::int64_t unit = kDataBlockBytes / isa::SizeBytes(call.dtype);
  Tile& dst = call.dst;
  dst.valid_row = call.src.valid_row;
  if (random.Percent(70)) {
    dst.layout = Layout::kDn;
    dst.rows = RoundUp(dst.valid_row, unit);
    dst.cols = 1;
    dst.valid_col = 1;
  } else {
    dst.layout = Layout::kNd;
    dst.rows = dst.valid_row + random.Between(0, 2);
    dst.cols = unit * random.Between(1, 3);
    dst.valid_col = random.Between(0, dst.cols);
  }
}

/// Factors whose products stay finite: around one, powers of two, both signs.
void AddFactors(Random& random, Case& c, const Trowprod& call) {
  Region region{.at = call.src.at, .dtype = call.dtype, .bytes = {}};
  const std::uint64_t one = call.dtype == DType::kHalf ? 0x3c00 : 0x3f800000;
  const std::uint64_t sign = call.dtype == DType::kHalf ? 0x8000 : 0x80000000;
  const std::uint64_t octave = call.dtype == DType::kHalf ? 0x400 : 0x800000;
  const std::int64_t spread = random.OneOf<std::int64_t>({4, 64, 200});
  const bool powers = random.Percent(15);
  for (std::int64_t i = 0; i < call.src.rows * call.src.cols; ++i) {
    std::uint64_t bits =
        one + static_cast<std::uint64_t>(random.Between(-spread, spread));
    if (powers) bits = one + (i % 2 == 0 ? octave : std::uint64_t{0} - octave);
    if (random.Percent(40)) bits ^= sign;
    AppendElement(call.dtype, bits, region.bytes);
  }
  auto& image = c.memory[static_cast<std::size_t>(isa::Memory::kUb)];
  if (region.end() <= image->size) image->regions.push_back(std::move(region));
}

}  // namespace

Case GenerateTrowprod(Random& random) {
  Case c;
  c.id = "generated/trowprod";
  c.product = random.OneOf({Product::kAtlasA2, Product::kAtlasA3});
  Trowprod call;
  call.dtype = random.OneOf({DType::kHalf, DType::kFloat});
  SetSource(random, call);
  SetDestination(random, call);
  call.tmp = call.src;
  if (random.Percent(70)) {
    call.order =
        random.OneOf({isa::Order::kDocumented, isa::Order::kBlockLanes,
                      isa::Order::kRegisterLanes, isa::Order::kLeftFold});
  }
  std::int64_t end = random.OneOf<std::int64_t>({0, 32, 256});
  std::array<Tile*, 3> tiles = {&call.src, &call.dst, &call.tmp};
  if (random.Percent(50)) std::ranges::rotate(tiles, tiles.begin() + 1);
  for (Tile* tile : tiles) {
    tile->at = end;
    end += TileBytes(*tile, call.dtype) +
           random.OneOf<std::int64_t>({0, 0, 32, 128});
    end = RoundUp(end, kDataBlockBytes);
  }
  if (random.Percent(30)) {
    c.program.emplace_back(isa::SetSaturation{.enabled = false});
  }
  AddMemory(random, c, isa::Memory::kUb,
            end + random.OneOf<std::int64_t>({0, 32, 512}));
  if (random.Percent(75)) {
    AddFactors(random, c, call);
  } else {
    AddData(random, c, isa::Memory::kUb, call.src.at,
            TileBytes(call.src, call.dtype), call.dtype);
  }
  c.program.emplace_back(call);
  if (random.Percent(33)) Mutate(random, c);
  return c;
}

}  // namespace lanediff::diff
