#ifndef LANEDIFF_ASCENDC_ELEMENTWISE_H
#define LANEDIFF_ASCENDC_ELEMENTWISE_H

#include "lanediff_ascendc/call.h"
#include "lanediff_ascendc/structs.h"

/// One result for each element: forms with a count, and with mask and repeat.
namespace lanediff::front {

inline Call& Repeat(Call& call, const Mask& mask, bool is_set_mask,
                    Num repeat_time, const AscendC::BinaryRepeatParams& p) {
  return call.Masked(mask, is_set_mask)
      .Number("repeatTime", repeat_time, "dstBlkStride", p.dstBlkStride,
              "src0BlkStride", p.src0BlkStride, "src1BlkStride",
              p.src1BlkStride, "dstRepStride", p.dstRepStride, "src0RepStride",
              p.src0RepStride, "src1RepStride", p.src1RepStride);
}
inline Call& Repeat(Call& call, const Mask& mask, bool is_set_mask,
                    Num repeat_time, const AscendC::UnaryRepeatParams& p) {
  return call.Masked(mask, is_set_mask)
      .Number("repeatTime", repeat_time, "dstBlkStride", p.dstBlkStride,
              "srcBlkStride", p.srcBlkStride, "dstRepStride", p.dstRepStride,
              "srcRepStride", p.srcRepStride);
}

}  // namespace lanediff::front

namespace AscendC {

// A call with mask and repeat, and with a count. Lists in brackets: template
// parameters of both forms, and how the second takes isSetMask; parameters that
// both begin with. The rest adds these to the call.
#define LANEDIFF_FORMS(NAME, ...) LANEDIFF_FORMS_OF(NAME, #NAME, __VA_ARGS__)
// RECORDED is the name that has rules.
#define LANEDIFF_FORMS_OF(NAME, RECORDED, TYPES, COUNT_TYPES, IS_SET_MASK,    \
                          GIVEN, REPEAT, ...)                                 \
  template <LANEDIFF_LIST TYPES, bool isSetMask = true>                       \
  void NAME(LANEDIFF_LIST GIVEN, const lanediff::front::Mask& mask,           \
            lanediff::front::Num repeatTime, const REPEAT& repeatParams,      \
            LANEDIFF_SITE) {                                                  \
    lanediff::front::Call call(RECORDED, lanediff_site_);                     \
    call.__VA_ARGS__;                                                         \
    lanediff::front::Repeat(call, mask, isSetMask, repeatTime, repeatParams)  \
        .Execute();                                                           \
  }                                                                           \
  template <LANEDIFF_LIST COUNT_TYPES>                                        \
  void NAME(LANEDIFF_LIST GIVEN, lanediff::front::Num count, LANEDIFF_SITE) { \
    lanediff::front::Call(RECORDED, lanediff_site_)                           \
        .__VA_ARGS__.Count(count, IS_SET_MASK)                                \
        .Execute();                                                           \
  }

// dst = src0 op src1. The second line of each is of calls whose sources have
// another type than dst.
#define LANEDIFF_BINARY_OF(NAME, TYPES, TD, TS)                            \
  LANEDIFF_FORMS(NAME, (TYPES), (TYPES), true,                             \
                 (const LocalTensor<TD>& dst, const LocalTensor<TS>& src0, \
                  const LocalTensor<TS>& src1),                            \
                 BinaryRepeatParams,                                       \
                 Operand("dst", dst, "src0", src0, "src1", src1))
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
LANEDIFF_BINARY(MulAddRelu)
LANEDIFF_BINARY_OF(MulAddDst, typename T LANEDIFF_COMMA typename U, T, U)
LANEDIFF_POINTER_2(MulAddDst)
LANEDIFF_BINARY_OF(MulCast, typename T LANEDIFF_COMMA typename U, T, U)
LANEDIFF_BINARY_OF(AddReluCast, typename T LANEDIFF_COMMA typename U, T, U)
LANEDIFF_BINARY_OF(SubReluCast, typename T LANEDIFF_COMMA typename U, T, U)
LANEDIFF_BINARY_OF(AddDeqRelu, typename T LANEDIFF_COMMA typename U, T, U)
template <bool isSetMask>
void AddDeqRelu(const LocalTensor<half>& dst,
                const LocalTensor<std::int32_t>& src0,
                const LocalTensor<std::int32_t>& src1,
                const lanediff::front::Mask& mask,
                lanediff::front::Num repeatTime,
                const BinaryRepeatParams& repeatParams, LANEDIFF_SITE) {
  AddDeqRelu<half, std::int32_t, isSetMask>(dst, src0, src1, mask, repeatTime,
                                            repeatParams, lanediff_site_);
}
#undef LANEDIFF_BINARY
#undef LANEDIFF_BINARY_OF

