#include "oracle/lane_list.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "oracle/vector_lanes.h"

namespace lanediff::oracle {
namespace {

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

LaneList Contiguous(std::int64_t at, std::int64_t count) {
  return ListContiguous(at, 2, count, 100);
}

TEST(LaneList, ContiguousLanesAreOneRun) {
  const LaneGrid grid{.element_bytes = 2, .blk_stride = 1, .rep_stride = 8};
  EXPECT_EQ(
      ListLanes(grid, LanesOf(MaskOfFirst(128), isa::DType::kHalf)).runs.size(),
      1U);
  EXPECT_TRUE(Contiguous(0, 0).runs.empty());
  EXPECT_TRUE(PlacesOf(Contiguous(10, 2), 3) ==
              (std::vector<Place>{{0, 310}, {1, 312}}));
}

TEST(LaneList, Window) {
  isa::Operand operand;
  operand.at = 10;
  operand.bytes = 204;
  EXPECT_TRUE(LanesAreInWindow(operand, Contiguous(10, 2), 3));
  EXPECT_FALSE(LanesAreInWindow(operand, Contiguous(10, 3), 3));
  EXPECT_FALSE(LanesAreInWindow(operand, Contiguous(10, 2), 4));
  EXPECT_FALSE(LanesAreInWindow(operand, Contiguous(9, 1), 1));
  EXPECT_TRUE(LanesAreInWindow(operand, Contiguous(9, 1), 0));
}

TEST(LaneList, Span) {
  const ByteSpan span = SpanOf(Contiguous(10, 2), 3);
  EXPECT_EQ(span.first, 10);
  EXPECT_EQ(span.end, 214);
  LaneList backwards = Contiguous(310, 2);
  backwards.iteration_bytes = -100;
  EXPECT_EQ(SpanOf(backwards, 3).first, 110);
  EXPECT_EQ(SpanOf(backwards, 3).end, 314);
}

TEST(LaneList, CoincideLooksAtEveryLane) {
  const std::vector<std::int64_t> lanes = {16, 17, 40};
  const LaneGrid near{
      .at = 64, .element_bytes = 2, .blk_stride = 1, .rep_stride = 8};
  LaneGrid far = near;
  far.at = 32;
  far.blk_stride = 2;
  // Block 1 of both is at 96, block 2 is not.
  EXPECT_TRUE(Coincide(ListLanes(near, {16, 17}), ListLanes(far, {16, 17}), 0));
  EXPECT_FALSE(Coincide(ListLanes(near, lanes), ListLanes(far, lanes), 0));
  EXPECT_FALSE(Coincide(ListLanes(near, lanes), ListLanes(near, {16, 17}), 0));
  far = near;
  far.rep_stride = 9;
  EXPECT_TRUE(Coincide(ListLanes(near, lanes), ListLanes(far, lanes), 0));
  EXPECT_FALSE(Coincide(ListLanes(near, lanes), ListLanes(far, lanes), 1));
}

TEST(LaneList, MarksLoadsAndStores) {
  ByteMarks marks(0, 400);
  MarkLanes(marks, Contiguous(10, 2), 1);
  EXPECT_TRUE(AnyLane(marks, Contiguous(112, 1), 0));
  EXPECT_FALSE(AnyLane(marks, Contiguous(114, 1), 0));
  ClearLanes(marks, Contiguous(12, 1), 1);
  EXPECT_FALSE(AnyLane(marks, Contiguous(112, 1), 0));
  EXPECT_TRUE(AnyLane(marks, Contiguous(110, 1), 0));

  std::vector<std::uint8_t> memory(200);
  StoreLanes(memory, Contiguous(10, 2), 1, {0x1234, 0xabcd});
  EXPECT_EQ(memory[110], 0x34);
  EXPECT_EQ(memory[113], 0xab);
  std::vector<std::uint64_t> values = {7};
  LoadLanes(memory, Contiguous(10, 2), 1, values);
  EXPECT_EQ(values, (std::vector<std::uint64_t>{0x1234, 0xabcd}));
}

}  // namespace
}  // namespace lanediff::oracle
