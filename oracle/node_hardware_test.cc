#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "isa/vocabulary.h"
#include "oracle/node.h"
#include "oracle/testing.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/// Nodes against the processor: half against F16C, float against itself.
namespace lanediff::oracle {
namespace {

using test::Words;

constexpr int kRandomPairs = test::kSlowBuild ? 1 << 18 : 1 << 24;

/// The larger one as the documents have it: NaN stays, and +0 is larger than
/// −0.
template <class Float>
Float Larger(Float x, Float y) {
  if (std::isnan(x) || std::isnan(y)) {
    return std::numeric_limits<Float>::quiet_NaN();
  }
  if (x == y) return std::signbit(x) ? y : x;
  return x > y ? x : y;
}

// ---- Half against the processor's F16C ------------------------------------

#if defined(__x86_64__)
constexpr bool kMayHaveF16c = true;
bool CpuHasF16c() { return __builtin_cpu_supports("f16c") != 0; }

__attribute__((target("f16c"))) float Widened(std::uint64_t half) {
  return _cvtsh_ss(static_cast<std::uint16_t>(half));
}
__attribute__((target("f16c"))) std::uint64_t Narrowed(float value) {
  return static_cast<std::uint16_t>(
      _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT));
}
#else
constexpr bool kMayHaveF16c = false;
bool CpuHasF16c() { return false; }
float Widened(std::uint64_t) { return 0; }
std::uint64_t Narrowed(float) { return 0; }
#endif

/// Half arithmetic by the processor. Add and subtract: the sum in float, 24
/// bits, rounded to 11 bits afterwards is the correctly rounded sum, for 24 >=
/// 2·11 + 2. Multiply: 11 · 11 bits fit a float exactly. All are exact in
/// double.
class HalfAgainstF16c : public testing::Test {
 protected:
  void SetUp() override {
    if (!kMayHaveF16c || !CpuHasF16c()) {
      GTEST_SKIP() << "this processor has no F16C: half nodes NOT compared "
                      "with hardware";
    }
  }

  static NodeResult Expected(float value, double exact, bool saturation) {
    if (std::isnan(value)) {
      return saturation ? NodeResult{.bits = 0, .saturated = true}
                        : NodeResult{.bits = 0x7e00};
    }
    NodeResult r{.bits = Narrowed(value)};
    const double rounded = static_cast<double>(Widened(r.bits));
    r.rounded = rounded != exact;
    r.tie = IsTie(r.bits, rounded, exact);
    if (saturation && std::isinf(rounded)) {
      r.bits = rounded > 0 ? 0x7bff : 0xfbff;
      r.saturated = true;
    }
    return r;
  }

  /// Whether `exact` is as far from a neighbour of `bits` as from `bits`. The
  /// neighbour of 65504 is 65536 here, infinity's place.
  static bool IsTie(std::uint64_t bits, double rounded, double exact) {
    const double below_infinity = 65504;
    if (std::isinf(exact)) return false;
    if (std::isinf(rounded)) return std::abs(exact) == below_infinity + 16;
    if (rounded == exact) return false;
    const double away = std::abs(exact) > std::abs(rounded) ? 1 : -1;
    const std::uint64_t neighbour = bits + (away > 0 ? 1 : -1ULL);
    const double other = static_cast<double>(Widened(neighbour));
    if (std::isinf(other)) return false;  // 65520 itself rounds to infinity
    return std::abs(other - exact) == std::abs(rounded - exact);
  }

