#include "reports/trace/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "isa/memory_map.h"

namespace lanediff::view {
namespace {

constexpr std::size_t kBlocksOfIteration = 8;

}  // namespace

Lanes LanesOf(const StepFacts& facts, std::string_view operand,
              isa::DType type) {
  const std::int64_t bytes = isa::SizeBytes(type);
  const auto per_block = static_cast<std::size_t>(32 / bytes);
  Lanes lanes{.drawing = std::string(kBlocksOfIteration * per_block, '.')};
  for (const isa::Access& access : facts.accesses) {
    if (access.iteration != 0) break;
    if (access.operand != operand) continue;
    const auto first = static_cast<std::size_t>(access.lane);
    const auto count = static_cast<std::size_t>(access.bytes / bytes);
    if (lanes.drawing.size() < first + count) {
      lanes.drawing.resize(first + count, '.');
    }
    std::fill_n(lanes.drawing.begin() + access.lane, count, '#');
    lanes.taking_part += static_cast<std::int64_t>(count);
  }
  const std::size_t blocks = (lanes.drawing.size() + per_block - 1) / per_block;
  lanes.drawing.resize(blocks * per_block, '.');
  return lanes;
}

bool HasMaskedLane(const StepFacts& facts, std::string_view operand,
                   isa::DType type) {
  return LanesOf(facts, operand, type).drawing.find('.') != std::string::npos;
}

std::string RegisterOrigin(const StepFacts& facts) {
  return "mask from the register, " + facts.before.MaskOrigin();
}

std::string OwnMask(std::int64_t lanes) {
  return fmt::format("mask from the call, the first {} lanes", lanes);
}

std::string OwnMask(const std::array<std::uint64_t, 2>& words) {
  return fmt::format(
      "mask from the call, 0x{:x} for lanes 0-63 and 0x{:x} from 64 on",
      words[0], words[1]);
}

}  // namespace lanediff::view
