#include "diff/generate/operands.h"

#include <algorithm>

#include "diff/generate/data.h"
#include "isa/memory_map.h"

namespace lanediff::diff {

isa::Position VectorPosition(Random& random) {
  return random.OneOf(
      {isa::Position::kVecin, isa::Position::kVeccalc, isa::Position::kVecout});
}

std::int64_t GenerateRepeat(Random& random, std::int64_t least,
                            std::int64_t most) {
  const std::int64_t kind = random.Between(0, 99);
  std::int64_t repeat = 0;
  if (kind >= 3) repeat = 1;
  if (kind >= 30) repeat = random.Between(2, 8);
  if (kind >= 75) repeat = random.Between(9, 63);
  if (kind >= 92) {
    repeat = random.Percent(30)
                 ? most
                 : random.Between(64, std::min<std::int64_t>(most, 300));
  }
  return std::clamp(repeat, least, most);
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

void AddData(Random& random, Case& c, isa::Memory memory, std::int64_t at,
             std::int64_t bytes, isa::DType type) {
  auto& image = c.memory[static_cast<std::size_t>(memory)];
  const std::int64_t size = isa::SizeBytes(type);
  if (!image || at < 0 || bytes < size || at + bytes > image->size) return;
  auto& regions = image->regions;
  const auto place = std::ranges::lower_bound(regions, at, {}, &Region::at);
  if (place != regions.end() && place->at < at + bytes) return;
  if (place != regions.begin() && std::prev(place)->end() > at) return;
  regions.insert(place, {.at = at,
                         .dtype = type,
                         .bytes = GenerateData(random, type, bytes / size)});
}

void AddMemory(Random& random, Case& c, isa::Memory memory, std::int64_t size) {
  const std::int64_t largest =
      memory == isa::Memory::kGm ? size : isa::CapacityBytes(c.product, memory);
  c.memory[static_cast<std::size_t>(memory)] =
      MemoryImage{.fill = static_cast<std::uint8_t>(random.Between(0, 255)),
                  .size = std::min(size, largest),
                  .regions = {}};
}

}  // namespace lanediff::diff