  static void Check(std::uint64_t a, std::uint64_t b, bool saturation) {
    const float x = Widened(a);
    const float y = Widened(b);
    const auto u = static_cast<double>(x);
    const auto v = static_cast<double>(y);
    const auto of = [=](auto node) {
      return node(DType::kHalf, a, b, saturation);
    };
    ASSERT_EQ(of(Add), Expected(x + y, u + v, saturation))
        << std::hex << a << " + " << b << " saturation " << saturation;
    ASSERT_EQ(of(Subtract), Expected(x - y, u - v, saturation))
        << std::hex << a << " - " << b << " saturation " << saturation;
    ASSERT_EQ(of(Multiply), Expected(x * y, u * v, saturation))
        << std::hex << a << " * " << b << " saturation " << saturation;
    ASSERT_EQ(of(Maximum), Expected(Larger(x, y), Larger(u, v), saturation))
        << std::hex << "max " << a << " " << b << " saturation " << saturation;
  }
};

TEST_F(HalfAgainstF16c, EveryHalfKeepsItsValue) {
  for (std::uint64_t bits = 0; bits <= 0xffff; ++bits) {
    const float value = Widened(bits);
    if (!std::isfinite(value)) continue;
    // x + 0 and x · 1 are x, except that -0 + +0 is +0.
    const std::uint64_t sum = bits == 0x8000 ? 0 : bits;
    ASSERT_EQ(Add(DType::kHalf, bits, 0, true), NodeResult{.bits = sum});
    ASSERT_EQ(Multiply(DType::kHalf, bits, 0x3c00, true),
              NodeResult{.bits = bits});
    char decimal[128];
    std::snprintf(decimal, sizeof decimal, "%.24f", static_cast<double>(value));
    ASSERT_EQ(std::strtod(ExactAdd(DType::kHalf, bits, 0).c_str(), nullptr),
              std::strtod(decimal, nullptr));
  }
}

TEST_F(HalfAgainstF16c, RandomPairs) {
  Words words;
  for (int i = 0; i < kRandomPairs; ++i) {
    const std::uint64_t w = words.Next();
    ASSERT_NO_FATAL_FAILURE(
        Check(w & 0xffff, w >> 16 & 0xffff, (w >> 32 & 1) != 0));
  }
}

// ---- Float against the processor ------------------------------------------

constexpr std::uint32_t kFloatBoundaries[] = {
    0x00000000, 0x00000001, 0x00000002, 0x003fffff, 0x00400000, 0x007ffffe,
    0x007fffff, 0x00800000, 0x00800001, 0x00ffffff, 0x01000000, 0x1fffffff,
    0x20000000, 0x33000000, 0x33800000, 0x33800001, 0x34000000, 0x3f000000,
    0x3f7fffff, 0x3f800000, 0x3f800001, 0x3f800002, 0x3fffffff, 0x40000000,
    0x4b7fffff, 0x4b800000, 0x4b800001, 0x4b800002, 0x5f7fffff, 0x5f800000,
    0x73000000, 0x73000001, 0x73800000, 0x7effffff, 0x7f000000, 0x7f000001,
    0x7f7ffffe, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};

std::uint64_t BitsOf(float value) {
  if (std::isnan(value)) return 0x7fc00000;
  return std::bit_cast<std::uint32_t>(value);
}

void CheckFloat(std::uint32_t a, std::uint32_t b) {
  const auto x = std::bit_cast<float>(a);
  const auto y = std::bit_cast<float>(b);
  const float product = x * y;
  ASSERT_EQ(Add(DType::kFloat, a, b, true).bits, BitsOf(x + y))
      << std::hex << a << " + " << b;
  ASSERT_EQ(Subtract(DType::kFloat, a, b, true).bits, BitsOf(x - y))
      << std::hex << a << " - " << b;
  ASSERT_EQ(Multiply(DType::kFloat, a, b, true).bits, BitsOf(product))
      << std::hex << a << " * " << b;
  ASSERT_EQ(Maximum(DType::kFloat, a, b, true).bits, BitsOf(Larger(x, y)))
      << std::hex << "max " << a << " " << b;
  // A product of floats is exact in double.
  const double exact = static_cast<double>(x) * static_cast<double>(y);
  ASSERT_EQ(Multiply(DType::kFloat, a, b, false).rounded,
            !std::isnan(product) && static_cast<double>(product) != exact)
      << std::hex << a << " * " << b;
}

TEST(Float, BoundaryPairs) {
  for (std::uint32_t a : kFloatBoundaries) {
    for (std::uint32_t b : kFloatBoundaries) {
      for (std::uint32_t signs = 0; signs < 4; ++signs) {
        ASSERT_NO_FATAL_FAILURE(
            CheckFloat(a | signs << 31, b | (signs >> 1) << 31));
      }
    }
  }
}

TEST(Float, RandomPairs) {
  Words words;
  for (int i = 0; i < kRandomPairs / 8; ++i) {
    const std::uint64_t w = words.Next();
    ASSERT_NO_FATAL_FAILURE(CheckFloat(static_cast<std::uint32_t>(w),
                                       static_cast<std::uint32_t>(w >> 32)));
  }
}

/// Exponents close to each other: cancellation, carries and ties.
TEST(Float, RandomPairsOfSimilarSize) {
  Words words;
  for (int i = 0; i < kRandomPairs / 8; ++i) {
    const std::uint64_t w = words.Next();
    const auto a = static_cast<std::uint32_t>(w);
    const auto fraction = static_cast<std::uint32_t>(w >> 32) & 0x7fffff;
    const std::uint32_t exponent =
        (a >> 23) + static_cast<std::uint32_t>(w >> 55) % 53 - 26;
    // Few bits set, so that sums often lie halfway between two floats.
    const std::uint32_t mask = w >> 63 != 0 ? 0x7fffff : 0x700001;
    const std::uint32_t b = exponent << 23 | (fraction & mask);
    ASSERT_NO_FATAL_FAILURE(CheckFloat(a, b));
  }
}

}  // namespace
}  // namespace lanediff::oracle
