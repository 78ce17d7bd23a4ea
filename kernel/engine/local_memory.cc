#include "kernel/engine/local_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "isa/memory_map.h"

namespace lanediff::kernel {

LocalMemory::LocalMemory(isa::Product product, std::uint8_t poison)
    : product_(product), poison_(poison) {}

LocalMemory::~LocalMemory() {
  for (std::size_t m = 0; m < areas_.size(); ++m) {
    if (areas_[m].bytes == nullptr) continue;
    munmap(areas_[m].bytes,
           static_cast<std::size_t>(CapacityOf(static_cast<isa::Memory>(m))));
  }
}

std::int64_t LocalMemory::CapacityOf(isa::Memory memory) const {
  return isa::CapacityBytes(product_, memory);
}

std::uint8_t* LocalMemory::BytesOf(isa::Memory memory) {
  Area& area = areas_[static_cast<std::size_t>(memory)];
  const std::int64_t capacity = CapacityOf(memory);
  if (area.bytes != nullptr || capacity == 0) return area.bytes;
  void* const made =
      mmap(nullptr, static_cast<std::size_t>(capacity), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) throw std::bad_alloc();
  area.bytes = static_cast<std::uint8_t*>(made);
  return area.bytes;
}

void LocalMemory::HandOut(isa::Memory memory, std::int64_t end) {
  Area& area = areas_[static_cast<std::size_t>(memory)];
  end = std::min(end, CapacityOf(memory));
  if (end <= area.handed_out) return;
  std::memset(BytesOf(memory) + area.handed_out, poison_,
              static_cast<std::size_t>(end - area.handed_out));
  area.handed_out = end;
}

void LocalMemory::Clear(std::uint8_t poison) {
  poison_ = poison;
  for (Area& area : areas_) area.handed_out = 0;
}

}  // namespace lanediff::kernel
