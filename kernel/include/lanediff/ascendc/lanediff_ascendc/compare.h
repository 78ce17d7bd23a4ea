#ifndef LANEDIFF_ASCENDC_COMPARE_H
#define LANEDIFF_ASCENDC_COMPARE_H

#include "lanediff_ascendc/elementwise.h"

/// Comparing, selecting, and gathering by mask.
namespace AscendC {

/// Bits of dst: src0 `cmpMode` src1.
template <typename T, typename U, bool isSetMask = true>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
             const LocalTensor<T>& src1, CMPMODE cmpMode,
             const lanediff::front::Mask& mask, lanediff::front::Num repeatTime,
             const BinaryRepeatParams& repeatParams, LANEDIFF_SITE) {
  lanediff::front::Call call("Compare", lanediff_site_);
  call.Operand("dst", dst).Operand("src0", src0).Operand("src1", src1);
  call.Word("cmpMode", cmpMode);
  lanediff::front::Repeat(call, mask, isSetMask, repeatTime, repeatParams)
      .Execute();
}
template <typename T, typename U>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
             const LocalTensor<T>& src1, CMPMODE cmpMode,
             lanediff::front::Num count, LANEDIFF_SITE) {
  lanediff::front::Call("Compare", lanediff_site_)
      .Operand("dst", dst)
      .Operand("src0", src0)
      .Operand("src1", src1)
      .Word("cmpMode", cmpMode)
      .Count(count)
      .Execute();
}
/// Into the compare mask register; one iteration.
template <typename T, bool isSetMask = true>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, const lanediff::front::Mask& mask,
             const BinaryRepeatParams& repeatParams, LANEDIFF_SITE) {
  lanediff::front::Call call("Compare", lanediff_site_);
  call.Operand("src0", src0).Operand("src1", src1).Word("cmpMode", cmpMode);
  lanediff::front::Repeat(call, mask, isSetMask, 1, repeatParams).Execute();
}

#define LANEDIFF_COMPARE_SCALAR(NAME)                                        \
  template <typename T, typename U, bool isSetMask = true>                   \
  void NAME(const LocalTensor<U>& dst, const LocalTensor<T>& src0,           \
            const lanediff::front::Same<T>& src1Scalar, CMPMODE cmpMode,     \
            const lanediff::front::Mask& mask,                               \
            lanediff::front::Num repeatTime,                                 \
            const UnaryRepeatParams& repeatParams, LANEDIFF_SITE) {          \
    lanediff::front::Call call(#NAME, lanediff_site_);                       \
    call.Operand("dst", dst).Operand("src0", src0).Scalar(src1Scalar);       \
    call.Word("cmpMode", cmpMode);                                           \
    lanediff::front::Repeat(call, mask, isSetMask, repeatTime, repeatParams) \
        .Execute();                                                          \
  }                                                                          \
  template <typename T, typename U, bool isSetMask = true>                   \
  void NAME(const LocalTensor<U>& dst, const LocalTensor<T>& src0,           \
            const lanediff::front::Same<T>& src1Scalar, CMPMODE cmpMode,     \
            lanediff::front::Num count, LANEDIFF_SITE) {                     \
    lanediff::front::Call(#NAME, lanediff_site_)                             \
        .Operand("dst", dst)                                                 \
        .Operand("src0", src0)                                               \
        .Scalar(src1Scalar)                                                  \
        .Word("cmpMode", cmpMode)                                            \
        .Count(count, isSetMask)                                             \
        .Execute();                                                          \
  }
LANEDIFF_COMPARE_SCALAR(CompareScalar)
LANEDIFF_COMPARE_SCALAR(Compares)
#undef LANEDIFF_COMPARE_SCALAR

template <typename T>
void GetCmpMask(const LocalTensor<T>& dst, LANEDIFF_SITE) {
  lanediff::front::Call("GetCmpMask", lanediff_site_)
      .Operand("dst", dst)
      .Execute();
}
template <typename T>
void SetCmpMask(const LocalTensor<T>& src, LANEDIFF_SITE) {
  lanediff::front::Call("SetCmpMask", lanediff_site_)
      .Operand("src", src)
      .Execute();
}

// Where a bit of selMask is set src0, else src1 or the scalar.
#define LANEDIFF_SELECT(SRC1, TELL)                                          \
  template <typename T, typename U, bool isSetMask = true>                   \
  void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,      \
              const LocalTensor<T>& src0, SRC1, SELMODE selMode,             \
              const lanediff::front::Mask& mask,                             \
              lanediff::front::Num repeatTime,                               \
              const BinaryRepeatParams& repeatParams, LANEDIFF_SITE) {       \
    lanediff::front::Call call("Select", lanediff_site_);                    \
    call.Operand("dst", dst).Operand("mask", selMask).Operand("src0", src0); \
    call.TELL.Word("selMode", selMode);                                      \
    lanediff::front::Repeat(call, mask, isSetMask, repeatTime, repeatParams) \
        .Execute();                                                          \
  }                                                                          \
  template <typename T, typename U>                                          \
  void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,      \
              const LocalTensor<T>& src0, SRC1, SELMODE selMode,             \
              lanediff::front::Num count, LANEDIFF_SITE) {                   \
    lanediff::front::Call("Select", lanediff_site_)                          \
        .Operand("dst", dst)                                                 \
        .Operand("mask", selMask)                                            \
        .Operand("src0", src0)                                               \
        .TELL.Word("selMode", selMode)                                       \
        .Count(count)                                                        \
        .Execute();                                                          \
  }
LANEDIFF_SELECT(const LocalTensor<T>& src1, Operand("src1", src1))
LANEDIFF_SELECT(const lanediff::front::Same<T>& src1, Scalar(src1))
#undef LANEDIFF_SELECT

/// rsvdCnt: how many elements were gathered.
template <typename T, typename U,
          GatherMaskMode mode = GatherMaskMode::VERSION_V2>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                const LocalTensor<U>& src1Pattern, bool reduceMode,
                lanediff::front::Num mask, const GatherMaskParams& params,
                std::uint64_t& rsvdCnt, LANEDIFF_SITE) {
  rsvdCnt = lanediff::front::Call("GatherMask", lanediff_site_)
                .Operand("dst", dst)
                .Operand("src0", src0)
                .Operand("src1", src1Pattern)
                .Number("reduceMode", reduceMode)
                .Number("mask", mask)
                .Number("src0BlockStride", params.src0BlockStride)
                .Number("repeatTimes", params.repeatTimes)
                .Number("src0RepeatStride", params.src0RepeatStride)
                .Number("src1RepeatStride", params.src1RepeatStride)
                .Execute();
}
/// With one of the built-in patterns.
template <typename T, GatherMaskMode mode = GatherMaskMode::VERSION_V2>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                lanediff::front::Num src1Pattern, bool reduceMode,
                lanediff::front::Num mask, const GatherMaskParams& params,
                std::uint64_t& rsvdCnt, LANEDIFF_SITE) {
  rsvdCnt = lanediff::front::Call("GatherMask", lanediff_site_)
                .Operand("dst", dst)
                .Operand("src0", src0)
                .Number("src1Pattern", src1Pattern)
                .Number("reduceMode", reduceMode)
                .Number("mask", mask)
                .Number("src0BlockStride", params.src0BlockStride)
                .Number("repeatTimes", params.repeatTimes)
                .Number("src0RepeatStride", params.src0RepeatStride)
                .Number("src1RepeatStride", params.src1RepeatStride)
                .Execute();
}

}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_COMPARE_H
