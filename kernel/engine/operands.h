#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "isa/call.h"
#include "isa/intervals.h"
#include "isa/memories.h"
#include "isa/memory_map.h"
#include "isa/operand.h"
#include "isa/vocabulary.h"
#include "kernel/engine/gm.h"
#include "lanediff/kernel_abi.h"

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

/// An operand of a call, at its place in the address space of cases.
struct Placed {
  std::string_view name;
  isa::Operand operand;  ///< window to the end of what was allocated
  isa::Memory memory = isa::Memory::kUb;
  std::uint8_t dtype = LANEDIFF_NO_DTYPE;
  bool given = false;
  bool worded = true;    ///< false: no position was given
  bool unknown = false;  ///< GM of unknown extent
  /// Its declared bytes; negative: not declared.
  std::int64_t declared = -1;
  std::uint8_t* host = nullptr;  ///< the byte at `operand.at`
  /// Bytes of the window that are certain to be there.
  std::int64_t readable = 0;
};

/// Calls visit(operand) for every operand and every tile of the call.
template <class Visit>
void ForEachOperand(isa::Call& call, const Visit& visit) {
  for (isa::Operand& operand : call.used_operands()) visit(operand);
  for (isa::Tile& tile : call.used_tiles()) visit(tile);
}

/// Unknown length: GM of unknown extent.
inline constexpr std::int64_t kEndless = std::int64_t{1} << 44;

/// The position of cases; nothing where the vector core has no such memory.
std::optional<isa::Position> PositionOf(std::uint8_t position);
/// The type of cases; nothing for those that it has not.
std::optional<isa::DType> TypeOf(std::uint8_t dtype);
/// In bytes; 0 where it is no whole number of them.
std::int64_t SizeOfType(std::uint8_t dtype);

/// `operand` of a call of the block that has `local`.
Placed Place(const lanediff_operand& operand, isa::Product product, Gm& gm,
             LocalMemory& local);

}  // namespace lanediff::kernel
