#include "isa/min.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/min_testing.h"
#include "oracle/oracle.h"
#include "oracle/rules_testing.h"
#include "oracle/testing.h"

/// What Min computes, reads, writes and leaves behind. Its rules are in
/// min_rules_test.cc and min_overlap_test.cc.
namespace lanediff::oracle {
namespace {

using isa::DType;
using test::Ids;
using test::Machine;
using test::MinBits;
using test::MinCount;
using test::MinMask;
using test::Only;
using Call = isa::Min;
using Words = std::vector<std::uint64_t>;
namespace rule = isa::min;

/// The smaller of two single elements.
std::uint64_t Smaller(DType dtype, std::uint64_t left, std::uint64_t right,
                      bool saturation) {
  Machine m;
  m.Put(dtype, 4096, {left});
  m.Put(dtype, 8192, {right});
  m.Execute(isa::SetSaturation{.enabled = saturation});
  EXPECT_TRUE(m.Executes(MinMask(1, dtype)));
  return m.Get(dtype, 0, 1).front();
}

TEST(Min, Values) {
  struct Row {
    DType dtype;
    std::uint64_t left, right, saturated, not_saturated;
  };
  constexpr DType kH = DType::kHalf;
  constexpr DType kF = DType::kFloat;
  const Row rows[] = {
      {kH, 0x3c00, 0x4000, 0x3c00, 0x3c00},  // 1, 2
      {kH, 0xc000, 0xbc00, 0xc000, 0xc000},  // -2, -1
      {kH, 0x8000, 0x0000, 0x8000, 0x8000},  // zeros
      {kH, 0x0000, 0x0000, 0x0000, 0x0000},
      {kH, 0x0001, 0x0002, 0x0001, 0x0001},  // subnormals are kept
      {kH, 0x8001, 0x8000, 0x8001, 0x8001},
      {kH, 0x7c00, 0x7c00, 0x7bff, 0x7c00},  // infinities
      {kH, 0x7c00, 0x7bff, 0x7bff, 0x7bff},
      {kH, 0xfc00, 0x3c00, 0xfbff, 0xfc00},
      {kH, 0xfc00, 0xfbff, 0xfbff, 0xfc00},
      {kH, 0x7e00, 0x3c00, 0x0000, 0x7e00},  // NaNs
      {kH, 0xfd01, 0xfc00, 0x0000, 0x7e00},
      {kH, 0x7c01, 0xfe00, 0x0000, 0x7e00},
      {kF, 0x7f800000, 0x7f800000, 0x7f800000, 0x7f800000},
      {kF, 0xff800000, 0x00000001, 0xff800000, 0xff800000},
      {kF, 0x80000000, 0x00000000, 0x80000000, 0x80000000},
      {kF, 0x00000001, 0x00000002, 0x00000001, 0x00000001},
      {kF, 0xff812345, 0xff800000, 0x7fc00000, 0x7fc00000},
      {DType::kInt16, 0x8000, 0x7fff, 0x8000, 0x8000},
      {DType::kInt16, 0xffff, 0x0001, 0xffff, 0xffff},  // -1
      {DType::kInt16, 0x7e00, 0x7c00, 0x7c00, 0x7c00},  // no half
      {DType::kInt32, 0x80000000, 0x7fffffff, 0x80000000, 0x80000000},
      {DType::kInt32, 0xffffffff, 0, 0xffffffff, 0xffffffff},
  };
  for (const Row& row : rows) {
    for (bool swap : {false, true}) {
      const std::uint64_t left = swap ? row.right : row.left;
      const std::uint64_t right = swap ? row.left : row.right;
      EXPECT_EQ(Smaller(row.dtype, left, right, true), row.saturated)
          << Name(row.dtype) << std::hex << " " << left << " " << right;
      EXPECT_EQ(Smaller(row.dtype, left, right, false), row.not_saturated)
          << Name(row.dtype) << std::hex << " " << left << " " << right;
    }
  }
}

/// The three examples of the document: 512 elements of 16 bits.
TEST(Min, ExamplesOfTheDocument) {
  Words up, down, smaller;
  for (std::uint64_t i = 0; i < 512; ++i) {
    up.push_back(i + 1);
    down.push_back(513 - i);
    smaller.push_back(i <= 256 ? i + 1 : 513 - i);
  }
  const std::uint64_t all = ~std::uint64_t{0};
  Call contiguous = MinMask(128, DType::kInt16);
  Call bitwise = MinBits(all, all, DType::kInt16);
  contiguous.repeat_times = bitwise.repeat_times = 4;
  for (const Call& call :
       std::vector<Call>{contiguous, bitwise, MinCount(512, DType::kInt16)}) {
    Machine m;
    m.Put(DType::kInt16, 4096, up);
    m.Put(DType::kInt16, 8192, down);
    const auto before = m.ub;
    EXPECT_TRUE(m.Executes(call));
    EXPECT_EQ(m.Get(DType::kInt16, 0, 512), smaller);
    EXPECT_TRUE(
        std::equal(m.ub.begin() + 1024, m.ub.end(), before.begin() + 1024));
    EXPECT_EQ(m.oracle.node_count(), 512U);
  }
}

/// The lanes (of 130) that `call` writes in a row of ones.
std::vector<int> Written(const Call& call) {
  Machine m;
  m.Put(call.dtype, 0, Words(130, 9));
  m.Put(call.dtype, 4096, Words(130, 1));
  m.Put(call.dtype, 8192, Words(130, 1));
  EXPECT_TRUE(m.Executes(call));
  std::vector<int> lanes;
  const Words dst = m.Get(call.dtype, 0, 130);
  for (int i = 0; i < 130; ++i) {
    if (dst[static_cast<std::size_t>(i)] != 9) lanes.push_back(i);
  }
  return lanes;
}

TEST(Min, LanesOutsideTheMaskKeepWhatTheyHeld) {
  EXPECT_EQ(Written(MinMask(3)), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(Written(MinMask(128)).size(), 128U);
  EXPECT_EQ(Written(MinMask(64, DType::kFloat)).size(), 64U);
  EXPECT_EQ(Written(MinBits(8, 0)), std::vector<int>{3});
  EXPECT_EQ(Written(MinBits(0, 8)), std::vector<int>{67});
  EXPECT_EQ(Written(MinBits(1, std::uint64_t{1} << 63)),
            (std::vector<int>{0, 127}));
  EXPECT_EQ(Written(MinBits(std::uint64_t{1} << 63, 0, DType::kInt32)),
            std::vector<int>{63});
  EXPECT_EQ(Written(MinCount(129)).size(), 129U);
}

TEST(Min, SixStridesAndNothingElseIsWritten) {
  Machine m;
  Call call = MinMask(17);  // block 0 and one lane of block 1
  call.repeat_times = 2;
  call.repeat_params = {2, 3, 0, 5, 7, 11};
  m.Put(DType::kHalf, 4096, Words(4096, 0x7bff));
  m.Put(DType::kHalf, 4096 + 32 * 3, {0x4000});        // src0 0, lane 16
  m.Put(DType::kHalf, 4096 + 32 * (7 + 3), {0x4200});  // src0 1, lane 16
  m.Put(DType::kHalf, 8192 + 2, {0x4400});             // src1 0, lane 1
  m.Put(DType::kHalf, 8192 + 32 * 11, {0x4500});       // src1 1, lanes 0 and 16
  auto expected = m.ub;
  const auto put = [&](std::size_t at, unsigned half) {
    expected[at] = static_cast<std::uint8_t>(half & 0xff);
    expected[at + 1] = static_cast<std::uint8_t>(half >> 8);
  };
  for (std::size_t lane = 0; lane < 16; ++lane) {
    put(2 * lane, 0x7bff);
    put(32 * 5 + 2 * lane, 0x7bff);
  }
  put(2, 0x4400);
  put(32 * 2, 0x4000);
  put(32 * 5, 0x4500);
  put(32 * (5 + 2), 0x4200);
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.ub, expected);
}

TEST(Min, AnIterationSeesWhatEarlierOnesWrote) {
  Machine m;
  Call call = MinMask(1);
  call.repeat_times = 4;
  call.dst.at = call.src1.at;
  call.repeat_params = {1, 1, 1, 0, 8, 0};
  m.Put(DType::kHalf, 8192, {0x4600});  // 6
  m.Put(DType::kHalf, 4096, {0x4500});  // 5, 3, 4, 7
  m.Put(DType::kHalf, 4352, {0x4200});
  m.Put(DType::kHalf, 4608, {0x4400});
  m.Put(DType::kHalf, 4864, {0x4700});
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.Get(DType::kHalf, 8192, 1), Words{0x4200});
}

/// The lanes that are in the mask register.
std::uint64_t LanesInMaskRegister(Machine& m) {
  Call call = MinMask(0);
  call.is_set_mask = false;
  const std::uint64_t before = m.oracle.node_count();
  EXPECT_TRUE(m.Executes(call));
  return m.oracle.node_count() - before;
}

TEST(Min, WhatIsLeftInTheMaskRegister) {
  Machine m;
  EXPECT_EQ(LanesInMaskRegister(m), 128U);  // all ones at the start
  EXPECT_TRUE(m.Executes(MinMask(5)));
  EXPECT_EQ(LanesInMaskRegister(m), 5U);
  EXPECT_TRUE(m.Executes(MinBits(7, 1)));
  EXPECT_EQ(LanesInMaskRegister(m), 4U);
  EXPECT_TRUE(m.Executes(MinMask(64, DType::kFloat)));
  EXPECT_EQ(LanesInMaskRegister(m), 64U);
  Call call = MinMask(9);
  call.repeat_times = 0;
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(LanesInMaskRegister(m), 9U);
  EXPECT_TRUE(m.Executes(MinCount(0)));
  EXPECT_EQ(LanesInMaskRegister(m), 9U);
  EXPECT_FALSE(m.Executes(MinCount(4096)));
  EXPECT_EQ(LanesInMaskRegister(m), 9U);
  EXPECT_TRUE(m.Executes(MinCount(1)));
  EXPECT_EQ(LanesInMaskRegister(m), 128U);
}

TEST(Min, Notes) {
  Machine m;
  const auto notes = [&](const Call& call) {
    return test::Texts(m.Execute(call).notes);
  };
  Call call = MinMask(1);
  EXPECT_EQ(notes(call), Ids{});
  call.repeat_times = 0;
  EXPECT_EQ(notes(call), Only(rule::kNop));
  EXPECT_EQ(notes(MinCount(0)), Only(rule::kNop));
  EXPECT_EQ(notes(MinCount(1)), Only(rule::kClobbersMask));

  call = MinMask(0, DType::kFloat);
  call.is_set_mask = false;
  EXPECT_EQ(notes(call), Ids{});
  m.Execute(isa::SetVectorMask{.high = 1, .low = 0});
  const auto before = m.ub;
  EXPECT_EQ(notes(call), Only(rule::kNop));  // lane 64 is none of float's
  EXPECT_EQ(m.ub, before);
  EXPECT_TRUE(m.oracle.accesses().empty());
  call.dtype = DType::kHalf;
  EXPECT_EQ(notes(call), Ids{});
}

TEST(Min, Accesses) {
  Machine m;
  Call call = MinMask(20);
  call.repeat_times = 2;
  call.repeat_params.src1_blk_stride = 2;
  EXPECT_TRUE(m.Executes(call));
  const std::vector<Access>& accesses = m.oracle.accesses();
  ASSERT_EQ(accesses.size(), 8U);
  EXPECT_EQ(
      accesses[4],
      (Access{.operand = "src0", .at = 4352, .bytes = 40, .iteration = 1}));
  EXPECT_EQ(accesses[6], (Access{.operand = "src1",
                                 .at = 8512,
                                 .bytes = 8,
                                 .iteration = 1,
                                 .lane = 16}));
  EXPECT_EQ(accesses[7], (Access{.operand = "dst",
                                 .write = true,
                                 .at = 256,
                                 .bytes = 40,
                                 .iteration = 1}));
  EXPECT_TRUE(m.Executes(MinCount(300, DType::kFloat)));
  ASSERT_EQ(m.oracle.accesses().size(), 3U);
  EXPECT_EQ(m.oracle.accesses()[1], (Access{.operand = "src1",
                                            .at = 8192,
                                            .bytes = 1200,
                                            .dtype = DType::kFloat}));
}

TEST(Min, Nodes) {
  Machine m;
  m.Put(DType::kHalf, 4096 + 256, {0xbe00, 0x7c00});
  m.Put(DType::kHalf, 8192 + 256, {0x3c00, 0x7c00});
  m.oracle.set_tracing(true);
  Call call = MinMask(2);
  call.repeat_times = 2;
  EXPECT_TRUE(m.Executes(call));
  ASSERT_EQ(m.oracle.nodes().size(), 4U);
  EXPECT_EQ(m.oracle.nodes()[2].exact, "-1.5");
  EXPECT_EQ(m.oracle.nodes()[2].operation, "min");
  EXPECT_EQ(m.oracle.nodes()[2].iteration, 1);
  EXPECT_EQ(m.oracle.nodes()[3].exact, "inf");
  EXPECT_TRUE(m.oracle.nodes()[3].saturated);
  EXPECT_EQ(m.oracle.nodes()[3].index, 1);
}

}  // namespace
}  // namespace lanediff::oracle
