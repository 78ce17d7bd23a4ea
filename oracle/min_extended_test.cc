#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "isa/min.h"
#include "isa/state.h"
#include "oracle/extended_testing.h"
#include "oracle/min_testing.h"
#include "oracle/testing.h"

/// Mins that break rules, and what they would do.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;
using test::Anywhere;
using test::ChangesNothing;
using test::Ids;
using test::Machine;
using test::MinBits;
using test::MinCount;
using test::MinMask;
using test::RunsExtended;
using Words = std::vector<std::uint64_t>;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

Words Ramp(std::uint64_t first, std::size_t count) {
  Words words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(first + i);
  return words;
}

TEST(MinExtended, OverlapByOneElementIsReadBeforeItIsWritten) {
  isa::Min call = MinMask(4, DType::kInt16);
  call.dst.at = call.src0.at + 2;
  EXPECT_EQ(Anywhere(call), (Ids{"MIN-ALIGN", "MIN-OVERLAP-ITERATION"}));
  Machine m;
  m.Put(DType::kInt16, call.src0.at, {1, 2, 3, 4, 5});
  m.Put(DType::kInt16, call.src1.at, {9, 9, 9, 9});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt16, call.src0.at, 5), (Words{1, 1, 2, 3, 4}));
}

TEST(MinExtended, CountFormOverlapsInOneIteration) {
  isa::Min call = MinCount(32, DType::kInt16);
  call.dst.at = call.src1.at + 32;
  EXPECT_EQ(Anywhere(call), Ids{"MIN-OVERLAP-COUNT"});
  Machine m;
  m.Put(DType::kInt16, call.src0.at, Words(32, 1000));
  m.Put(DType::kInt16, call.src1.at, Ramp(1, 32));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt16, call.dst.at, 32), Ramp(1, 32));
}

TEST(MinExtended, AnIterationReadsWhatAnEarlierOneWrote) {
  isa::Min call = MinMask(1, DType::kInt16);
  call.repeat_times = 3;
  call.repeat_params = {1, 1, 1, 1, 1, 1};
  call.dst.at = call.src0.at + 32;  // iteration r writes what r + 1 reads
  EXPECT_EQ(Anywhere(call), Ids{"MIN-OVERLAP-DEPENDENCY"});
  Machine m;
  for (std::int64_t r = 0; r < 4; ++r) {
    m.Put(DType::kInt16, call.src0.at + 32 * r, {std::uint64_t(10 + r)});
    m.Put(DType::kInt16, call.src1.at + 32 * r, {std::uint64_t(20 - 7 * r)});
  }
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt16, call.src0.at + 32, 1), Words{10});
  EXPECT_EQ(m.Get(DType::kInt16, call.src0.at + 64, 1), Words{10});
  EXPECT_EQ(m.Get(DType::kInt16, call.src0.at + 96, 1), Words{6});
}

TEST(MinExtended, RepeatOf256AndBlockStrideOf300) {
  isa::Min call = MinMask(1, DType::kInt16);
  call.repeat_times = 256;
  call.repeat_params = {1, 1, 1, 0, 0, 0};
  EXPECT_EQ(Anywhere(call), Ids{"MIN-REPEAT"});
  Machine m;
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.oracle.node_count(), 256u);
  EXPECT_EQ(m.oracle.accesses().back().iteration, 255);

  call = MinMask(17, DType::kInt16);  // lane 16 is the first of block 1
  call.repeat_params.src0_blk_stride = 300;
  EXPECT_EQ(Anywhere(call), (Ids{"MIN-BOUNDS", "MIN-STRIDE-RANGE"}));
  m.Put(DType::kInt16, call.src0.at + 300 * 32, {5});
  m.Put(DType::kInt16, call.src1.at, Words(17, 77));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt16, 32, 1), Words{5});
  call.repeat_params.src0_blk_stride = 384;  // one past the last block
  EXPECT_TRUE(ChangesNothing(m, call, "src0 would reach outside its memory"));
  call.repeat_params.src0_blk_stride = 383;
  ASSERT_TRUE(RunsExtended(m, call));
}

TEST(MinExtended, DstBlockStrideOfZeroWritesTheEighthBlockLast) {
  isa::Min call = MinMask(128, DType::kInt16);
  call.repeat_params.dst_blk_stride = 0;
  EXPECT_EQ(Anywhere(call), Ids{"MIN-DST-BLK-STRIDE-ZERO"});
  Machine m;
  m.Put(DType::kInt16, call.src0.at, Ramp(1, 128));
  m.Put(DType::kInt16, call.src1.at, Words(128, 1000));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt16, 0, 16), Ramp(113, 16));
  EXPECT_EQ(m.Get(DType::kInt16, 32, 1), Words{0xa5a5});
}

