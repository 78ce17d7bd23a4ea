#include "emulator/lanewise.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "emulator/block_range.h"
#include "emulator/conversion.h"
#include "emulator/lanewise_legality.h"
#include "emulator/lanewise_limits.h"
#include "emulator/lanewise_values.h"
#include "emulator/mask.h"

namespace lanediff::emulator {
namespace {

// ---- Kernels ----------------------------------------------------------------

/// What `Value` makes of an element of each source, of what else row `kRow`
/// has, a scalar, a flag, an element of dst and the lane's number, and of the
/// saturation mode.
template <std::size_t kRow, class T, auto Value, std::size_t... kSource>
T ValueOfLane(const LanewisePlan& plan,
              [[maybe_unused]] std::span<const std::uint8_t> ub,
              [[maybe_unused]] const auto& blocks, [[maybe_unused]] int offset,
              [[maybe_unused]] std::int64_t number,
              std::index_sequence<kSource...>) {
  constexpr const isa::Signature& kSignature = isa::kLanewiseRows[kRow];
  const auto with_dst = [&](auto... inputs) {
    if constexpr (kSignature.ReadsDst()) {
      return Value(inputs..., Load<T>(ub, blocks[0] + offset), plan.saturation);
    } else if constexpr (kSignature.NumbersLanes()) {
      return Value(inputs..., number, plan.saturation);
    } else {
      return Value(inputs..., plan.saturation);
    }
  };
  const auto with_scalar = [&](auto... elements) {
    if constexpr (kSignature.Has(isa::Param::kRoundEn)) {
      return with_dst(elements..., static_cast<T>(plan.scalar), plan.round);
    } else if constexpr (kSignature.Has(isa::Param::kScalar)) {
      return with_dst(elements..., static_cast<T>(plan.scalar));
    } else {
      return with_dst(elements...);
    }
  };
  return with_scalar(Load<T>(ub, blocks[kSource + 1] + offset)...);
}

/// Elements as bits: those of src0 where a lane's bit is 1, else those of src1
/// or the scalar.
template <class T>
void SelectedLanes(const LanewisePlan& plan, std::int64_t iteration,
                   std::span<const std::uint8_t> ub, LanewiseResult& result) {
  constexpr int kLanesPerBlock = static_cast<int>(kBlockBytes / sizeof(T));
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    const std::int64_t bits = plan.src(1).BlockAt(iteration, block);
    std::uint64_t lanes =
        plan.LanesOf(iteration).Slice(block * kLanesPerBlock, kLanesPerBlock);
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      const int offset = lane * static_cast<int>(sizeof(T));
      const bool is_src0 =
          (Load<std::uint8_t>(ub, bits + lane / 8) >> lane % 8 & 1) != 0;
      const T value =
          is_src0 ? Load<T>(ub, plan.src(0).BlockAt(iteration, block) + offset)
          : plan.selects_scalar
              ? static_cast<T>(plan.scalar)
              : Load<T>(ub, plan.src(2).BlockAt(iteration, block) + offset);
      Store(std::span<std::uint8_t>(result), block * kBlockBytes + offset,
            value);
    }
  }
}

template <std::size_t kRow, class T, auto Value>
void ValuesOfLanes(const LanewisePlan& plan, std::int64_t iteration,
                   std::span<const std::uint8_t> ub, LanewiseResult& result) {
  constexpr int kLanesPerBlock = static_cast<int>(kBlockBytes / sizeof(T));
  constexpr std::size_t kSources = isa::kLanewiseRows[kRow].sources();
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    std::array<std::int64_t, kSources + 1> blocks;  // by operand
    for (std::size_t i = 0; i <= kSources; ++i) {
      blocks[i] = plan.operands[i].BlockAt(iteration, block);
    }
    std::uint64_t lanes =
        plan.LanesOf(iteration).Slice(block * kLanesPerBlock, kLanesPerBlock);
    for (; lanes != 0; lanes &= lanes - 1) {
      const int offset = std::countr_zero(lanes) * static_cast<int>(sizeof(T));
      const std::int64_t number =
          (iteration * kBlocksPerIteration + block) * kLanesPerBlock +
          std::countr_zero(lanes);
      const T value =
          ValueOfLane<kRow, T, Value>(plan, ub, blocks, offset, number,
                                      std::make_index_sequence<kSources>());
      Store(std::span<std::uint8_t>(result), block * kBlockBytes + offset,
            value);
    }
  }
}

/// The first byte of lane `lane` of an iteration.
std::int64_t LaneAt(const VectorOperand& operand, std::int64_t iteration,
                    int lane) {
  const std::int64_t byte = lane * operand.element_bytes;
  return operand.BlockAt(iteration, static_cast<int>(byte / kBlockBytes)) +
         byte % kBlockBytes;
}

