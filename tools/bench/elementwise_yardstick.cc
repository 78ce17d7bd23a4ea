#define LANEDIFF_AVX2 __attribute__((target("avx2,f16c")))

#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tools/bench/yardsticks.h"

namespace lanediff::bench {
namespace {

// ---- Vectors in and out -----------------------------------------------------

LANEDIFF_AVX2 inline __m256i Load(const void* at) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(at));
}
LANEDIFF_AVX2 inline void Store(void* at, __m256i value) {
  _mm256_storeu_si256(static_cast<__m256i*>(at), value);
}
LANEDIFF_AVX2 inline __m256 LoadHalves(const void* at) {
  return _mm256_cvtph_ps(_mm_loadu_si128(static_cast<const __m128i*>(at)));
}
LANEDIFF_AVX2 inline void StoreHalves(void* at, __m256 value) {
  _mm_storeu_si128(static_cast<__m128i*>(at),
                   _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
}

// ---- Half and float ---------------------------------------------------------

/// Half bits, the sign and magnitude of a number, as an integer that ascends
/// with the number; −0 is −1 and +0 is 0. Undoes itself.
LANEDIFF_AVX2 inline __m256i Ascending(__m256i half) {
  const __m256i negative = _mm256_srai_epi16(half, 15);
  return _mm256_xor_si256(half, _mm256_srli_epi16(negative, 1));
}

/// `kMax`: the larger half, else the smaller; saturated.
template <bool kMax>
LANEDIFF_AVX2 inline __m256i OneHalf(__m256i a, __m256i b) {
  const __m256i infinity = _mm256_set1_epi16(0x7c00);
  const __m256i largest = _mm256_set1_epi16(0x7bff);
  const __m256i smallest = _mm256_set1_epi16(-0x7c00);  // of −65504
  const __m256i magnitude = _mm256_set1_epi16(0x7fff);
  const __m256i nan = _mm256_or_si256(
      _mm256_cmpgt_epi16(_mm256_and_si256(a, magnitude), infinity),
      _mm256_cmpgt_epi16(_mm256_and_si256(b, magnitude), infinity));
  const __m256i x = Ascending(a);
  const __m256i y = Ascending(b);
  __m256i result = kMax ? _mm256_max_epi16(x, y) : _mm256_min_epi16(x, y);
  result = _mm256_min_epi16(result, largest);
  result = _mm256_max_epi16(result, smallest);
  return _mm256_andnot_si256(nan, Ascending(result));
}

/// `kMax`: the larger float, else the smaller.
template <bool kMax>
LANEDIFF_AVX2 inline __m256 OneFloat(__m256 a, __m256 b) {
  // minps and maxps give the second operand where the two are equal or one is a
  // NaN. Of zeros the bits are joined: one minus is enough for the smaller, and
  // one plus for the larger.
  const __m256 one = kMax ? _mm256_max_ps(a, b) : _mm256_min_ps(a, b);
  const __m256 equal = _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
  const __m256 joined = kMax ? _mm256_andnot_ps(_mm256_andnot_ps(a, equal), one)
                             : _mm256_or_ps(one, _mm256_and_ps(equal, a));
  const __m256 nan = _mm256_cmp_ps(a, b, _CMP_UNORD_Q);
  const __m256 canonical = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));
  return _mm256_blendv_ps(joined, canonical, nan);
}

// ---- What the processor makes of two vectors --------------------------------

// Functors rather than lambdas, whose implicit function pointers are built
// without AVX.
template <bool kMax>
struct OneOfTwo {
  LANEDIFF_AVX2 static inline __m256i Int16(__m256i a, __m256i b) {
    return kMax ? _mm256_max_epi16(a, b) : _mm256_min_epi16(a, b);
  }
  LANEDIFF_AVX2 static inline __m256i Int32(__m256i a, __m256i b) {
    return kMax ? _mm256_max_epi32(a, b) : _mm256_min_epi32(a, b);
  }
  LANEDIFF_AVX2 static inline __m256i Half(__m256i a, __m256i b) {
    return OneHalf<kMax>(a, b);
  }
  LANEDIFF_AVX2 static inline __m256 Float(__m256 a, __m256 b) {
    return OneFloat<kMax>(a, b);
  }
};

