#include "emulator/scalar.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "emulator/address.h"
#include "isa/rule.h"

namespace lanediff::emulator {
namespace {

namespace rule = isa::scalar;

isa::RuleSet Broken(const isa::Operand& operand, std::int64_t index,
                    std::int64_t element, const State& state) {
  isa::RuleSet broken;
  broken.AddIf(state.product == isa::Product::kAtlas200_300_500,
               rule::kProduct);
  broken.AddIf(!IsVectorPosition(operand.position), rule::kPosition);
  broken.AddIf(operand.at % element != 0, rule::kAlign);
  broken.AddIf(!InRange(index, 0, 4294967295), rule::kIndex);
  if (!broken.empty()) return broken;
  const Wide begin = Wide{operand.at} + Wide{index} * element;
  broken.AddIf(OutOfBounds(operand, {begin, begin + element},
                           BytesOf(state, isa::Memory::kUb)),
               rule::kBounds);
  return broken;
}

}  // namespace

isa::StepResult GetValue(const isa::GetValue& step, State& state) {
  const isa::RuleSet broken =
      Broken(step.src, step.index, ElementBytes(step.dtype), state);
  if (broken.empty()) state.clocks.EndOfScalar(state.step);
  return isa::StepResult::FromBroken(broken);
}

isa::StepResult SetValue(const isa::SetValue& step, State& state) {
  const std::int64_t element = ElementBytes(step.dtype);
  const isa::RuleSet broken = Broken(step.dst, step.index, element, state);
  if (broken.empty()) {
    std::array<std::uint8_t, sizeof step.value> bytes;
    std::memcpy(bytes.data(), &step.value, bytes.size());
    StoreBytes(state.memories[isa::Memory::kUb],
               step.dst.at + step.index * element,
               std::span(bytes).first(static_cast<std::size_t>(element)));
    state.clocks.EndOfScalar(state.step);
  }
  return isa::StepResult::FromBroken(broken);
}

}  // namespace lanediff::emulator