/// Of an element of src or of what `Value` makes of one of each source.
template <class From, class To, auto... Value>
void ConvertLanes(const LanewisePlan& plan, std::int64_t iteration,
                  std::span<const std::uint8_t> ub, LanewiseResult& result) {
  const Conversion convert = ConversionOf(plan.dtype, plan.dst_dtype);
  if (convert == nullptr) return;
  const LaneMask& lanes = plan.LanesOf(iteration);
  for (const int first : {0, 64}) {
    for (std::uint64_t rest = lanes.Slice(first, 64); rest != 0;
         rest &= rest - 1) {
      const int lane = first + std::countr_zero(rest);
      const auto element = [&](std::size_t i) {
        return Load<From>(ub, LaneAt(plan.src(i), iteration, lane));
      };
      From from = element(0);
      ((from = Value(from, element(1))), ...);
      const auto bits = static_cast<std::make_unsigned_t<From>>(from);
      Store(std::span<std::uint8_t>(result),
            lane * static_cast<std::int64_t>(sizeof(To)),
            static_cast<To>(convert(bits, plan.round_mode, plan.saturation)));
    }
  }
}

/// By the width of dst's elements.
template <class From, auto... Value>
void ConvertedLanes(const LanewisePlan& plan, std::int64_t iteration,
                    std::span<const std::uint8_t> ub, LanewiseResult& result) {
  switch (plan.dst().element_bytes) {
    case 1:
      return ConvertLanes<From, std::uint8_t, Value...>(plan, iteration, ub,
                                                        result);
    case 2:
      return ConvertLanes<From, std::uint16_t, Value...>(plan, iteration, ub,
                                                         result);
    case 4:
      return ConvertLanes<From, std::uint32_t, Value...>(plan, iteration, ub,
                                                         result);
    default:
      return ConvertLanes<From, std::uint64_t, Value...>(plan, iteration, ub,
                                                         result);
  }
}

template <isa::DType kType>
double NumberOf(ElementOf<kType> element) {
  if constexpr (kType == isa::DType::kHalf) {
    return HalfToFloat(element);
  } else if constexpr (kType == isa::DType::kFloat) {
    return std::bit_cast<float>(element);
  } else {
    return static_cast<double>(element);
  }
}

template <isa::DType kType>
void ComparedLanes(const LanewisePlan& plan, std::int64_t iteration,
                   std::span<const std::uint8_t> ub, LanewiseResult& result) {
  using T = ElementOf<kType>;
  const LaneMask& lanes = plan.LanesOf(iteration);
  std::fill_n(result.begin(), plan.packed_bytes(), std::uint8_t{0});
  const auto number = [&](std::size_t source, int lane) {
    if (source >= plan.signature->sources()) {
      return NumberOf<kType>(static_cast<T>(plan.scalar));
    }
    return NumberOf<kType>(
        Load<T>(ub, LaneAt(plan.src(source), iteration, lane)));
  };
  for (const int first : {0, 64}) {
    for (std::uint64_t rest = lanes.Slice(first, 64); rest != 0;
         rest &= rest - 1) {
      const int lane = first + std::countr_zero(rest);
      if (!Holds(plan.cmp_mode, number(0, lane), number(1, lane))) continue;
      result[static_cast<std::size_t>(lane / 8)] |=
          static_cast<std::uint8_t>(1 << lane % 8);
    }
  }
}

/// Null where row `kRow` doesn't have the type on any product.
template <std::size_t kRow, isa::DType kType>
constexpr LanewiseKernel KernelOf() {
  using Value = LanewiseValue<kRow>;
  using T = ElementOf<kType>;
  constexpr bool kConverts = isa::kLanewiseRows[kRow].Converts();
  if constexpr (!kLanewiseLimits[kRow].OnAny().Has(kType)) {
    return nullptr;
  } else if constexpr (isa::kLanewiseRows[kRow].Has(isa::Param::kRoundMode)) {
    return ConvertedLanes<T>;
  } else if constexpr (isa::kLanewiseRows[kRow].PacksBits()) {
    return ComparedLanes<kType>;
  } else if constexpr (kConverts && kType == isa::DType::kHalf) {
    return ConvertedLanes<T, Value::Half>;
  } else if constexpr (kConverts && kType == isa::DType::kFloat) {
    return ConvertedLanes<T, Value::Float>;
  } else if constexpr (kConverts) {
    return ConvertedLanes<T, Value::template Integer<T>>;
  } else if constexpr (isa::kLanewiseRows[kRow].Has(isa::Param::kSelMode)) {
    return SelectedLanes<T>;
  } else if constexpr (kType == isa::DType::kHalf) {
    return ValuesOfLanes<kRow, T, Value::Half>;
  } else if constexpr (kType == isa::DType::kFloat) {
    return ValuesOfLanes<kRow, T, Value::Float>;
  } else {
    return ValuesOfLanes<kRow, T, Value::template Integer<T>>;
  }
}

// ---- Write-back -------------------------------------------------------------

