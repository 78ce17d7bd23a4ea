#include "oracle/listing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isa/memories.h"
#include "isa/operand.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/lane_list.h"
#include "oracle/testing.h"
#include "oracle/vector_lanes.h"

/// Bytes, runs and lanes by themselves.
namespace lanediff::oracle {
namespace {

using Runs = std::vector<ByteRun>;
using test::kMax;
using test::kMin;

isa::Operand Window(std::int64_t at, std::int64_t bytes) {
  return test::Window(Position::kVecin, at, bytes);
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

/// Lane by lane what a list holds, iteration by iteration.
struct Place {
  std::int64_t lane;
  Address at;
  bool operator==(const Place&) const = default;
};

std::vector<Place> PlacesOf(const LaneList& list, std::int64_t iteration) {
  std::vector<Place> places;
  for (const LaneRun& run : list.runs) {
    for (std::int64_t i = 0; i < run.bytes / list.element_bytes; ++i) {
      places.push_back({run.lane + i, list.AddressOf(iteration, run) +
                                          i * list.element_bytes});
    }
  }
  return places;
}

/// Whatever the strides and the mask, the list equals the formula.
TEST(LaneList, FollowsTheFormulaOfTheGrid) {
  const LaneMask masks[] = {MaskOfFirst(128), MaskOfFirst(17),
                            MaskOfWords(0x5555, 0xff00ff),
                            MaskOfWords(0x8000000000000000, 0x8), LaneMask()};
  for (const isa::DType type : {isa::DType::kHalf, isa::DType::kFloat}) {
    for (const LaneMask& mask : masks) {
      for (std::int64_t blk_stride : {0, 1, 2, 255}) {
        const LaneGrid grid{.at = 4096,
                            .element_bytes = type == isa::DType::kHalf ? 2 : 4,
                            .blk_stride = blk_stride,
                            .rep_stride = 5};
        const std::vector<std::int64_t> lanes = LanesOf(mask, type);
        for (std::int64_t r : {0, 1, 254}) {
          std::vector<Place> expected;
          for (std::int64_t lane : lanes) {
            expected.push_back({lane, grid.AddressOf(r, lane)});
          }
          EXPECT_TRUE(PlacesOf(ListLanes(grid, lanes), r) == expected)
              << "blkStride " << blk_stride << " iteration " << r;
        }
      }
    }
  }
}

TEST(Merged, AscendsAndJoinsWhatTouches) {
  EXPECT_EQ(Merged({}), Runs{});
  EXPECT_EQ(Merged({{64, 32}, {0, 32}}), (Runs{{0, 32}, {64, 32}}));
  EXPECT_EQ(Merged({{32, 32}, {0, 32}}), (Runs{{0, 64}}));
  EXPECT_EQ(Merged({{0, 96}, {32, 32}, {95, 2}}), (Runs{{0, 97}}));
}

TEST(ShareBytes, EitherWayRound) {
  struct Row {
    Runs a, b;
    bool share;
  };
  const Row rows[] = {
      {{}, {}, false},
      {{}, {{0, 32}}, false},
      {{{0, 32}}, {{0, 32}}, true},
      {{{0, 32}}, {{32, 32}}, false},
      {{{0, 33}}, {{32, 32}}, true},
      {{{0, 96}}, {{32, 32}}, true},  // one inside the other
      {{{32, 1}}, {{31, 1}, {33, 1}}, false},
      {{{32, 1}}, {{31, 1}, {32, 1}}, true},
      {{{0, 32}, {64, 32}, {128, 32}}, {{32, 32}, {96, 32}}, false},
      {{{0, 32}, {64, 32}, {128, 32}}, {{32, 32}, {96, 33}}, true},
      {{{0, 32}, {64, 32}, {128, 32}}, {{160, 1}}, false},
      {{{0, 32}, {64, 32}, {128, 32}}, {{159, 1}}, true},
      {{{0, 8}, {8, 8}, {16, 8}}, {{24, 8}, {100, 8}}, false},
      {{{0, 8}, {90, 8}, {101, 8}}, {{24, 8}, {100, 8}}, true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ShareBytes(row.a, row.b), row.share);
    EXPECT_EQ(ShareBytes(row.b, row.a), row.share);
  }
}

TEST(ShareBytes, WhereOffsetsFill64Bits) {
  const Address far = Address{1} << 62;
  EXPECT_FALSE(ShareBytes({{2 * far - 1, 1}}, {{2 * far, 1}}));
  EXPECT_TRUE(ShareBytes({{2 * far - 1, 2}}, {{2 * far, 1}}));
  EXPECT_FALSE(ShareBytes({{-far, 32}}, {{far, 32}}));
  EXPECT_TRUE(ShareBytes({{-32, 33}}, {{0, 1}}));
}

}  // namespace
}  // namespace lanediff::oracle
