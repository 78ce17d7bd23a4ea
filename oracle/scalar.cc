#include <cstdint>
#include <expected>
#include <optional>

#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/state.h"
#include "oracle/steps.h"
#include "oracle/vector_rules.h"

namespace lanediff::oracle {
namespace {

using isa::RuleSet;
namespace scalar = isa::scalar;

/// One call of either: an element of `operand`, and what is written to it.
struct ElementCall {
  const OperandName& name;
  isa::DType dtype;
  const isa::Operand& operand;
  std::int64_t index;
  std::optional<std::uint64_t> value;  ///< nothing: it is read

  std::int64_t ElementBytes() const { return oracle::ElementBytes(dtype); }
  Address ElementAt() const {
    return operand.at + Address{index} * ElementBytes();
  }
  bool ElementIsInWindow() const {
    return RunIsInWindow(operand, ElementAt(), ElementBytes());
  }
};

ElementCall CallOf(const isa::GetValue& call) {
  return {kSrc, call.dtype, call.src, call.index, std::nullopt};
}
ElementCall CallOf(const isa::SetValue& call) {
  return {kDst, call.dtype, call.dst, call.index, call.value};
}

RuleSet ParameterRules(const ElementCall& call, isa::Product product) {
  RuleSet broken;
  broken.AddIf(product == isa::Product::kAtlas200_300_500, scalar::kProduct);
  broken.AddIf(!IsAtVectorPosition(call.operand), scalar::kPosition);
  broken.AddIf(call.operand.at % call.ElementBytes() != 0, scalar::kAlign);
  broken.AddIf(!IsWithin(call.index, 0, 0xffffffff), scalar::kIndex);
  return broken;
}

void Touch(const ElementCall& call, isa::Memory memory, Oracle::State& state) {
  const Address at = call.ElementAt();
  state.accesses.push_back({.operand = call.name.name,
                            .write = call.value.has_value(),
                            .memory = memory,
                            .at = static_cast<std::int64_t>(at),
                            .bytes = call.ElementBytes(),
                            .dtype = call.dtype,
                            .iteration = 0,
                            .lane = call.index});
  if (call.value && state.computing) {
    Store(state.memories[memory], at, call.ElementBytes(), *call.value);
  }
}

isa::StepResult RunCall(const ElementCall& call, Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  // Stage 1 lets only operands in UB through.
  const isa::Memory memory =
      MemoryOf(state.product, call.operand.position).value();
  broken.AddIf(!WindowIsInMemory(call.operand, memory, state.memories) ||
                   !call.ElementIsInWindow(),
               scalar::kBounds);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  Touch(call, memory, state);
  return {};
}

RuleSet CallBrokenAnywhere(const ElementCall& call,
                           const Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  const auto memory = MemoryOf(state.product, call.operand.position);
  broken.AddIf(memory && (BreaksBounds(call.operand, memory, state.memories) ||
                          !call.ElementIsInWindow()),
               scalar::kBounds);
  return broken;
}

Extended RunCallExtended(const ElementCall& call, Oracle::State& state) {
  const auto memory = MemoryOf(state.product, call.operand.position);
  if (!memory || state.memories[*memory].empty()) {
    return std::unexpected(call.name.no_memory);
  }
  const Address at = call.ElementAt();
  if (!SpanIsInMemory({.first = at, .end = at + call.ElementBytes()}, *memory,
                      state.memories)) {
    return std::unexpected(call.name.outside);
  }
  Touch(call, *memory, state);
  return {};
}

}  // namespace

template <>
isa::StepResult Run(const isa::GetValue& call, Oracle::State& state) {
  return RunCall(CallOf(call), state);
}
template <>
isa::StepResult Run(const isa::SetValue& call, Oracle::State& state) {
  return RunCall(CallOf(call), state);
}

template <>
RuleSet BrokenAnywhere(const isa::GetValue& call, const Oracle::State& state) {
  return CallBrokenAnywhere(CallOf(call), state);
}
template <>
RuleSet BrokenAnywhere(const isa::SetValue& call, const Oracle::State& state) {
  return CallBrokenAnywhere(CallOf(call), state);
}

template <>
Extended RunExtended(const isa::GetValue& call, Oracle::State& state) {
  return RunCallExtended(CallOf(call), state);
}
template <>
Extended RunExtended(const isa::SetValue& call, Oracle::State& state) {
  return RunCallExtended(CallOf(call), state);
}

}  // namespace lanediff::oracle
