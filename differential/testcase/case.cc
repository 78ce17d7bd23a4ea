#include "differential/testcase/case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "differential/testcase/json.h"
#include "isa/memory_map.h"

namespace lanediff {

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

isa::PerMemory<bool> MemoriesOf(const Case& c) {
  isa::PerMemory<bool> named{};
  for (std::size_t m = 0; m < named.size(); ++m) {
    named[m] = c.memory[m].has_value();
  }
  const auto note = [&](std::string_view, const auto& operand, isa::DType) {
    named[isa::MemoryAt(c.product, operand.position)] = true;
  };
  for (const isa::Step& step : c.program) {
    isa::ForEachOperand(step, note);
    const auto* const carried = std::get_if<isa::Carried>(&step);
    if (carried == nullptr) continue;
    for (const auto& one : carried->operands) note("", one.operand, {});
    for (const auto& read : carried->reads) named[read.memory] = true;
    for (const auto& write : carried->writes) named[write.memory] = true;
  }
  return named;
}

std::int64_t SizeOf(const Case& c, isa::Memory memory) {
  const auto& image = c.memory[memory];
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
  auto& gm = c.memory[isa::Memory::kGm];
  if (MemoriesOf(c)[isa::Memory::kGm] && !gm) {
    gm = MemoryImage{.fill = 0, .size = 4096, .regions = {}};
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