template <Op kOp>
struct Operation;
template <>
struct Operation<Op::kMin> : OneOfTwo<false> {};
template <>
struct Operation<Op::kMax> : OneOfTwo<true> {};
template <>
struct Operation<Op::kAdd> {
  LANEDIFF_AVX2 static inline __m256i Int16(__m256i a, __m256i b) {
    return _mm256_add_epi16(a, b);
  }
  LANEDIFF_AVX2 static inline __m256i Int32(__m256i a, __m256i b) {
    return _mm256_add_epi32(a, b);
  }
  LANEDIFF_AVX2 static inline __m256 Float(__m256 a, __m256 b) {
    return _mm256_add_ps(a, b);
  }
};
template <>
struct Operation<Op::kSub> {
  LANEDIFF_AVX2 static inline __m256i Int16(__m256i a, __m256i b) {
    return _mm256_sub_epi16(a, b);
  }
  LANEDIFF_AVX2 static inline __m256i Int32(__m256i a, __m256i b) {
    return _mm256_sub_epi32(a, b);
  }
  LANEDIFF_AVX2 static inline __m256 Float(__m256 a, __m256 b) {
    return _mm256_sub_ps(a, b);
  }
};
template <>
struct Operation<Op::kMul> {
  LANEDIFF_AVX2 static inline __m256i Int16(__m256i a, __m256i b) {
    return _mm256_mullo_epi16(a, b);
  }
  LANEDIFF_AVX2 static inline __m256i Int32(__m256i a, __m256i b) {
    return _mm256_mullo_epi32(a, b);
  }
  LANEDIFF_AVX2 static inline __m256 Float(__m256 a, __m256 b) {
    return _mm256_mul_ps(a, b);
  }
};

template <Op kOp, class T>
struct Step {
  using Of = Operation<kOp>;
  static constexpr bool kThroughFloats =
      std::is_same_v<T, std::uint16_t> && kOp != Op::kMin && kOp != Op::kMax;
  static constexpr std::size_t kLanes = kThroughFloats ? 8 : 32 / sizeof(T);

  LANEDIFF_AVX2 static inline void Combine(T* dst, const T* a, const T* b) {
    if constexpr (kThroughFloats) {
      StoreHalves(dst, Of::Float(LoadHalves(a), LoadHalves(b)));
    } else if constexpr (std::is_same_v<T, float>) {
      _mm256_storeu_ps(dst, Of::Float(_mm256_loadu_ps(a), _mm256_loadu_ps(b)));
    } else if constexpr (std::is_same_v<T, std::uint16_t>) {
      Store(dst, Of::Half(Load(a), Load(b)));
    } else if constexpr (std::is_same_v<T, std::int16_t>) {
      Store(dst, Of::Int16(Load(a), Load(b)));
    } else {
      Store(dst, Of::Int32(Load(a), Load(b)));
    }
  }
};

// ---- The loop ---------------------------------------------------------------

/// Two vectors at a time, then one, then what is left through vectors on the
/// stack.
template <Op kOp, class T>
LANEDIFF_AVX2 inline void ForAll(T* dst, const T* src0, const T* src1,
                                 std::size_t count) {
  using Vector = Step<kOp, T>;
  constexpr std::size_t kLanes = Vector::kLanes;
  std::size_t i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
    Vector::Combine(dst + i, src0 + i, src1 + i);
    Vector::Combine(dst + i + kLanes, src0 + i + kLanes, src1 + i + kLanes);
  }
  for (; i + kLanes <= count; i += kLanes) {
    Vector::Combine(dst + i, src0 + i, src1 + i);
  }
  if (i == count) return;
  T rest0[kLanes] = {};
  T rest1[kLanes] = {};
  std::copy(src0 + i, src0 + count, rest0);
  std::copy(src1 + i, src1 + count, rest1);
  Vector::Combine(rest0, rest0, rest1);
  std::copy(rest0, rest0 + (count - i), dst + i);
}

}  // namespace

// Specialisations, whose target g++ keeps, unlike that of what it instantiates.
#define LANEDIFF_LOOP(OP, T)                                      \
  template <>                                                     \
  LANEDIFF_AVX2 void ElementwiseAvx2<OP, T>(                      \
      T * dst, const T* src0, const T* src1, std::size_t count) { \
    ForAll<OP>(dst, src0, src1, count);                           \
  }
#define LANEDIFF_LOOPS(OP)         \
  LANEDIFF_LOOP(OP, std::int16_t)  \
  LANEDIFF_LOOP(OP, std::int32_t)  \
  LANEDIFF_LOOP(OP, std::uint16_t) \
  LANEDIFF_LOOP(OP, float)

LANEDIFF_LOOPS(Op::kMin)
LANEDIFF_LOOPS(Op::kMax)
LANEDIFF_LOOPS(Op::kAdd)
LANEDIFF_LOOPS(Op::kSub)
LANEDIFF_LOOPS(Op::kMul)

bool HasAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
}

__attribute__((noinline)) void CopyBytes(std::uint8_t* dst,
                                         const std::uint8_t* src,
                                         std::size_t bytes) {
  std::memcpy(dst, src, bytes);
}

}  // namespace lanediff::bench
