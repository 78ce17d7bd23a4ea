// Every name of copies, mask and elementwise calls, in each documented form.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void State(const GlobalTensor<int32_t>& gm,
                             const LocalTensor<int32_t>& ub) {
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID7);
  AscendC::SetFlag<AscendC::HardEvent::FIX_S>(AscendC::EVENT_ID1);
  PipeBarrier<PIPE_V>();
  AscendC::PipeBarrier<AscendC::PIPE_ALL>();
  SyncAll();
  SyncAll<true>();
  SyncAll(gm, ub);
  SyncAll(gm, ub, 8);
  DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE,
                           DcciDst::CACHELINE_OUT>(gm);
  DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(gm);
  DataSyncBarrier<MemDsbT::ALL>();
  SetVectorMask<half>(~0ULL, 0xffffffffffffffff);
  SetVectorMask<float, MaskMode::NORMAL>(0, 64);
  SetVectorMask<half, MaskMode::COUNTER>(100);
  SetMaskCount();
  SetMaskNorm();
  ResetMask();
  SetCtrlSpr<48, 48>(GetCtrlSpr<48, 48>() ^ 1);
  ResetCtrlSpr<48, 48>();
  SetSaturationFlag<SaturationMode::FLOAT>(
      !GetSaturationFlag<SaturationMode::CAST>());
  SetPadValue(half(1.0f));
  SetPadValue<float, TPosition::VECIN>(0.0f);
  SetDeqScale((half)0.5);
  SetDeqScale(0.5f, 3, true);
  SetAtomicAdd<float>();
  SetAtomicMax<half>();
  SetAtomicMin<int8_t>();
  SetAtomicType<int32_t>();
  SetAtomicNone();
  DisableDmaAtomic();
}

