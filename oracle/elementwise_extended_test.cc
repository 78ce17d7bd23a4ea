#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "isa/state.h"
#include "oracle/elementwise_testing.h"
#include "oracle/extended_testing.h"
#include "oracle/testing.h"

/// Element-wise calls that break rules, and what they would do.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;
using test::Anywhere;
using test::BitsCall;
using test::ChangesNothing;
using test::Combined;
using test::CountCall;
using test::Ids;
using test::Machine;
using test::MaskCall;
using test::Named;
using test::RunsExtended;
using Words = std::vector<std::uint64_t>;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

template <class Call>
class ElementwiseExtended : public testing::Test {};
TYPED_TEST_SUITE(ElementwiseExtended, test::ElementwiseCalls, test::NamedByOp);

Words Ramp(std::uint64_t first, std::size_t count) {
  Words words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(first + i);
  return words;
}

/// The int16 patterns that `Call` makes of pairs.
template <class Call>
Words Of(const Words& left, const Words& right) {
  Words words;
  for (std::size_t i = 0; i < left.size(); ++i) {
    words.push_back(static_cast<std::uint16_t>(
        Combined<Call>(static_cast<std::int64_t>(left[i]),
                       static_cast<std::int64_t>(right[i]))));
  }
  return words;
}

TYPED_TEST(ElementwiseExtended, OverlapByOneElementIsReadBeforeItIsWritten) {
  using Call = TypeParam;
  Call call = MaskCall<Call>(4, DType::kInt16);
  call.dst.at = call.src0.at + 2;
  EXPECT_EQ(Anywhere(call), Named<Call>({"-ALIGN", "-OVERLAP-ITERATION"}));
  Machine m;
  m.Put(DType::kInt16, call.src0.at, {1, 2, 3, 4, 5});
  m.Put(DType::kInt16, call.src1.at, {9, 9, 9, 9});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt16, call.src0.at, 1), Words{1});
  EXPECT_EQ(m.Get(DType::kInt16, call.dst.at, 4),
            Of<Call>({1, 2, 3, 4}, {9, 9, 9, 9}));
}

TYPED_TEST(ElementwiseExtended, CountFormOverlapsInOneIteration) {
  using Call = TypeParam;
  Call call = CountCall<Call>(32, DType::kInt16);
  call.dst.at = call.src1.at + 32;
  EXPECT_EQ(Anywhere(call), Named<Call>({"-OVERLAP-COUNT"}));
  Machine m;
  m.Put(DType::kInt16, call.src0.at, Words(32, 1000));
  m.Put(DType::kInt16, call.src1.at, Ramp(1, 32));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt16, call.dst.at, 32),
            Of<Call>(Words(32, 1000), Ramp(1, 32)));
}

TYPED_TEST(ElementwiseExtended, AnIterationReadsWhatAnEarlierOneWrote) {
  using Call = TypeParam;
  Call call = MaskCall<Call>(1, DType::kInt16);
  call.repeat_times = 3;
  call.repeat_params = {1, 1, 1, 1, 1, 1};
  call.dst.at = call.src0.at + 32;  // iteration r writes what r + 1 reads
  EXPECT_EQ(Anywhere(call), Named<Call>({"-OVERLAP-DEPENDENCY"}));
  Machine m;
  const std::int64_t other[] = {20, 13, 6};
  for (std::int64_t r = 0; r < 3; ++r) {
    m.Put(DType::kInt16, call.src0.at + 32 * r, {std::uint64_t(10 + r)});
    m.Put(DType::kInt16, call.src1.at + 32 * r, {std::uint64_t(other[r])});
  }
  ASSERT_TRUE(RunsExtended(m, call));
  std::int64_t value = 10;
  for (std::int64_t r = 0; r < 3; ++r) {
    value = Combined<Call>(value, other[r]);
    EXPECT_EQ(m.Get(DType::kInt16, call.dst.at + 32 * r, 1),
              Words{static_cast<std::uint16_t>(value)});
  }
}

