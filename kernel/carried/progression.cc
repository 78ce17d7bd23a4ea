// CreateVecIndex and ArithProgression: numbers that follow from the lane's.

#include <array>
#include <cstring>

#include "kernel/carried/family.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/numbers.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

struct Progression {
  std::uint32_t dst = 0;
  std::uint8_t dtype = LANEDIFF_NO_DTYPE;
  Lanes lanes;
  Place place;
  std::uint64_t first = 0;
  std::uint64_t step = 0;  ///< the element's bits
};

/// first + index · step: the product is a node, and the sum. Integers saturate
/// as those of Adds do (边界值汇总 · 数据填充).
template <class T>
std::uint64_t Value(const Progression& of, std::int64_t index, bool saturate) {
  const auto first = Widen(FromBits<T>(of.first));
  const auto step = Widen(FromBits<T>(of.step));
  using Wide = decltype(first + step);
  const auto narrow = [&](auto value) {
    return saturate ? Narrow<T, true>(value) : Narrow<T, false>(value);
  };
  T value;
  if constexpr (std::is_integral_v<T>) {
    value = narrow(std::int64_t{first} + std::int64_t{step} * index);
  } else {
    value = narrow(first + static_cast<Wide>(index) * step);
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

std::expected<Progression, std::string> ResolveProgression(
    Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const auto dst = Require(call, OperandName::kDst);
  if (!dst) return std::unexpected(dst.error());
  Progression of;
  of.dst = *dst;
  of.dtype = call.operands[*dst].dtype;
  if (of.dtype != LANEDIFF_INT16 && of.dtype != LANEDIFF_INT32 &&
      of.dtype != LANEDIFF_HALF && of.dtype != LANEDIFF_FLOAT) {
    return std::unexpected(RefusedType(call, of.dtype));
  }
  if (call.call->scalar_dtype != of.dtype) {
    return std::unexpected(RefusedType(call, of.dtype) + " with a scalar of " +
                           std::string(DTypeName(call.call->scalar_dtype)));
  }
  of.first = call.call->scalar;
  if (std::string_view(call.call->name) == "ArithProgression") {
    of.step = static_cast<std::uint64_t>(call.Number("diffValue"));
  } else {
    of.step = of.dtype == LANEDIFF_HALF    ? 0x3c00
              : of.dtype == LANEDIFF_FLOAT ? 0x3f800000
                                           : 1;
  }
  of.place.bits = BitsOf(of.dtype);
  of.lanes = LanesOf(parameters, of.place.bits);
  const std::int64_t block = parameters.Get({"dstBlkStride"}, 0, 65535, 1);
  if (!of.lanes.contiguous) of.place.block = block;
  of.place.repeat = parameters.Get({"dstRepStride"}, 0, 255, 8);
  return of;
}

Planned PlanProgression(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto of = ResolveProgression(parameters);
  if (!of) return std::unexpected(of.error());
  plan.approximate =
      std::string_view(call.call->name) == "ArithProgression" &&
      (of->dtype == LANEDIFF_HALF || of->dtype == LANEDIFF_FLOAT);
  Bounds bounds(call, plan);
  for (std::int64_t r = 0; r < of->lanes.iterations && !bounds.Left(); ++r) {
    Touches(call, of->dst, of->lanes, of->place, r, plan.writes);
  }
  return plan;
}

std::uint64_t ComputeProgression(const CarriedCall& call, const CarriedPlan&,
                                 VectorState&) {
  Parameters parameters(call);
  const auto of = ResolveProgression(parameters);
  const auto value = of->dtype == LANEDIFF_INT16   ? &Value<std::int16_t>
                     : of->dtype == LANEDIFF_INT32 ? &Value<std::int32_t>
                     : of->dtype == LANEDIFF_HALF  ? &Value<Half>
                                                   : &Value<float>;
  const std::int64_t element = of->place.bits / 8;
  std::uint8_t* const to = call.operands[of->dst].bytes;
  for (std::int64_t r = 0; r < of->lanes.iterations; ++r) {
    of->lanes.ForRuns(r, [&](std::int64_t first, std::int64_t count) {
      std::int64_t lane = first;
      of->place.ForBytes(
          r, first, count, [&](std::int64_t offset, std::int64_t bytes) {
            for (std::int64_t at = 0; at < bytes; at += element) {
              const std::uint64_t bits = value(
                  *of, r * of->lanes.width + lane++, call.state.saturation);
              std::memcpy(to + offset + at, &bits, element);
            }
          });
    });
  }
  return 0;
}

constexpr std::array<Row, 2> kProgressionRows = {
    Row{"CreateVecIndex", &PlanProgression, &ComputeProgression},
    Row{"ArithProgression", &PlanProgression, &ComputeProgression}};

}  // namespace

std::span<const Row> ProgressionRows() { return kProgressionRows; }

}  // namespace lanediff::kernel::carried
