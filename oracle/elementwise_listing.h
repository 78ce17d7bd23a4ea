#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/elementwise.h"
#include "isa/vocabulary.h"
#include "oracle/lane_list.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/vector_lanes.h"
#include "oracle/vector_rules.h"

/// What an element-wise call reads and writes.
namespace lanediff::oracle {

/// The mask with which a call runs; of the count form none is used.
template <class Tag>
std::optional<LaneMask> MaskOf(const isa::ElementwiseCall<Tag>& call,
                               const LaneMask& mask_register) {
  if (call.form == call.kCount) return LaneMask();
  return MaskOf(MaskArgumentOf(call), call.dtype, mask_register);
}

/// *-ADDRESS, *-MASK-LANES. The count form is one iteration of as many lanes as
/// there are elements, contiguous.
struct ElementwiseListing {
  template <class Tag>
  ElementwiseListing(const isa::ElementwiseCall<Tag>& call,
                     const LaneMask& mask)
      : element_bytes(ElementBytes(call.dtype)) {
    if (call.form == call.kCount) {
      const std::int64_t count = std::min(call.count, kFar);
      iterations = count > 0 ? 1 : 0;
      dst = ListContiguous(call.dst.at, element_bytes, count, 0);
      src0 = ListContiguous(call.src0.at, element_bytes, count, 0);
      src1 = ListContiguous(call.src1.at, element_bytes, count, 0);
      return;
    }
    lanes = LanesOf(mask, call.dtype);
    iterations = lanes.empty() ? 0 : NotTooMany(call.repeat_times);
    const isa::BinaryRepeatParams& p = call.repeat_params;
    dst = List(call.dst.at, p.dst_blk_stride, p.dst_rep_stride);
    src0 = List(call.src0.at, p.src0_blk_stride, p.src0_rep_stride);
    src1 = List(call.src1.at, p.src1_blk_stride, p.src1_rep_stride);
  }

  std::int64_t element_bytes;
  std::int64_t iterations = 0;
  std::vector<std::int64_t> lanes;  ///< of the masked forms, ascending
  LaneList dst, src0, src1;

 private:
  LaneList List(std::int64_t at, std::int64_t blk_stride,
                std::int64_t rep_stride) const {
    return ListLanes({.at = at,
                      .element_bytes = element_bytes,
                      .blk_stride = Near(blk_stride),
                      .rep_stride = Near(rep_stride)},
                     lanes);
  }
};

/// The memories of the operands; nothing where there is none. As an operand's
/// home, the one that holds all its lanes.
struct ElementwiseMemories {
  std::optional<isa::Memory> dst, src0, src1;
};

/// The memories behind the positions of a call's operands.
template <class Tag>
ElementwiseMemories MemoriesOf(const isa::ElementwiseCall<Tag>& call,
                               isa::Product product) {
  return {.dst = MemoryOf(product, call.dst.position),
          .src0 = MemoryOf(product, call.src0.position),
          .src1 = MemoryOf(product, call.src1.position)};
}

}  // namespace lanediff::oracle
