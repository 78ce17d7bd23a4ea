#ifndef LANEDIFF_ASCENDC_STRUCTS_H
#define LANEDIFF_ASCENDC_STRUCTS_H

#include <cstdint>

#include "lanediff/kernel_number.h"
#include "lanediff_ascendc/types.h"
#include "lanediff_ascendc/words.h"

namespace lanediff::front {

/// What structs of parameters have fields of.
struct Fields {
  using Num = front::Num;
};

}  // namespace lanediff::front

/// Structs of parameters, with the documents' fields, order and defaults.
/// Strides count DataBlocks of 32 bytes unless a field states otherwise.
namespace AscendC {

struct BinaryRepeatParams : lanediff::front::Fields {
  BinaryRepeatParams() = default;
  BinaryRepeatParams(Num dst_blk, Num src0_blk, Num src1_blk, Num dst_rep,
                     Num src0_rep, Num src1_rep)
      : dstBlkStride(dst_blk),
        src0BlkStride(src0_blk),
        src1BlkStride(src1_blk),
        dstRepStride(dst_rep),
        src0RepStride(src0_rep),
        src1RepStride(src1_rep) {}
  Num blockNumber = 8;
  Num dstBlkStride = 1;
  Num src0BlkStride = 1;
  Num src1BlkStride = 1;
  Num dstRepStride = 8;
  Num src0RepStride = 8;
  Num src1RepStride = 8;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

struct UnaryRepeatParams : lanediff::front::Fields {
  UnaryRepeatParams() = default;
  UnaryRepeatParams(Num dst_blk, Num src_blk, Num dst_rep, Num src_rep)
      : dstBlkStride(dst_blk),
        srcBlkStride(src_blk),
        dstRepStride(dst_rep),
        srcRepStride(src_rep) {}
  UnaryRepeatParams(Num dst_blk, Num src_blk, Num dst_rep, Num src_rep,
                    bool half_block)
      : UnaryRepeatParams(dst_blk, src_blk, dst_rep, src_rep) {
    halfBlock = half_block;
  }
  Num blockNumber = 8;
  Num dstBlkStride = 1;
  Num srcBlkStride = 1;
  Num dstRepStride = 8;
  Num srcRepStride = 8;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
  bool halfBlock = false;
};

struct CopyRepeatParams : lanediff::front::Fields {
  CopyRepeatParams() = default;
  CopyRepeatParams(Num dst, Num src, Num dst_repeat, Num src_repeat)
      : dstStride(dst),
        srcStride(src),
        dstRepeatSize(dst_repeat),
        srcRepeatSize(src_repeat) {}
  Num dstStride = 1;
  Num srcStride = 1;
  Num dstRepeatSize = 8;
  Num srcRepeatSize = 8;
};

/// DataCopy: all in DataBlocks. Gaps are called strides in some prints.
/// DataCopyPad: blockLen in bytes, and the stride on the side of GM too.
struct DataCopyParams : lanediff::front::Fields {
  DataCopyParams() = default;
  DataCopyParams(Num count, Num len, Num src, Num dst)
      : blockCount(count), blockLen(len), srcStride(src), dstStride(dst) {}
  Num blockCount = 1;
  Num blockLen = 0;
  union {
    Num srcStride = 0;
    Num srcGap;
  };
  union {
    Num dstStride = 0;
    Num dstGap;
  };
};

/// blockLen in bytes; strides in bytes on the side of GM, else in DataBlocks.
struct DataCopyExtParams : lanediff::front::Fields {
  DataCopyExtParams() = default;
  DataCopyExtParams(Num count, Num len, Num src, Num dst, Num reserved)
      : blockCount(count),
        blockLen(len),
        srcStride(src),
        dstStride(dst),
        rsv(reserved) {}
  Num blockCount = 1;
  Num blockLen = 0;
  Num srcStride = 0;
  Num dstStride = 0;
  Num rsv = 0;
};

/// Paddings in elements.
struct DataCopyPadParams : lanediff::front::Fields {
  DataCopyPadParams() = default;
  DataCopyPadParams(bool pad, Num left, Num right, Num value)
      : isPad(pad),
        leftPadding(left),
        rightPadding(right),
        paddingValue(value) {}
  bool isPad = false;
  Num leftPadding = 0;
  Num rightPadding = 0;
  Num paddingValue = 0;  ///< the element's bits
};

template <typename T>
struct DataCopyPadExtParams : lanediff::front::Fields {
  DataCopyPadExtParams() = default;
  DataCopyPadExtParams(bool pad, Num left, Num right, T value)
      : isPad(pad),
        leftPadding(left),
        rightPadding(right),
        paddingValue(value) {}
  bool isPad = false;
  Num leftPadding = 0;
  Num rightPadding = 0;
  T paddingValue = T(0);
};

struct GatherMaskParams : lanediff::front::Fields {
  GatherMaskParams() = default;
  GatherMaskParams(Num src0_block, Num repeat, Num src0_repeat, Num src1_repeat)
      : src0BlockStride(src0_block),
        repeatTimes(repeat),
        src0RepeatStride(src0_repeat),
        src1RepeatStride(src1_repeat) {}
  Num src0BlockStride = 1;
  Num repeatTimes = 0;
  Num src0RepeatStride = 0;
  Num src1RepeatStride = 0;
};

struct BrcbRepeatParams : lanediff::front::Fields {
  BrcbRepeatParams() = default;
  BrcbRepeatParams(Num dst_blk, Num dst_rep)
      : dstBlkStride(dst_blk), dstRepStride(dst_rep) {}
  Num blockNumber = 8;
  Num dstBlkStride = 1;
  Num dstRepStride = 8;
};

struct GatherRepeatParams : lanediff::front::Fields {
  GatherRepeatParams() = default;
  GatherRepeatParams(Num dst_blk, Num dst_rep)
      : dstBlkStride(dst_blk), dstRepStride(dst_rep) {}
  Num blockNumber = 8;
  Num dstBlkStride = 1;
  Num dstRepStride = 8;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

/// elementLengths: of the four lists; validBit: which take part.
struct MrgSort4Info : lanediff::front::Fields {
  MrgSort4Info() = default;
  MrgSort4Info(const std::uint16_t lengths[4], bool suspend, Num valid,
               Num repeat)
      : ifExhaustedSuspension(suspend), validBit(valid), repeatTimes(repeat) {
    for (int i = 0; i < 4; ++i) elementLengths[i] = lengths[i];
  }
  std::uint16_t elementLengths[4] = {};
  bool ifExhaustedSuspension = false;
  Num validBit = 0;
  Num repeatTimes = 1;
};

struct TransDataTo5HDParams : lanediff::front::Fields {
  TransDataTo5HDParams() = default;
  TransDataTo5HDParams(bool dst_high, bool src_high, Num repeat, Num dst_rep,
                       Num src_rep)
      : dstHighHalf(dst_high),
        srcHighHalf(src_high),
        repeatTimes(repeat),
        dstRepStride(dst_rep),
        srcRepStride(src_rep) {}
  bool dstHighHalf = false;
  bool srcHighHalf = false;
  Num repeatTimes = 1;
  Num dstRepStride = 0;
  Num srcRepStride = 0;
};

struct TransposeParamsExt : lanediff::front::Fields {
  TransposeParamsExt() = default;
  TransposeParamsExt(Num n, Num c, Num h, Num w, TransposeType type)
      : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type) {}
  Num nSize = 0;
  Num cSize = 0;
  Num hSize = 0;
  Num wSize = 0;
  TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_STRUCTS_H