template <typename T>
__aicore__ inline void Copies(const GlobalTensor<T>& gm,
                              const LocalTensor<T>& a, const LocalTensor<T>& b,
                              uint32_t n) {
  DataCopy(a, gm, n);
  DataCopy(gm[n], a, n);
  DataCopy(a, b, n);
  DataCopyParams params;
  params.blockCount = 4;
  params.blockLen = static_cast<uint16_t>(n * sizeof(T) / 32);
  params.srcStride = 0;
  params.dstGap = params.srcGap + params.dstStride;
  params.blockLen += 1;
  DataCopy(a, gm, params);
  DataCopy(gm, a, {1, 2, 0, 0});
  DataCopy(a, b, DataCopyParams(1, 2, 0, 0));
  LocalTensor<float> wide;
  DataCopy(wide, a, params);
  DataCopyExtParams ext{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
  DataCopyPadExtParams<T> pad{true, 0, 2, 0};
  pad.paddingValue = (T)1;
  DataCopyPad(a, gm, ext, pad);
  DataCopyPad(a, gm, {1, 20, 0, 0, 0}, {false, 0, 0, 0});
  DataCopyPad(gm, a, ext);
  DataCopyPad(gm, a, {1, 20, 0, 0, 0});
  DataCopyPadParams old;
  DataCopyPad(a, gm, params, old);
  DataCopyPad(a, gm, params, {true, 0, 1, 0});
  DataCopyPad(gm, a, params);
  uint64_t mask[2] = {1, 2};
  Copy(a, b, n, 4, {1, 1, 8, 8});
  Copy(a, b, mask, 4, CopyRepeatParams(1, 1, 8, 8));
  Copy<T, false>(a, b, MASK_PLACEHOLDER, 4, {1, 1, 8, 8});
}

#define BINARY(NAME)                                 \
  NAME(a, b, c, n);                                  \
  NAME<T>(a, b, c, 128);                             \
  NAME(a, b, c, mask, 4, {1, 1, 1, 8, 8, 8});        \
  NAME(a, b, c, 0, 4, two);                          \
  NAME(a, b, c, bits, 4, two);                       \
  NAME<T, false>(a, b, c, MASK_PLACEHOLDER, 1, two); \
  NAME<T, false>(a, b, c, MASK_PLACEHOLDER_LIST, 1, two)
#define UNARY(NAME)                               \
  NAME(a, b, n);                                  \
  NAME(a, b, mask, 4, {1, 1, 8, 8});              \
  NAME(a, b, bits, static_cast<uint8_t>(4), one); \
  NAME<T, false>(a, b, MASK_PLACEHOLDER, 1, one)
#define SCALAR(NAME)                         \
  NAME(a, b, 2, n);                          \
  NAME(a, b, (T)2.0f, n);                    \
  NAME<T, false>(a, b, scalar, n);           \
  NAME(a, b, scalar, mask, 4, {1, 1, 8, 8}); \
  NAME(a, b, scalar, bits, 4, one);          \
  NAME<T, false>(a, b, scalar, MASK_PLACEHOLDER, 1, one)

template <typename T>
__aicore__ inline void Elementwise(const LocalTensor<T>& a,
                                   const LocalTensor<T>& b,
                                   const LocalTensor<T>& c, int32_t n) {
  uint64_t mask = 128;
  uint64_t bits[2] = {UINT64_MAX, UINT64_MAX};
  const T scalar = (T)3;
  BinaryRepeatParams two;
  two.dstRepStride = n / 32;
  UnaryRepeatParams one(1, 1, 8, 8);
  one.srcBlkStride = 0;
  BINARY(Add);
  BINARY(Sub);
  BINARY(Mul);
  BINARY(Div);
  BINARY(Max);
  BINARY(Min);
  BINARY(And);
  BINARY(Or);
  BINARY(AddRelu);
  BINARY(SubRelu);
  BINARY(Prelu);
  BINARY(FusedMulAdd);
  BINARY(MulAddRelu);
  BINARY(FusedMulAddRelu);
  UNARY(Abs);
  UNARY(Neg);
  UNARY(Relu);
  UNARY(Not);
  UNARY(Exp);
  UNARY(Ln);
  UNARY(Sqrt);
  UNARY(Rsqrt);
  UNARY(Reciprocal);
  SCALAR(Adds);
  SCALAR(Subs);
  SCALAR(Muls);
  SCALAR(Divs);
  SCALAR(Maxs);
  SCALAR(Mins);
  SCALAR(Ands);
  SCALAR(Ors);
  SCALAR(LeakyRelu);
  SCALAR(ShiftLeft);
  SCALAR(ShiftRight);
  ShiftRight(a, b, scalar, mask, 4, one, true);
  Duplicate(a, scalar, n);
  Duplicate<T>(a, 0, n);
  Duplicate(a, scalar, mask, 2, 1, 8);
  Duplicate(a, (T)0, bits, 2, 1, 8);
  Duplicate<T, false>(a, scalar, MASK_PLACEHOLDER, 2, 1, 8);
  LocalTensor<T> d;
  d = a + b;
  d = a / b;
  d = a & b;
  d = a | b;
  LocalTensor<uint8_t> flags;
  flags = a < b;
  flags = a > b;
  flags = a <= b;
  flags = a >= b;
  flags = a == b;
  flags = a != b;
  a.SetValue(0, Std::max(Std::min(n, 3u), 2));
}

template <typename T, typename U>
__aicore__ inline void Mixed(const LocalTensor<T>& a, const LocalTensor<U>& b,
                             int32_t n) {
  static_assert(!Std::is_same<T, U>::value, "");
  uint64_t mask[2] = {1, 0};
  Cast(a, b, RoundMode::CAST_NONE, n);
  Cast<T, U>(a, b, AscendC::RoundMode::CAST_RINT, 64, 4, {1, 1, 8, 4});
  Cast(b, a, RoundMode::CAST_ODD, mask, 4, {1, 1, 4, 8});
  Cast<T, U, false>(a, b, RoundMode::CAST_TRUNC, MASK_PLACEHOLDER, 4,
                    {1, 1, 8, 4});
  Axpy(a, b, (U)2, n);
  Axpy<T, U>(a, b, 2.0f, 64, 4, {1, 1, 8, 4});
  Axpy(a, b, (U)2, mask, 4, {1, 1, 8, 4});
  MulAddDst(a, b, b, n);
  MulAddDst<T, U>(a, b, b, 64, 4, {1, 1, 1, 8, 4, 4});
  MulAddDst(a, b, b, mask, 4, {1, 1, 1, 8, 4, 4});
  MulCast(a, b, b, n);
  AddReluCast(b, a, a, n);
  AddReluCast<U, T, false>(b, a, a, MASK_PLACEHOLDER, 4, {1, 1, 1, 4, 8, 8});
  SubReluCast<U, T>(b, a, a, mask, 4, {1, 1, 1, 4, 8, 8});
}

__aicore__ inline void Dequantized(const LocalTensor<half>& a,
                                   const LocalTensor<int32_t>& b,
                                   const LocalTensor<int16_t>& c) {
  uint64_t mask[2] = {1, 0};
  CastDequant<half, int32_t>(a, b, 16);
  CastDequant<half, int32_t, false, false, false>(a, b, MASK_PLACEHOLDER, 1,
                                                  {1, 1, 4, 8});
  CastDequant<int8_t, int16_t, false>(a.ReinterpretCast<int8_t>(), c, 16);
  CastDeq<half, int32_t>(a, b, mask, 1, {1, 1, 4, 8});
  AddDeqRelu(a, b, b, 16);
  AddDeqRelu<false>(a, b, b, MASK_PLACEHOLDER, 1, {1, 1, 1, 4, 8, 8});
  AddDeqRelu<half, int32_t>(a, b, b, mask, 1, {1, 1, 1, 4, 8, 8});
}

extern "C" __global__ __aicore__ void calls(GM_ADDR x) {
  GlobalTensor<half> gm;
  gm.SetGlobalBuffer((__gm__ half*)x, 1024);
  LocalTensor<half> a, b, c;
  LocalTensor<float> f;
  LocalTensor<int16_t> i;
  LocalTensor<int4b_t> four;
  Copies(gm, a, b, 128);
  Elementwise(a, b, c, 128);
  Elementwise(f, f, f, 128);
  Elementwise(i, i, i, 128);
  Mixed(f, a, 64);
  Cast(a, four, RoundMode::CAST_NONE, 64);
  Cast(four[64], a, RoundMode::CAST_RINT, 64);
  LocalTensor<int32_t> words;
  GlobalTensor<int32_t> gmWords;
  State(gmWords, words);
  Dequantized(a, words, i);
}
