#include "oracle/extended.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanediff::oracle {

bool IsTooMuch(std::int64_t times, Address accesses, Address bytes) {
  return times * accesses > kMaxAccesses || times * bytes > kMaxBytes;
}

bool IsTooMuch(std::int64_t iterations,
               const std::vector<LanesOfOperand>& operands) {
  Address accesses = 0;
  Address bytes = 0;
  for (const LanesOfOperand& lanes : operands) {
    accesses += static_cast<Address>(lanes.list.runs.size());
    bytes += lanes.list.BytesOfIteration();
  }
  return iterations > 0 && IsTooMuch(iterations, accesses, bytes);
}

bool SpanIsInMemory(const ByteSpan& span, isa::Memory memory,
                    const isa::Memories& memories) {
  return span.first >= 0 &&
         span.end <= static_cast<Address>(memories[memory].size());
}

std::optional<isa::Memory> HomeOf(const LanesOfOperand& lanes,
                                  std::int64_t iterations,
                                  const isa::Memories& memories) {
  if (iterations <= 0 || !lanes.memory) return std::nullopt;
  const ByteSpan span = SpanOf(lanes.list, iterations);
  if (!SpanIsInMemory(span, *lanes.memory, memories)) return std::nullopt;
  return lanes.memory;
}

Extended CanRun(const std::vector<LanesOfOperand>& operands,
                std::int64_t iterations, const isa::Memories& memories) {
  if (iterations <= 0) return {};
  for (const LanesOfOperand& lanes : operands) {
    if (!lanes.memory || memories[*lanes.memory].empty()) {
      return std::unexpected(lanes.name.no_memory);
    }
    if (!HomeOf(lanes, iterations, memories)) {
      return std::unexpected(lanes.name.outside);
    }
  }
  if (IsTooMuch(iterations, operands)) {
    return std::unexpected(reason::kTooMuch);
  }
  return {};
}

bool BreaksBounds(const isa::Operand& operand,
                  std::optional<isa::Memory> memory,
                  const isa::Memories& memories) {
  return memory && !WindowIsInMemory(operand, *memory, memories);
}

bool BreaksBounds(const isa::Operand& operand, const LanesOfOperand& lanes,
                  std::int64_t iterations, const isa::Memories& memories) {
  if (BreaksBounds(operand, lanes.memory, memories)) return true;
  if (!lanes.memory || iterations <= 0 || lanes.list.runs.empty()) return false;
  // A window has no holes: it holds all bytes if it holds the outermost ones.
  const ByteSpan span = SpanOf(lanes.list, iterations);
  return span.first < operand.at ||
         span.end > Address{operand.at} + operand.bytes;
}

}  // namespace lanediff::oracle
