#include <immintrin.h>

#include <algorithm>
#include <bit>

#include "bench/yardsticks.h"

#define LANEDIFF_AVX2 __attribute__((target("avx2,f16c")))

namespace lanediff::bench {
namespace {

// ---- Vectors in and out -----------------------------------------------------

LANEDIFF_AVX2 inline __m256i Load(const void* at) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(at));
}
LANEDIFF_AVX2 inline void Store(void* at, __m256i value) {
  _mm256_storeu_si256(static_cast<__m256i*>(at), value);
}

// ---- Half and float ---------------------------------------------------------

/// Half bits, the sign and magnitude of a number, as an integer that ascends
/// with the number; −0 is −1 and +0 is 0. Undoes itself.
LANEDIFF_AVX2 inline __m256i Ascending(__m256i half) {
  const __m256i negative = _mm256_srai_epi16(half, 15);
  return _mm256_xor_si256(half, _mm256_srli_epi16(negative, 1));
}

LANEDIFF_AVX2 inline __m256i SmallerHalf(__m256i a, __m256i b) {
  const __m256i infinity = _mm256_set1_epi16(0x7c00);
  const __m256i largest = _mm256_set1_epi16(0x7bff);
  const __m256i smallest = _mm256_set1_epi16(-0x7c00);  // of −65504
  const __m256i magnitude = _mm256_set1_epi16(0x7fff);
  const __m256i nan = _mm256_or_si256(
      _mm256_cmpgt_epi16(_mm256_and_si256(a, magnitude), infinity),
      _mm256_cmpgt_epi16(_mm256_and_si256(b, magnitude), infinity));
  __m256i result = _mm256_min_epi16(Ascending(a), Ascending(b));
  result = _mm256_min_epi16(result, largest);
  result = _mm256_max_epi16(result, smallest);
  return _mm256_andnot_si256(nan, Ascending(result));
}

LANEDIFF_AVX2 inline __m256 SmallerFloat(__m256 a, __m256 b) {
  // minps gives the second operand where the two are equal or one is a NaN. Of
  // zeros the bits are joined, so that one minus is enough.
  const __m256 smaller = _mm256_min_ps(a, b);
  const __m256 equal = _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
  const __m256 joined = _mm256_or_ps(smaller, _mm256_and_ps(equal, a));
  const __m256 nan = _mm256_cmp_ps(a, b, _CMP_UNORD_Q);
  const __m256 canonical = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));
  return _mm256_blendv_ps(joined, canonical, nan);
}

// ---- The loop ---------------------------------------------------------------

// Functors rather than lambdas, whose implicit function pointers are built
// without AVX.
struct Int16 {
  LANEDIFF_AVX2 static inline __m256i Smaller(__m256i a, __m256i b) {
    return _mm256_min_epi16(a, b);
  }
};
struct Int32 {
  LANEDIFF_AVX2 static inline __m256i Smaller(__m256i a, __m256i b) {
    return _mm256_min_epi32(a, b);
  }
};
struct Half {
  LANEDIFF_AVX2 static inline __m256i Smaller(__m256i a, __m256i b) {
    return SmallerHalf(a, b);
  }
};
struct Float {
  LANEDIFF_AVX2 static inline __m256i Smaller(__m256i a, __m256i b) {
    return _mm256_castps_si256(
        SmallerFloat(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)));
  }
};

/// Two vectors at a time, then one, then what is left through vectors on the
/// stack.
template <class Type, class T>
LANEDIFF_AVX2 inline void ForAll(T* dst, const T* src0, const T* src1,
                                 std::size_t count) {
  constexpr std::size_t kLanes = 32 / sizeof(T);
  std::size_t i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
    const __m256i first = Type::Smaller(Load(src0 + i), Load(src1 + i));
    const __m256i second =
        Type::Smaller(Load(src0 + i + kLanes), Load(src1 + i + kLanes));
    Store(dst + i, first);
    Store(dst + i + kLanes, second);
  }
  for (; i + kLanes <= count; i += kLanes) {
    Store(dst + i, Type::Smaller(Load(src0 + i), Load(src1 + i)));
  }
  if (i == count) return;
  T rest0[kLanes] = {};
  T rest1[kLanes] = {};
  std::copy(src0 + i, src0 + count, rest0);
  std::copy(src1 + i, src1 + count, rest1);
  Store(rest0, Type::Smaller(Load(rest0), Load(rest1)));
  std::copy(rest0, rest0 + (count - i), dst + i);
}

}  // namespace

LANEDIFF_AVX2 void MinInt16Avx2(std::int16_t* dst, const std::int16_t* src0,
                                const std::int16_t* src1, std::size_t count) {
  ForAll<Int16>(dst, src0, src1, count);
}

LANEDIFF_AVX2 void MinInt32Avx2(std::int32_t* dst, const std::int32_t* src0,
                                const std::int32_t* src1, std::size_t count) {
  ForAll<Int32>(dst, src0, src1, count);
}

LANEDIFF_AVX2 void MinHalfAvx2(std::uint16_t* dst, const std::uint16_t* src0,
                               const std::uint16_t* src1, std::size_t count) {
  ForAll<Half>(dst, src0, src1, count);
}

LANEDIFF_AVX2 void MinFloatAvx2(float* dst, const float* src0,
                                const float* src1, std::size_t count) {
  ForAll<Float>(dst, src0, src1, count);
}

}  // namespace lanediff::bench
