#include "isa/min.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "view/instructions.h"
#include "view/lanes.h"

namespace lanediff::view {
namespace {

using isa::Min;

/// Whether an iteration reads a byte that an earlier one wrote. An iteration's
/// reads are listed before its writes.
bool ReadsWhatItWrote(const std::vector<oracle::Access>& accesses) {
  std::vector<bool> written;
  for (const oracle::Access& access : accesses) {
    const auto begin = static_cast<std::size_t>(access.at);
    const auto end = begin + static_cast<std::size_t>(access.bytes);
    if (written.size() < end) written.resize(end);
    for (std::size_t i = begin; i < end; ++i) {
      if (access.write) {
        written[i] = true;
      } else if (written[i]) {
        return true;
      }
    }
  }
  return false;
}

std::string OriginOf(const Min& call, const StepFacts& facts) {
  if (call.form == Min::kCount) {
    return fmt::format("no mask, count is {}", call.count);
  }
  if (!call.is_set_mask) return RegisterOrigin(facts);
  if (call.form == Min::kContiguous) {
    return fmt::format("mask from the call, the first {} lanes", call.mask);
  }
  return fmt::format(
      "mask from the call, 0x{:x} for lanes 0-63 and 0x{:x} from 64 on",
      call.mask_words[0], call.mask_words[1]);
}

}  // namespace

bool Uses(const Min& call, isa::RuleId rule, const StepFacts& facts) {
  namespace rule_of = isa::min;
  if (facts.accesses.empty()) return false;
  const bool masked = call.form != Min::kCount;
  if (rule == rule_of::kMaskLanes) return masked && call.is_set_mask;
  if (rule == rule_of::kUnmasked) {
    return masked && HasMaskedLane(facts, "dst", call.dtype);
  }
  if (rule == rule_of::kInOrder) return ReadsWhatItWrote(facts.accesses);
  return true;
}

Portrait PortraitOf(const Min& call, const StepFacts& facts) {
  Portrait portrait{.masked_operand = "dst",
                    .dtype = call.dtype,
                    .mask_origin = OriginOf(call, facts),
                    .arithmetic = Arithmetic::kLanes};
  if (call.form == Min::kCount) return portrait;
  const isa::BinaryRepeatParams& p = call.repeat_params;
  portrait.lanes = {
      {"src0", call.src0.at, p.src0_blk_stride, p.src0_rep_stride},
      {"src1", call.src1.at, p.src1_blk_stride, p.src1_rep_stride},
      {"dst", call.dst.at, p.dst_blk_stride, p.dst_rep_stride}};
  return portrait;
}

}  // namespace lanediff::view