TEST(MinExtended, Masks) {
  // Bits beyond the lanes of a 32-bit type are ignored.
  const isa::Min bits = MinBits(1, 1, DType::kInt32);
  EXPECT_EQ(Anywhere(bits), Ids{"MIN-MASK-BITS"});
  Machine m;
  m.Put(DType::kInt32, bits.src0.at, {1, 1});
  m.Put(DType::kInt32, bits.src1.at, {2, 2});
  ASSERT_TRUE(RunsExtended(m, bits));
  EXPECT_EQ(m.Get(DType::kInt32, 0, 2), (Words{1, 0xa5a5a5a5}));

  const isa::Min beyond = MinMask(65, DType::kInt32);
  EXPECT_EQ(Anywhere(beyond), Ids{"MIN-MASK-CONTIGUOUS"});
  EXPECT_TRUE(ChangesNothing(
      m, beyond, "a number of lanes that an iteration does not have"));

  isa::Min placeholder = MinMask(5, DType::kInt32);
  placeholder.is_set_mask = false;
  EXPECT_EQ(Anywhere(placeholder), Ids{"MIN-PLACEHOLDER"});
  m.Execute(isa::SetVectorMask{.high = 0, .low = 2});
  ASSERT_TRUE(RunsExtended(m, placeholder));
  EXPECT_EQ(m.Get(DType::kInt32, 0, 3), (Words{1, 1, 0xa5a5a5a5}));

  // The register is left as the illegal call's own mask, and all ones by the
  // count form.
  ASSERT_TRUE(RunsExtended(m, MinMask(0, DType::kInt32)));
  EXPECT_TRUE(m.oracle.accesses().empty());
  placeholder.mask = 0;
  ASSERT_TRUE(m.Executes(placeholder));
  EXPECT_TRUE(m.oracle.accesses().empty());
  isa::Min count = MinCount(1, DType::kInt32);
  count.dst.at = 2;
  ASSERT_TRUE(RunsExtended(m, count));
  ASSERT_TRUE(m.Executes(placeholder));
  EXPECT_EQ(m.oracle.node_count(), 1 + 1 + 1 + 64u);
}

TEST(MinExtended, ProductsPositionsAndTypes) {
  isa::Min call = MinMask(1, DType::kInt16);
  call.src1.dtype = DType::kFloat;
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining),
            (Ids{"MIN-DTYPE", "MIN-DTYPE-MATCH"}));
  Machine m(Product::kAtlasTraining);
  m.Put(DType::kInt16, call.src0.at, {7});
  m.Put(DType::kInt16, call.src1.at, {3});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt16, 0, 1), Words{3});

  // Both at once, though a step reports only the product.
  call = MinMask(1, DType::kInt8);
  EXPECT_EQ(Anywhere(call, Product::kAtlasA3),
            (Ids{"MIN-DTYPE", "MIN-PRODUCT"}));
  EXPECT_TRUE(ChangesNothing(m, call, "no arithmetic for this type"));
  call = MinMask(1);
  call.src1.position = Position::kC2pipe2gm;
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining), Ids{"MIN-POSITION"});
  EXPECT_TRUE(ChangesNothing(m, call, "src1's position has no memory here"));
}

TEST(MinExtended, SourcesThatOverlapUnderTheException) {
  isa::Min call = MinMask(1, DType::kInt32);
  call.repeat_times = 2;
  call.repeat_params = {1, 1, 1, 0, 1, 0};
  call.src1.at = call.dst.at;
  EXPECT_EQ(Anywhere(call), Ids{});
  // src0 reaches into src1 in its second iteration.
  call.dst.at = call.src1.at = call.src0.at + 32;
  EXPECT_EQ(Anywhere(call),
            (Ids{"MIN-OVERLAP-DEPENDENCY", "MIN-OVERLAP-SOURCES"}));
  Machine m;
  m.Put(DType::kInt32, call.src0.at, {4});
  m.Put(DType::kInt32, call.dst.at, {9});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt32, call.dst.at, 1), Words{4});
}

TEST(MinExtended, HugeNumbersReturnAtOnce) {
  Machine m;
  isa::Min call = MinMask(1);
  call.repeat_times = kMax;
  call.repeat_params = {1, 1, 1, 0, 0, 0};
  EXPECT_EQ(Anywhere(call), Ids{"MIN-REPEAT"});
  EXPECT_TRUE(ChangesNothing(m, call, "more than 1000000 accesses or 16 MiB"));
  call.repeat_times = -kMax;
  EXPECT_TRUE(ChangesNothing(m, call, "a negative repeat"));
  call.repeat_times = 2;
  call.repeat_params.dst_rep_stride = -kMax - 1;
  EXPECT_TRUE(ChangesNothing(m, call, "dst would reach outside its memory"));
  call = MinCount(kMax);
  EXPECT_EQ(Anywhere(call), (Ids{"MIN-BOUNDS", "MIN-COUNT"}));
  EXPECT_TRUE(ChangesNothing(m, call, "dst would reach outside its memory"));
  call = MinCount(-1);
  EXPECT_EQ(Anywhere(call), Ids{"MIN-COUNT"});
  EXPECT_TRUE(ChangesNothing(m, call, "a negative count or length"));
}

}  // namespace
}  // namespace lanediff::oracle
