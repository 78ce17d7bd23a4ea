#include "oracle/listing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "isa/memories.h"
#include "isa/operand.h"
#include "isa/vocabulary.h"
#include "oracle/testing.h"
#include "oracle/vector_lanes.h"

namespace lanediff::oracle {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

isa::Operand Window(std::int64_t at, std::int64_t bytes) {
  isa::Operand operand;
  operand.at = at;
  operand.bytes = bytes;
  return operand;
}

bool InMemoryOf64(std::int64_t at, std::int64_t bytes) {
  std::vector<std::uint8_t> ub(64);
  isa::Memories memories;
  memories[isa::Memory::kUb] = ub;
  return WindowIsInMemory(Window(at, bytes), isa::Memory::kUb, memories);
}

TEST(Listing, WindowIsInMemory) {
  EXPECT_TRUE(InMemoryOf64(0, 64));
  EXPECT_TRUE(InMemoryOf64(64, 0));
  EXPECT_FALSE(InMemoryOf64(65, 0));
  EXPECT_FALSE(InMemoryOf64(1, 64));
  EXPECT_FALSE(InMemoryOf64(-1, 2));
  EXPECT_FALSE(InMemoryOf64(2, -1));
  EXPECT_FALSE(InMemoryOf64(kMax, kMax));  // wraps to -2 in 64 bits
  EXPECT_FALSE(InMemoryOf64(kMin, kMin));
}

TEST(Listing, RunIsInWindow) {
  const isa::Operand window = Window(32, 16);
  EXPECT_TRUE(RunIsInWindow(window, 32, 16));
  EXPECT_TRUE(RunIsInWindow(window, 46, 2));
  EXPECT_FALSE(RunIsInWindow(window, 31, 2));
  EXPECT_FALSE(RunIsInWindow(window, 47, 2));
  const isa::Operand huge = Window(kMax - 1, kMax);
  EXPECT_TRUE(RunIsInWindow(huge, Address{kMax} + kMax - 3, 2));
  EXPECT_FALSE(RunIsInWindow(huge, Address{kMax} + kMax - 2, 2));
}

TEST(Listing, ByteMarks) {
  ByteMarks marks(10, 20);
  EXPECT_FALSE(marks.Any(0, 100));
  marks.Mark(12, 2);
  EXPECT_TRUE(marks.Any(0, 100));
  EXPECT_TRUE(marks.Any(13, 1));
  EXPECT_TRUE(marks.Any(11, 2));
  EXPECT_FALSE(marks.Any(14, 50));
  EXPECT_FALSE(marks.Any(0, 12));
}

/// Byte by byte: what marks and clears leave, and what Any finds.
TEST(Listing, ByteMarksAsSingleBytes) {
  constexpr std::int64_t kFirst = 1000;
  constexpr std::int64_t kBytes = 300;
  ByteMarks marks(kFirst, kFirst + kBytes);
  std::vector<bool> bytes(kBytes);
  test::Words words;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t w = words.Next();
    const auto begin = static_cast<std::int64_t>(w % kBytes);
    const std::int64_t count = static_cast<std::int64_t>(w >> 16) %
                               std::min<std::int64_t>(kBytes - begin + 1, 150);
    const auto from = bytes.begin() + begin;
    ASSERT_EQ(marks.Any(kFirst + begin, count),
              std::find(from, from + count, true) != from + count)
        << begin << " " << count;
    const bool mark = i % 4 == 0;
    if (mark) {
      marks.Mark(kFirst + begin, count);
    } else {
      marks.Clear(kFirst + begin, count);
    }
    std::fill(from, from + count, mark);
  }
}

TEST(LaneGrid, FollowsTheFormula) {
  const LaneGrid halves{
      .at = 1000, .element_bytes = 2, .blk_stride = 3, .rep_stride = 10};
  EXPECT_EQ(halves.AddressOf(0, 0), 1000);
  EXPECT_EQ(halves.AddressOf(0, 15), 1030);
  EXPECT_EQ(halves.AddressOf(0, 16), 1000 + 32 * 3);
  EXPECT_EQ(halves.AddressOf(2, 33), 1000 + 32 * (2 * 10 + 2 * 3) + 2);
  const LaneGrid floats{.at = kMax, .element_bytes = 4, .rep_stride = 65535};
  EXPECT_EQ(floats.AddressOf(255, 9),
            Address{kMax} + 32 * Address{255} * 65535 + 4);
}

TEST(LaneMask, Words) {
  const LaneMask mask = MaskOfWords(0x8000000000000001, 0x8);
  EXPECT_EQ(LanesOf(mask, isa::DType::kHalf),
            (std::vector<std::int64_t>{3, 64, 127}));
  EXPECT_EQ(LanesOf(mask, isa::DType::kFloat), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(MaskOfFirst(65), MaskOfWords(1, ~std::uint64_t{0}));
  EXPECT_EQ(MaskOfFirst(128), MaskOfWords(~0ULL, ~0ULL));
  EXPECT_TRUE(MaskOfFirst(0).none());
}

}  // namespace
}  // namespace lanediff::oracle
