#include "reports/trace/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "isa/memory_map.h"

namespace lanediff::view {
namespace {

/// STATE-MASK-REGISTER: what an executed step does to the register; empty if
/// nothing.
std::string MaskEffect(const isa::Step& step, const isa::StepResult& result) {
  if (std::holds_alternative<isa::SetVectorMask>(step)) return "set by";
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return "";
  if (call->Has(isa::Param::kIsSetMask)) {
    return call->is_set_mask ? "left at its own mask by" : "";
  }
  const bool all =
      result.notes.Contains(call->Rule(isa::CallRule::kClobbersMask));
  return all ? "left all ones by" : "";
}

}  // namespace

void History::Add(std::size_t i, const isa::Step& step,
                  const isa::StepResult& result) {
  const std::string by = fmt::format("step {} {}", i, isa::OpName(step));
  const std::string effect = MaskEffect(step, result);
  if (!effect.empty()) mask_origin_ = effect + " " + by;
  if (const auto* mode = std::get_if<isa::SetSaturation>(&step)) {
    saturation_ = mode->enabled;
    saturation_origin_ = "set by " + by;
  }
}

std::string History::MaskOrigin() const {
  return mask_origin_.empty() ? "all ones from the start" : mask_origin_;
}

std::string History::SaturationOrigin() const {
  return saturation_origin_.empty() ? "from the start" : saturation_origin_;
}

Lanes LanesOf(const StepFacts& facts, std::string_view operand,
              isa::DType type) {
  constexpr std::size_t kBlocksOfIteration = 8;
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

}  // namespace lanediff::view