TYPED_TEST(ElementwiseExtended, RepeatOf256AndBlockStrideOf300) {
  using Call = TypeParam;
  Call call = MaskCall<Call>(1, DType::kInt16);
  call.repeat_times = 256;
  call.repeat_params = {1, 1, 1, 0, 0, 0};
  EXPECT_EQ(Anywhere(call), Named<Call>({"-REPEAT"}));
  Machine m;
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.oracle.node_count(), 256u);
  EXPECT_EQ(m.oracle.accesses().back().iteration, 255);

  call = MaskCall<Call>(17, DType::kInt16);  // lane 16 is the first of block 1
  call.repeat_params.src0_blk_stride = 300;
  EXPECT_EQ(Anywhere(call), Named<Call>({"-BOUNDS", "-STRIDE-RANGE"}));
  m.Put(DType::kInt16, call.src0.at + 300 * 32, {5});
  m.Put(DType::kInt16, call.src1.at, Words(17, 77));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt16, 32, 1), Of<Call>({5}, {77}));
  call.repeat_params.src0_blk_stride = 384;  // one past the last block
  EXPECT_TRUE(ChangesNothing(m, call, "src0 would reach outside its memory"));
  call.repeat_params.src0_blk_stride = 383;
  ASSERT_TRUE(RunsExtended(m, call));
}

TYPED_TEST(ElementwiseExtended, DstBlockStrideOfZeroWritesTheEighthBlockLast) {
  using Call = TypeParam;
  Call call = MaskCall<Call>(128, DType::kInt16);
  call.repeat_params.dst_blk_stride = 0;
  EXPECT_EQ(Anywhere(call), Named<Call>({"-DST-BLK-STRIDE-ZERO"}));
  Machine m;
  m.Put(DType::kInt16, call.src0.at, Ramp(1, 128));
  m.Put(DType::kInt16, call.src1.at, Words(128, 200));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt16, 0, 16),
            Of<Call>(Ramp(113, 16), Words(16, 200)));
  EXPECT_EQ(m.Get(DType::kInt16, 32, 1), Words{0xa5a5});
}

TYPED_TEST(ElementwiseExtended, Masks) {
  using Call = TypeParam;
  // Bits beyond the lanes of a 32-bit type are ignored.
  const Call bits = BitsCall<Call>(1, 1, DType::kInt32);
  EXPECT_EQ(Anywhere(bits), Named<Call>({"-MASK-BITS"}));
  Machine m;
  m.Put(DType::kInt32, bits.src0.at, {4, 4});
  m.Put(DType::kInt32, bits.src1.at, {2, 2});
  const auto result = static_cast<std::uint64_t>(Combined<Call>(4, 2));
  ASSERT_TRUE(RunsExtended(m, bits));
  EXPECT_EQ(m.Get(DType::kInt32, 0, 2), (Words{result, 0xa5a5a5a5}));

  const Call beyond = MaskCall<Call>(65, DType::kInt32);
  EXPECT_EQ(Anywhere(beyond), Named<Call>({"-MASK-CONTIGUOUS"}));
  EXPECT_TRUE(ChangesNothing(
      m, beyond, "a number of lanes that an iteration does not have"));

  Call placeholder = MaskCall<Call>(5, DType::kInt32);
  placeholder.is_set_mask = false;
  EXPECT_EQ(Anywhere(placeholder), Named<Call>({"-PLACEHOLDER"}));
  m.Execute(isa::SetVectorMask{.high = 0, .low = 2});
  ASSERT_TRUE(RunsExtended(m, placeholder));
  EXPECT_EQ(m.Get(DType::kInt32, 0, 3), (Words{result, result, 0xa5a5a5a5}));

  // The register is left as the illegal call's own mask, and all ones by the
  // count form.
  ASSERT_TRUE(RunsExtended(m, MaskCall<Call>(0, DType::kInt32)));
  EXPECT_TRUE(m.oracle.accesses().empty());
  placeholder.mask = 0;
  ASSERT_TRUE(m.Executes(placeholder));
  EXPECT_TRUE(m.oracle.accesses().empty());
  Call count = CountCall<Call>(1, DType::kInt32);
  count.dst.at = 2;
  ASSERT_TRUE(RunsExtended(m, count));
  ASSERT_TRUE(m.Executes(placeholder));
  EXPECT_EQ(m.oracle.node_count(), 1 + 1 + 1 + 64u);
}

