#include "generators/boundary/fit.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "isa/fields.h"
#include "isa/footprint.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep {
namespace {

/// What every position is content with, C2PIPE2GM too.
constexpr std::int64_t kAlignBytes = 128;

/// An operand or tile of a step.
struct Window {
  isa::Position position;
  std::int64_t* at;
  std::int64_t* bytes;                 ///< null for a tile: its shape has it
  std::optional<std::int64_t> needed;  ///< bytes; absent where too many
};

std::vector<Window> WindowsOf(isa::Step& step) {
  const std::vector<isa::Footprint> footprints = isa::FootprintsOf(step);
  isa::DType dtype = isa::DType::kUint8;
  std::vector<Window> all;
  for (const isa::FieldRef& field : isa::FieldsOf(step)) {
    if (auto* const* type = std::get_if<isa::DType*>(&field.value)) {
      dtype = **type;
    } else if (auto* const* o = std::get_if<isa::Operand*>(&field.value)) {
      all.push_back({(*o)->position, &(*o)->at, &(*o)->bytes,
                     footprints[all.size()].Span()});
    } else if (auto* const* t = std::get_if<isa::Tile*>(&field.value)) {
      all.push_back(
          {(*t)->position, &(*t)->at, nullptr, isa::TileBytes(**t, dtype)});
    }
  }
  return all;
}

}  // namespace

bool Place(Case& c, std::size_t last) {
  const std::vector<Window> windows = WindowsOf(c.program.back());
  std::vector<std::int64_t> at(windows.size(), 0);
  std::array<std::int64_t, isa::kCount<isa::Memory>> end{};
  std::array<std::optional<MemoryImage>, isa::kCount<isa::Memory>> memory;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    // `last` comes last, the others keep their order.
    const std::size_t k = i + 1 == windows.size() ? last : i < last ? i : i + 1;
    const Window& window = windows[k];
    const isa::Memory m = isa::MemoryAt(c.product, window.position);
    const std::int64_t capacity =
        std::min(kLargestMemoryBytes, m == isa::Memory::kGm
                                          ? kLargestMemoryBytes
                                          : isa::CapacityBytes(c.product, m));
    auto& cursor = end[static_cast<std::size_t>(m)];
    at[k] = isa::RoundUp(cursor, kAlignBytes);
    if (!window.needed || *window.needed > capacity - at[k]) return false;
    cursor = at[k] + *window.needed;
    memory[static_cast<std::size_t>(m)] =
        MemoryImage{.fill = 0, .size = cursor, .regions = {}};
  }
  for (std::size_t k = 0; k < windows.size(); ++k) {
    *windows[k].at = at[k];
    if (windows[k].bytes != nullptr) *windows[k].bytes = *windows[k].needed;
  }
  c.memory = std::move(memory);
  return true;
}

std::size_t OperandCount(const isa::Step& step) {
  isa::Step copy = step;
  return WindowsOf(copy).size();
}

isa::Memory MemoryOf(const Case& c, std::size_t operand) {
  isa::Step copy = c.program.back();
  return isa::MemoryAt(c.product, WindowsOf(copy)[operand].position);
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

std::int64_t& IntegerCalled(Case& c, std::string_view name) {
  for (const NamedInteger& integer : IntegersOf(c.program.back())) {
    if (integer.name == name) return *integer.value;
  }
  std::abort();  // a generator that misspells a field of its own step
}

}  // namespace lanediff::make::sweep
