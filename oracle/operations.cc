#include "oracle/operations.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "oracle/data_copy_rules.h"
#include "oracle/extended.h"
#include "oracle/lane_list.h"
#include "oracle/memory_map.h"

namespace lanediff::oracle {

using isa::Pipe;

std::optional<Pipe> PipeOfStep(const isa::Step& step, isa::Product product) {
  if (const auto* call = std::get_if<isa::Call>(&step)) {
    if (!call->Is(isa::Family::kCopy)) return Pipe::kV;
    const auto src = MemoryOf(product, call->src(0).position);
    const auto dst = MemoryOf(product, call->dst().position);
    if (!src || !dst) return std::nullopt;
    return PipeOf(*src, *dst);
  }
  if (const auto* carried = std::get_if<isa::Carried>(&step)) {
    return carried->pipe;
  }
  if (std::holds_alternative<isa::GetValue>(step) ||
      std::holds_alternative<isa::SetValue>(step)) {
    return Pipe::kS;
  }
  return std::nullopt;
}

namespace {

std::vector<isa::Access> UnspecifiedPadding(const isa::Call& call,
                                            isa::Product product) {
  std::vector<isa::Access> all;
  if (FillOf(call) != Fill::kUnspecified) return all;
  const auto plan = PlanOf(call);
  const auto memory = MemoryOf(product, call.dst().position);
  if (!plan || !memory) return all;
  for (std::int64_t i = 0; i < plan->blocks; ++i) {
    AppendAccesses({.operand = kTmp.name,
                    .write = true,
                    .memory = *memory,
                    .dtype = call.dtype},
                   plan->padding, i, all);
  }
  return all;
}

}  // namespace

std::vector<isa::Access> ScratchAccesses(const isa::Step& step,
                                         isa::Product product) {
  const auto* call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return {};
  if (call->Is(isa::Family::kCopy)) return UnspecifiedPadding(*call, product);
  if (!call->Is(isa::Family::kTile)) return {};
  const isa::Tile& tmp = call->tiles[isa::Call::kTmpTile];
  const auto memory = MemoryOf(product, tmp.position);
  if (!memory) return {};
  isa::Access access;
  access.operand = kTmp.name;
  access.write = true;
  access.memory = *memory;
  access.at = tmp.at;
  access.bytes = tmp.rows * tmp.cols * ElementBytes(call->dtype);
  access.dtype = call->dtype;
  return {access};
}

bool IsMaskedCall(const isa::Step& step) {
  const auto* call = std::get_if<isa::Call>(&step);
  return call != nullptr && call->IsMasked();
}

bool UsesRegister(const isa::Step& step) {
  return IsMaskedCall(step) && !std::get<isa::Call>(step).is_set_mask;
}

bool IsCallByCount(const isa::Step& step) {
  const auto* call = std::get_if<isa::Call>(&step);
  return call != nullptr && call->IsByCount() &&
         (*call)[isa::Param::kCount] > 0;
}

bool LeavesMaskOnly(const isa::Step& step) {
  const auto* call = std::get_if<isa::Call>(&step);
  return call != nullptr && call->Is(isa::Family::kBroadcast);
}

std::int64_t LanesOfType(const isa::Step& step) {
  const auto* call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return 0;
  std::int64_t widest = ElementBytes(call->dtype);
  for (std::size_t i = 0; i < call->used_operands().size(); ++i) {
    if (call->signature->operands[i].is_packed) continue;
    widest = std::max(widest, ElementBytes(call->TypeOf(i)));
  }
  return 256 / widest;
}

}  // namespace lanediff::oracle
