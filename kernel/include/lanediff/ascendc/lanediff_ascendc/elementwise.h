#ifndef LANEDIFF_ASCENDC_ELEMENTWISE_H
#define LANEDIFF_ASCENDC_ELEMENTWISE_H

#include "lanediff_ascendc/call.h"
#include "lanediff_ascendc/structs.h"

/// One result for each element: forms with a count, and with mask and repeat.
namespace lanediff::front {

inline Call& Repeat(Call& call, const Mask& mask, bool is_set_mask,
                    Num repeat_time, const AscendC::BinaryRepeatParams& p) {
  return call.Masked(mask, is_set_mask)
      .Number("repeatTime", repeat_time)
      .Number("dstBlkStride", p.dstBlkStride)
      .Number("src0BlkStride", p.src0BlkStride)
      .Number("src1BlkStride", p.src1BlkStride)
      .Number("dstRepStride", p.dstRepStride)
      .Number("src0RepStride", p.src0RepStride)
      .Number("src1RepStride", p.src1RepStride);
}
inline Call& Repeat(Call& call, const Mask& mask, bool is_set_mask,
                    Num repeat_time, const AscendC::UnaryRepeatParams& p) {
  return call.Masked(mask, is_set_mask)
      .Number("repeatTime", repeat_time)
      .Number("dstBlkStride", p.dstBlkStride)
      .Number("srcBlkStride", p.srcBlkStride)
      .Number("dstRepStride", p.dstRepStride)
      .Number("srcRepStride", p.srcRepStride);
}

}  // namespace lanediff::front

