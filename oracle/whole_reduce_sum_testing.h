#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "isa/whole_reduce_sum.h"
#include "oracle/testing.h"

/// Legal calls of WholeReduceSum on atlas-a2, for tests: one iteration from UB
/// 1024 to UB 0, all contiguous, with windows that leave space for more.
namespace lanediff::oracle::test {

/// Over the first `mask` lanes.
inline isa::WholeReduceSum WholeSum(std::int64_t mask,
                                    isa::DType dtype = isa::DType::kHalf) {
  isa::WholeReduceSum call;
  call.dtype = dtype;
  call.dst.position = isa::Position::kVecout;
  call.dst.bytes = 1024;
  call.src.position = isa::Position::kVecin;
  call.src.at = 1024;
  call.src.bytes = 4096;
  call.form = isa::WholeReduceSum::kContiguous;
  call.mask = mask;
  call.repeat_times = 1;
  call.dst_rep_stride = 1;
  call.src_blk_stride = 1;
  call.src_rep_stride = 8;
  return call;
}

/// Over lanes bit by bit: `low` is mask[0], `high` mask[1].
inline isa::WholeReduceSum WholeSumBits(std::uint64_t low, std::uint64_t high,
                                        isa::DType dtype = isa::DType::kHalf) {
  isa::WholeReduceSum call = WholeSum(0, dtype);
  call.form = isa::WholeReduceSum::kBitwise;
  call.mask_words = {low, high};
  return call;
}

/// What one iteration of `call` over `lanes` writes.
inline std::uint64_t SumOf(const isa::WholeReduceSum& call,
                           const std::vector<std::uint64_t>& lanes,
                           bool saturation = true) {
  Machine m;
  m.Put(call.dtype, call.src.at, lanes);
  m.Execute(isa::SetSaturation{.enabled = saturation});
  EXPECT_TRUE(m.Executes(call));
  return m.Get(call.dtype, call.dst.at, 1).front();
}
inline std::uint64_t Sum(const std::vector<std::uint64_t>& lanes,
                         bool saturation = true,
                         isa::DType dtype = isa::DType::kHalf) {
  return SumOf(WholeSum(static_cast<std::int64_t>(lanes.size()), dtype), lanes,
               saturation);
}
inline std::uint64_t SumBits(std::uint64_t low,
                             const std::vector<std::uint64_t>& lanes,
                             bool saturation = true) {
  return SumOf(WholeSumBits(low, 0), lanes, saturation);
}

}  // namespace lanediff::oracle::test
