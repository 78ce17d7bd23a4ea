#include "differential/testcase/fit_memories.h"

#include <algorithm>

#include "isa/memory_map.h"

namespace lanediff {

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

}  // namespace lanediff
