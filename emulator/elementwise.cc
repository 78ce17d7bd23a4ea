#include "emulator/elementwise.h"

#include <bit>
#include <tuple>
#include <type_traits>

#include "emulator/block_range.h"
#include "emulator/elementwise_legality.h"
#include "emulator/elementwise_values.h"

namespace lanediff::emulator {
namespace {

// ---- Kernels ----------------------------------------------------------------

/// `Value` takes two elements and the saturation mode.
template <class T, auto Value>
void ValuesOfLanes(const ElementwisePlan& plan, std::int64_t iteration,
                   std::span<const std::uint8_t> ub, ElementwiseLanes& result) {
  constexpr int kLanesPerBlock = static_cast<int>(kBlockBytes / sizeof(T));
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    const int first = block * kLanesPerBlock;
    const std::int64_t a = plan.src0.BlockAt(iteration, block);
    const std::int64_t b = plan.src1.BlockAt(iteration, block);
    std::uint64_t lanes = plan.LanesOf(iteration).Slice(first, kLanesPerBlock);
    for (; lanes != 0; lanes &= lanes - 1) {
      const int offset = std::countr_zero(lanes) * static_cast<int>(sizeof(T));
      const T value = Value(Load<T>(ub, a + offset), Load<T>(ub, b + offset),
                            plan.saturation);
      Store(std::span<std::uint8_t>(result), block * kBlockBytes + offset,
            value);
    }
  }
}

// ---- Write-back -------------------------------------------------------------

template <class Bits>
void StoreLanes(const ElementwisePlan& plan, std::int64_t iteration,
                const ElementwiseLanes& result, std::span<std::uint8_t> ub) {
  constexpr int kLanesPerBlock = static_cast<int>(kBlockBytes / sizeof(Bits));
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    const std::int64_t at = plan.dst.BlockAt(iteration, block);
    std::uint64_t lanes =
        plan.LanesOf(iteration).Slice(block * kLanesPerBlock, kLanesPerBlock);
    for (; lanes != 0; lanes &= lanes - 1) {
      const int offset =
          std::countr_zero(lanes) * static_cast<int>(sizeof(Bits));
      Store(ub, at + offset, Load<Bits>(result, block * kBlockBytes + offset));
    }
  }
}

void WriteBack(const ElementwisePlan& plan, std::int64_t iteration,
               const ElementwiseLanes& result, std::span<std::uint8_t> ub) {
  if (ElementBytes(plan.dtype) == 2) {
    StoreLanes<std::uint16_t>(plan, iteration, result, ub);
  } else {
    StoreLanes<std::uint32_t>(plan, iteration, result, ub);
  }
}

// ---- The four in a row ------------------------------------------------------

/// Whether the whole DataBlocks that a legal call touches lanes of lie in a
/// memory of `size` bytes.
bool BlocksInside(const ElementwisePlan& plan, std::size_t size) {
  const auto lanes = static_cast<int>(kBlockBytes / ElementBytes(plan.dtype));
  const BlockSet blocks = BlocksOf(plan.LanesOf(0), lanes);
  const auto inside = [&](const VectorOperand& operand) {
    return RangeOf(operand, blocks, plan.iterations).Inside(size);
  };
  return inside(plan.dst) && inside(plan.src0) && inside(plan.src1);
}

template <isa::Elementwise Call>
constexpr ElementwiseSeams<Call> PlainRow() {
  using Value = ElementwiseValue<Call>;
  using Int16 = std::int16_t;
  using Int32 = std::int32_t;
  return {.legality = ElementwiseLegality,
          .plan = PlanElementwise<Call>,
          .half_kernel = ValuesOfLanes<std::uint16_t, Value::Half>,
          .float_kernel = ValuesOfLanes<std::uint32_t, Value::Float>,
          .int16_kernel = ValuesOfLanes<Int16, Value::template Integer<Int16>>,
          .int32_kernel = ValuesOfLanes<Int32, Value::template Integer<Int32>>,
          .write_back = WriteBack};
}

template <class... Call>
constexpr ElementwiseRows PlainRows(
    std::type_identity<std::tuple<ElementwiseSeams<Call>...>>) {
  return {PlainRow<Call>()...};
}

}  // namespace

constinit const ElementwiseRows kElementwise =
    PlainRows(std::type_identity<ElementwiseRows>());

Path RunIterations(const ElementwisePlan& plan, ElementwiseKernel kernel,
                   ElementwiseWriteBack write_back, ElementwiseVectors vectors,
                   std::span<std::uint8_t> ub) {
  if (vectors != nullptr && BlocksInside(plan, ub.size())) {
    return vectors(plan, ub);
  }
  ElementwiseLanes lanes;
  for (std::int64_t r = 0; r < plan.iterations; ++r) {
    kernel(plan, r, ub, lanes);
    write_back(plan, r, lanes, ub);
  }
  return Path::kPlain;
}

}  // namespace lanediff::emulator
