// Every name of comparing, reducing, rearranging and sorting, in each form.
#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
__aicore__ inline void Comparing(const LocalTensor<T>& a,
                                 const LocalTensor<T>& b,
                                 const LocalTensor<uint8_t>& bits, uint32_t n) {
  uint64_t mask[2] = {3, 0};
  BinaryRepeatParams two;
  UnaryRepeatParams one;
  Compare(bits, a, b, CMPMODE::LT, n);
  Compare(bits, a, b, CMPMODE::GE, 64, 4, two);
  Compare(bits, a, b, CMPMODE::EQ, mask, 4, two);
  Compare<T, uint8_t, false>(bits, a, b, CMPMODE::NE, MASK_PLACEHOLDER, 4, two);
  Compare(a, b, CMPMODE::GT, 64, two);
  Compare(a, b, CMPMODE::GT, mask, two);
  Compare<T, false>(a, b, CMPMODE::LE, MASK_PLACEHOLDER, two);
  CompareScalar(bits, a, (T)0, CMPMODE::LT, n);
  CompareScalar(bits, a, (T)0, CMPMODE::LT, 64, 4, one);
  CompareScalar(bits, a, 0, CMPMODE::LT, mask, 4, {1, 1, 8, 8});
  Compares(bits, a, (T)0, CMPMODE::LT, n);
  Compares(bits, a, (T)0, CMPMODE::LT, 64, 4, one);
  Select(a, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, n);
  Select(a, bits, a, b, SELMODE::VSEL_CMPMASK_SPR, 64, 4, two);
  Select(a, bits, a, b, SELMODE::VSEL_CMPMASK_SPR, mask, 4, two);
  Select(a, bits, a, (T)1, SELMODE::VSEL_TENSOR_SCALAR_MODE, n);
  Select(a, bits, a, static_cast<T>(1), SELMODE::VSEL_TENSOR_SCALAR_MODE, 64, 4,
         two);
  Select<T, uint8_t>(a, bits, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, mask,
                     4, two);
  GetCmpMask(bits);
  SetCmpMask(bits);
  LocalTensor<uint32_t> pattern;
  uint64_t rsvdCnt = 0;
  GatherMask(a, b, pattern, true, 70, {1, 2, 4, 0}, rsvdCnt);
  GatherMask(a, b, 2, false, 0, GatherMaskParams(1, 1, 8, 8), rsvdCnt);
  GatherMask<T>(a, b, static_cast<uint8_t>(1), false, 0, {1, 1, 8, 8}, rsvdCnt);
}

#define WHOLE(NAME)                \
  NAME(a, b, 64, 4, 1, 1, 8);      \
  NAME<T>(a, b, mask, 4, 1, 1, 8); \
  NAME<T, false>(a, b, MASK_PLACEHOLDER, 4, 1, 1, 8)
#define BLOCK(NAME)                      \
  NAME(a, b, 4, 64, 1, 1, 8);            \
  NAME<T, true>(a, b, 4, mask, 1, 1, 8); \
  NAME<T, false>(a, b, 4, MASK_PLACEHOLDER, 1, 1, 8)
#define TENSOR(NAME)          \
  NAME(a, b, t, n);           \
  NAME<T>(a, b, t, 64, 4, 8); \
  NAME(a, b, t, mask, 4, 8)

