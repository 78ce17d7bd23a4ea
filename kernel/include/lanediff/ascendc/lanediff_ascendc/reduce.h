#ifndef LANEDIFF_ASCENDC_REDUCE_H
#define LANEDIFF_ASCENDC_REDUCE_H

#include "lanediff_ascendc/call.h"

/// Reductions: of an iteration, of its DataBlocks, of neighbours, of a tensor.
namespace AscendC {

/// One element an iteration; dstRepStride counts elements.
template <typename T, bool isSetMask = true>
void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                     lanediff::front::Num repeat,
                     lanediff::front::Num elemsInOneRepeat,
                     lanediff::front::Num dstBlkStride,
                     lanediff::front::Num srcBlkStride,
                     lanediff::front::Num dstRepStride,
                     lanediff::front::Num srcRepStride, LANEDIFF_SITE) {
  lanediff::front::Call("RepeatReduceSum", lanediff_site_)
      .Operand("dst", dst)
      .Operand("src", src)
      .Masked(elemsInOneRepeat, isSetMask)
      .Number("repeat", repeat)
      .Number("elemsInOneRepeat", elemsInOneRepeat)
      .Number("dstBlkStride", dstBlkStride)
      .Number("srcBlkStride", srcBlkStride)
      .Number("dstRepStride", dstRepStride)
      .Number("srcRepStride", srcRepStride)
      .Execute();
}

}  // namespace AscendC

namespace lanediff::front {

template <typename T, typename U>
Call Reduction(const char* name, const AscendC::LocalTensor<T>& dst,
               const AscendC::LocalTensor<U>& src, const Mask& mask,
               bool is_set_mask, Num repeat, Num dst_rep, Num src_blk,
               Num src_rep, lanediff_site site) {
  Call call(name, site);
  call.Operand("dst", dst)
      .Operand("src", src)
      .Masked(mask, is_set_mask)
      .Number("repeatTime", repeat)
      .Number("dstRepStride", dst_rep)
      .Number("srcBlkStride", src_blk)
      .Number("srcRepStride", src_rep);
  return call;
}

}  // namespace lanediff::front

namespace AscendC {

template <typename T, bool isSetMask = true>
void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    const lanediff::front::Mask& mask,
                    lanediff::front::Num repeatTime,
                    lanediff::front::Num dstRepStride,
                    lanediff::front::Num srcBlkStride,
                    lanediff::front::Num srcRepStride, LANEDIFF_SITE) {
  lanediff::front::Reduction("WholeReduceSum", dst, src, mask, isSetMask,
                             repeatTime, dstRepStride, srcBlkStride,
                             srcRepStride, lanediff_site_)
      .Execute();
}

#define LANEDIFF_WHOLE_REDUCE(NAME)                                          \
  template <typename T, bool isSetMask = true>                               \
  void NAME(                                                                 \
      const LocalTensor<T>& dst, const LocalTensor<T>& src,                  \
      const lanediff::front::Mask& mask, lanediff::front::Num repeatTime,    \
      lanediff::front::Num dstRepStride, lanediff::front::Num srcBlkStride,  \
      lanediff::front::Num srcRepStride,                                     \
      ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, LANEDIFF_SITE) {   \
    lanediff::front::Reduction(#NAME, dst, src, mask, isSetMask, repeatTime, \
                               dstRepStride, srcBlkStride, srcRepStride,     \
                               lanediff_site_)                               \
        .Word("order", order)                                                \
        .Execute();                                                          \
  }
LANEDIFF_WHOLE_REDUCE(WholeReduceMax)
LANEDIFF_WHOLE_REDUCE(WholeReduceMin)
#undef LANEDIFF_WHOLE_REDUCE

// The repeat comes before the mask.
#define LANEDIFF_BLOCK_REDUCE(NAME)                                          \
  template <typename T, bool isSetMask = true>                               \
  void NAME(                                                                 \
      const LocalTensor<T>& dst, const LocalTensor<T>& src,                  \
      lanediff::front::Num repeatTime, const lanediff::front::Mask& mask,    \
      lanediff::front::Num dstRepStride, lanediff::front::Num srcBlkStride,  \
      lanediff::front::Num srcRepStride, LANEDIFF_SITE) {                    \
    lanediff::front::Reduction(#NAME, dst, src, mask, isSetMask, repeatTime, \
                               dstRepStride, srcBlkStride, srcRepStride,     \
                               lanediff_site_)                               \
        .Execute();                                                          \
  }
LANEDIFF_BLOCK_REDUCE(BlockReduceSum)
LANEDIFF_BLOCK_REDUCE(BlockReduceMax)
LANEDIFF_BLOCK_REDUCE(BlockReduceMin)
LANEDIFF_BLOCK_REDUCE(PairReduceSum)
#undef LANEDIFF_BLOCK_REDUCE

