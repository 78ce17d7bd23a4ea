#include "tools/bench/judged_calls.h"

#include <cstdint>
#include <utility>

#include "isa/units.h"
#include "tools/bench/calls.h"

namespace lanediff::bench {
namespace {

using isa::DType;
using isa::Operand;
using isa::Position;
using isa::Product;

constexpr auto kProduct = Product::kAtlasInferenceAicore;
constexpr std::int64_t kUbBytes = 262144;
using isa::kDataBlockBytes;

/// From block `at` on, as many blocks; to the end of UB without a number.
Operand Blocks(Position position, std::int64_t at, std::int64_t blocks = -1) {
  return Window(
      position, at * kDataBlockBytes,
      blocks < 0 ? kUbBytes - at * kDataBlockBytes : blocks * kDataBlockBytes);
}

/// Where an operand of a vector call is, in DataBlocks.
struct Place {
  std::int64_t at, blk_stride, rep_stride;
};

/// 16-bit lanes, full mask. Windows go up to `bytes` or to the end of UB.
isa::Min MinOf(std::int64_t repeats, Place dst, Place src0, Place src1,
               std::int64_t blocks = -1) {
  isa::Min call;
  call.dtype = DType::kHalf;
  call.dst = Blocks(Position::kVecout, dst.at, blocks);
  call.src0 = Blocks(Position::kVecin, src0.at, blocks);
  call.src1 = Blocks(Position::kVecin, src1.at, blocks);
  call.form = isa::Min::kContiguous;
  call.mask = 128;
  call.repeat_times = repeats;
  call.repeat_params = {.dst_blk_stride = dst.blk_stride,
                        .src0_blk_stride = src0.blk_stride,
                        .src1_blk_stride = src1.blk_stride,
                        .dst_rep_stride = dst.rep_stride,
                        .src0_rep_stride = src0.rep_stride,
                        .src1_rep_stride = src1.rep_stride};
  return call;
}

/// The three operands one after the other, in windows that just hold them.
isa::Min MinApart(std::int64_t repeats, std::int64_t blk_stride,
                  std::int64_t rep_stride) {
  const std::int64_t blocks = (repeats - 1) * rep_stride + 7 * blk_stride + 1;
  const auto place = [&](std::int64_t n) {
    return Place{n * blocks, blk_stride, rep_stride};
  };
  return MinOf(repeats, place(2), place(0), place(1), blocks);
}

/// 128 halves a repeat; `dst`'s repeat stride is in blocks, too.
isa::RepeatReduceSum SumOf(std::int64_t repeats, Place dst, Place src) {
  isa::RepeatReduceSum call;
  call.dtype = DType::kHalf;
  call.dst = Blocks(Position::kVecout, dst.at);
  call.src = Blocks(Position::kVecin, src.at);
  call.repeat = repeats;
  call.elems_in_one_repeat = 128;
  call.src_blk_stride = src.blk_stride;
  call.dst_rep_stride = dst.rep_stride * kDataBlockBytes / 2;
  call.src_rep_stride = src.rep_stride;
  return call;
}

/// Results side by side behind the source.
isa::RepeatReduceSum SumApart(std::int64_t repeats, std::int64_t blk_stride,
                              std::int64_t rep_stride) {
  const std::int64_t blocks = (repeats - 1) * rep_stride + 7 * blk_stride + 1;
  isa::RepeatReduceSum call =
      SumOf(repeats, {blocks, 1, 1}, {0, blk_stride, rep_stride});
  call.src.bytes = blocks * kDataBlockBytes;
  call.dst_rep_stride = 1;
  return call;
}

/// Blocks of one DataBlock from VECIN to VECCALC.
isa::DataCopy CopyOf(std::int64_t blocks, std::int64_t dst_at,
                     std::int64_t src_gap, std::int64_t dst_gap) {
  isa::DataCopy call;
  call.dtype = DType::kHalf;
  call.src = Blocks(Position::kVecin, 0);
  call.dst = Blocks(Position::kVeccalc, dst_at);
  call.form = isa::DataCopy::kParams;
  call.params = {.block_count = blocks,
                 .block_len = 1,
                 .src_gap = src_gap,
                 .dst_gap = dst_gap};
  return call;
}

isa::DataCopy CopyCount() {
  isa::DataCopy call = CopyOf(0, 4096, 0, 0);
  call.form = isa::DataCopy::kCount;
  call.params = {};
  call.count = 32768;
  call.src.bytes = 65536;
  return call;
}

isa::DataCopy CopyApart() {
  isa::DataCopy call = CopyOf(2047, 4096, 1, 1);
  call.src.bytes = 4096 * kDataBlockBytes;
  return call;
}

/// `dst_at` and strides in blocks of 512 bytes.
isa::VecTrans TransOf(std::int64_t repeats, std::int64_t dst_at,
                      std::int64_t stride) {
  isa::VecTrans call;
  call.dtype = DType::kHalf;
  call.src = Blocks(Position::kUb, 0);
  call.dst = Blocks(Position::kUb, dst_at * 16);
  call.repeat_times = repeats;
  call.dst_rep_stride = stride;
  call.src_rep_stride = stride;
  return call;
}

isa::VecTrans TransApart(std::int64_t repeats) {
  isa::VecTrans call = TransOf(repeats, repeats, 1);
  call.src.bytes = repeats * 512;
  return call;
}

}  // namespace

JudgedCall CallOf(Judged which) {
  switch (which) {
    case Judged::kMinRepeat1:
      return {kProduct, MinApart(1, 1, 8)};
    case Judged::kMinRepeat8:
      return {kProduct, MinApart(8, 1, 8)};
    case Judged::kMinRepeat255:
      return {kProduct, MinApart(255, 1, 8)};
    case Judged::kMinStrided:
      return {kProduct, MinApart(255, 2, 9)};
    case Judged::kMinInterleaved:
      return {kProduct, MinOf(255, {2, 3, 24}, {0, 3, 24}, {1, 3, 24})};
    case Judged::kMinCoprime:
      // Sources in even blocks, dst in odd ones.
      return {kProduct, MinOf(255, {1, 6, 30}, {0, 2, 14}, {2, 4, 26})};
    case Judged::kMinIllegal:
      return {kProduct, MinOf(255, {1, 1, 21}, {0, 1, 13}, {2, 1, 8})};
    case Judged::kSumRepeat1:
      return {kProduct, SumApart(1, 1, 8)};
    case Judged::kSumRepeat8:
      return {kProduct, SumApart(8, 1, 8)};
    case Judged::kSumRepeat255:
      return {kProduct, SumApart(255, 1, 8)};
    case Judged::kSumStrided:
      return {kProduct, SumApart(255, 2, 9)};
    case Judged::kSumInterleaved:
      return {kProduct, SumOf(255, {1, 1, 16}, {0, 2, 16})};
    case Judged::kSumCoprime:
      return {kProduct, SumOf(255, {1, 1, 22}, {0, 2, 14})};
    case Judged::kCopyCount:
      return {kProduct, CopyCount()};
    case Judged::kCopyBlocks:
      return {kProduct, CopyApart()};
    case Judged::kCopyInterleaved:
      return {kProduct, CopyOf(4095, 1, 1, 1)};
    case Judged::kCopyCoprime:
      return {kProduct, CopyOf(1365, 1, 3, 5)};
    case Judged::kTransRepeat8:
      return {kProduct, TransApart(8)};
    case Judged::kTransRepeat255:
      return {kProduct, TransApart(255)};
    case Judged::kTransInterleaved:
      return {kProduct, TransOf(255, 1, 2)};
    case Judged::kProductApart:
      return {Product::kAtlasA2,
              ProductCall(DType::kFloat, 128, 128, isa::Order::kDocumented)};
  }
  std::unreachable();
}

}  // namespace lanediff::bench
