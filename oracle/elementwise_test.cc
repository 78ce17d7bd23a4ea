#include "oracle/elementwise.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/oracle.h"
#include "oracle/testing.h"

/// What the element-wise calls list and trace, and what those that break rules
/// would do. The folders of the calls in corpus/ have both sides of each rule,
/// what is written, and corpus/published the documents' values.
namespace lanediff::oracle {
namespace {

using test::Anywhere;
using test::BitsCall;
using test::Combined;
using test::CountCall;
using test::kMax;
using test::MaskCall;
using test::Refusal;
using test::RunsExtended;
using Words = std::vector<std::uint64_t>;

template <class Call>
class Elementwise : public testing::Test {};
TYPED_TEST_SUITE(Elementwise, test::ElementwiseCalls, test::NamedByOp);

TYPED_TEST(Elementwise, Accesses) {
  using Call = TypeParam;
  Machine m;
  Call call = MaskCall<Call>(20);
  call.repeat_times = 2;
  call.repeat_params.src1_blk_stride = 2;
  EXPECT_TRUE(m.Executes(call));
  const std::vector<isa::Access>& accesses = m.oracle.accesses();
  ASSERT_EQ(accesses.size(), 8U);
  EXPECT_EQ(accesses[4],
            (isa::Access{
                .operand = "src0", .at = 4352, .bytes = 40, .iteration = 1}));
  EXPECT_EQ(accesses[6], (isa::Access{.operand = "src1",
                                      .at = 8512,
                                      .bytes = 8,
                                      .iteration = 1,
                                      .lane = 16}));
  EXPECT_EQ(accesses[7], (isa::Access{.operand = "dst",
                                      .write = true,
                                      .at = 256,
                                      .bytes = 40,
                                      .iteration = 1}));
  EXPECT_TRUE(m.Executes(CountCall<Call>(300, DType::kFloat)));
  ASSERT_EQ(m.oracle.accesses().size(), 3U);
  EXPECT_EQ(m.oracle.accesses()[1], (isa::Access{.operand = "src1",
                                                 .at = 8192,
                                                 .bytes = 1200,
                                                 .dtype = DType::kFloat}));
}

// ---- What a traced step shows -----------------------------------------------

template <isa::Elementwise Call>
std::vector<Node> Traced(Machine& m, DType dtype, const Words& left,
                         const Words& right) {
  const Call call =
      CountCall<Call>(static_cast<std::int64_t>(left.size()), dtype);
  m.Put(dtype, call.src0.at, left);
  m.Put(dtype, call.src1.at, right);
  m.oracle.set_tracing(true);
  EXPECT_TRUE(m.Executes(call));
  return m.oracle.nodes();
}

TEST(ElementwiseNodes, HoldWhatWasComputed) {
  Machine m;
  const Words left{0x3e00, 0x7c00};   // 1.5, inf
  const Words right{0xbc00, 0x0001};  // -1, 2^-24
  struct Row {
    std::vector<Node> nodes;
    const char *operation, *exact;
    std::uint64_t result;
  };
  const Row rows[] = {
      {Traced<isa::Min>(m, DType::kHalf, left, right), "min", "-1", 0xbc00},
      {Traced<isa::Max>(m, DType::kHalf, left, right), "max", "1.5", 0x3e00},
      {Traced<isa::Add>(m, DType::kHalf, left, right), "add", "0.5", 0x3800},
      {Traced<isa::Sub>(m, DType::kHalf, left, right), "sub", "2.5", 0x4100},
      {Traced<isa::Mul>(m, DType::kHalf, left, right), "mul", "-1.5", 0xbe00},
  };
  for (const Row& row : rows) {
    ASSERT_EQ(row.nodes.size(), 2U);
    EXPECT_EQ(row.nodes[0].operation, row.operation);
    EXPECT_EQ(row.nodes[0].exact, row.exact);
    EXPECT_EQ(row.nodes[0].left, left[0]);
    EXPECT_EQ(row.nodes[0].right, right[0]);
    EXPECT_EQ(row.nodes[0].result, row.result);
    EXPECT_EQ(row.nodes[1].index, 1);
  }
  EXPECT_EQ(m.oracle.nodes()[1].exact, "inf");
  EXPECT_TRUE(m.oracle.nodes()[1].saturated);

  EXPECT_TRUE(m.Executes(BitsCall<isa::Add>(8, 2)));
  ASSERT_EQ(m.oracle.nodes().size(), 2U);
  EXPECT_EQ(m.oracle.nodes()[0].index, 3);
  EXPECT_EQ(m.oracle.nodes()[1].index, 65);
  EXPECT_EQ(m.oracle.true_results()[1].lane, 65);
  EXPECT_EQ(m.oracle.true_results()[1].at, 130);
}

TEST(ElementwiseNodes, TrueResultsOfCallsThatRound) {
  Machine m;
  m.oracle.set_tracing(true);
  const std::vector<TrueResult>& results = m.oracle.true_results();
  isa::Add call = MaskCall<isa::Add>(17);
  call.repeat_times = 2;
  call.repeat_params = {3, 1, 1, 8, 8, 8};
  m.Put(DType::kHalf, call.src0.at + 256, Words(17, 0x6800));  // 2048
  m.Put(DType::kHalf, call.src1.at + 256, Words(17, 0x3c00));
  EXPECT_TRUE(m.Executes(call));
  ASSERT_EQ(results.size(), 34U);
  EXPECT_EQ(results.back().iteration, 1);
  EXPECT_EQ(results.back().lane, 16);
  EXPECT_EQ(results.back().at, 256 + 96);
  EXPECT_EQ(results.back().exact, "2049");
  EXPECT_EQ(results.back().bits, 0x6800U);
  EXPECT_EQ(results[18].at, 256 + 2);

  EXPECT_TRUE(m.Executes(CountCall<isa::Sub>(3)));
  EXPECT_EQ(results.size(), 3U);
  EXPECT_TRUE(m.Executes(CountCall<isa::Mul>(3)));
  EXPECT_EQ(results.size(), 3U);
  EXPECT_TRUE(m.Executes(CountCall<isa::Max>(3)));
  EXPECT_TRUE(results.empty());
  EXPECT_TRUE(m.Executes(CountCall<isa::Min>(3)));
  EXPECT_TRUE(results.empty());
}

// ---- Whatever they break ----------------------------------------------------

/// Overlaps are read before they are written, iteration by iteration: each row
/// with what its first lane becomes of the number 14 in src0 and 9 in src1.
TYPED_TEST(Elementwise, OverlapsFollowTheFormulas) {
  using Call = TypeParam;
  const std::int64_t once = Combined<Call>(14, 9);
  struct Row {
    std::function<void(Call&)> change;
    const char* rules;
    std::vector<std::int64_t> written;
  };
  const Row rows[] = {
      {[](Call& c) { c.dst.at = c.src0.at + 4; },
       "ALIGN OVERLAP-ITERATION",
       {once, once}},
      {[](Call& c) {
         c.form = Call::kCount;
         c.count = 16;
         c.dst.at = c.src1.at + 32;
       },
       "OVERLAP-COUNT",
       {once, once}},
      // Iteration 0 writes what iteration 1 reads.
      {[](Call& c) {
         c.mask = 1;
         c.repeat_times = 2;
         c.repeat_params = {1, 1, 1, 0, 0, 0};
         c.dst.at = c.src0.at;
       },
       "OVERLAP-DEPENDENCY",
       {Combined<Call>(once, 9)}},
      {[](Call& c) {  // under the exception
         c.mask = 1;
         c.repeat_times = 2;
         c.repeat_params = {1, 1, 1, 0, 0, 0};
         c.src0.at = c.dst.at = c.src1.at;
       },
       "OVERLAP-DEPENDENCY OVERLAP-SOURCES",
       {Combined<Call>(Combined<Call>(9, 9), Combined<Call>(9, 9))}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.rules);
    Call call = MaskCall<Call>(16, DType::kInt32);
    Machine m;
    m.Put(DType::kInt32, call.src0.at, Words(32, 14));
    m.Put(DType::kInt32, call.src1.at, Words(32, 9));
    row.change(call);
    EXPECT_EQ(Anywhere(call), row.rules);
    ASSERT_TRUE(RunsExtended(m, call));
    Words expected;
    for (const std::int64_t value : row.written) {
      expected.push_back(static_cast<std::uint32_t>(value));
    }
    EXPECT_EQ(m.Get(DType::kInt32, call.dst.at, expected.size()), expected);
  }
}

TYPED_TEST(Elementwise, RepeatsAndStridesFollowTheFormulas) {
  using Call = TypeParam;
  const auto of = [](std::int64_t left, std::int64_t right) {
    return Words{static_cast<std::uint16_t>(Combined<Call>(left, right))};
  };
  Call call = MaskCall<Call>(1, DType::kInt16);
  call.repeat_times = 256;
  call.repeat_params = {1, 1, 1, 0, 0, 0};
  EXPECT_EQ(Anywhere(call), "REPEAT");
  Machine m;
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.oracle.node_count(), 256U);
  EXPECT_EQ(m.oracle.accesses().back().iteration, 255);

