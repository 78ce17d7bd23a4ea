#include "emulator/carried.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "emulator/address.h"
#include "isa/rule.h"

namespace lanediff::emulator {
namespace {

namespace rule = isa::carried;

bool IsOutOfRange(const isa::Argument& parameter) {
  const auto* const value = std::get_if<std::int64_t>(&parameter.value);
  return value != nullptr && parameter.range &&
         !InRange(*value, parameter.range->low, parameter.range->high);
}

bool HasText(const isa::Carried& call, std::string_view name) {
  const isa::Argument* const one = isa::Find(call.parameters, name);
  return one != nullptr && std::holds_alternative<std::string>(one->value);
}

bool IsResult(isa::OperandName name) {
  return name == isa::OperandName::kDst || name == isa::OperandName::kDst1;
}

std::int64_t AlignOf(std::string_view call, const isa::CarriedOperand& operand,
                     isa::Memory memory) {
  if (operand.align) return *operand.align;
  if (memory == isa::Memory::kGm) return 1;
  if (!IsResult(operand.name)) return 32;
  const isa::DType type = operand.operand.dtype.value_or(isa::DType::kUint8);
  if (call.starts_with("BlockReduce")) {
    return type == isa::DType::kHalf ? 16 : 32;
  }
  if (call.starts_with("Whole") || call.starts_with("Reduce")) {
    return ElementBytes(type);
  }
  return 32;
}

bool IsWindowInside(const isa::Operand& window, std::size_t bytes) {
  return !OutOfBounds(window, {window.at, window.at}, bytes);
}

/// Whether the bytes lie in the operand's window in that memory; in any window
/// without an operand.
bool IsCovered(const isa::Carried& call, const State& state, isa::Memory memory,
               std::int64_t at, std::int64_t bytes,
               std::optional<isa::OperandName> operand) {
  if (bytes == 0) return true;
  return bytes > 0 && std::ranges::any_of(call.operands, [&](const auto& one) {
           const isa::Operand& window = one.operand;
           return (!operand || one.name == *operand) &&
                  MemoryOf(state.product, window.position) == memory &&
                  at >= window.at &&
                  Wide{at} + bytes <= Wide{window.at} + window.bytes;
         });
}

/// The Fixpipe buffer's position is elsewhere no more than a word.
bool HasMemory(isa::Product product, isa::Position position) {
  return position != isa::Position::kC2pipe2gm ||
         product == isa::Product::kAtlasA2 || product == isa::Product::kAtlasA3;
}

bool LeavesBounds(const isa::Carried& call, const State& state) {
  for (const isa::CarriedOperand& one : call.operands) {
    if (!HasMemory(state.product, one.operand.position)) return true;
    const isa::Memory memory = MemoryOf(state.product, one.operand.position);
    if (!IsWindowInside(one.operand, BytesOf(state, memory))) return true;
  }
  for (const isa::CarriedRead& read : call.reads) {
    if (!IsCovered(call, state, read.memory, read.at, read.bytes,
                   read.operand)) {
      return true;
    }
  }
  return !std::ranges::all_of(call.writes, [&](const auto& write) {
    return IsCovered(call, state, write.memory, write.at, write.size(),
                     write.operand);
  });
}

}  // namespace

void SetUp(const isa::Resource& step, State& state) {
  if (step.name == isa::ResourceName::kLaunch ||
      step.name == isa::ResourceName::kBlock) {
    // DC-BARRIER is between the copies of one block.
    state.copies_under_way.clear();
    state.flags.clear();
    state.clocks = {};
    return;
  }
  const bool sets = step.name == isa::ResourceName::kInitSocState ||
                    step.name == isa::ResourceName::kTPipe;
  if (!sets) return;
  state.counter_mode = false;
  const bool has_register = state.product == isa::Product::kAtlasA3 ||
                            state.product == isa::Product::kAtlasA2;
  if (has_register) state.mask_register = LaneMask::First(128);
}

isa::StepResult Replay(const isa::Carried& call, State& state) {
  isa::RuleSet broken;
  broken.AddIf(std::ranges::any_of(call.parameters, IsOutOfRange),
               rule::kRange);
  broken.AddIf(HasText(call, "unlisted product"), rule::kProduct);
  broken.AddIf(HasText(call, "unlisted dtype"), rule::kDtype);
  for (const isa::CarriedOperand& one : call.operands) {
    const isa::Memory memory = MemoryOf(state.product, one.operand.position);
    broken.AddIf(one.operand.at % AlignOf(call.name, one, memory) != 0,
                 rule::kAlign);
  }
  if (broken.empty()) broken.AddIf(LeavesBounds(call, state), rule::kBounds);
  if (broken.empty()) {
    for (const isa::CarriedWrite& write : call.writes) {
      if (write.size() == 0) continue;  // may be anywhere
      const std::span<std::uint8_t> memory = state.memories[write.memory];
      if (write.bytes.empty()) {
        std::ranges::fill(memory.subspan(static_cast<std::size_t>(write.at),
                                         static_cast<std::size_t>(write.count)),
                          std::uint8_t{0});
      } else {
        StoreBytes(memory, write.at, write.bytes);
      }
    }
    const isa::CarriedMask& mask = call.mask;
    if (mask.leaves) {
      state.mask_register = {.low = (*mask.leaves)[0],
                             .high = (*mask.leaves)[1]};
    } else if (mask.leaves_unknown) {
      state.mask_register = LaneMask::First(128);
    }
    if (mask.sets_normal) state.counter_mode = false;
    if (call.pipe == isa::Pipe::kS) state.clocks.EndOfScalar(state.step);
  }
  return isa::StepResult::FromBroken(broken);
}

}  // namespace lanediff::emulator
