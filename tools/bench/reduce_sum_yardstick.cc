#include <immintrin.h>

#include <array>

#include "tools/bench/yardsticks.h"

#define LANEDIFF_AVX2 __attribute__((target("avx2,f16c")))

// Eight repeats at a time. A level adds neighbours with hadd, which leaves
// them in an order of its own but keeps neighbours together: two vectors of
// eight nodes become one, so sixteen vectors of a repeat become one, and the
// eight of eight repeats then one more.

namespace lanediff::bench {
namespace {

/// A level's sums without NaN, as halves hold them: between ±65504,
/// rounded to nearest even.
LANEDIFF_AVX2 inline __m256 Rounded(__m256 sums) {
  sums = _mm256_min_ps(sums, _mm256_set1_ps(65504.0f));
  sums = _mm256_max_ps(sums, _mm256_set1_ps(-65504.0f));
  return _mm256_cvtph_ps(_mm256_cvtps_ph(sums, _MM_FROUND_TO_NEAREST_INT));
}

/// One level: sums of neighbours of `a` and `b`, two of `a`, two of `b`, in
/// each half of the register.
LANEDIFF_AVX2 inline __m256 Pair(__m256 a, __m256 b) {
  return Rounded(_mm256_hadd_ps(a, b));
}

/// The lowest level, where NaN becomes 0. Above it there is none: saturated
/// sums are finite.
LANEDIFF_AVX2 inline __m256 Leaves(__m256 a, __m256 b) {
  const __m256 sums = _mm256_hadd_ps(a, b);
  return Rounded(_mm256_and_ps(sums, _mm256_cmp_ps(sums, sums, _CMP_ORD_Q)));
}

/// Sums of the lower half of a register with its upper one: `a`'s four, then
/// `b`'s.
LANEDIFF_AVX2 inline __m256 Fold(__m256 a, __m256 b) {
  return Rounded(_mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20),
                               _mm256_permute2f128_ps(a, b, 0x31)));
}

LANEDIFF_AVX2 inline __m256 Widen(const std::uint16_t* halves) {
  return _mm256_cvtph_ps(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(halves)));
}

/// The 64 halves at `src` as eight sums of eight neighbours, in order.
LANEDIFF_AVX2 inline __m256 EightSums(const std::uint16_t* src) {
  const __m256 a = Pair(Leaves(Widen(src), Widen(src + 8)),
                        Leaves(Widen(src + 16), Widen(src + 24)));
  const __m256 b = Pair(Leaves(Widen(src + 32), Widen(src + 40)),
                        Leaves(Widen(src + 48), Widen(src + 56)));
  return Fold(a, b);
}

/// One repeat as eight sums of sixteen neighbours. With the sums of eight
/// numbered 0 to F they are 01 23 89 AB | 45 67 CD EF.
LANEDIFF_AVX2 inline __m256 SixteenSums(const std::uint16_t* src) {
  return Pair(EightSums(src), EightSums(src + 64));
}

/// Eight repeats' sixteen sums each become their eight results, in order.
LANEDIFF_AVX2 inline __m128i Results(const __m256 (&v)[8]) {
  // 0123 89AB of two repeats | 4567 CDEF of the same two.
  const __m256 a = Pair(v[0], v[1]);
  const __m256 b = Pair(v[2], v[3]);
  const __m256 c = Pair(v[4], v[5]);
  const __m256 d = Pair(v[6], v[7]);
  // 0-7 8-F of repeats 0 and 1 | of repeats 2 and 3.
  const __m256 e = Fold(a, b);
  const __m256 f = Fold(c, d);
  const __m256 sums = Pair(e, f);
  // Repeats 0 1 4 5 | 2 3 6 7.
  const __m128i halves = _mm256_cvtps_ph(sums, _MM_FROUND_TO_NEAREST_INT);
  return _mm_shuffle_epi32(halves, _MM_SHUFFLE(3, 1, 2, 0));
}

}  // namespace

LANEDIFF_AVX2 void ReduceSumHalfAvx2(std::uint16_t* dst,
                                     const std::uint16_t* src,
                                     std::size_t repeats) {
  std::size_t r = 0;
  __m256 sums[8];
  for (; r + 8 <= repeats; r += 8) {
    for (std::size_t i = 0; i < 8; ++i) {
      sums[i] = SixteenSums(src + (r + i) * kHalvesInRepeat);
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + r), Results(sums));
  }
  if (r == repeats) return;
  for (std::size_t i = 0; i < 8; ++i) {
    sums[i] = r + i < repeats ? SixteenSums(src + (r + i) * kHalvesInRepeat)
                              : _mm256_setzero_ps();
  }
  std::array<std::uint16_t, 8> rest;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(rest.data()), Results(sums));
  for (std::size_t i = 0; r + i < repeats; ++i) dst[r + i] = rest[i];
}

}  // namespace lanediff::bench
