#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "isa/vec_trans.h"
#include "oracle/extended_testing.h"
#include "oracle/testing.h"

/// vec_transes that break rules, and what they would do.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;
using test::Anywhere;
using test::ChangesNothing;
using test::Ids;
using test::Machine;
using test::RunsExtended;
using Words = std::vector<std::uint64_t>;

/// Matrices from `src` to `dst`, windows of 4096 bytes.
isa::VecTrans Trans(std::int64_t dst, std::int64_t src, std::int64_t repeat,
                    std::int64_t dst_stride, std::int64_t src_stride) {
  isa::VecTrans call;
  call.dst.position = call.src.position = Position::kUb;
  call.dst.bytes = call.src.bytes = 4096;
  call.dst.at = dst;
  call.src.at = src;
  call.repeat_times = repeat;
  call.dst_rep_stride = dst_stride;
  call.src_rep_stride = src_stride;
  return call;
}

Words Rows(std::uint64_t first) {
  Words words;
  for (std::uint64_t n = 0; n < 256; ++n) words.push_back(first + n);
  return words;
}

Words Transposed(const Words& m) {
  Words words(256);
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 16; ++j) words[j * 16 + i] = m[i * 16 + j];
  }
  return words;
}

TEST(VecTransExtended, InPlaceWithUnequalStridesReadsWhatItWrote) {
  // 0 → 0, then 0 → 512: the second matrix is the first transposed twice.
  const isa::VecTrans call = Trans(0, 0, 2, 1, 0);
  EXPECT_EQ(Anywhere(call), Ids{"VT-OVERLAP"});
  Machine m;
  m.Put(DType::kHalf, 0, Rows(7));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 256), Transposed(Rows(7)));
  EXPECT_EQ(m.Get(DType::kHalf, 512, 256), Rows(7));
}

TEST(VecTransExtended, OverlapByOneBlockReadsTheWholeMatrixFirst) {
  const isa::VecTrans call = Trans(32, 0, 1, 1, 1);
  EXPECT_EQ(Anywhere(call), Ids{"VT-OVERLAP"});
  Machine m;
  m.Put(DType::kHalf, 0, Rows(1));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 32, 256), Transposed(Rows(1)));
}

TEST(VecTransExtended, MisalignedAndBackwards) {
  // Matrices at 4098 and, one stride back, at 3586.
  isa::VecTrans call = Trans(8192, 4098, 2, 1, -1);
  EXPECT_EQ(Anywhere(call), (Ids{"VT-ALIGN", "VT-BOUNDS", "VT-SRC-STRIDE"}));
  Machine m;
  m.Put(DType::kHalf, 3586, Rows(1));
  m.Put(DType::kHalf, 4098, Rows(500));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 8192, 256), Transposed(Rows(500)));
  EXPECT_EQ(m.Get(DType::kHalf, 8704, 256), Transposed(Rows(1)));
}

TEST(VecTransExtended, RepeatOf5000AndOfZero) {
  isa::VecTrans call = Trans(0, 4096, 5000, 0, 0);
  EXPECT_EQ(Anywhere(call), Ids{"VT-REPEAT"});
  Machine m;
  m.Put(DType::kHalf, 4096, Rows(3));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 256), Transposed(Rows(3)));
  EXPECT_EQ(m.oracle.accesses().size(), 10000u);
  call.repeat_times = 0;
  EXPECT_EQ(Anywhere(call), Ids{"VT-REPEAT"});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_TRUE(m.oracle.accesses().empty());
}

TEST(VecTransExtended, OtherProductPositionAndTypeOf16Bits) {
  isa::VecTrans call = Trans(0, 4096, 1, 1, 1);
  call.dst.position = Position::kVecout;
  call.dtype = DType::kBfloat16;
  EXPECT_EQ(Anywhere(call, Product::kAtlasA3),
            (Ids{"VT-DTYPE", "VT-PRODUCT", "VT-SCOPE"}));
  Machine m(Product::kAtlasA3);
  m.Put(DType::kHalf, 4096, Rows(9));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 256), Transposed(Rows(9)));
}

TEST(VecTransExtended, WhatHasNoExtension) {
  Machine m;
  isa::VecTrans call = Trans(0, 4096, -1, 1, 1);
  EXPECT_TRUE(ChangesNothing(m, call, "a negative repeat"));
  call.repeat_times = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(Anywhere(call), Ids{"VT-REPEAT"});
  call.repeat_times = std::int64_t{1} << 40;
  EXPECT_EQ(Anywhere(call), (Ids{"VT-BOUNDS", "VT-REPEAT"}));
  EXPECT_TRUE(ChangesNothing(m, call, "dst would reach outside its memory"));
  call.dst_rep_stride = call.src_rep_stride = 0;
  EXPECT_EQ(Anywhere(call), Ids{"VT-REPEAT"});
  EXPECT_TRUE(ChangesNothing(m, call, "more than 1000000 accesses or 16 MiB"));
  call = Trans(0, 4096, 1, 1, 1);
  call.dtype = DType::kFloat;
  EXPECT_TRUE(ChangesNothing(
      m, call, "no transpose for elements of other than 16 bits"));
  call = Trans(0, 4096, 1, 1, 1);
  call.src.position = Position::kC2pipe2gm;
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining), Ids{"VT-SCOPE"});
  Machine training(Product::kAtlasTraining);
  EXPECT_TRUE(
      ChangesNothing(training, call, "src's position has no memory here"));
}

}  // namespace
}  // namespace lanediff::oracle
