#include "differential/compare/scratch.h"

#include <algorithm>
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
          if (tile.at < 0 || tile.at > size) return {};
          if (tile.rows <= 0 || tile.cols <= 0) return {};
          const Wide elements = Wide{tile.rows} * tile.cols;
          const std::int64_t element =
              isa::SizeBytes(tile.dtype.value_or(s.dtype));
          if (elements > (size - tile.at) / element) return {};
          return {
              {memory, tile.at, static_cast<std::int64_t>(elements) * element}};
        }
        return {};
      },
      step);
}

void CopyRanges(const std::vector<ByteRange>& ranges, const MemorySet& from,
                MemorySet& to) {
  for (const ByteRange& range : ranges) {
    std::copy_n(from[range.memory].begin() + range.at, range.bytes,
                to[range.memory].begin() + range.at);
  }
}

std::int64_t BytesIn(const std::vector<ByteRange>& ranges) {
  std::int64_t bytes = 0;
  for (const ByteRange& range : ranges) bytes += range.bytes;
  return bytes;
}

}  // namespace lanediff::diff