namespace AscendC {

// dst = src0 op src1. The second line of each is of calls whose sources have
// another type than dst.
#define LANEDIFF_BINARY_OF(NAME, TYPES, TD, TS)                              \
  template <TYPES, bool isSetMask = true>                                    \
  void NAME(const LocalTensor<TD>& dst, const LocalTensor<TS>& src0,         \
            const LocalTensor<TS>& src1, const lanediff::front::Mask& mask,  \
            lanediff::front::Num repeatTime,                                 \
            const BinaryRepeatParams& repeatParams, LANEDIFF_SITE) {         \
    lanediff::front::Call call(#NAME, lanediff_site_);                       \
    call.Operand("dst", dst).Operand("src0", src0).Operand("src1", src1);    \
    lanediff::front::Repeat(call, mask, isSetMask, repeatTime, repeatParams) \
        .Execute();                                                          \
  }                                                                          \
  template <TYPES>                                                           \
  void NAME(const LocalTensor<TD>& dst, const LocalTensor<TS>& src0,         \
            const LocalTensor<TS>& src1, lanediff::front::Num count,         \
            LANEDIFF_SITE) {                                                 \
    lanediff::front::Call(#NAME, lanediff_site_)                             \
        .Operand("dst", dst)                                                 \
        .Operand("src0", src0)                                               \
        .Operand("src1", src1)                                               \
        .Count(count)                                                        \
        .Execute();                                                          \
  }
#define LANEDIFF_BINARY(NAME)                \
  LANEDIFF_BINARY_OF(NAME, typename T, T, T) \
  LANEDIFF_POINTER(NAME)
LANEDIFF_BINARY(Add)
LANEDIFF_BINARY(Sub)
LANEDIFF_BINARY(Mul)
LANEDIFF_BINARY(Div)
LANEDIFF_BINARY(Max)
LANEDIFF_BINARY(Min)
LANEDIFF_BINARY(And)
LANEDIFF_BINARY(Or)
LANEDIFF_BINARY(AddRelu)
LANEDIFF_BINARY(SubRelu)
LANEDIFF_BINARY(Prelu)
LANEDIFF_BINARY(FusedMulAdd)
LANEDIFF_BINARY_OF(MulAddDst, typename T LANEDIFF_COMMA typename U, T, U)
LANEDIFF_POINTER_2(MulAddDst)
#undef LANEDIFF_BINARY
#undef LANEDIFF_BINARY_OF

#define LANEDIFF_OPERATOR(SIGN, NAME)                                     \
  template <typename T>                                                   \
  lanediff::front::OfTwo<T> operator SIGN(const LocalTensor<T>& src0,     \
                                          const LocalTensor<T>& src1) {   \
    return {#NAME, src0.lanediff_tensor_of(), src1.lanediff_tensor_of()}; \
  }
LANEDIFF_OPERATOR(+, Add)
LANEDIFF_OPERATOR(-, Sub)
LANEDIFF_OPERATOR(*, Mul)
#undef LANEDIFF_OPERATOR

template <typename T>
LocalTensor<T>& LocalTensor<T>::operator=(
    const lanediff::front::OfTwo<T>& call) {
  lanediff::front::Call(call.name, lanediff_site{})
      .Operand("dst", *this)
      .Operand("src0", LocalTensor<T>(call.src0))
      .Operand("src1", LocalTensor<T>(call.src1))
      .Count(GetSize())
      .Execute();
  return *this;
}

// dst = op src.
#define LANEDIFF_UNARY(NAME)                                                 \
  template <typename T, bool isSetMask = true>                               \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src,            \
            const lanediff::front::Mask& mask,                               \
            lanediff::front::Num repeatTime,                                 \
            const UnaryRepeatParams& repeatParams, LANEDIFF_SITE) {          \
    lanediff::front::Call call(#NAME, lanediff_site_);                       \
    call.Operand("dst", dst).Operand("src", src);                            \
    lanediff::front::Repeat(call, mask, isSetMask, repeatTime, repeatParams) \
        .Execute();                                                          \
  }                                                                          \
  template <typename T>                                                      \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src,            \
            lanediff::front::Num count, LANEDIFF_SITE) {                     \
    lanediff::front::Call(#NAME, lanediff_site_)                             \
        .Operand("dst", dst)                                                 \
        .Operand("src", src)                                                 \
        .Count(count)                                                        \
        .Execute();                                                          \
  }                                                                          \
  LANEDIFF_POINTER(NAME)
LANEDIFF_UNARY(Abs)
LANEDIFF_UNARY(Neg)
LANEDIFF_UNARY(Relu)
LANEDIFF_UNARY(Not)
LANEDIFF_UNARY(Exp)
LANEDIFF_UNARY(Ln)
LANEDIFF_UNARY(Sqrt)
LANEDIFF_UNARY(Rsqrt)
LANEDIFF_UNARY(Reciprocal)
#undef LANEDIFF_UNARY

// dst = src op scalar; the scalar has the source's type.
#define LANEDIFF_SCALAR_OF(NAME, TYPES, TD, TS)                              \
  template <TYPES, bool isSetMask = true>                                    \
  void NAME(const LocalTensor<TD>& dst, const LocalTensor<TS>& src,          \
            const lanediff::front::Same<TS>& scalarValue,                    \
            const lanediff::front::Mask& mask,                               \
            lanediff::front::Num repeatTime,                                 \
            const UnaryRepeatParams& repeatParams, LANEDIFF_SITE) {          \
    lanediff::front::Call call(#NAME, lanediff_site_);                       \
    call.Operand("dst", dst).Operand("src", src).Scalar(scalarValue);        \
    lanediff::front::Repeat(call, mask, isSetMask, repeatTime, repeatParams) \
        .Execute();                                                          \
  }                                                                          \
  template <TYPES, bool isSetMask = true>                                    \
  void NAME(const LocalTensor<TD>& dst, const LocalTensor<TS>& src,          \
            const lanediff::front::Same<TS>& scalarValue,                    \
            lanediff::front::Num count, LANEDIFF_SITE) {                     \
    lanediff::front::Call(#NAME, lanediff_site_)                             \
        .Operand("dst", dst)                                                 \
        .Operand("src", src)                                                 \
        .Scalar(scalarValue)                                                 \
        .Count(count, isSetMask)                                             \
        .Execute();                                                          \
  }
#define LANEDIFF_SCALAR(NAME)                \
  LANEDIFF_SCALAR_OF(NAME, typename T, T, T) \
  LANEDIFF_POINTER(NAME)
LANEDIFF_SCALAR(Adds)
LANEDIFF_SCALAR(Subs)
LANEDIFF_SCALAR(Muls)
LANEDIFF_SCALAR(Divs)
LANEDIFF_SCALAR(Maxs)
LANEDIFF_SCALAR(Mins)
LANEDIFF_SCALAR(Ands)
LANEDIFF_SCALAR(Ors)
LANEDIFF_SCALAR(LeakyRelu)
LANEDIFF_SCALAR(ShiftLeft)
LANEDIFF_SCALAR_OF(Axpy, typename T LANEDIFF_COMMA typename U, T, U)
LANEDIFF_POINTER_2(Axpy)
#undef LANEDIFF_SCALAR
#undef LANEDIFF_SCALAR_OF

/// roundEn: the last bit shifted out is added.
template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                const lanediff::front::Same<T>& scalarValue,
                const lanediff::front::Mask& mask,
                lanediff::front::Num repeatTime,
                const UnaryRepeatParams& repeatParams, bool roundEn = false,
                LANEDIFF_SITE) {
  lanediff::front::Call call("ShiftRight", lanediff_site_);
  call.Operand("dst", dst).Operand("src", src).Scalar(scalarValue);
  lanediff::front::Repeat(call, mask, isSetMask, repeatTime, repeatParams)
      .Number("roundEn", roundEn)
      .Execute();
}
template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                const lanediff::front::Same<T>& scalarValue,
                lanediff::front::Num count, LANEDIFF_SITE) {
  lanediff::front::Call("ShiftRight", lanediff_site_)
      .Operand("dst", dst)
      .Operand("src", src)
      .Scalar(scalarValue)
      .Count(count, isSetMask)
      .Execute();
}
LANEDIFF_POINTER(ShiftRight)

template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst,
               const lanediff::front::Same<T>& scalarValue,
               const lanediff::front::Mask& mask,
               lanediff::front::Num repeatTime,
               lanediff::front::Num dstBlockStride,
               lanediff::front::Num dstRepeatStride, LANEDIFF_SITE) {
  lanediff::front::Call("Duplicate", lanediff_site_)
      .Operand("dst", dst)
      .Scalar(scalarValue)
      .Masked(mask, isSetMask)
      .Number("repeatTime", repeatTime)
      .Number("dstBlockStride", dstBlockStride)
      .Number("dstRepeatStride", dstRepeatStride)
      .Execute();
}
template <typename T>
void Duplicate(const LocalTensor<T>& dst,
               const lanediff::front::Same<T>& scalarValue,
               lanediff::front::Num count, LANEDIFF_SITE) {
  lanediff::front::Call("Duplicate", lanediff_site_)
      .Operand("dst", dst)
      .Scalar(scalarValue)
      .Count(count)
      .Execute();
}
LANEDIFF_POINTER(Duplicate)

template <typename T, typename U, bool isSetMask = true>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src,
          RoundMode roundMode, const lanediff::front::Mask& mask,
          lanediff::front::Num repeatTime,
          const UnaryRepeatParams& repeatParams, LANEDIFF_SITE) {
  lanediff::front::Call call("Cast", lanediff_site_);
  call.Operand("dst", dst).Operand("src", src).Word("roundMode", roundMode);
  lanediff::front::Repeat(call, mask, isSetMask, repeatTime, repeatParams)
      .Execute();
}
template <typename T, typename U>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src,
          RoundMode roundMode, lanediff::front::Num count, LANEDIFF_SITE) {
  lanediff::front::Call("Cast", lanediff_site_)
      .Operand("dst", dst)
      .Operand("src", src)
      .Word("roundMode", roundMode)
      .Count(count)
      .Execute();
}
LANEDIFF_POINTER_2(Cast)

}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_ELEMENTWISE_H
