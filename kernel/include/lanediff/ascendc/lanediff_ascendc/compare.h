#ifndef LANEDIFF_ASCENDC_COMPARE_H
#define LANEDIFF_ASCENDC_COMPARE_H

#include "lanediff_ascendc/elementwise.h"

/// Comparing, selecting, and gathering by mask.
namespace AscendC {

/// Bits of dst: src0 `cmpMode` src1.
LANEDIFF_FORMS(
    Compare, (typename T, typename U), (typename T, typename U), true,
    (const LocalTensor<U>& dst, const LocalTensor<T>& src0,
     const LocalTensor<T>& src1, CMPMODE cmpMode),
    BinaryRepeatParams,
    Operand("dst", dst, "src0", src0, "src1", src1).Word("cmpMode", cmpMode))
/// Into the compare mask register; one iteration.
template <typename T, bool isSetMask = true>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, const lanediff::front::Mask& mask,
             const BinaryRepeatParams& repeatParams, LANEDIFF_SITE) {
  lanediff::front::Call call("Compare", lanediff_site_);
  call.Operand("src0", src0).Operand("src1", src1).Word("cmpMode", cmpMode);
  lanediff::front::Repeat(call, mask, isSetMask, 1, repeatParams).Execute();
}

#define LANEDIFF_OPERATOR(SIGN, MODE)                                        \
  template <typename T>                                                      \
  lanediff::front::Comparison<T> operator SIGN(const LocalTensor<T>& src0,   \
                                               const LocalTensor<T>& src1) { \
    return {CMPMODE::MODE, src0.lanediff_tensor_of(),                        \
            src1.lanediff_tensor_of(), std::int64_t{src0.GetSize()}};        \
  }
LANEDIFF_OPERATOR(<, LT)
LANEDIFF_OPERATOR(>, GT)
LANEDIFF_OPERATOR(<=, LE)
LANEDIFF_OPERATOR(>=, GE)
LANEDIFF_OPERATOR(==, EQ)
LANEDIFF_OPERATOR(!=, NE)
#undef LANEDIFF_OPERATOR

template <typename T>
template <typename S>
LocalTensor<T>& LocalTensor<T>::operator=(
    const lanediff::front::Comparison<S>& call) {
  lanediff::front::Call("Compare", lanediff_site{})
      .Operand("dst", *this, "src0", LocalTensor<S>(call.src0), "src1",
               LocalTensor<S>(call.src1))
      .Word("cmpMode", call.mode)
      .Text("form", "operator")
      .Count(call.count)
      .Execute();
  return *this;
}

#define LANEDIFF_COMPARE_SCALAR(NAME)                                \
  LANEDIFF_FORMS_OF(                                                 \
      NAME, "CompareScalar", (typename T, typename U),               \
      (typename T, typename U, bool isSetMask = true), isSetMask,    \
      (const LocalTensor<U>& dst, const LocalTensor<T>& src0,        \
       const lanediff::front::Same<T>& src1Scalar, CMPMODE cmpMode), \
      UnaryRepeatParams,                                             \
      Operand("dst", dst, "src0", src0)                              \
          .Scalar(src1Scalar)                                        \
          .Word("cmpMode", cmpMode))
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
#define LANEDIFF_SELECT(SRC1, ADD)                                           \
  LANEDIFF_FORMS(Select, (typename T, typename U), (typename T, typename U), \
                 true,                                                       \
                 (const LocalTensor<T>& dst, const LocalTensor<U>& selMask,  \
                  const LocalTensor<T>& src0, SRC1, SELMODE selMode),        \
                 BinaryRepeatParams,                                         \
                 Operand("dst", dst, "mask", selMask, "src0", src0)          \
                     .ADD.Word("selMode", selMode))
LANEDIFF_SELECT(const LocalTensor<T>& src1, Operand("src1", src1))
LANEDIFF_SELECT(const lanediff::front::Same<T>& src1, Scalar(src1))
#undef LANEDIFF_SELECT

/// rsvdCnt: how many elements were gathered. src1Pattern is a tensor, or the
/// number of one of the built-in patterns.
#define LANEDIFF_GATHER_MASK(TYPES, PATTERN, ADD)                              \
  template <TYPES, GatherMaskMode mode = GatherMaskMode::VERSION_V2>           \
  void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,       \
                  PATTERN src1Pattern, bool reduceMode,                        \
                  lanediff::front::Num mask, const GatherMaskParams& params,   \
                  std::uint64_t& rsvdCnt, LANEDIFF_SITE) {                     \
    rsvdCnt =                                                                  \
        lanediff::front::Call("GatherMask", lanediff_site_)                    \
            .Operand("dst", dst, "src0", src0)                                 \
            .ADD                                                               \
            .Number("reduceMode", reduceMode, "mask", mask, "src0BlockStride", \
                    params.src0BlockStride, "repeatTimes", params.repeatTimes, \
                    "src0RepeatStride", params.src0RepeatStride,               \
                    "src1RepeatStride", params.src1RepeatStride)               \
            .Execute();                                                        \
  }
LANEDIFF_GATHER_MASK(typename T LANEDIFF_COMMA typename U,
                     const LocalTensor<U>&, Operand("src1", src1Pattern))
LANEDIFF_GATHER_MASK(typename T, lanediff::front::Num,
                     Number("src1Pattern", src1Pattern))
#undef LANEDIFF_GATHER_MASK

}  // namespace AscendC

#undef LANEDIFF_FORMS
#undef LANEDIFF_FORMS_OF

#endif  // LANEDIFF_ASCENDC_COMPARE_H
