#include <algorithm>
#include <cstdint>
#include <optional>

#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/min_rules.h"

namespace lanediff::oracle {

using isa::Min;

std::optional<LaneMask> MaskOf(const Min& call, const LaneMask& mask_register) {
  if (call.form == Min::kCount) return LaneMask();
  if (ElementBytes(call.dtype) < 2) return std::nullopt;
  if (!call.is_set_mask) return mask_register;
  if (call.form == Min::kBitwise) {
    return MaskOfWords(call.mask_words[1], call.mask_words[0]);
  }
  const std::int64_t lanes = kIterationBytes / ElementBytes(call.dtype);
  if (call.mask < 0 || call.mask > lanes) return std::nullopt;
  return MaskOfFirst(call.mask);
}

MinListing::MinListing(const Min& call, const LaneMask& mask)
    : element_bytes(ElementBytes(call.dtype)) {
  if (call.form == Min::kCount) {
    const std::int64_t count = std::min(call.count, kFar);
    iterations = count > 0 ? 1 : 0;
    dst = ListContiguous(call.dst.at, element_bytes, count, 0);
    src0 = ListContiguous(call.src0.at, element_bytes, count, 0);
    src1 = ListContiguous(call.src1.at, element_bytes, count, 0);
    return;
  }
  lanes = LanesOf(mask, call.dtype);
  iterations = lanes.empty() ? 0 : NotTooMany(call.repeat_times);
  const auto list = [&](const isa::Operand& operand, std::int64_t blk_stride,
                        std::int64_t rep_stride) {
    return ListLanes({.at = operand.at,
                      .element_bytes = element_bytes,
                      .blk_stride = Near(blk_stride),
                      .rep_stride = Near(rep_stride)},
                     lanes);
  };
  const isa::BinaryRepeatParams& p = call.repeat_params;
  dst = list(call.dst, p.dst_blk_stride, p.dst_rep_stride);
  src0 = list(call.src0, p.src0_blk_stride, p.src0_rep_stride);
  src1 = list(call.src1, p.src1_blk_stride, p.src1_rep_stride);
}

}  // namespace lanediff::oracle
