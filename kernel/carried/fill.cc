// Fill, InitGlobalMemory, InitOutput: one value into global memory.

#include <array>
#include <cstring>
#include <limits>

#include "kernel/carried/family.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel::carried {
namespace {

Planned PlanFill(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto dst = Require(call, isa::OperandName::kDst);
  if (!dst) return std::unexpected(dst.error());
  const CarriedOperand& to = call.operands[*dst];
  const std::int64_t bits = BitsOf(to.dtype);
  if (bits < 8 || to.dtype != call.call->scalar_dtype) {
    return std::unexpected(RefusedType(call, to.dtype));
  }
  // The page doesn't state whether the copies inside would accumulate.
  if (call.state.atomic != "none") {
    return std::unexpected(std::string(call.call->name) + " in an atomic mode");
  }
  const std::int64_t size = parameters.Get(
      {"size"}, 0, std::numeric_limits<std::int64_t>::max() / 8, 0);
  plan.pipe = isa::Pipe::kMte3;
  plan.writes.push_back({*dst, to.at, size * bits / 8, 0});
  return plan;
}

std::uint64_t ComputeFill(const CarriedCall& call, const CarriedPlan& plan,
                          VectorState&) {
  const Touch& touch = plan.writes[0];
  const CarriedOperand& to = call.operands[touch.operand];
  const std::int64_t element = BitsOf(to.dtype) / 8;
  for (std::int64_t i = 0; i < touch.bytes; i += element) {
    std::memcpy(to.bytes + i, &call.call->scalar, element);
  }
  return 0;
}

constexpr std::array<Row, 3> kFillRows = {
    Row{"Fill", &PlanFill, &ComputeFill},
    Row{"InitGlobalMemory", &PlanFill, &ComputeFill},
    Row{"InitOutput", &PlanFill, &ComputeFill}};

}  // namespace

std::span<const Row> FillRows() { return kFillRows; }

}  // namespace lanediff::kernel::carried
