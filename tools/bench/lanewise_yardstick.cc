#define LANEDIFF_AVX2 __attribute__((target("avx2,f16c")))

#include <immintrin.h>

#include <array>
#include <cstdint>
#include <cstring>

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

// ---- The loop ---------------------------------------------------------------

using Int16s [[gnu::vector_size(32)]] = std::int16_t;
using Int32s [[gnu::vector_size(32)]] = std::int32_t;

/// What the processor makes of two vectors' numbers.
template <Op kOp, class Vector>
LANEDIFF_AVX2 inline Vector Computed(Vector a, Vector b) {
  return kOp == Op::kAdd ? a + b : kOp == Op::kSub ? a - b : a * b;
}

template <Op kOp, Lanes kLanes>
LANEDIFF_AVX2 inline void Combine(std::uint8_t* dst, const std::uint8_t* a,
                                  const std::uint8_t* b) {
  constexpr bool kMax = kOp == Op::kMax;
  constexpr bool kOneOfTwo = kMax || kOp == Op::kMin;
  const __m256i x = Load(a);
  const __m256i y = Load(b);
  if constexpr (kLanes == Lanes::kHalf && kOneOfTwo) {
    Store(dst, OneHalf<kMax>(x, y));
  } else if constexpr (kLanes == Lanes::kHalf) {
    for (const int half : {0, 16}) {
      StoreHalves(dst + half,
                  Computed<kOp>(LoadHalves(a + half), LoadHalves(b + half)));
    }
  } else if constexpr (kLanes == Lanes::kFloat) {
    const __m256 f = _mm256_castsi256_ps(x);
    const __m256 g = _mm256_castsi256_ps(y);
    __m256 result;
    if constexpr (kOneOfTwo) {
      result = OneFloat<kMax>(f, g);
    } else {
      result = Computed<kOp>(f, g);
    }
    Store(dst, _mm256_castps_si256(result));
  } else if constexpr (kLanes == Lanes::kInt16 && kOneOfTwo) {
    Store(dst, kMax ? _mm256_max_epi16(x, y) : _mm256_min_epi16(x, y));
  } else if constexpr (kOneOfTwo) {
    Store(dst, kMax ? _mm256_max_epi32(x, y) : _mm256_min_epi32(x, y));
  } else if constexpr (kLanes == Lanes::kInt16) {
    Store(dst, (__m256i)Computed<kOp>((Int16s)x, (Int16s)y));
  } else {
    Store(dst, (__m256i)Computed<kOp>((Int32s)x, (Int32s)y));
  }
}

/// Two vectors at a time.
template <Op kOp, Lanes kLanes>
LANEDIFF_AVX2 void ForAll(std::uint8_t* dst, const std::uint8_t* src0,
                          const std::uint8_t* src1, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 64) {
    Combine<kOp, kLanes>(dst + i, src0 + i, src1 + i);
    Combine<kOp, kLanes>(dst + i + 32, src0 + i + 32, src1 + i + 32);
  }
}

using Loop = void (*)(std::uint8_t*, const std::uint8_t*, const std::uint8_t*,
                      std::size_t);

template <Op kOp>
constexpr std::array<Loop, 4> kLoopsOf = {
    ForAll<kOp, Lanes::kInt16>, ForAll<kOp, Lanes::kInt32>,
    ForAll<kOp, Lanes::kHalf>, ForAll<kOp, Lanes::kFloat>};

/// By Op and Lanes.
constexpr std::array kLoops = {kLoopsOf<Op::kMin>, kLoopsOf<Op::kMax>,
                               kLoopsOf<Op::kAdd>, kLoopsOf<Op::kSub>,
                               kLoopsOf<Op::kMul>};

}  // namespace

void LanewiseAvx2(Op op, Lanes lanes, std::uint8_t* dst,
                  const std::uint8_t* src0, const std::uint8_t* src1,
                  std::size_t bytes) {
  kLoops[static_cast<std::size_t>(op)][static_cast<std::size_t>(lanes)](
      dst, src0, src1, bytes);
}

bool HasAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
}

__attribute__((noinline)) void CopyBytes(std::uint8_t* dst,
                                         const std::uint8_t* src,
                                         std::size_t bytes) {
  std::memcpy(dst, src, bytes);
}

}  // namespace lanediff::bench
