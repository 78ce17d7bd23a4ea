#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "isa/access.h"
#include "isa/vocabulary.h"
#include "sanitizer/ranges.h"

namespace lanediff::lint {

/// What one executed step reads and writes of one memory.
struct MemoryUse {
  RangeList reads;
  RangeList writes;
  /// Bytes of which the step's first access is a read.
  RangeList read_first;
  /// Bytes that the step reads and doesn't write afterwards.
  RangeList read_after;

  bool empty() const { return reads.empty() && writes.empty(); }
};

/// The same of every memory, from the step's accesses in their order.
class StepUse {
 public:
  /// Replaces what is there; keeps its capacity.
  void Set(const std::vector<isa::Access>& accesses);

  const MemoryUse& operator[](isa::Memory memory) const {
    return uses_[static_cast<std::size_t>(memory)];
  }

 private:
  std::array<MemoryUse, isa::kCount<isa::Memory>> uses_;
};

}  // namespace lanediff::lint
