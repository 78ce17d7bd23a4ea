#include "diff/memory_set.h"

#include <algorithm>

namespace lanediff::diff {

MemorySet::MemorySet(const Case& c) {
  const auto exists = MemoriesOf(c);
  for (std::size_t m = 0; m < bytes_.size(); ++m) {
    if (!exists[m]) continue;
    const auto size =
        static_cast<std::size_t>(SizeOf(c, static_cast<isa::Memory>(m)));
    if (!c.memory[m]) {
      bytes_[m].assign(size, 0);
      continue;
    }
    bytes_[m].assign(size, c.memory[m]->fill);
    for (const Region& region : c.memory[m]->regions) {
      std::ranges::copy(region.bytes, bytes_[m].begin() + region.at);
    }
  }
}

isa::Memories MemorySet::view() {
  isa::Memories memories;
  for (isa::Memory memory : kAllMemories) memories[memory] = (*this)[memory];
  return memories;
}

}  // namespace lanediff::diff
