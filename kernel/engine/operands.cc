#include "kernel/engine/operands.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace lanediff::kernel {

LocalMemory::~LocalMemory() {
  for (std::size_t m = 0; m < areas_.size(); ++m) {
    if (areas_[m].bytes == nullptr) continue;
    munmap(areas_[m].bytes,
           static_cast<std::size_t>(CapacityOf(static_cast<isa::Memory>(m))));
  }
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

std::optional<isa::Position> PositionOf(std::uint8_t position) {
  using enum isa::Position;
  constexpr std::pair<std::uint8_t, isa::Position> kPositions[] = {
      {LANEDIFF_GM, kGm},           {LANEDIFF_A1, kA1},
      {LANEDIFF_B1, kB1},           {LANEDIFF_C1, kC1},
      {LANEDIFF_C2, kC2},           {LANEDIFF_CO2, kCo2},
      {LANEDIFF_VECIN, kVecin},     {LANEDIFF_VECOUT, kVecout},
      {LANEDIFF_VECCALC, kVeccalc}, {LANEDIFF_LCM, kVeccalc},
      {LANEDIFF_TSCM, kTscm},       {LANEDIFF_C2PIPE2GM, kC2pipe2gm},
      {LANEDIFF_UB, kUb},           {LANEDIFF_NO_POSITION, kUb}};
  for (const auto& [number, name] : kPositions) {
    if (number == position) return name;
  }
  return std::nullopt;
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
