#include "oracle/operations.h"

#include <cstdint>
#include <optional>
#include <variant>

#include "oracle/data_copy_rules.h"
#include "oracle/extended.h"
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

std::optional<isa::Access> ScratchAccess(const isa::Step& step,
                                         isa::Product product) {
  const auto* call = std::get_if<isa::Call>(&step);
  if (call == nullptr || !call->Is(isa::Family::kTile)) return std::nullopt;
  const isa::Tile& tmp = call->tiles[isa::Call::kTmpTile];
  const auto memory = MemoryOf(product, tmp.position);
  if (!memory) return std::nullopt;
  isa::Access access;
  access.operand = kTmp.name;
  access.write = true;
  access.memory = *memory;
  access.at = tmp.at;
  access.bytes = tmp.rows * tmp.cols * ElementBytes(call->dtype);
  access.dtype = call->dtype;
  return access;
}

bool IsMaskedCall(const isa::Step& step) {
  const auto* call = std::get_if<isa::Call>(&step);
  return call != nullptr && call->Has(isa::Param::kIsSetMask);
}

bool UsesRegister(const isa::Step& step) {
  return IsMaskedCall(step) && !std::get<isa::Call>(step).is_set_mask;
}

bool IsCallByCount(const isa::Step& step) {
  const auto* call = std::get_if<isa::Call>(&step);
  return call != nullptr && call->IsByCount() &&
         (*call)[isa::Param::kCount] > 0;
}

std::int64_t LanesOfType(const isa::Step& step) {
  const auto* call = std::get_if<isa::Call>(&step);
  return call == nullptr ? 0 : 256 / ElementBytes(call->dtype);
}

}  // namespace lanediff::oracle