template <typename T>
__aicore__ inline void Reducing(const LocalTensor<T>& a,
                                const LocalTensor<T>& b,
                                const LocalTensor<T>& t, int32_t n) {
  uint64_t mask[2] = {3, 0};
  RepeatReduceSum(a, b, 4, 64, 0, 1, 1, 8);
  RepeatReduceSum<T, false>(a, b, 4, MASK_PLACEHOLDER, 0, 1, 1, 8);
  WHOLE(WholeReduceSum);
  WHOLE(WholeReduceMax);
  WHOLE(WholeReduceMin);
  WholeReduceMax(a, b, 64, 4, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
  BLOCK(BlockReduceSum);
  BLOCK(BlockReduceMax);
  BLOCK(BlockReduceMin);
  BLOCK(PairReduceSum);
  ReduceRepeat<ReduceType::SUM>(a, b, 64, 4, 1, 1, 8);
  ReduceRepeat<ReduceType::MAX>(a, b, mask, 4, 1, 1, 8,
                                ReduceOrder::ORDER_INDEX_VALUE);
  ReduceDataBlock<ReduceType::MIN>(a, b, 64, 4, 1, 1, 8);
  ReducePairElem<ReduceType::SUM>(a, b, mask, 4, 1, 1, 8);
  TENSOR(ReduceSum);
  const T sum = GetReduceRepeatSumSpr<T>();
  a.SetValue(0, GetAccVal<T>() + sum);
  TENSOR(ReduceMax);
  TENSOR(ReduceMin);
  ReduceMax(a, b, t, n, true);
  ReduceMin(a, b, t, 64, 4, 8, true);
}

template <typename T>
__aicore__ inline void Rearranging(const LocalTensor<T>& a,
                                   const LocalTensor<T>& b,
                                   const LocalTensor<uint32_t>& offset) {
  uint64_t mask[2] = {3, 0};
  Brcb(a, b, 4, {1, 8});
  Gather(a, b, offset, 0, 64);
  Gather(a, b, offset, (uint32_t)0, 64, 4, 8);
  Gather(a, b, offset, 0, mask, 4, 8);
  Gatherb(a, b, offset, 4, {1, 8});
  Scatter(a, b, offset, 0, 64);
  Scatter(a, b, offset, 0, 64, 4, 8);
  Scatter(a, b, offset, 0, mask, 4, 8);
  Transpose(a, b);
  LocalTensor<uint8_t> tmp;
  TransposeParamsExt params;
  params.transposeType = TransposeType::TRANSPOSE_NCHW2NHWC;
  Transpose(a, b, tmp, params);
  LocalTensor<T> to[16], from[16];
  uint64_t toList[16], fromList[16];
  for (int i = 0; i < 16; ++i) {
    toList[i] = (uint64_t)(a[16 * i].GetPhyAddr());
    fromList[i] = reinterpret_cast<uint64_t>(b.GetPhyAddr(16 * i));
  }
  TransDataTo5HDParams conv(false, false, 1, 0, 0);
  TransDataTo5HD<T>(to, from, conv);
  TransDataTo5HD<T>(toList, fromList, conv);
  LocalTensor<uint64_t> lists;
  TransDataTo5HD<T>(lists, lists[16], conv);
  CreateVecIndex(a, (T)0, 64);
  CreateVecIndex(a, (T)0, 64, 4, 1, 8);
  CreateVecIndex(a, (T)0, mask, 4, 1, 8);
  ArithProgression<T>(a, static_cast<T>(0), static_cast<T>(1), 64);
}

template <typename T>
__aicore__ inline void Sorting(const LocalTensor<T>& a, const LocalTensor<T>& b,
                               LocalTensor<T>& c,
                               const LocalTensor<uint32_t>& index) {
  LocalTensor<T> concat;
  Concat(concat, a, c, 2);
  Sort<T, true>(b, concat, index, c, 2);
  Sort32(a, b, index, 4);
  RpSort16(a, b, 4);
  ProposalConcat(a, b, 4, 1);
  ProposalExtract(a, b, 4, 1);
  const uint16_t lengths[4] = {32, 32, 32, 32};
  uint32_t sorted[4];
  MrgSortSrcList<T> list(a, a[GetSortOffset<T>(32)], b, c);
  MrgSortSrcList<T> other;
  other.src1 = a;
  other.src2 = b[0];
  other.src3 = other.src4 = c;
  MrgSort<T, true>(b, list, lengths, sorted, 0b1111, 1);
  MrgSort4Info info(lengths, false, 15, 1);
  info.repeatTimes = GetSortLen<T>(2);
  MrgSort(b, other, info);
  MrgSort4(b, list, info);
  uint16_t taken[4];
  GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
  Extract(a, index, b, 2);
}

extern "C" __global__ __aicore__ void more(GM_ADDR) {
  LocalTensor<half> h;
  LocalTensor<float> f;
  LocalTensor<uint8_t> bytes;
  LocalTensor<uint32_t> words;
  Comparing(h, h, bytes, 128);
  Comparing(f, f, bytes, 128);
  Reducing(h, h, h, 128);
  Reducing(f, f, f, 128);
  Rearranging(h, h, words);
  Rearranging(f, f, words);
  Sorting(h, h, h, words);
  Sorting(f, f, f, words);
}
