#pragma once

#include <cstdint>

#include "isa/min.h"
#include "isa/vocabulary.h"

/// Legal calls of Min on atlas-a2, for tests: dst at UB 0, src0 at 4096, src1
/// at 8192, windows of 4096 bytes, everything contiguous.
namespace lanediff::oracle::test {

/// One iteration over the first `mask` lanes.
inline isa::Min MinMask(std::int64_t mask,
                        isa::DType dtype = isa::DType::kHalf) {
  isa::Min call;
  call.dtype = dtype;
  call.dst.position = isa::Position::kVecout;
  call.dst.bytes = 4096;
  call.src0 = call.src1 = call.dst;
  call.src0.at = 4096;
  call.src1.at = 8192;
  call.form = isa::Min::kContiguous;
  call.mask = mask;
  call.repeat_times = 1;
  call.repeat_params = {1, 1, 1, 8, 8, 8};
  return call;
}

/// One iteration over lanes bit by bit: `low` is mask[0], `high` mask[1].
inline isa::Min MinBits(std::uint64_t low, std::uint64_t high,
                        isa::DType dtype = isa::DType::kHalf) {
  isa::Min call = MinMask(0, dtype);
  call.form = isa::Min::kBitwise;
  call.mask_words = {low, high};
  return call;
}

/// The first `count` elements.
inline isa::Min MinCount(std::int64_t count,
                         isa::DType dtype = isa::DType::kHalf) {
  isa::Min call = MinMask(0, dtype);
  call.form = isa::Min::kCount;
  call.count = count;
  call.repeat_times = 0;
  call.repeat_params = {};
  return call;
}

}  // namespace lanediff::oracle::test
