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

// ---- Sums ------------------------------------------------------------------

// Eight repeats at a time. A level adds neighbours with hadd, which leaves
// them in an order of its own but keeps neighbours together: two vectors of
// eight nodes become one, so sixteen vectors of a repeat become one, and the
// eight of eight repeats then one more.

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
