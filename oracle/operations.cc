#include "oracle/operations.h"

#include <cstdint>
#include <optional>
#include <variant>

#include "oracle/data_copy_rules.h"
#include "oracle/memory_map.h"

namespace lanediff::oracle {

using isa::Pipe;

std::optional<Pipe> PipeOfStep(const isa::Step& step, isa::Product product) {
  if (const auto* copy = std::get_if<isa::DataCopy>(&step)) {
    const auto src = MemoryOf(product, copy->src.position);
    const auto dst = MemoryOf(product, copy->dst.position);
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
  const bool is_call =
      std::visit([]<class S>(const S&) { return isa::Intrinsic<S>; }, step);
  if (is_call) return Pipe::kV;
  return std::nullopt;
}

std::optional<isa::Access> ScratchAccess(const isa::Step& step,
                                         isa::Product product) {
  const auto* call = std::get_if<isa::Trowprod>(&step);
  if (call == nullptr) return std::nullopt;
  const auto memory = MemoryOf(product, call->tmp.position);
  if (!memory) return std::nullopt;
  isa::Access access;
  access.operand = isa::Trowprod::kScratch;
  access.write = true;
  access.memory = *memory;
  access.at = call->tmp.at;
  access.bytes = call->tmp.rows * call->tmp.cols * ElementBytes(call->dtype);
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
  return call != nullptr && call->Has(isa::Param::kCount) &&
         (*call)[isa::Param::kCount] > 0;
}

std::int64_t LanesOfType(const isa::Step& step) {
  return std::visit(
      []<class S>(const S& s) -> std::int64_t {
        if constexpr (isa::Intrinsic<S>) return 256 / ElementBytes(s.dtype);
        return 0;
      },
      step);
}

}  // namespace lanediff::oracle