/// An older name of MulAddRelu.
template <typename T, bool isSetMask = true>
void FusedMulAddRelu(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                     const LocalTensor<T>& src1,
                     const lanediff::front::Mask& mask,
                     lanediff::front::Num repeatTime,
                     const BinaryRepeatParams& repeatParams, LANEDIFF_SITE) {
  MulAddRelu<T, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams,
                           lanediff_site_);
}
template <typename T>
void FusedMulAddRelu(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                     const LocalTensor<T>& src1, lanediff::front::Num count,
                     LANEDIFF_SITE) {
  MulAddRelu(dst, src0, src1, count, lanediff_site_);
}
LANEDIFF_POINTER(FusedMulAddRelu)

#define LANEDIFF_OPERATOR(SIGN, NAME, COUNTED)                           \
  template <typename T>                                                  \
  lanediff::front::OfTwo<T> operator SIGN(const LocalTensor<T>& src0,    \
                                          const LocalTensor<T>& src1) {  \
    return {#NAME, src0.lanediff_tensor_of(), src1.lanediff_tensor_of(), \
            COUNTED};                                                    \
  }
LANEDIFF_OPERATOR(+, Add, 1)
LANEDIFF_OPERATOR(-, Sub, 1)
LANEDIFF_OPERATOR(*, Mul, 1)
LANEDIFF_OPERATOR(/, Div, 1)
// Their count is one of elements of 16 bits (And, Or · 约束说明).
LANEDIFF_OPERATOR(&, And, sizeof(T) == 4 ? 2 : 1)
LANEDIFF_OPERATOR(|, Or, sizeof(T) == 4 ? 2 : 1)
#undef LANEDIFF_OPERATOR

template <typename T>
LocalTensor<T>& LocalTensor<T>::operator=(
    const lanediff::front::OfTwo<T>& call) {
  lanediff::front::Call(call.name, lanediff_site{})
      .Operand("dst", *this, "src0", LocalTensor<T>(call.src0), "src1",
               LocalTensor<T>(call.src1))
      .Count(std::int64_t{GetSize()} * call.counted)
      .Execute();
  return *this;
}

// dst = op src.
#define LANEDIFF_UNARY(NAME)                                             \
  LANEDIFF_FORMS(NAME, (typename T), (typename T), true,                 \
                 (const LocalTensor<T>& dst, const LocalTensor<T>& src), \
                 UnaryRepeatParams, Operand("dst", dst, "src", src))     \
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
#define LANEDIFF_SCALAR_OF(NAME, TYPES, TD, TS)                            \
  LANEDIFF_FORMS(NAME, (TYPES), (TYPES, bool isSetMask = true), isSetMask, \
                 (const LocalTensor<TD>& dst, const LocalTensor<TS>& src,  \
                  const lanediff::front::Same<TS>& scalarValue),           \
                 UnaryRepeatParams,                                        \
                 Operand("dst", dst, "src", src).Scalar(scalarValue))
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
      .Operand("dst", dst, "src", src)
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
      .Number("repeatTime", repeatTime, "dstBlockStride", dstBlockStride,
              "dstRepeatStride", dstRepeatStride)
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

LANEDIFF_FORMS(Cast, (typename T, typename U), (typename T, typename U), true,
               (const LocalTensor<T>& dst, const LocalTensor<U>& src,
                RoundMode roundMode),
               UnaryRepeatParams,
               Operand("dst", dst, "src", src).Word("roundMode", roundMode))
LANEDIFF_POINTER_2(Cast)

// int32_t to half by SetDeqScale's scale. To 8 bits the scale has 10 bits of
// mantissa (SetDeqScale · 功能说明), and no page states how it is rounded.
#define LANEDIFF_DEQUANT(NAME)                                               \
  template <typename T, typename U, bool isSetMask = true,                   \
            bool isVecDeq = true, bool halfBlock = true>                     \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<U>& src,            \
            const lanediff::front::Mask& mask,                               \
            lanediff::front::Num repeatTime,                                 \
            const UnaryRepeatParams& repeatParams, LANEDIFF_SITE) {          \
    lanediff::front::Call call(#NAME, lanediff_site_);                       \
    call.Operand("dst", dst, "src", src);                                    \
    lanediff::front::Repeat(call, mask, isSetMask, repeatTime, repeatParams) \
        .Execute();                                                          \
  }                                                                          \
  template <typename T, typename U, bool isVecDeq = true,                    \
            bool halfBlock = true>                                           \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<U>& src,            \
            lanediff::front::Num count, LANEDIFF_SITE) {                     \
    lanediff::front::Call(#NAME, lanediff_site_)                             \
        .Operand("dst", dst, "src", src)                                     \
        .Count(count)                                                        \
        .Execute();                                                          \
  }
LANEDIFF_DEQUANT(CastDequant)
LANEDIFF_DEQUANT(CastDeq)
#undef LANEDIFF_DEQUANT

}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_ELEMENTWISE_H