/// The newer name of WholeReduceSum, WholeReduceMax, WholeReduceMin.
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                  const lanediff::front::Mask& mask,
                  lanediff::front::Num repeatTime,
                  lanediff::front::Num dstRepStride,
                  lanediff::front::Num srcBlkStride,
                  lanediff::front::Num srcRepStride,
                  ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX,
                  LANEDIFF_SITE) {
  auto call = lanediff::front::Reduction(
      reduceType == ReduceType::SUM   ? "WholeReduceSum"
      : reduceType == ReduceType::MAX ? "WholeReduceMax"
                                      : "WholeReduceMin",
      dst, src, mask, isSetMask, repeatTime, dstRepStride, srcBlkStride,
      srcRepStride, lanediff_site_);
  if (reduceType != ReduceType::SUM) call.Word("order", order);
  call.Execute();
}

#define LANEDIFF_REDUCE_BY_TYPE(NAME)                                        \
  template <ReduceType reduceType, typename T, typename U,                   \
            bool isSetMask = true>                                           \
  void NAME(                                                                 \
      const LocalTensor<T>& dst, const LocalTensor<U>& src,                  \
      const lanediff::front::Mask& mask, lanediff::front::Num repeatTime,    \
      lanediff::front::Num dstRepStride, lanediff::front::Num srcBlkStride,  \
      lanediff::front::Num srcRepStride, LANEDIFF_SITE) {                    \
    lanediff::front::Reduction(#NAME, dst, src, mask, isSetMask, repeatTime, \
                               dstRepStride, srcBlkStride, srcRepStride,     \
                               lanediff_site_)                               \
        .Word("reduceType", reduceType)                                      \
        .Execute();                                                          \
  }
LANEDIFF_REDUCE_BY_TYPE(ReduceDataBlock)
LANEDIFF_REDUCE_BY_TYPE(ReducePairElem)
#undef LANEDIFF_REDUCE_BY_TYPE

// Of a whole tensor, with space for what lies between.
#define LANEDIFF_TENSOR_REDUCE(NAME)                                           \
  template <typename T>                                                        \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src,              \
            const LocalTensor<T>& sharedTmpBuffer,                             \
            const lanediff::front::Mask& mask,                                 \
            lanediff::front::Num repeatTime,                                   \
            lanediff::front::Num srcRepStride, bool calIndex = false,          \
            LANEDIFF_SITE) {                                                   \
    lanediff::front::Call(#NAME, lanediff_site_)                               \
        .Operand("dst", dst)                                                   \
        .Operand("src", src)                                                   \
        .Operand("tmp", sharedTmpBuffer)                                       \
        .Masked(mask, true)                                                    \
        .Number("repeatTime", repeatTime)                                      \
        .Number("srcRepStride", srcRepStride)                                  \
        .Number("calIndex", calIndex)                                          \
        .Execute();                                                            \
  }                                                                            \
  template <typename T>                                                        \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src,              \
            const LocalTensor<T>& sharedTmpBuffer, lanediff::front::Num count, \
            bool calIndex = false, LANEDIFF_SITE) {                            \
    lanediff::front::Call(#NAME, lanediff_site_)                               \
        .Operand("dst", dst)                                                   \
        .Operand("src", src)                                                   \
        .Operand("tmp", sharedTmpBuffer)                                       \
        .Count(count)                                                          \
        .Number("calIndex", calIndex)                                          \
        .Execute();                                                            \
  }
LANEDIFF_TENSOR_REDUCE(ReduceMax)
LANEDIFF_TENSOR_REDUCE(ReduceMin)
#undef LANEDIFF_TENSOR_REDUCE

template <typename T>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<T>& sharedTmpBuffer,
               const lanediff::front::Mask& mask,
               lanediff::front::Num repeatTime,
               lanediff::front::Num srcRepStride, LANEDIFF_SITE) {
  lanediff::front::Call("ReduceSum", lanediff_site_)
      .Operand("dst", dst)
      .Operand("src", src)
      .Operand("tmp", sharedTmpBuffer)
      .Masked(mask, true)
      .Number("repeatTime", repeatTime)
      .Number("srcRepStride", srcRepStride)
      .Execute();
}
template <typename T, bool isSetMask = true>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<T>& sharedTmpBuffer,
               lanediff::front::Num count, LANEDIFF_SITE) {
  lanediff::front::Call("ReduceSum", lanediff_site_)
      .Operand("dst", dst)
      .Operand("src", src)
      .Operand("tmp", sharedTmpBuffer)
      .Count(count, isSetMask)
      .Execute();
}

LANEDIFF_POINTER(RepeatReduceSum)
LANEDIFF_POINTER(WholeReduceSum)
LANEDIFF_POINTER(WholeReduceMax)
LANEDIFF_POINTER(WholeReduceMin)
LANEDIFF_POINTER(BlockReduceSum)
LANEDIFF_POINTER(BlockReduceMax)
LANEDIFF_POINTER(BlockReduceMin)
LANEDIFF_POINTER(PairReduceSum)
LANEDIFF_POINTER(ReduceSum)
LANEDIFF_POINTER(ReduceMax)
LANEDIFF_POINTER(ReduceMin)

}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_REDUCE_H
