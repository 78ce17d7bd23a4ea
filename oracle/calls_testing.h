#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/call.h"
#include "isa/operand.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/call_operations.h"

/// Legal calls on atlas-a2, for tests.
namespace lanediff::oracle::test {

inline isa::Operand Window(isa::Position position, std::int64_t at,
                           std::int64_t bytes) {
  return {.position = position, .at = at, .bytes = bytes, .dtype = {}};
}

/// Of a copy in blocks: their number, their length, and the gaps of src and
/// dst.
inline void SetBlocks(isa::Call& call,
                      const std::array<std::int64_t, 4>& blocks) {
  std::ranges::copy(blocks, &call[isa::Param::kBlockCount]);
}

/// One block of one unit from byte 512 to byte 0, with windows of 512 bytes.
inline isa::Call Copy(isa::Position src, isa::Position dst,
                      isa::DType dtype = isa::DType::kHalf) {
  isa::Call call = isa::CallOf("DataCopy");
  call.dtype = dtype;
  call.dst() = Window(dst, 0, 512);
  call.src(0) = Window(src, 512, 512);
  call.form = call.signature->FormWith(isa::Param::kBlockCount);
  SetBlocks(call, {1, 1, 0, 0});
  return call;
}

/// The same in the form with `count`.
inline isa::Call CopyCount(isa::Position src, isa::Position dst,
                           std::int64_t count,
                           isa::DType dtype = isa::DType::kHalf) {
  isa::Call call = Copy(src, dst, dtype);
  call.form = call.signature->FormWith(isa::Param::kCount);
  call.params = {};
  call[isa::Param::kCount] = count;
  return call;
}

/// Half to float from C1 to C2.
inline isa::Call Widening() {
  isa::Call call = Copy(isa::Position::kC1, isa::Position::kC2);
  call.dst().dtype = isa::DType::kFloat;
  return call;
}

/// Two valid rows of `columns` in tiles of 4 × 16 for src (at 4096) and tmp (at
/// 8192); dst at 0 is one column of 16.
inline isa::Call RowProduct(std::int64_t columns,
                            isa::DType dtype = isa::DType::kHalf) {
  isa::Call call = isa::CallOf("TROWPROD");
  call.dtype = dtype;
  auto& [dst, src, tmp] = call.tiles;
  src = {.at = 4096,
         .rows = 4,
         .cols = 16,
         .valid_row = 2,
         .valid_col = columns,
         .layout = isa::Layout::kNd,
         .dtype = {}};
  tmp = src;
  tmp.at = 8192;
  dst = {.at = 0,
         .rows = 16,
         .cols = 1,
         .valid_row = 2,
         .valid_col = 1,
         .layout = isa::Layout::kDn,
         .dtype = {}};
  return call;
}

/// Matrices from 8192 to 0, in windows of 4096 bytes.
inline isa::Call Transpose(std::int64_t repeat, std::int64_t dst_stride = 1,
                           std::int64_t src_stride = 1) {
  isa::Call call = isa::CallOf("vec_trans");
  call.dst() = Window(isa::Position::kUb, 0, 4096);
  call.src(0) = Window(isa::Position::kUb, 8192, 4096);
  call[isa::Param::kRepeatTimes] = repeat;
  call[isa::Param::kDstRepStride] = dst_stride;
  call[isa::Param::kSrc0RepStride] = src_stride;
  return call;
}

/// From 8192 to 0, in windows of 4096 bytes.
inline isa::Call Broadcast(std::int64_t repeat, std::int64_t blk_stride = 1,
                           std::int64_t rep_stride = 8) {
  isa::Call call = isa::CallOf("Brcb");
  call.dst() = Window(isa::Position::kVecout, 0, 4096);
  call.src(0) = Window(isa::Position::kVecin, 8192, 4096);
  call[isa::Param::kRepeatTimes] = repeat;
  call.BlkStride(0) = blk_stride;
  call.RepStride(0) = rep_stride;
  return call;
}

// ---- Lane-wise calls and reductions -----------------------------------------

/// All lane-wise ones but comparisons, by the documents' names.
inline std::vector<std::string_view> LanewiseOps() {
  std::vector<std::string_view> ops;
  for (const isa::Signature& row : isa::kLanewiseRows) {
    if (!row.PacksBits()) ops.push_back(row.op);
  }
  return ops;
}
/// Names a test after its call.
inline std::string NameOfOp(
    const testing::TestParamInfo<std::string_view>& info) {
  return std::string(info.param);
}

/// The same strides for all operands.
inline void SetStrides(isa::Call& call, std::int64_t blk, std::int64_t rep) {
  const std::size_t size = call.used_operands().size();
  std::fill_n(&call[isa::Param::kDstBlkStride], size, blk);
  std::fill_n(&call[isa::Param::kDstRepStride], size, rep);
}

// Legal calls on atlas-a2: dst at UB 0, the sources at 4096, 8192 …, windows of
// 4096 bytes, everything contiguous. Without a type they have the first one;
// a conversion is one to float.

/// One iteration over the first `mask` lanes.
inline isa::Call MaskCall(std::string_view op, std::int64_t mask,
                          std::optional<isa::DType> dtype = {}) {
  isa::Call call = isa::CallOf(op);
  call.dtype = dtype.value_or(OperationOf(call).limits.types.front().type);
  call.form = call.signature->FormWith(isa::Param::kMask);
  std::int64_t at = 0;
  for (isa::Operand& operand : call.used_operands()) {
    operand = Window(at == 0 ? isa::Position::kVecout : isa::Position::kVecin,
                     at, 4096);
    at += 4096;
  }
  if (call.Has(isa::Param::kRoundMode)) {
    call.dst().dtype = isa::DType::kFloat;
  } else if (call.signature->Converts()) {
    call.dst().dtype = call.dtype == isa::DType::kFloat ? isa::DType::kHalf
                                                        : isa::DType::kInt8;
  }
  if (call.signature->PacksBits()) call.dst().dtype = isa::DType::kUint8;
  call[isa::Param::kMask] = mask;
  call[isa::Param::kRepeatTimes] = 1;
  SetStrides(call, 1, 8);
  return call;
}

/// One iteration over lanes bit by bit: `low` is mask[0], `high` mask[1].
inline isa::Call BitsCall(std::string_view op, std::uint64_t low,
                          std::uint64_t high,
                          std::optional<isa::DType> dtype = {}) {
  isa::Call call = MaskCall(op, 0, dtype);
  call.form = call.signature->FormWith(isa::Param::kMaskWords);
  call.mask_words = {low, high};
  return call;
}

/// The first `count` elements.
inline isa::Call CountCall(std::string_view op, std::int64_t count,
                           std::optional<isa::DType> dtype = {}) {
  isa::Call call = MaskCall(op, 0, dtype);
  call.form = isa::kCountForm;
  call.params = {};
  call[isa::Param::kCount] = count;
  return call;
}

/// A reduction: one iteration over the first `lanes` lanes of half from UB 1024
/// to UB 0, all contiguous, with windows that leave space for more.
inline isa::Call SumCall(std::int64_t lanes,
                         std::string_view op = "RepeatReduceSum") {
  isa::Call call = MaskCall(op, lanes);
  call.dst() = Window(isa::Position::kVecout, 0, 1024);
  call.src(0) = Window(isa::Position::kVecin, 1024, 4096);
  call[isa::Param::kDstBlkStride] = 0;
  call[isa::Param::kDstRepStride] = 1;
  return call;
}

}  // namespace lanediff::oracle::test
