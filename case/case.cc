#include "case/case.h"

#include "isa/fields.h"
#include "isa/memory_map.h"

namespace lanediff {
namespace {

/// Notes the position of every operand and tile of a step.
struct PositionCollector : isa::FieldVisitor<PositionCollector> {
  PositionCollector(isa::Product p,
                    std::array<bool, isa::kCount<isa::Memory>>& n)
      : product(p), named(n) {}

  void Operand(std::string_view, const isa::Operand& operand) {
    Note(operand.position);
  }
  void Tile(std::string_view, const isa::Tile& tile) { Note(tile.position); }
  void Note(isa::Position position) {
    named[static_cast<std::size_t>(isa::MemoryAt(product, position))] = true;
  }

  isa::Product product;
  std::array<bool, isa::kCount<isa::Memory>>& named;
};

}  // namespace

std::array<bool, isa::kCount<isa::Memory>> MemoriesOf(const Case& c) {
  std::array<bool, isa::kCount<isa::Memory>> named{};
  for (std::size_t m = 0; m < named.size(); ++m) {
    named[m] = c.memory[m].has_value();
  }
  PositionCollector collector{c.product, named};
  for (const isa::Step& step : c.program) {
    std::visit([&](const auto& s) { s.Fields(s, collector); }, step);
  }
  return named;
}

std::int64_t SizeOf(const Case& c, isa::Memory memory) {
  const auto& image = c.memory[static_cast<std::size_t>(memory)];
  return image ? image->size : isa::CapacityBytes(c.product, memory);
}

}  // namespace lanediff
