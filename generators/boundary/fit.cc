#include "generators/boundary/fit.h"

#include <algorithm>
#include <utility>

#include "isa/fields.h"
#include "isa/footprint.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep {
namespace {

/// What every position is content with, C2PIPE2GM too.
constexpr std::int64_t kAlignBytes = 128;

}  // namespace

std::vector<Window> WindowsOf(isa::Call& call) {
  const isa::Signature& row = *call.signature;
  std::vector<Window> all;
  for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
    isa::Operand& o = call.operands[i];
    all.push_back(
        {row.operands[i].name, &o.position, &o.dtype, &o.at, &o.bytes});
  }
  for (std::size_t i = 0; i < row.tiles.size(); ++i) {
    isa::Tile& t = call.tiles[i];
    all.push_back({row.tiles[i].name, &t.position, &t.dtype, &t.at, nullptr});
  }
  return all;
}

std::optional<MemoryImage>& MemoryOf(Case& c, std::size_t k) {
  const isa::Position position = *WindowsOf(Subject(c))[k].position;
  return c.memory[static_cast<std::size_t>(isa::MemoryAt(c.product, position))];
}

bool Place(Case& c, std::size_t last) {
  isa::Call& call = Subject(c);
  const std::vector<Window> windows = WindowsOf(call);
  const auto footprints = isa::FootprintsOf(call, c.product);
  std::vector<std::int64_t> at(windows.size(), 0);
  std::vector<std::int64_t> bytes(windows.size(), 0);
  isa::PerMemory<std::int64_t> end{};
  isa::PerMemory<std::optional<MemoryImage>> memory;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    // `last` comes last, the others keep their order.
    const std::size_t k = i + 1 == windows.size() ? last : i < last ? i : i + 1;
    const auto needed = windows[k].bytes != nullptr
                            ? footprints[k].Span()
                            : isa::TileBytes(call.tiles[k], call.dtype);
    const isa::Memory m = isa::MemoryAt(c.product, *windows[k].position);
    const std::int64_t capacity =
        std::min(kLargestMemoryBytes, m == isa::Memory::kGm
                                          ? kLargestMemoryBytes
                                          : isa::CapacityBytes(c.product, m));
    auto& cursor = end[m];
    at[k] = isa::RoundUp(cursor, kAlignBytes);
    if (!needed || *needed > capacity - at[k]) return false;
    bytes[k] = *needed;
    cursor = at[k] + bytes[k];
    memory[m] = MemoryImage{.fill = 0, .size = cursor, .regions = {}};
  }
  for (std::size_t k = 0; k < windows.size(); ++k) {
    *windows[k].at = at[k];
    if (windows[k].bytes != nullptr) *windows[k].bytes = bytes[k];
  }
  c.memory = std::move(memory);
  return true;
}

std::vector<NamedInteger> IntegersOf(isa::Step& step) {
  std::vector<NamedInteger> integers;
  for (const isa::FieldRef& field : isa::FieldsOf(step)) {
    const std::string name(field.name);
    if (auto* const* n = std::get_if<std::int64_t*>(&field.value)) {
      integers.push_back({name, *n});
    } else if (auto* const* o = std::get_if<isa::Operand*>(&field.value)) {
      integers.push_back({name + ".at", &(*o)->at});
      integers.push_back({name + ".bytes", &(*o)->bytes});
    } else if (auto* const* t = std::get_if<isa::Tile*>(&field.value)) {
      integers.push_back({name + ".at", &(*t)->at});
      integers.push_back({name + ".rows", &(*t)->rows});
      integers.push_back({name + ".cols", &(*t)->cols});
      integers.push_back({name + ".validRow", &(*t)->valid_row});
      integers.push_back({name + ".validCol", &(*t)->valid_col});
    }
  }
  return integers;
}

}  // namespace lanediff::make::sweep