TYPED_TEST(ElementwiseExtended, ProductsPositionsAndTypes) {
  using Call = TypeParam;
  Call call = MaskCall<Call>(1, DType::kInt16);
  call.src1.dtype = DType::kFloat;
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining),
            Named<Call>({"-DTYPE", "-DTYPE-MATCH"}));
  Machine m(Product::kAtlasTraining);
  m.Put(DType::kInt16, call.src0.at, {7});
  m.Put(DType::kInt16, call.src1.at, {3});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt16, 0, 1), Of<Call>({7}, {3}));

  // Both at once, though a step reports only the product.
  call = MaskCall<Call>(1, DType::kInt8);
  EXPECT_EQ(Anywhere(call, Product::kAtlasInferenceVectorcore),
            Named<Call>({"-DTYPE", "-PRODUCT"}));
  EXPECT_TRUE(ChangesNothing(m, call, "no arithmetic for this type"));
  call = MaskCall<Call>(1, DType::kUint16);
  EXPECT_TRUE(ChangesNothing(m, call, "no arithmetic for this type"));
  call = MaskCall<Call>(1);
  call.src1.position = Position::kC2pipe2gm;
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining),
            Named<Call>({"-POSITION"}));
  EXPECT_TRUE(ChangesNothing(m, call, "src1's position has no memory here"));
}

TYPED_TEST(ElementwiseExtended, SourcesThatOverlapUnderTheException) {
  using Call = TypeParam;
  Call call = MaskCall<Call>(1, DType::kInt32);
  call.repeat_times = 2;
  call.repeat_params = {1, 1, 1, 0, 1, 0};
  call.src1.at = call.dst.at;
  EXPECT_EQ(Anywhere(call), Ids{});
  // src0 reaches into src1 in its second iteration.
  call.dst.at = call.src1.at = call.src0.at + 32;
  EXPECT_EQ(Anywhere(call),
            Named<Call>({"-OVERLAP-DEPENDENCY", "-OVERLAP-SOURCES"}));
  Machine m;
  m.Put(DType::kInt32, call.src0.at, {14});
  m.Put(DType::kInt32, call.dst.at, {9});
  ASSERT_TRUE(RunsExtended(m, call));
  const std::int64_t first = Combined<Call>(14, 9);
  EXPECT_EQ(m.Get(DType::kInt32, call.dst.at, 1),
            Words{static_cast<std::uint32_t>(Combined<Call>(first, first))});
}

TYPED_TEST(ElementwiseExtended, ALegalCallDoesWhatItAlwaysDoes) {
  using Call = TypeParam;
  Call call = MaskCall<Call>(100);
  call.repeat_times = 3;
  Machine strict, free;
  ASSERT_TRUE(strict.Executes(call));
  ASSERT_TRUE(RunsExtended(free, call));
  EXPECT_EQ(free.ub, strict.ub);
  EXPECT_EQ(free.oracle.accesses(), strict.oracle.accesses());
  EXPECT_EQ(free.oracle.events(), strict.oracle.events());
}

TYPED_TEST(ElementwiseExtended, HugeNumbersReturnAtOnce) {
  using Call = TypeParam;
  Machine m;
  Call call = MaskCall<Call>(1);
  call.repeat_times = kMax;
  call.repeat_params = {1, 1, 1, 0, 0, 0};
  EXPECT_EQ(Anywhere(call), Named<Call>({"-REPEAT"}));
  EXPECT_TRUE(ChangesNothing(m, call, "more than 1000000 accesses or 16 MiB"));
  call.repeat_times = -kMax;
  EXPECT_TRUE(ChangesNothing(m, call, "a negative repeat"));
  call.repeat_times = 2;
  call.repeat_params.dst_rep_stride = -kMax - 1;
  EXPECT_TRUE(ChangesNothing(m, call, "dst would reach outside its memory"));
  call = CountCall<Call>(kMax);
  EXPECT_EQ(Anywhere(call), Named<Call>({"-BOUNDS", "-COUNT"}));
  EXPECT_TRUE(ChangesNothing(m, call, "dst would reach outside its memory"));
  call = CountCall<Call>(-1);
  EXPECT_EQ(Anywhere(call), Named<Call>({"-COUNT"}));
  EXPECT_TRUE(ChangesNothing(m, call, "a negative count or length"));
}

}  // namespace
}  // namespace lanediff::oracle
