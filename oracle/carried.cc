#include "isa/carried.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/state.h"
#include "oracle/steps.h"

namespace lanediff::oracle {
namespace {

using isa::Memory;
using isa::RuleSet;
namespace carried = isa::carried;

/// KRN-RANGE of one parameter.
bool KeepsRange(const isa::Argument& parameter) {
  if (!parameter.range) return true;
  if (!std::holds_alternative<std::int64_t>(parameter.value)) return true;
  const std::int64_t value = std::get<std::int64_t>(parameter.value);
  return parameter.range->low <= value && value <= parameter.range->high;
}

bool IsResult(const isa::CarriedOperand& operand) {
  return operand.name == isa::OperandName::kDst ||
         operand.name == isa::OperandName::kDst1;
}

/// KRN-ALIGN: what the start of a window must be a multiple of.
std::int64_t AlignmentOf(const isa::Carried& call,
                         const isa::CarriedOperand& operand,
                         std::optional<Memory> memory) {
  if (operand.align) return *operand.align;
  if (memory == Memory::kGm) return 1;
  const std::string_view name = call.name;
  const bool reduces = name.starts_with("Whole") || name.starts_with("Reduce");
  if (IsResult(operand) && reduces) {
    return operand.operand.dtype ? ElementBytes(*operand.operand.dtype) : 1;
  }
  if (IsResult(operand) && name.starts_with("BlockReduce") &&
      operand.operand.dtype == isa::DType::kHalf) {
    return 16;
  }
  return 32;
}

RuleSet ParameterRules(const isa::Carried& call, isa::Product product) {
  RuleSet broken;
  for (const isa::Argument& parameter : call.parameters) {
    if (!std::holds_alternative<std::string>(parameter.value)) continue;
    broken.AddIf(parameter.name == "unlisted product", carried::kProduct);
    broken.AddIf(parameter.name == "unlisted dtype", carried::kDtype);
  }
  for (const isa::Argument& parameter : call.parameters) {
    broken.AddIf(!KeepsRange(parameter), carried::kRange);
  }
  for (const isa::CarriedOperand& operand : call.operands) {
    const auto memory = MemoryOf(product, operand.operand.position);
    broken.AddIf(operand.operand.at % AlignmentOf(call, operand, memory) != 0,
                 carried::kAlign);
  }
  return broken;
}

/// Bytes that the call touches, and whose they are, if stated.
struct Span {
  Memory memory;
  std::int64_t at;
  std::int64_t bytes;
  bool write;
  std::optional<isa::OperandName> operand;
};

Span SpanOf(const isa::CarriedRead& read) {
  return {read.memory, read.at, read.bytes, false, read.operand};
}
Span SpanOf(const isa::CarriedWrite& write) {
  return {write.memory, write.at, write.size(), true, write.operand};
}

/// The operand in whose window the bytes lie. Where the call doesn't state
/// whose they are: results first for what is written, the others first for what
/// is read. Null if there is none.
const isa::CarriedOperand* OwnerOf(const isa::Carried& call,
                                   isa::Product product, const Span& span) {
  const isa::CarriedOperand* second = nullptr;
  for (const isa::CarriedOperand& operand : call.operands) {
    if (span.operand && operand.name != *span.operand) continue;
    if (MemoryOf(product, operand.operand.position) != span.memory) continue;
    if (!RunIsInWindow(operand.operand, span.at, span.bytes)) continue;
    if (IsResult(operand) == span.write) return &operand;
    if (second == nullptr) second = &operand;
  }
  return second;
}

/// KRN-BOUNDS.
bool KeepsBounds(const isa::Carried& call, const Oracle::State& state) {
  for (const isa::CarriedOperand& operand : call.operands) {
    const auto memory = MemoryOf(state.product, operand.operand.position);
    if (!memory ||
        !WindowIsInMemory(operand.operand, *memory, state.memories)) {
      return false;
    }
  }
  const auto is_owned = [&](const Span& span) {
    return span.bytes == 0 ||
           (span.bytes > 0 && OwnerOf(call, state.product, span) != nullptr);
  };
  for (const isa::CarriedRead& read : call.reads) {
    if (!is_owned(SpanOf(read))) return false;
  }
  for (const isa::CarriedWrite& write : call.writes) {
    if (!is_owned(SpanOf(write))) return false;
  }
  return true;
}

void Note(const isa::Carried& call, const Span& span, std::int64_t iteration,
          Oracle::State& state) {
  if (span.bytes == 0) return;
  const auto* const owner = OwnerOf(call, state.product, span);
  isa::Access access;
  access.operand = isa::Name(span.operand       ? *span.operand
                             : owner != nullptr ? owner->name
                             : span.write       ? isa::OperandName::kDst
                                                : isa::OperandName::kSrc);
  access.write = span.write;
  access.memory = span.memory;
  access.at = span.at;
  access.bytes = span.bytes;
  access.dtype = owner != nullptr
                     ? owner->operand.dtype.value_or(isa::DType::kUint8)
                     : isa::DType::kUint8;
  access.iteration = iteration;
  // Elements are counted through an iteration.
  for (auto last = state.accesses.rbegin();
       last != state.accesses.rend() && last->iteration == iteration; ++last) {
    if (last->operand != access.operand || last->write != span.write) continue;
    access.lane = last->lane + last->bytes / ElementBytes(last->dtype);
    break;
  }
  state.accesses.push_back(access);
}

/// Reads before writes in each iteration, iterations as they stand.
void Touch(const isa::Carried& call, Oracle::State& state) {
  std::size_t written = 0;
  const auto write_until = [&](std::optional<std::int64_t> iteration) {
    for (; written < call.writes.size(); ++written) {
      const isa::CarriedWrite& write = call.writes[written];
      if (iteration && write.iteration >= *iteration) return;
      Note(call, SpanOf(write), write.iteration, state);
      if (!state.computing) continue;
      for (std::int64_t i = 0; i < write.size(); ++i) {
        const bool known = !write.bytes.empty();
        Store(state.memories[write.memory], Address{write.at} + i, 1,
              known ? write.bytes[static_cast<std::size_t>(i)] : 0);
      }
    }
  };
  for (const isa::CarriedRead& read : call.reads) {
    write_until(read.iteration);
    Note(call, SpanOf(read), read.iteration, state);
  }
  write_until(std::nullopt);
  if (call.mask.sets_normal) state.counter_mode = false;
  if (call.mask.leaves_unknown) state.mask_register = LaneMask().set();
  if (!call.mask.leaves) return;
  for (std::size_t lane = 0; lane < 128; ++lane) {
    const std::uint64_t word = (*call.mask.leaves)[lane / 64];
    state.mask_register.set(lane, (word >> (lane % 64) & 1) != 0);
  }
}

}  // namespace

/// TPipe's constructor and InitSocState set the mask's mode to normal, and on
/// atlas-a2 and atlas-a3 the register to all ones. Launch and Block begin with
/// no copy and no flag under way: *-BARRIER is between the copies of one
/// block. Nothing else does anything.
template <>
isa::StepResult Run(const isa::Resource& step, Oracle::State& state) {
  using enum isa::ResourceName;
  if (step.name == kLaunch || step.name == kBlock) {
    state.copies = CopiesUnderWay(state.product);
  } else if (step.name == kTPipe || step.name == kInitSocState) {
    state.counter_mode = false;
    if (state.product == isa::Product::kAtlasA2 ||
        state.product == isa::Product::kAtlasA3) {
      state.mask_register = LaneMask().set();
    }
  }
  return {};
}

template <>
isa::StepResult Run(const isa::Carried& call, Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  if (broken.empty()) {
    broken.AddIf(!KeepsBounds(call, state), carried::kBounds);
  }
  if (broken.empty()) Touch(call, state);
  return isa::StepResult::FromBroken(broken);
}

template <>
RuleSet BrokenAnywhere(const isa::Carried& call, const Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  broken.AddIf(!KeepsBounds(call, state), carried::kBounds);
  return broken;
}

template <>
Extended RunExtended(const isa::Carried& call, Oracle::State& state) {
  const auto is_inside = [&](Memory memory, Address at, std::int64_t bytes) {
    return bytes >= 0 && SpanIsInMemory({.first = at, .end = at + bytes},
                                        memory, state.memories);
  };
  for (const isa::CarriedRead& read : call.reads) {
    if (!is_inside(read.memory, read.at, read.bytes)) {
      return std::unexpected(kSrc.outside);
    }
  }
  for (const isa::CarriedWrite& write : call.writes) {
    if (!is_inside(write.memory, write.at, write.size())) {
      return std::unexpected(kDst.outside);
    }
  }
  Touch(call, state);
  return {};
}

}  // namespace lanediff::oracle
