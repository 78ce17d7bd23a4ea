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
      .Operand("dst", dst, "src", src)
      .Masked(elemsInOneRepeat, isSetMask)
      .Number("repeat", repeat, "elemsInOneRepeat", elemsInOneRepeat,
              "dstBlkStride", dstBlkStride, "srcBlkStride", srcBlkStride,
              "dstRepStride", dstRepStride, "srcRepStride", srcRepStride)
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
      .Number("repeatTime", repeat, "dstRepStride", dst_rep, "srcBlkStride",
              src_blk, "srcRepStride", src_rep);
  return call;
}

}  // namespace lanediff::front

namespace AscendC {

// LANES: mask and repeatTime, in their order. MORE: parameters behind all
// others, which the rest adds to the call.
#define LANEDIFF_REDUCE(NAME, TYPES, SRC, LANES, MORE, ...)                  \
  template <LANEDIFF_LIST TYPES, bool isSetMask = true>                      \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<SRC>& src,          \
            LANEDIFF_LIST LANES, lanediff::front::Num dstRepStride,          \
            lanediff::front::Num srcBlkStride,                               \
            lanediff::front::Num srcRepStride LANEDIFF_LIST MORE,            \
            LANEDIFF_SITE) {                                                 \
    lanediff::front::Reduction(#NAME, dst, src, mask, isSetMask, repeatTime, \
                               dstRepStride, srcBlkStride, srcRepStride,     \
                               lanediff_site_) __VA_ARGS__.Execute();        \
  }
#define LANEDIFF_MASK_REPEAT \
  (const lanediff::front::Mask& mask, lanediff::front::Num repeatTime)
#define LANEDIFF_REPEAT_MASK \
  (lanediff::front::Num repeatTime, const lanediff::front::Mask& mask)
LANEDIFF_REDUCE(WholeReduceSum, (typename T), T, LANEDIFF_MASK_REPEAT, (), )
#define LANEDIFF_WHOLE_REDUCE(NAME)                                       \
  LANEDIFF_REDUCE(NAME, (typename T), T, LANEDIFF_MASK_REPEAT,            \
                  (, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX), \
                  .Word("order", order))
LANEDIFF_WHOLE_REDUCE(WholeReduceMax)
LANEDIFF_WHOLE_REDUCE(WholeReduceMin)
#undef LANEDIFF_WHOLE_REDUCE
LANEDIFF_REDUCE(BlockReduceSum, (typename T), T, LANEDIFF_REPEAT_MASK, (), )
LANEDIFF_REDUCE(BlockReduceMax, (typename T), T, LANEDIFF_REPEAT_MASK, (), )
LANEDIFF_REDUCE(BlockReduceMin, (typename T), T, LANEDIFF_REPEAT_MASK, (), )
LANEDIFF_REDUCE(PairReduceSum, (typename T), T, LANEDIFF_REPEAT_MASK, (), )
#undef LANEDIFF_REDUCE
#undef LANEDIFF_MASK_REPEAT
#undef LANEDIFF_REPEAT_MASK

/// The newer name of BlockReduceSum, BlockReduceMax, BlockReduceMin.
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                     const lanediff::front::Mask& mask,
                     lanediff::front::Num repeatTime,
                     lanediff::front::Num dstRepStride,
                     lanediff::front::Num srcBlkStride,
                     lanediff::front::Num srcRepStride, LANEDIFF_SITE) {
  lanediff::front::Reduction(reduceType == ReduceType::SUM   ? "BlockReduceSum"
                             : reduceType == ReduceType::MAX ? "BlockReduceMax"
                                                             : "BlockReduceMin",
                             dst, src, mask, isSetMask, repeatTime,
                             dstRepStride, srcBlkStride, srcRepStride,
                             lanediff_site_)
      .Execute();
}

/// The newer name of PairReduceSum.
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                    const lanediff::front::Mask& mask,
                    lanediff::front::Num repeatTime,
                    lanediff::front::Num dstRepStride,
                    lanediff::front::Num srcBlkStride,
                    lanediff::front::Num srcRepStride, LANEDIFF_SITE) {
  static_assert(reduceType == ReduceType::SUM,
                "ReducePairElem has ReduceType::SUM alone");
  lanediff::front::Reduction("PairReduceSum", dst, src, mask, isSetMask,
                             repeatTime, dstRepStride, srcBlkStride,
                             srcRepStride, lanediff_site_)
      .Execute();
}

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

// Of a whole tensor, with space for what lies between. MORE as above; the form
// with a count has TYPES and takes isSetMask so.
#define LANEDIFF_TENSOR_REDUCE(NAME, TYPES, IS_SET_MASK, MORE, ...)          \
  template <typename T>                                                      \
  void NAME(                                                                 \
      const LocalTensor<T>& dst, const LocalTensor<T>& src,                  \
      const LocalTensor<T>& sharedTmpBuffer,                                 \
      const lanediff::front::Mask& mask, lanediff::front::Num repeatTime,    \
      lanediff::front::Num srcRepStride LANEDIFF_LIST MORE, LANEDIFF_SITE) { \
    lanediff::front::Call(#NAME, lanediff_site_)                             \
        .Operand("dst", dst, "src", src, "tmp", sharedTmpBuffer)             \
        .Masked(mask, true)                                                  \
        .Number("repeatTime", repeatTime, "srcRepStride", srcRepStride)      \
            __VA_ARGS__.Execute();                                           \
  }                                                                          \
  template <LANEDIFF_LIST TYPES>                                             \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src,            \
            const LocalTensor<T>& sharedTmpBuffer,                           \
            lanediff::front::Num count LANEDIFF_LIST MORE, LANEDIFF_SITE) {  \
    lanediff::front::Call(#NAME, lanediff_site_)                             \
        .Operand("dst", dst, "src", src, "tmp", sharedTmpBuffer)             \
        .Count(count, IS_SET_MASK) __VA_ARGS__.Execute();                    \
  }
LANEDIFF_TENSOR_REDUCE(ReduceSum, (typename T, bool isSetMask = true),
                       isSetMask, (), )
LANEDIFF_TENSOR_REDUCE(ReduceMax, (typename T), true, (, bool calIndex = false),
                       .Number("calIndex", calIndex))
LANEDIFF_TENSOR_REDUCE(ReduceMin, (typename T), true, (, bool calIndex = false),
                       .Number("calIndex", calIndex))
#undef LANEDIFF_TENSOR_REDUCE

/// The result of the last ReduceSum with a count.
#define LANEDIFF_SUM_REGISTER(NAME)                                          \
  template <typename T>                                                      \
  T NAME(LANEDIFF_SITE) {                                                    \
    return lanediff::front::ValueOf<T>(                                      \
        lanediff::front::Call(#NAME, lanediff_site_).Scalar(T()).Execute()); \
  }
LANEDIFF_SUM_REGISTER(GetReduceRepeatSumSpr)
LANEDIFF_SUM_REGISTER(GetAccVal)
#undef LANEDIFF_SUM_REGISTER

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
