#include "kernel/engine/operands.h"

#include <algorithm>
#include <array>

#include "isa/memory_map.h"

namespace lanediff::kernel {

std::optional<isa::Position> PositionOf(std::uint8_t position) {
  switch (position) {
    case LANEDIFF_GM:
      return isa::Position::kGm;
    case LANEDIFF_A1:
      return isa::Position::kA1;
    case LANEDIFF_B1:
      return isa::Position::kB1;
    case LANEDIFF_C1:
      return isa::Position::kC1;
    case LANEDIFF_C2:
      return isa::Position::kC2;
    case LANEDIFF_CO2:
      return isa::Position::kCo2;
    case LANEDIFF_VECIN:
      return isa::Position::kVecin;
    case LANEDIFF_VECOUT:
      return isa::Position::kVecout;
    case LANEDIFF_VECCALC:
    case LANEDIFF_LCM:
      return isa::Position::kVeccalc;
    case LANEDIFF_TSCM:
      return isa::Position::kTscm;
    case LANEDIFF_C2PIPE2GM:
      return isa::Position::kC2pipe2gm;
    case LANEDIFF_UB:
    case LANEDIFF_NO_POSITION:
      return isa::Position::kUb;
    default:
      return std::nullopt;
  }
}

std::optional<isa::DType> TypeOf(std::uint8_t dtype) {
  if (dtype > LANEDIFF_DOUBLE) return std::nullopt;
  return static_cast<isa::DType>(dtype);
}

static_assert(LANEDIFF_HALF == static_cast<int>(isa::DType::kHalf) &&
              LANEDIFF_DOUBLE == static_cast<int>(isa::DType::kDouble));

std::int64_t SizeOfType(std::uint8_t dtype) {
  const auto type = TypeOf(dtype);
  return type ? isa::SizeBytes(*type) : 0;
}

Placed Place(const lanediff_operand& operand, isa::Product product, Gm& gm,
             LocalMemory& local) {
  const lanediff_tensor& tensor = operand.tensor;
  Placed placed;
  placed.name = operand.name;
  placed.dtype = operand.dtype;
  placed.given = tensor.given != 0;
  placed.declared = tensor.declared;
  const auto position = PositionOf(tensor.position);
  if (!placed.given || !position) {
    placed.given = false;
    return placed;
  }
  placed.worded = tensor.position != LANEDIFF_NO_POSITION;
  placed.operand.position = *position;
  placed.memory = isa::MemoryAt(product, *position);
  if (placed.memory != isa::Memory::kGm) {
    placed.operand.at = static_cast<std::int64_t>(tensor.at);
    // What ends beyond the memory was reported (KRN-UB-CAPACITY).
    placed.operand.bytes =
        std::min(tensor.window,
                 std::max<std::int64_t>(
                     local.CapacityOf(placed.memory) - placed.operand.at, 0));
    placed.host = local.BytesOf(placed.memory) + placed.operand.at;
    // An index may lead before the memory's begin.
    if (placed.operand.at >= 0) placed.readable = placed.operand.bytes;
    return placed;
  }
  placed.host = reinterpret_cast<std::uint8_t*>(tensor.at);
  // An offset may lead out of the buffer, even into another one.
  auto buffer = gm.Find(placed.host + tensor.window);
  if (!buffer) buffer = gm.Find(placed.host);
  placed.unknown = !buffer;
  if (!buffer) buffer = gm.Unknown(placed.host);
  const std::int64_t offset = placed.host - buffer->host;
  placed.operand.at = buffer->at + offset;
  placed.operand.bytes =
      offset < 0 ? 0 : std::max<std::int64_t>(buffer->bytes - offset, 0);
  if (!placed.unknown) placed.readable = placed.operand.bytes;
  if (!placed.unknown) return placed;
  // SetGlobalBuffer is the one source of the size.
  placed.operand.bytes = tensor.declared >= 0 ? tensor.declared : kEndless;
  if (tensor.declared >= 0) placed.unknown = false;
  return placed;
}

}  // namespace lanediff::kernel
