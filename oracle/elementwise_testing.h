#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "isa/elementwise.h"
#include "isa/elementwise_calls.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// For tests of the element-wise calls, most of which hold for all of them.
namespace lanediff::oracle::test {

using ElementwiseCalls = isa::ElementwiseCalls<testing::Types>;

/// What the call makes of two integers, where that is one of the type.
template <isa::Elementwise Call>
std::int64_t Combined(std::int64_t left, std::int64_t right) {
  if constexpr (std::same_as<Call, isa::Min>) return std::min(left, right);
  if constexpr (std::same_as<Call, isa::Max>) return std::max(left, right);
  if constexpr (std::same_as<Call, isa::Add>) return left + right;
  if constexpr (std::same_as<Call, isa::Sub>) return left - right;
  if constexpr (std::same_as<Call, isa::Mul>) return left * right;
}

// Legal calls on atlas-a2: dst at UB 0, src0 at 4096, src1 at 8192, windows of
// 4096 bytes, everything contiguous.

/// One iteration over the first `mask` lanes.
template <isa::Elementwise Call>
Call MaskCall(std::int64_t mask, isa::DType dtype = isa::DType::kHalf) {
  Call call;
  call.dtype = dtype;
  call.dst.position = isa::Position::kVecout;
  call.dst.bytes = 4096;
  call.src0 = call.src1 = call.dst;
  call.src0.at = 4096;
  call.src1.at = 8192;
  call.form = Call::kContiguous;
  call.mask = mask;
  call.repeat_times = 1;
  call.repeat_params = {1, 1, 1, 8, 8, 8};
  return call;
}

/// One iteration over lanes bit by bit: `low` is mask[0], `high` mask[1].
template <isa::Elementwise Call>
Call BitsCall(std::uint64_t low, std::uint64_t high,
              isa::DType dtype = isa::DType::kHalf) {
  Call call = MaskCall<Call>(0, dtype);
  call.form = Call::kBitwise;
  call.mask_words = {low, high};
  return call;
}

/// The first `count` elements.
template <isa::Elementwise Call>
Call CountCall(std::int64_t count, isa::DType dtype = isa::DType::kHalf) {
  Call call = MaskCall<Call>(0, dtype);
  call.form = Call::kCount;
  call.count = count;
  call.repeat_times = 0;
  call.repeat_params = {};
  return call;
}

}  // namespace lanediff::oracle::test
