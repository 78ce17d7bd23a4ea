#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/access.h"
#include "isa/carried.h"
#include "isa/intervals.h"
#include "isa/signature.h"
#include "isa/vocabulary.h"

namespace lanediff::lint {

/// The operand whose bytes are unspecified behind a call; of what pads a copy,
/// too.
inline constexpr std::string_view kScratch = isa::Name(isa::OperandName::kTmp);
static_assert(std::ranges::all_of(isa::kTileRows, [](const auto& row) {
  return std::ranges::all_of(row.tiles, [](const isa::OperandSpec& tile) {
    return tile.is_scratch == (tile.name == kScratch);
  });
}));

/// Bytes of one memory, cut wherever an access of one step begins or ends: the
/// accesses meet a cell as a whole or not at all.
class AccessCells {
 public:
  /// No access.
  static constexpr std::int32_t kNone = -1;

  /// Which accesses count: those of one kind, and of one operand if it is
  /// named.
  struct Which {
    bool write = false;
    std::string_view operand = {};
  };

  /// Cut by the accesses of one step, or of two.
  AccessCells(const isa::IntervalSet& bytes, isa::Memory memory,
              const std::vector<isa::Access>& accesses,
              const std::vector<isa::Access>& others = {});

  const std::vector<isa::Interval>& cells() const { return cells_; }

  /// For each cell the number of the first or last such access to it.
  std::vector<std::int32_t> First(const std::vector<isa::Access>& accesses,
                                  const Which& which) const;
  std::vector<std::int32_t> Last(const std::vector<isa::Access>& accesses,
                                 const Which& which) const;

 private:
  bool Counts(const isa::Access& access, const Which& which) const {
    return access.write == which.write && access.memory == memory_ &&
           (which.operand.empty() || access.operand == which.operand);
  }
  /// Notes `number` for every cell of the access.
  void Paint(const isa::Access& access, std::int32_t number,
             std::vector<std::int32_t>& numbers) const;

  isa::Memory memory_;
  std::vector<isa::Interval> cells_;
};

/// What one executed step reads and writes of one memory.
struct MemoryUse {
  isa::IntervalSet reads;
  isa::IntervalSet writes;
  /// Bytes of which the step's first access is a read.
  isa::IntervalSet read_first;
  /// Bytes that the step reads and doesn't write afterwards.
  isa::IntervalSet read_after;

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
