#include "diff/scratch.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "isa/fields.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

/// Finds the tile of one name.
struct TileFinder : isa::FieldVisitor<TileFinder> {
  explicit TileFinder(std::string_view n) : name(n) {}
  void Tile(std::string_view field, const isa::Tile& tile) {
    if (field == name) found = &tile;
  }
  std::string_view name;
  const isa::Tile* found = nullptr;
};

__extension__ using Wide = __int128;

}  // namespace

std::vector<ByteRange> ScratchOf(const Case& c, const isa::Step& step) {
  return std::visit(
      [&]<class Step>(const Step& s) -> std::vector<ByteRange> {
        if constexpr (requires { Step::kScratch; }) {
          TileFinder finder(Step::kScratch);
          s.Fields(s, finder);
          const isa::Tile& tile = *finder.found;
          const isa::Memory memory = isa::MemoryAt(c.product, tile.position);
          const std::int64_t size = SizeOf(c, memory);
          if (tile.at < 0 || tile.at >= size) return {};
          if (tile.rows <= 0 || tile.cols <= 0) return {};
          const std::int64_t room = size - tile.at;
          const Wide elements = Wide{tile.rows} * tile.cols;
          const Wide bytes = std::min<Wide>(elements, room) *
                             isa::SizeBytes(tile.dtype.value_or(s.dtype));
          return {{memory, tile.at,
                   static_cast<std::int64_t>(std::min<Wide>(bytes, room))}};
        }
        return {};
      },
      step);
}

std::vector<ByteRange> ScratchOfAll(const Case& c) {
  std::vector<ByteRange> all;
  for (const isa::Step& step : c.program) {
    std::ranges::copy(ScratchOf(c, step), std::back_inserter(all));
  }
  return all;
}

void CopyRanges(const std::vector<ByteRange>& ranges, const MemorySet& from,
                MemorySet& to) {
  for (const ByteRange& range : ranges) {
    std::copy_n(from[range.memory].begin() + range.at, range.bytes,
                to[range.memory].begin() + range.at);
  }
}

}  // namespace lanediff::diff
