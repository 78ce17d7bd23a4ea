#include "oracle/wide_node.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/format.h"
#include "oracle/node.h"
#include "oracle/testing.h"

/// Nodes computed in words against the same nodes computed in integers that
/// hold every exact sum and product whole.
namespace lanediff::oracle {
namespace {

using isa::DType;
using test::Words;

constexpr int kRandomPairs = test::kSlowBuild ? 1 << 15 : 1 << 19;

void CheckPair(DType type, std::uint64_t a, std::uint64_t b) {
  ASSERT_EQ(Add(type, a, b, false), WideAdd(type, a, b))
      << std::hex << a << " + " << b;
  ASSERT_EQ(Multiply(type, a, b, false), WideMultiply(type, a, b))
      << std::hex << a << " * " << b;
  ASSERT_EQ(Minimum(type, a, b, false), WideMinimum(type, a, b))
      << std::hex << "min " << a << " " << b;
}

/// In every binade, both signs: the fractions at which something can change.
std::vector<std::uint64_t> Corners(DType type) {
  const Format format = FormatOf(type);
  const std::uint64_t hidden = std::uint64_t{1} << format.StoredFraction();
  std::vector<std::uint64_t> corners;
  for (int stored = 0; stored <= format.TopExponent(); ++stored) {
    const std::uint64_t exponent = static_cast<std::uint64_t>(stored)
                                   << format.StoredFraction();
    for (std::uint64_t fraction :
         std::array{std::uint64_t{0}, std::uint64_t{1}, hidden - 1}) {
      corners.push_back(exponent | fraction);
      corners.push_back(format.Sign(true) | exponent | fraction);
    }
  }
  return corners;
}

void CheckCorners(DType type) {
  const std::vector<std::uint64_t> corners = Corners(type);
  for (std::size_t i = 0; i < corners.size(); i += test::kSlowBuild ? 11 : 1) {
    for (std::uint64_t b : corners) {
      ASSERT_NO_FATAL_FAILURE(CheckPair(type, corners[i], b));
    }
  }
}

TEST(WideNode, AgreesAtCornersOfHalf) { CheckCorners(DType::kHalf); }
TEST(WideNode, AgreesAtCornersOfFloat) { CheckCorners(DType::kFloat); }

TEST(WideNode, AgreesOnRandomHalves) {
  Words words;
  for (int i = 0; i < 2 * kRandomPairs; ++i) {
    const std::uint64_t w = words.Next();
    ASSERT_NO_FATAL_FAILURE(
        CheckPair(DType::kHalf, w & 0xffff, w >> 16 & 0xffff));
  }
}

TEST(WideNode, AgreesOnRandomFloats) {
  Words words;
  for (int i = 0; i < kRandomPairs; ++i) {
    const std::uint64_t w = words.Next();
    ASSERT_NO_FATAL_FAILURE(CheckPair(DType::kFloat, w & 0xffffffff, w >> 32));
  }
}

/// Exponents up to 40 apart, few bits set: carries, cancellation, ties, and
/// both sides of the gap beyond which the lower term only counts as a trace.
TEST(WideNode, AgreesOnFloatsOfSimilarSize) {
  Words words;
  for (int i = 0; i < kRandomPairs; ++i) {
    const std::uint64_t w = words.Next();
    const std::uint64_t a = w & 0xffffffff;
    const std::uint64_t exponent = ((a >> 23 & 0xff) + 216 + w % 81) & 0xff;
    const std::uint64_t few = w >> 63 != 0 ? 0x7fffff : 0x700003;
    const std::uint64_t b =
        (w >> 62 & 1) << 31 | exponent << 23 | (w >> 32 & few);
    ASSERT_NO_FATAL_FAILURE(CheckPair(DType::kFloat, a, b));
  }
}

}  // namespace
}  // namespace lanediff::oracle
