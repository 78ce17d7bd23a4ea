#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/intervals.h"
#include "isa/memories.h"
#include "isa/memory_map.h"
#include "isa/vocabulary.h"

namespace lanediff::kernel {

/// The local memories of one block, each of the product's capacity, made when
/// they are requested. What is handed out first is poisoned.
class LocalMemory {
 public:
  LocalMemory(isa::Product product, std::uint8_t poison)
      : product_(product), poison_(poison) {}
  ~LocalMemory();
  LocalMemory(const LocalMemory&) = delete;
  LocalMemory& operator=(const LocalMemory&) = delete;

  /// Its bytes; of GM none.
  std::uint8_t* BytesOf(isa::Memory memory);
  std::int64_t CapacityOf(isa::Memory memory) const {
    return isa::CapacityBytes(product_, memory);
  }

  /// The bytes below `end` are going to be used: those that were not before are
  /// poisoned.
  void HandOut(isa::Memory memory, std::int64_t end);

  /// Behind all that was handed out, at a multiple of 32.
  std::int64_t EndOf(isa::Memory memory) const {
    return isa::RoundUp(areas_[static_cast<std::size_t>(memory)].handed_out);
  }
  /// What was handed out.
  std::span<const std::uint8_t> Used(isa::Memory memory) const {
    const Area& area = areas_[static_cast<std::size_t>(memory)];
    return {area.bytes, static_cast<std::size_t>(area.handed_out)};
  }

  /// As at the start, with nothing handed out.
  void Clear(std::uint8_t poison) {
    poison_ = poison;
    for (Area& area : areas_) area.handed_out = 0;
  }

 private:
  struct Area {
    std::uint8_t* bytes = nullptr;
    std::int64_t handed_out = 0;
  };

  isa::Product product_;
  std::uint8_t poison_;
  std::array<Area, isa::kCount<isa::Memory>> areas_{};
};

}  // namespace lanediff::kernel
