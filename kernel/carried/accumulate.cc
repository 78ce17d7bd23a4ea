#include "kernel/carried/accumulate.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernel/carried/loops.h"
#include "kernel/carried/operations.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel::carried {
namespace {

template <class Operation>
LaneLoop AtomicLoop(std::uint8_t dtype, bool saturate) {
  return LoopFor<Operation, Takes::kAB>(
      dtype, dtype, saturate, Types<Half>{}, Types<Bfloat16>{}, Types<float>{},
      Types<std::int8_t>{}, Types<std::int16_t>{}, Types<std::int32_t>{});
}

/// Of what type the elements are.
std::uint8_t AtomicType(const VectorState& state, std::uint8_t dtype) {
  return state.atomic_dtype == LANEDIFF_NO_DTYPE ? dtype : state.atomic_dtype;
}

}  // namespace

bool CanAccumulate(const VectorState& state, std::uint8_t dtype) {
  return AtomicLoop<AddOf>(AtomicType(state, dtype), false) != nullptr;
}

std::string RefusedAtomic(const VectorState& state, std::uint8_t dtype) {
  return "atomic " + std::string(state.atomic) + " of " +
         std::string(DTypeName(AtomicType(state, dtype)));
}

void Accumulate(const VectorState& state, std::uint8_t dtype, std::uint8_t* dst,
                const std::uint8_t* src, std::int64_t bytes) {
  const std::uint8_t type = AtomicType(state, dtype);
  const LaneLoop loop =
      state.atomic == "add"   ? AtomicLoop<AddOf>(type, state.saturation)
      : state.atomic == "max" ? AtomicLoop<MaxOf>(type, state.saturation)
                              : AtomicLoop<MinOf>(type, state.saturation);
  if (loop == nullptr) return;
  const std::int64_t element = BitsOf(type) / 8;
  constexpr std::int64_t kPart = 4096;
  alignas(64) std::array<std::array<std::uint8_t, kPart>, 3> parts;
  for (std::int64_t at = 0; at + element <= bytes; at += kPart) {
    const std::int64_t size = std::min(kPart, (bytes - at) / element * element);
    std::memcpy(parts[0].data(), dst + at, size);
    std::memcpy(parts[1].data(), src + at, size);
    loop({.in = {parts[0].data(), parts[1].data()},
          .out = parts[2].data(),
          .count = size / element});
    std::memcpy(dst + at, parts[2].data(), size);
  }
}

}  // namespace lanediff::kernel::carried