template <class Bits>
void StoreLanes(const LanewisePlan& plan, std::int64_t iteration,
                const LanewiseResult& result, std::span<std::uint8_t> ub) {
  // Of dst's type; of a narrower one an iteration has fewer than eight blocks.
  constexpr int kLanesPerBlock = static_cast<int>(kBlockBytes / sizeof(Bits));
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    const std::int64_t at = plan.dst().BlockAt(iteration, block);
    std::uint64_t lanes =
        plan.LanesOf(iteration).Slice(block * kLanesPerBlock, kLanesPerBlock);
    for (; lanes != 0; lanes &= lanes - 1) {
      const int offset =
          std::countr_zero(lanes) * static_cast<int>(sizeof(Bits));
      Store(ub, at + offset, Load<Bits>(result, block * kBlockBytes + offset));
    }
  }
}

void WriteBack(const LanewisePlan& plan, std::int64_t iteration,
               const LanewiseResult& result, std::span<std::uint8_t> ub) {
  if (plan.dst().is_packed) {
    const std::span all(result);
    return StoreBytes(ub, plan.dst().BlockAt(iteration, 0),
                      all.first(static_cast<std::size_t>(plan.packed_bytes())));
  }
  switch (plan.dst().element_bytes) {
    case 1:
      return StoreLanes<std::uint8_t>(plan, iteration, result, ub);
    case 2:
      return StoreLanes<std::uint16_t>(plan, iteration, result, ub);
    case 4:
      return StoreLanes<std::uint32_t>(plan, iteration, result, ub);
    default:
      return StoreLanes<std::uint64_t>(plan, iteration, result, ub);
  }
}

// ---- The four in a row ------------------------------------------------------

/// Whether the whole DataBlocks that a legal call touches lanes of lie in a
/// memory of `size` bytes.
bool BlocksInside(const LanewisePlan& plan, std::size_t size) {
  for (const VectorOperand& operand : plan.used_operands()) {
    if (operand.is_packed) {
      const Extent bits = ExtentOf(plan, operand);
      if (bits.begin < 0 || bits.end > static_cast<Wide>(size)) return false;
      continue;
    }
    const auto lanes = static_cast<int>(kBlockBytes / operand.element_bytes);
    const BlockSet blocks = BlocksOf(plan.LanesOf(0), lanes);
    if (!RangeOf(operand, blocks, plan.iterations).Inside(size)) return false;
  }
  return true;
}

/// Computes a plan that has iterations: with vectors, unless there are none or
/// a DataBlock leaves `ub`, else iteration after iteration.
Path RunIterations(const LanewisePlan& plan, const LanewiseSeams& seams,
                   LanewiseKernel kernel, std::span<std::uint8_t> ub) {
  if (seams.vectors != nullptr && BlocksInside(plan, ub.size())) {
    return seams.vectors(plan, ub);
  }
  LanewiseResult result;
  for (std::int64_t r = 0; r < plan.iterations; ++r) {
    kernel(plan, r, ub, result);
    seams.write_back(plan, r, result, ub);
  }
  return Path::kPlain;
}

template <std::size_t kRow, std::size_t... kType>
constexpr LanewiseSeams PlainRow(std::index_sequence<kType...>) {
  return {.legality = LanewiseLegality,
          .plan = PlanLanewise,
          .kernels = {KernelOf<kRow, static_cast<isa::DType>(kType)>()...},
          .write_back = WriteBack};
}

}  // namespace

constinit const LanewiseRows kLanewise = []<std::size_t... kRow>(
                                             std::index_sequence<kRow...>) {
  return LanewiseRows{
      PlainRow<kRow>(std::make_index_sequence<isa::kCount<isa::DType>>())...};
}(std::make_index_sequence<isa::kLanewiseRows.size()>());

isa::StepResult Run(const isa::Call& call, const LanewiseSeams& seams,
                    State& state) {
  isa::StepResult result =
      isa::StepResult::FromBroken(seams.legality(call, state));
  if (result.status == isa::StepResult::Status::kRejected) return result;

  const LanewisePlan plan = seams.plan(call, state);
  // Defects execute calls of types that the instruction doesn't have.
  const LanewiseKernel kernel = seams.KernelOf(plan.dtype);
  if (plan.iterations > 0 && kernel != nullptr) {
    state.paths.Count(
        RunIterations(plan, seams, kernel, state.memories[isa::Memory::kUb]));
  }

  if (!call.IsByCount()) {
    // Without isSetMask this leaves the register as it is.
    state.mask_register = MaskOf(call, state);
  } else if (call[isa::Param::kCount] > 0) {
    state.mask_register = LaneMask::First(128);
    state.counter_mode = false;
    result.notes.Add(call.Rule(isa::CallRule::kClobbersMask));
  }
  result.notes.AddIf(plan.iterations == 0, call.Rule(isa::CallRule::kNop));
  return result;
}

}  // namespace lanediff::emulator
