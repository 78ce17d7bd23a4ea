#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/call.h"
#include "isa/operand.h"
#include "isa/vocabulary.h"
#include "kernel/engine/gm.h"
#include "kernel/engine/local_memory.h"
#include "lanediff/kernel_abi.h"

namespace lanediff::kernel {

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