  call = MaskCall<Call>(17, DType::kInt16);  // lane 16 is the first of block 1
  call.repeat_params.src0_blk_stride = 300;
  EXPECT_EQ(Anywhere(call), "BOUNDS STRIDE-RANGE");
  m.Put(DType::kInt16, call.src0.at + 300 * 32, {5});
  m.Put(DType::kInt16, call.src1.at, Words(17, 77));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt16, 32, 1), of(5, 77));
  call.repeat_params.src0_blk_stride = 384;  // one past the last block
  EXPECT_EQ(Refusal(m, call), "src0 would reach outside its memory");
  call.repeat_params.src0_blk_stride = 383;
  ASSERT_TRUE(RunsExtended(m, call));

  call = MaskCall<Call>(128, DType::kInt16);
  call.repeat_params.dst_blk_stride = 0;  // the eighth block is written last
  EXPECT_EQ(Anywhere(call), "DST-BLK-STRIDE-ZERO");
  Machine other;
  other.Put(DType::kInt16, call.src0.at + 7 * 32, {113});
  other.Put(DType::kInt16, call.src1.at + 7 * 32, {200});
  ASSERT_TRUE(RunsExtended(other, call));
  EXPECT_EQ(other.Get(DType::kInt16, 0, 1), of(113, 200));
  EXPECT_EQ(other.Get(DType::kInt16, 32, 1), Words{0xa5a5});
}

