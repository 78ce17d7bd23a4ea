#include "differential/testcase/case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "differential/testcase/json.h"
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
  template <class T>
  void Part(std::string_view, const T&) {}
  void Part(std::string_view, const isa::CarriedOperands& operands) {
    for (const auto& one : operands) Note(one.operand.position);
  }
  void Part(std::string_view, const isa::CarriedReads& reads) {
    for (const auto& read : reads) Note(read.memory);
  }
  void Part(std::string_view, const isa::CarriedWrites& writes) {
    for (const auto& write : writes) Note(write.memory);
  }
  void Note(isa::Memory memory) {
    named[static_cast<std::size_t>(memory)] = true;
  }
  void Note(isa::Position position) { Note(isa::MemoryAt(product, position)); }

  isa::Product product;
  std::array<bool, isa::kCount<isa::Memory>>& named;
};

}  // namespace

std::string_view FormatOf(const Case& c) {
  const bool has_sources = std::ranges::any_of(
      c.sources, [](const auto& source) { return source.has_value(); });
  return has_sources || (c.expect && c.expect->findings) ||
                 std::ranges::any_of(c.program, isa::IsOfKernel)
             ? kKernelCaseFormat
             : kCaseFormat;
}

const StepSource* SourceOf(const Case& c, std::size_t step) {
  if (c.sources.size() != c.program.size() || !c.sources[step]) return nullptr;
  return &*c.sources[step];
}

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

void FitMemories(Case& c) {
  for (std::size_t m = 0; m < c.memory.size(); ++m) {
    const auto memory = static_cast<isa::Memory>(m);
    if (!c.memory[m] || memory == isa::Memory::kGm) continue;
    MemoryImage& image = *c.memory[m];
    image.size = std::min(image.size, isa::CapacityBytes(c.product, memory));
    std::erase_if(image.regions, [&](const Region& region) {
      return region.end() > image.size;
    });
  }
}

void MakeWellFormed(Case& c) {
  FitMemories(c);
  const auto gm = static_cast<std::size_t>(isa::Memory::kGm);
  if (MemoriesOf(c)[gm] && !c.memory[gm]) {
    c.memory[gm] = MemoryImage{.fill = 0, .size = 4096, .regions = {}};
  }
}

std::optional<isa::Edition> EditionOfVariable(const char* name) {
  const char* const word = std::getenv(name);
  if (word == nullptr || *word == '\0') return std::nullopt;
  const auto edition = isa::Parse<isa::Edition>(word);
  if (!edition) {
    fmt::print(stderr, "{}: expected {}, found {}\n", name,
               fmt::join(isa::Words<isa::Edition>::kSpelling, " or "),
               Quote(word, 100));
    std::_Exit(2);
  }
  return *edition;
}

}  // namespace lanediff