TYPED_TEST(Elementwise, Masks) {
  using Call = TypeParam;
  // Bits beyond the lanes of a 32-bit type are ignored.
  const Call bits = BitsCall<Call>(1, 1, DType::kInt32);
  EXPECT_EQ(Anywhere(bits), "MASK-BITS");
  Machine m;
  m.Put(DType::kInt32, bits.src0.at, {4, 4});
  m.Put(DType::kInt32, bits.src1.at, {2, 2});
  const auto result = static_cast<std::uint64_t>(Combined<Call>(4, 2));
  ASSERT_TRUE(RunsExtended(m, bits));
  EXPECT_EQ(m.Get(DType::kInt32, 0, 2), (Words{result, 0xa5a5a5a5}));

  Call placeholder = MaskCall<Call>(5, DType::kInt32);
  placeholder.is_set_mask = false;
  EXPECT_EQ(Anywhere(placeholder), "PLACEHOLDER");
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
  EXPECT_EQ(m.oracle.node_count(), 1 + 1 + 1 + 64U);
}

TYPED_TEST(Elementwise, EveryRuleByItself) {
  using Call = TypeParam;
  struct Row {
    Call call;
    Product product;
    const char* rules;
    std::string_view reason;
  };
  const auto changed = [](DType dtype, auto change) {
    Call call = MaskCall<Call>(1, dtype);
    call.repeat_params = {1, 1, 1, 0, 0, 0};
    change(call);
    return call;
  };
  const auto unchanged = [](Call&) {};
  using enum Product;
  const Row rows[] = {
      {changed(DType::kInt16, [](Call& c) { c.src1.dtype = DType::kFloat; }),
       kAtlasTraining, "DTYPE DTYPE-MATCH", "it ran"},
      // Both at once, though a step reports only the product.
      {changed(DType::kInt8, unchanged), kAtlasInferenceVectorcore,
       "DTYPE PRODUCT", "no arithmetic for this type"},
      {changed(DType::kUint16, unchanged), kAtlasA2, "DTYPE",
       "no arithmetic for this type"},
      {changed(DType::kHalf,
               [](Call& c) { c.src1.position = Position::kC2pipe2gm; }),
       kAtlasTraining, "POSITION", "src1's position has no memory here"},
      {MaskCall<Call>(65, DType::kInt32), kAtlasA2, "MASK-CONTIGUOUS",
       "a number of lanes that an iteration does not have"},
      {changed(DType::kHalf, [](Call& c) { c.repeat_times = kMax; }), kAtlasA2,
       "REPEAT", "more than 1000000 accesses or 16 MiB"},
      {changed(DType::kHalf, [](Call& c) { c.repeat_times = -kMax; }), kAtlasA2,
       "REPEAT", "a negative repeat"},
      {changed(DType::kHalf,
               [](Call& c) {
                 c.repeat_times = 2;
                 c.repeat_params.dst_rep_stride = test::kMin;
               }),
       kAtlasA2, "BOUNDS STRIDE-RANGE", "dst would reach outside its memory"},
      {CountCall<Call>(kMax), kAtlasA2, "BOUNDS COUNT",
       "dst would reach outside its memory"},
      {CountCall<Call>(-1), kAtlasA2, "COUNT", "a negative count or length"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Anywhere(row.call, row.product), row.rules) << row.reason;
    Machine m(row.product);
    EXPECT_EQ(Refusal(m, row.call), row.reason);
  }
}

}  // namespace
}  // namespace lanediff::oracle
