#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/call_operations.h"
#include "oracle/calls_testing.h"
#include "oracle/node.h"
#include "oracle/oracle.h"
#include "oracle/testing.h"

/// What lane-wise calls list and trace, and what those that break rules would
/// do. The folders of the calls in corpus/ have both sides of each rule, what
/// is written, and corpus/published the documents' values.
namespace lanediff::oracle {
namespace {

using isa::Call;
using isa::Param;
using test::Anywhere;
using test::BitsCall;
using test::CountCall;
using test::kMax;
using test::MaskCall;
using test::Refusal;
using test::RunsExtended;
using Words = std::vector<std::uint64_t>;

/// The calls of two sources over all integers and floating types.
class Lanewise : public testing::TestWithParam<std::string_view> {
 public:
  static std::vector<std::string_view> Ops() {
    auto ops = test::LanewiseOps();
    std::erase_if(ops, [](std::string_view op) {
      const Call call = isa::CallOf(op);
      return call.signature->sources() != 2 ||
             call.signature->Has(Param::kScalar) ||
             call.signature->ReadsDst() ||
             !OperationOf(call).Computes(DType::kInt32) ||
             !OperationOf(call).Computes(DType::kFloat);
    });
    return ops;
  }
  /// What the call makes of an element of each source.
  static std::uint64_t Combined(DType type, std::uint64_t left,
                                std::uint64_t right) {
    const Operation& operation = OperationOf(isa::CallOf(GetParam()));
    return operation.node.compute(type, std::array{left, right}, true).bits;
  }
};
INSTANTIATE_TEST_SUITE_P(, Lanewise, testing::ValuesIn(Lanewise::Ops()),
                         test::NameOfOp);

TEST_P(Lanewise, Accesses) {
  Machine m;
  Call call = MaskCall(GetParam(), 20);
  call[Param::kRepeatTimes] = 2;
  call[Param::kSrc1BlkStride] = 2;
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
  EXPECT_TRUE(m.Executes(CountCall(GetParam(), 300, DType::kFloat)));
  ASSERT_EQ(m.oracle.accesses().size(), 3U);
  EXPECT_EQ(m.oracle.accesses()[1], (isa::Access{.operand = "src1",
                                                 .at = 8192,
                                                 .bytes = 1200,
                                                 .dtype = DType::kFloat}));
}

// ---- What a traced step shows -----------------------------------------------

TEST(LanewiseNodes, HoldWhatWasComputed) {
  Machine m;
  m.oracle.set_tracing(true);
  const std::vector<Node>& nodes = m.oracle.nodes();
  struct Row {
    const char *op, *operation, *exact;
    std::uint64_t result;
  };
  const Row rows[] = {
      {"Min", "min", "-1", 0xbc00},   {"Max", "max", "1.5", 0x3e00},
      {"Add", "add", "0.5", 0x3800},  {"Sub", "sub", "2.5", 0x4100},
      {"Mul", "mul", "-1.5", 0xbe00},
  };
  for (const Row& row : rows) {
    const Call call = CountCall(row.op, 2);
    m.Put(DType::kHalf, call.src(0).at, {0x3e00, 0x7c00});  // 1.5, inf
    m.Put(DType::kHalf, call.src(1).at, {0xbc00, 0x0001});  // -1, 2^-24
    EXPECT_TRUE(m.Executes(call));
    ASSERT_EQ(nodes.size(), 2U);
    EXPECT_EQ(nodes[0].operation, row.operation);
    EXPECT_EQ(nodes[0].exact, row.exact);
    EXPECT_EQ(nodes[0].left, 0x3e00U);
    EXPECT_EQ(nodes[0].right, 0xbc00U);
    EXPECT_EQ(nodes[0].result, row.result);
    EXPECT_EQ(nodes[1].index, 1);
  }
  EXPECT_EQ(nodes[1].exact, "inf");
  EXPECT_TRUE(nodes[1].saturated);

  EXPECT_TRUE(m.Executes(BitsCall("Add", 8, 2)));
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].index, 3);
  EXPECT_EQ(nodes[1].index, 65);
  EXPECT_EQ(m.oracle.true_results()[1].lane, 65);
  EXPECT_EQ(m.oracle.true_results()[1].at, 130);
}

TEST(LanewiseNodes, TrueResultsOfCallsThatRound) {
  Machine m;
  m.oracle.set_tracing(true);
  const std::vector<TrueResult>& results = m.oracle.true_results();
  Call call = MaskCall("Add", 17);
  call[Param::kRepeatTimes] = 2;
  call[Param::kDstBlkStride] = 3;
  m.Put(DType::kHalf, call.src(0).at + 256, Words(17, 0x6800));  // 2048
  m.Put(DType::kHalf, call.src(1).at + 256, Words(17, 0x3c00));
  EXPECT_TRUE(m.Executes(call));
  ASSERT_EQ(results.size(), 34U);
  EXPECT_EQ(results.back().iteration, 1);
  EXPECT_EQ(results.back().lane, 16);
  EXPECT_EQ(results.back().at, 256 + 96);
  EXPECT_EQ(results.back().exact, "2049");
  EXPECT_EQ(results.back().bits, 0x6800U);
  EXPECT_EQ(results[18].at, 256 + 2);

  for (const std::string_view op : {"Sub", "Mul", "Max", "Min"}) {
    EXPECT_TRUE(m.Executes(CountCall(op, 3)));
    EXPECT_EQ(results.size(), op == "Sub" || op == "Mul" ? 3U : 0U) << op;
  }
}

// ---- What calls of other kinds compute --------------------------------------

TEST(LanewiseValues, OfOneSourceAScalarAndBits) {
  struct Row {
    std::string_view op;
    DType type;
    Words left;
    Words right;  ///< of src1, or the scalar
    Words saturated;
    Words unsaturated;
    std::string_view exact = {};  ///< of the first element
  };
  const Row rows[] = {
      {"Abs",
       DType::kHalf,
       {0xc100, 0x8000, 0, 0xfe01, 0x7d01, 0xfc00, 0x7c00, 0xfbff, 0x8001},
       {},
       {0x4100, 0, 0, 0, 0, 0x7bff, 0x7bff, 0x7bff, 0x0001},
       {0x4100, 0, 0, 0x7e00, 0x7e00, 0x7c00, 0x7c00, 0x7bff, 0x0001},
       "2.5"},
      {"Abs",
       DType::kFloat,
       {0xff7fffff, 0x80000000, 0xffc00001, 0x7f812345, 0xff800000},
       {},
       {0x7f7fffff, 0, 0x7fc00000, 0x7fc00000, 0x7f800000},
       {0x7f7fffff, 0, 0x7fc00000, 0x7fc00000, 0x7f800000},
       "340282346638528859811704183484516925440"},
      {"Abs",
       DType::kInt16,
       {0x8000, 0xffff, 5, 0x8001, 0},
       {},
       {0x7fff, 1, 5, 0x7fff, 0},
       {0x8000, 1, 5, 0x7fff, 0},
       "32768"},
      {"Adds",
       DType::kHalf,
       {0x6800, 0xbc00, 0x7c00, 0x7e01},
       {0x3c00},
       {0x6800, 0, 0x7bff, 0},
       {0x6800, 0, 0x7c00, 0x7e00},
       "2049"},
      {"Adds",
       DType::kHalf,
       {0x7c00, 0x3c00},
       {0xfc00},
       {0, 0xfbff},
       {0x7e00, 0xfc00},
       "nan"},
      {"Adds",
       DType::kFloat,
       {0x3f800000, 0x80000000, 0},
       {0x80000000},
       {0x3f800000, 0x80000000, 0},
       {0x3f800000, 0x80000000, 0},
       "1"},
      {"Adds",
       DType::kInt16,
       {0x8000, 0, 5},
       {0xffff},
       {0x8000, 0xffff, 4},
       {0x7fff, 0xffff, 4},
       "-32769"},
      {"Adds",
       DType::kInt32,
       {0x7fffffff, 0xffffffff},
       {1},
       {0x7fffffff, 0},
       {0x80000000, 0},
       "2147483648"},
      {"And",
       DType::kInt16,
       {0x8000, 0x7c01, 0x7fff, 1, 2, 3},
       {0xfe00, 0xfe00, 0x0f0f, 513, 512, 511},
       {0x8000, 0x7c00, 0x0f0f, 1, 0, 3},
       {0x8000, 0x7c00, 0x0f0f, 1, 0, 3},
       "-32768"},
      {"And",
       DType::kUint16,
       {0xffff, 0x7c01, 0x5555},
       {0x8001, 0xfe00, 0xaaaa},
       {0x8001, 0x7c00, 0},
       {0x8001, 0x7c00, 0},
       "32769"},
      {"Muls",
       DType::kHalf,
       {0x7bff, 0xbc00, 0x8000, 0x7c00, 0x7e01, 0x0001},
       {0xc000},
       {0xfbff, 0x4000, 0, 0xfbff, 0, 0x8002},
       {0xfc00, 0x4000, 0, 0xfc00, 0x7e00, 0x8002},
       "-131008"},
      {"Muls",
       DType::kFloat,
       {0x80000000, 0x7f800000, 0x3f800000},
       {0},
       {0x80000000, 0x7fc00000, 0},
       {0x80000000, 0x7fc00000, 0},
       "0"},
      {"Muls",
       DType::kInt16,
       {0x8000, 0x7fff, 0xffff},
       {0x8000},
       {0x7fff, 0x8000, 0x7fff},
       {0, 0x8000, 0x8000},
       "1073741824"},
      {"Muls",
       DType::kInt32,
       {0x7fffffff, 0x80000000, 3},
       {0x7fffffff},
       {0x7fffffff, 0x80000000, 0x7fffffff},
       {1, 0x80000000, 0x7ffffffd},
       "4611686014132420609"},
      {"Maxs",
       DType::kHalf,
       {0xbc00, 0x8000, 0x7e01, 0x7c00, 0xfc00},
       {0},
       {0, 0, 0, 0x7bff, 0},
       {0, 0, 0x7e00, 0x7c00, 0},
       "0"},
      {"Maxs",
       DType::kInt16,
       {0x8000, 0x7fff, 1},
       {2},
       {2, 0x7fff, 2},
       {2, 0x7fff, 2},
       "2"},
      {"Mins",
       DType::kFloat,
       {0, 0x3f800000, 0xff800000, 0xffc00001},
       {0x80000000},
       {0x80000000, 0x80000000, 0xff800000, 0x7fc00000},
       {0x80000000, 0x80000000, 0xff800000, 0x7fc00000},
       "0"},
      {"Mins",
       DType::kInt32,
       {0x80000000, 0x7fffffff},
       {0xffffffff},
       {0x80000000, 0xffffffff},
       {0x80000000, 0xffffffff},
       "-2147483648"},
      {"Or",
       DType::kInt16,
       {0x8000, 1, 2, 3},
       {0x0001, 513, 512, 511},
       {0x8001, 513, 514, 511},
       {0x8001, 513, 514, 511},
       "-32767"},
      {"Not",
       DType::kInt16,
       {9, 0xfffe, 8, 0},
       {},
       {0xfff6, 1, 0xfff7, 0xffff},
       {0xfff6, 1, 0xfff7, 0xffff},
       "-10"},
      {"Relu",
       DType::kHalf,
       {0xfc00, 0x8000, 0xfd01, 0x7c00, 0x4100},
       {},
       {0, 0, 0, 0x7bff, 0x4100},
       {0, 0, 0x7e00, 0x7c00, 0x4100},
       "0"},
      {"LeakyRelu",
       DType::kHalf,
       {0xfbff, 0x3e00, 0x8000, 0x7c00, 0xfc00, 0x7e01, 0xfd01, 0x8001},
       {0xc000},
       {0x7bff, 0x3e00, 0, 0x7bff, 0x7bff, 0, 0, 0x0002},
       {0x7c00, 0x3e00, 0, 0x7c00, 0x7c00, 0x7e00, 0x7e00, 0x0002},
       "131008"},
      {"LeakyRelu",
       DType::kFloat,
       {0x3fc00000, 0, 0x80000000, 0xbf800000, 0x7f800000},
       {0x7fc00000},
       {0x3fc00000, 0, 0x7fc00000, 0x7fc00000, 0x7f800000},
       {0x3fc00000, 0, 0x7fc00000, 0x7fc00000, 0x7f800000},
       "1.5"},
      {"AddRelu",
       DType::kHalf,
       {0x3c00, 0x7bff, 0xfbff, 0x7c00, 0x8000, 0x6800},
       {0xc000, 0x7bff, 0xfbff, 0xfc00, 0x8000, 0x3c00},
       {0, 0x7bff, 0, 0, 0, 0x6800},
       {0, 0x7c00, 0, 0x7e00, 0, 0x6800},
       "0"},
      {"AddRelu",
       DType::kInt16,
       {0x7fff, 0x8000, 0xffff, 5},
       {1, 0xffff, 0xffff, 6},
       {0x7fff, 0, 0, 11},
       {0, 0x7fff, 0, 11},
       "32768"},
      {"SubRelu",
       DType::kFloat,
       {0x40200000, 0x80000000, 0xff800000, 0x7f800000},
       {0xbf800000, 0, 0x7f800000, 0x7f800000},
       {0x40600000, 0, 0, 0x7fc00000},
       {0x40600000, 0, 0, 0x7fc00000},
       "3.5"},
      {"SubRelu",
       DType::kInt16,
       {0x8000, 0x7fff, 3, 5},
       {1, 0xffff, 5, 3},
       {0, 0x7fff, 0, 2},
       {0x7fff, 0, 0, 2},
       "0"},
  };
  for (const Row& row : rows) {
    for (const bool saturation : {true, false}) {
      SCOPED_TRACE(testing::Message() << row.op << " " << isa::Name(row.type)
                                      << " " << saturation);
      // One product alone has integers of Abs, and no way out of the mode.
      const bool alone = row.op == "Abs" && row.type == DType::kInt16;
      if (alone && !saturation) continue;
      Machine m(alone ? Product::kAtlas200i500A2 : Product::kAtlasA2);
      m.oracle.set_tracing(true);
      ASSERT_TRUE(m.Executes(isa::SetSaturation{.enabled = saturation}));
      const std::size_t count = row.left.size();
      Call call = CountCall(row.op, static_cast<std::int64_t>(count), row.type);
      m.Put(row.type, call.src(0).at, row.left);
      if (call.signature->Has(Param::kScalar)) {
        call.scalar = row.right[0];
      } else if (!row.right.empty()) {
        m.Put(row.type, call.src(1).at, row.right);
      }
      ASSERT_TRUE(m.Executes(call));
      EXPECT_EQ(m.Get(row.type, 0, count),
                saturation ? row.saturated : row.unsaturated);
      EXPECT_EQ(m.oracle.accesses().size(), call.used_operands().size());
      const Node& node = m.oracle.nodes().at(0);
      EXPECT_EQ(node.exact, row.exact);
      EXPECT_EQ(node.left, row.left[0]);
      EXPECT_EQ(node.right, row.right.empty() ? row.left[0] : row.right[0]);
    }
  }
}

/// The first lane of src is `bits`, moved `by` places.
TEST(LanewiseValues, OfShifts) {
  struct Row {
    std::string_view op;
    DType type;
    std::uint64_t bits;
    std::uint64_t by;
    bool round;
    std::uint64_t moved;
    std::string_view exact;
  };
  const Row rows[] = {
      {"ShiftLeft", DType::kInt16, 0xaaaa, 3, false, 0xd550, "-10928"},
      {"ShiftLeft", DType::kUint16, 0xaaaa, 1, false, 0x5554, "21844"},
      {"ShiftLeft", DType::kInt32, 0xffffffff, 32, false, 0x80000000,
       "-2147483648"},
      {"ShiftLeft", DType::kUint32, 0xffffffff, 32, false, 0, "0"},
      {"ShiftRight", DType::kInt16, 0xaaaa, 3, false, 0xf555, "-2731"},
      {"ShiftRight", DType::kInt16, 17, 5, true, 1, "1"},
      {"ShiftRight", DType::kInt16, 17, 5, false, 0, "0"},
      {"ShiftRight", DType::kInt16, 0x8000, 16, true, 0, "0"},
      {"ShiftRight", DType::kInt32, 0xfffffffd, 1, true, 0xffffffff, "-1"},
      {"ShiftRight", DType::kUint32, 3, 1, true, 1, "1"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(&row - rows);
    Machine m;
    m.oracle.set_tracing(true);
    Call call = MaskCall(row.op, 1, row.type);
    call.scalar = row.by;
    call.round_en = row.round;
    m.Put(row.type, call.src(0).at, {row.bits});
    ASSERT_TRUE(m.Executes(call));
    EXPECT_EQ(m.Get(row.type, 0, 1), Words{row.moved});
    EXPECT_EQ(m.oracle.nodes().at(0).exact, row.exact);
    EXPECT_TRUE(m.oracle.true_results().empty());
  }
}

/// 1 + 2^-10 squared is 1 + 2^-9 + 2^-20, whose last bit is lost before -1 is
/// added.
TEST(LanewiseValues, OfProductsAndSums) {
  for (const std::string_view op : {"MulAddDst", "FusedMulAdd", "Axpy"}) {
    SCOPED_TRACE(op);
    Machine m;
    m.oracle.set_tracing(true);
    Call call = MaskCall(op, 1);
    const bool is_factor = op == "FusedMulAdd";
    m.Put(DType::kHalf, call.src(0).at, {0x3c01});
    call.scalar = 0x3c01;
    if (op != "Axpy") {
      m.Put(DType::kHalf, call.src(1).at, {is_factor ? 0xbc00u : 0x3c01u});
    }
    m.Put(DType::kHalf, call.dst().at, {is_factor ? 0x3c01u : 0xbc00u});
    ASSERT_TRUE(m.Executes(call));
    EXPECT_EQ(m.Get(DType::kHalf, 0, 1), Words{0x1800});
    const Node& node = m.oracle.nodes().at(0);
    EXPECT_EQ(node.exact, "0.00195407867431640625");
    EXPECT_EQ(node.third, is_factor ? 0x3c01u : 0xbc00u) << "dst";
    const auto& accesses = m.oracle.accesses();
    ASSERT_EQ(accesses.size(), call.used_operands().size() + 1);
    EXPECT_EQ(accesses[accesses.size() - 2].operand, "dst");
    EXPECT_FALSE(accesses[accesses.size() - 2].write);

    call[Param::kRepeatTimes] = 2;
    test::SetStrides(call, 1, 0);
    EXPECT_EQ(Anywhere(call), "OVERLAP-DEPENDENCY");
    call[Param::kDstRepStride] = 1;
    EXPECT_EQ(Anywhere(call), "");
  }
}

/// Correctly rounded; special values are not open.
TEST(LanewiseValues, OfFunctions) {
  struct Row {
    std::string_view op;
    DType type;
    std::uint64_t left;
    std::uint64_t right;
    std::uint64_t saturated;
    std::uint64_t otherwise;
    bool open;
    std::string_view exact;
  };
  const Row rows[] = {
      {"Exp", DType::kHalf, 0x3c00, 0, 0x4170, 0x4170, true,
       "2.718281828459045235360287471352662497757…"},
      {"Exp", DType::kHalf, 0x7bff, 0, 0x7bff, 0x7c00, false, "inf"},
      {"Exp", DType::kHalf, 0xfbff, 0, 0, 0, false, "0"},
      {"Exp", DType::kFloat, 0x80000000, 0, 0x3f800000, 0x3f800000, false, "1"},
      {"Exp", DType::kFloat, 0x42b17217, 0, 0x7f7fff84, 0x7f7fff84, true, ""},
      {"Ln", DType::kFloat, 0x40000000, 0, 0x3f317218, 0x3f317218, true,
       "0.6931471805599453094172321214581765680755…"},
      {"Ln", DType::kHalf, 0x3c00, 0, 0, 0, false, "0"},
      {"Ln", DType::kHalf, 0x8000, 0, 0xfbff, 0xfc00, false, "-inf"},
      {"Sqrt", DType::kHalf, 0x4400, 0, 0x4000, 0x4000, true, "2"},
      {"Sqrt", DType::kFloat, 0x80000000, 0, 0x80000000, 0x80000000, false,
       "0"},
      {"Sqrt", DType::kFloat, 0xbf800000, 0, 0x7fc00000, 0x7fc00000, false,
       "nan"},
      {"Rsqrt", DType::kHalf, 0x8000, 0, 0xfbff, 0xfc00, false, "-inf"},
      {"Rsqrt", DType::kHalf, 0x4400, 0, 0x3800, 0x3800, true, "0.5"},
      {"Reciprocal", DType::kHalf, 0xfc00, 0, 0x8000, 0x8000, false, "0"},
      {"Reciprocal", DType::kHalf, 0x0001, 0, 0x7bff, 0x7c00, false,
       "16777216"},
      {"Div", DType::kHalf, 0x3c00, 0x4200, 0x3555, 0x3555, true,
       "0.3333333333333333333333333333333333333333…"},
      {"Div", DType::kHalf, 0x0003, 0xc000, 0x8002, 0x8002, true,
       "-0.000000089406967163085937500"},
      {"Div", DType::kHalf, 0, 0x8000, 0, 0x7e00, false, "nan"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(&row - rows);
    for (const bool saturation : {true, false}) {
      Machine m;
      m.oracle.set_tracing(true);
      ASSERT_TRUE(m.Executes(isa::SetSaturation{.enabled = saturation}));
      Call call = MaskCall(row.op, 1, row.type);
      m.Put(row.type, call.src(0).at, {row.left});
      if (call.signature->sources() == 2) {
        m.Put(row.type, call.src(1).at, {row.right});
      }
      ASSERT_TRUE(m.Executes(call));
      EXPECT_EQ(m.Get(row.type, call.dst().at, 1),
                Words{saturation ? row.saturated : row.otherwise});
      const auto& open = m.oracle.open_results();
      ASSERT_EQ(open.size(), row.open ? 1U : 0U);
      if (row.open) {
        EXPECT_EQ(open[0].at, call.dst().at);
      }
      if (!row.exact.empty() && row.left != 3) {
        EXPECT_EQ(m.oracle.nodes().at(0).exact, row.exact);
      }
    }
  }
}

/// Of two iterations over each other the last one counts.
TEST(LanewiseValues, OpenOnesAreThoseThatStay) {
  Machine m;
  Call call = BitsCall("Exp", 3, 0, DType::kHalf);
  call[Param::kRepeatTimes] = 2;
  test::SetStrides(call, 1, 0);
  call.RepStride(1) = 1;
  m.Put(DType::kHalf, call.src(0).at, {0x3c00, 0});
  m.Put(DType::kHalf, call.src(0).at + 32, {0, 0x3c00});
  ASSERT_TRUE(m.Executes(call));
  const auto& open = m.oracle.open_results();
  ASSERT_EQ(open.size(), 1U);
  EXPECT_EQ(open[0].at, call.dst().at + 2);
  EXPECT_EQ(open[0].bytes, 2);
  ASSERT_TRUE(m.Executes(isa::SetSaturation{.enabled = false}));
  EXPECT_TRUE(m.oracle.open_results().empty());
}

/// Without a source: neither read nor changed by the mode, in any type.
TEST(LanewiseValues, OfAScalarAlone) {
  struct Row {
    DType type;
    std::uint64_t scalar;
    std::string_view exact;
  };
  const Row rows[] = {
      {DType::kHalf, 0x7c00, "inf"},
      {DType::kBfloat16, 0xc049, "-3.140625"},
      {DType::kBfloat16, 0x7f81, "nan"},
      {DType::kFloat, 0xff812345, "nan"},
      {DType::kInt16, 0x8000, "-32768"},
      {DType::kUint16, 0x8000, "32768"},
      {DType::kInt32, 0xffffffff, "-1"},
      {DType::kUint32, 0xffffffff, "4294967295"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(&row - rows);
    Machine m;
    m.oracle.set_tracing(true);
    Call call = MaskCall("Duplicate", 1, row.type);
    call.scalar = row.scalar;
    call[Param::kRepeatTimes] = 2;
    test::SetStrides(call, 65535, 1);
    const std::size_t lanes = Machine::Bytes(row.type) == 2 ? 16 : 8;
    Words expected = m.Get(row.type, 0, 2 * lanes);
    expected[0] = expected[lanes] = row.scalar;
    ASSERT_TRUE(m.Executes(call));
    EXPECT_EQ(m.Get(row.type, 0, 2 * lanes), expected);
    ASSERT_EQ(m.oracle.accesses().size(), 2U);
    EXPECT_TRUE(m.oracle.accesses()[1].write);
    EXPECT_TRUE(m.oracle.true_results().empty());
    const Node& node = m.oracle.nodes().at(1);
    EXPECT_EQ(node.exact, row.exact);
    EXPECT_EQ(node.left, row.scalar);
    EXPECT_EQ(node.right, row.scalar);
    call = CountCall("Duplicate", 100, row.type);
    call.scalar = row.scalar;
    ASSERT_TRUE(m.Executes(call));
    EXPECT_EQ(m.Get(row.type, 0, 100), Words(100, row.scalar));
    EXPECT_EQ(m.oracle.accesses().size(), 1U);
  }
}

/// Bits of iterations side by side; a mask counts on atlas-200i-500-a2 alone.
TEST(LanewiseValues, OfComparisons) {
  using enum isa::CmpMode;
  struct Row {
    isa::CmpMode mode;
    std::uint64_t left;
    std::uint64_t right;
    bool holds;
  };
  constexpr Row kRows[] = {
      {kLt, 0x3c00, 0x4000, true},  {kLt, 0x4000, 0x3c00, false},
      {kLt, 0xc000, 0x8001, true},  {kGt, 0x0001, 0x8000, true},
      {kEq, 0x8000, 0x0000, true},  {kNe, 0x8000, 0x0000, false},
      {kLe, 0x8000, 0x0000, true},  {kGe, 0x7c00, 0x7bff, true},
      {kNe, 0x7e00, 0x3c00, false}, {kNe, 0x7e00, 0x7e00, false},
      {kEq, 0x7e00, 0x7e00, false}, {kLe, 0xfe00, 0x3c00, false},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(Compare(DType::kHalf, row.mode, row.left, row.right).bits,
              row.holds ? 1u : 0u)
        << isa::Name(row.mode) << " " << row.left << " " << row.right;
  }
  EXPECT_EQ(Compare(DType::kUint16, kGt, 0x8000, 0x7fff).bits, 1u);
  EXPECT_EQ(Compare(DType::kInt16, kGt, 0x8000, 0x7fff).bits, 0u);
}

/// Lanes that take no part are counted, and iterations go on.
TEST(LanewiseValues, OfNumbersOfLanes) {
  struct Row {
    DType type;
    std::uint64_t first;
    std::uint64_t mask;  ///< of one lane, in the second iteration
    bool saturation;
    std::uint64_t result;
    std::string_view exact;
  };
  const Row rows[] = {
      {DType::kHalf, 0x3800, 1, true, 0x5804, "128.5"},
      {DType::kHalf, 0x7bff, 4, true, 0x7bff, "65634"},
      {DType::kHalf, 0x7bff, 4, false, 0x7c00, "65634"},
      {DType::kHalf, 0xfc00, 4, true, 0xfbff, "-inf"},
      {DType::kFloat, 0xc2800000, 1, true, 0, "0"},
      {DType::kFloat, 0x7f812345, 1, true, 0x7fc00000, "nan"},
      {DType::kInt16, 0x7fff, 2, true, 0x7fff, "32896"},
      {DType::kInt16, 0x7fff, 2, false, 0x8080, "32896"},
      {DType::kInt32, 0xffffffff, 8, true, 66, "66"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(&row - rows);
    Machine m;
    m.oracle.set_tracing(true);
    ASSERT_TRUE(m.Executes(isa::SetSaturation{.enabled = row.saturation}));
    Call call = BitsCall("CreateVecIndex", row.mask, 0, row.type);
    call.scalar = row.first;
    call[Param::kRepeatTimes] = 2;
    test::SetStrides(call, 1, 0);
    ASSERT_TRUE(m.Executes(call));
    const auto lane = static_cast<std::size_t>(std::countr_zero(row.mask));
    EXPECT_EQ(m.Get(row.type, 0, lane + 1)[lane], row.result);
    const Node& node = m.oracle.nodes().at(1);
    EXPECT_EQ(node.exact, row.exact);
    EXPECT_EQ(node.left, row.first);
    EXPECT_EQ(node.right, row.first);
    EXPECT_EQ(m.oracle.true_results().size(), 2U);
  }
}

TEST(LanewiseRules, OfTypesProductsAndOverlaps) {
  struct Row {
    std::string_view op;
    DType type;
    isa::Profile profile;
    const char* rules;
  };
  using enum Product;
  const Row rows[] = {
      {"Abs", DType::kHalf, kAtlasTraining, ""},
      {"Abs", DType::kFloat, kAtlasA3, ""},
      {"Abs", DType::kInt16, kAtlas200i500A2, ""},
      {"Abs", DType::kInt16, kAtlasA2, "DTYPE"},
      {"Abs", DType::kInt16, kAtlasInferenceVectorcore, "DTYPE PRODUCT"},
      {"Abs", DType::kInt32, kAtlas200i500A2, "DTYPE"},
      {"Adds", DType::kFloat, kAtlasTraining, ""},
      {"Adds", DType::kInt16, kAtlasTraining, "DTYPE"},
      {"Adds", DType::kInt32, kAtlasTraining, "DTYPE"},
      {"Adds", DType::kInt32, kAtlasInferenceAicore, ""},
      {"And", DType::kInt16, kAtlasTraining, ""},
      {"And", DType::kUint16, kAtlasTraining, ""},
      {"And", DType::kUint32, kAtlasA3, "DTYPE"},
      {"And", DType::kHalf, kAtlasA2, "DTYPE"},
      {"And", DType::kUint16, kAtlas200_300_500, "PRODUCT"},
      {"Muls", DType::kFloat, kAtlasTraining, ""},
      {"Muls", DType::kInt16, kAtlasTraining, "DTYPE"},
      {"Muls", DType::kInt32, kAtlasTraining, "DTYPE"},
      {"Muls", DType::kInt16, kAtlas200i500A2, ""},
      {"Muls", DType::kUint16, kAtlasA2, "DTYPE"},
      {"Maxs", DType::kInt16, kAtlasInferenceAicore, ""},
      {"Maxs", DType::kFloat, kAtlasTraining, "PRODUCT"},
      {"Maxs", DType::kInt8, kAtlasA3, "DTYPE"},
      {"Mins", DType::kInt32, kAtlas200i500A2, ""},
      {"Mins", DType::kInt16, kAtlasTraining, "PRODUCT"},
      {"Mins", DType::kHalf, {kAtlasA3, isa::Edition::k2024}, ""},
      {"Or", DType::kUint16, kAtlasTraining, ""},
      {"Or", DType::kInt32, kAtlasA2, "DTYPE"},
      {"Not", DType::kInt16, kAtlasInferenceAicore, ""},
      {"Not", DType::kHalf, kAtlasA2, "DTYPE"},
      {"Relu", DType::kHalf, kAtlasTraining, ""},
      {"Relu", DType::kFloat, kAtlasTraining, "DTYPE"},
      {"Relu", DType::kInt32, kAtlasTraining, "DTYPE"},
      {"Relu", DType::kInt32, kAtlas200i500A2, ""},
      {"Relu", DType::kInt16, kAtlasA2, "DTYPE"},
      {"Relu", DType::kHalf, kAtlasInferenceVectorcore, "PRODUCT"},
      {"LeakyRelu", DType::kHalf, kAtlasInferenceAicore, ""},
      {"LeakyRelu", DType::kFloat, {kAtlasA3, isa::Edition::k2024}, ""},
      {"LeakyRelu", DType::kFloat, kAtlasTraining, "PRODUCT"},
      {"LeakyRelu", DType::kInt16, kAtlas200i500A2, "DTYPE"},
      {"AddRelu", DType::kInt16, kAtlasInferenceAicore, ""},
      {"AddRelu", DType::kInt16, kAtlas200i500A2, "DTYPE"},
      {"AddRelu", DType::kInt32, kAtlasA2, "DTYPE"},
      {"AddRelu", DType::kHalf, kAtlasTraining, "PRODUCT"},
      {"AddReluCast", DType::kInt16, kAtlasInferenceAicore, ""},
      {"SubReluCast", DType::kInt16, kAtlas200i500A2, "DTYPE"},
      {"MulCast", DType::kFloat, kAtlasA2, "DTYPE"},
      {"MulCast", DType::kHalf, kAtlasTraining, "PRODUCT"},
      {"SubRelu", DType::kInt16, kAtlasA3, ""},
      {"SubRelu", DType::kFloat, kAtlas200i500A2, ""},
      {"SubRelu", DType::kInt16, kAtlas200i500A2, "DTYPE"},
      {"SubRelu", DType::kHalf, kAtlasInferenceVectorcore, "PRODUCT"},
      {"Duplicate", DType::kBfloat16, kAtlasTraining, ""},
      {"Duplicate", DType::kUint32, kAtlas200i500A2, ""},
      {"Duplicate", DType::kInt8, kAtlasA2, "DTYPE"},
      {"Duplicate", DType::kHalf, kAtlasInferenceVectorcore, "PRODUCT"},
      {"Div", DType::kFloat, kAtlasTraining, ""},
      {"Div", DType::kInt32, kAtlasA2, "DTYPE"},
      {"Exp", DType::kHalf, kAtlas200i500A2, ""},
      {"Sqrt", DType::kFloat, kAtlasInferenceVectorcore, "PRODUCT"},
      {"CreateVecIndex", DType::kInt16, kAtlasInferenceAicore, ""},
      {"CreateVecIndex", DType::kUint32, kAtlasA3, "DTYPE"},
      {"CreateVecIndex", DType::kFloat, kAtlasTraining, "PRODUCT"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Anywhere(MaskCall(row.op, 1, row.type), row.profile), row.rules)
        << &row - rows;
  }

  // Iteration 1 reads what iteration 0 wrote: which calls may.
  const auto dependent = [](std::string_view op, DType type) {
    Call call = MaskCall(op, 1, type);
    call[Param::kRepeatTimes] = 2;
    test::SetStrides(call, 1, 0);
    call.dst().at = call.src(call.signature->sources() - 1).at;
    return Anywhere(call);
  };
  EXPECT_EQ(dependent("Add", DType::kInt32), "");
  EXPECT_EQ(dependent("And", DType::kInt16), "OVERLAP-DEPENDENCY");
  EXPECT_EQ(dependent("And", DType::kInt32), "DTYPE OVERLAP-DEPENDENCY");
  EXPECT_EQ(dependent("Abs", DType::kHalf), "OVERLAP-DEPENDENCY");
  EXPECT_EQ(dependent("Adds", DType::kFloat), "OVERLAP-DEPENDENCY");
  EXPECT_EQ(dependent("Or", DType::kUint16), "OVERLAP-DEPENDENCY");
  EXPECT_EQ(dependent("Maxs", DType::kHalf), "OVERLAP-DEPENDENCY");
  EXPECT_EQ(dependent("LeakyRelu", DType::kHalf), "OVERLAP-DEPENDENCY");
  EXPECT_EQ(dependent("AddRelu", DType::kFloat), "");
  EXPECT_EQ(dependent("AddRelu", DType::kInt16), "OVERLAP-DEPENDENCY");
  EXPECT_EQ(dependent("SubRelu", DType::kHalf), "");

  // Strides of blocks of a call without a source.
  const auto stride = [](std::int64_t blk, std::int64_t rep) {
    Call call = MaskCall("Duplicate", 1);
    test::SetStrides(call, blk, rep);
    return Anywhere(call);
  };
  EXPECT_EQ(stride(65535, 255), "");
  EXPECT_EQ(stride(65536, 255), "STRIDE-RANGE");
  EXPECT_EQ(stride(65535, 256), "STRIDE-RANGE");
  EXPECT_EQ(stride(0, 0), "DST-BLK-STRIDE-ZERO");
}

// ---- Whatever they break ----------------------------------------------------

/// Overlaps are read before they are written, iteration by iteration: each row
/// with what its first lane becomes of the number 14 in src0 and 9 in src1.
TEST_P(Lanewise, OverlapsFollowTheFormulas) {
  const auto of = [](std::uint64_t left, std::uint64_t right) {
    return Combined(DType::kInt32, left, right);
  };
  const std::uint64_t once = of(14, 9);
  struct Row {
    std::function<void(Call&)> change;
    const char* rules;
    Words written;
  };
  const auto repeat = [](Call& c) {
    c[Param::kMask] = 1;
    c[Param::kRepeatTimes] = 2;
    test::SetStrides(c, 1, 0);
  };
  const Row rows[] = {
      {[](Call& c) { c.dst().at = c.src(0).at + 4; },
       "ALIGN OVERLAP-ITERATION",
       {once, once}},
      {[](Call& c) {
         c.form = isa::kCountForm;
         c[Param::kCount] = 16;
         c.dst().at = c.src(1).at + 32;
       },
       "OVERLAP-COUNT",
       {once, once}},
      // Iteration 0 writes what iteration 1 reads.
      {[&](Call& c) {
         repeat(c);
         c.dst().at = c.src(0).at;
       },
       "OVERLAP-DEPENDENCY",
       {of(once, 9)}},
      {[&](Call& c) {  // under the exception
         repeat(c);
         c.src(0).at = c.dst().at = c.src(1).at;
       },
       "OVERLAP-DEPENDENCY OVERLAP-SOURCES",
       {of(of(9, 9), of(9, 9))}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.rules);
    Call call = MaskCall(GetParam(), 16, DType::kInt32);
    Machine m;
    m.Put(DType::kInt32, call.src(0).at, Words(32, 14));
    m.Put(DType::kInt32, call.src(1).at, Words(32, 9));
    row.change(call);
    EXPECT_EQ(Anywhere(call), row.rules);
    ASSERT_TRUE(RunsExtended(m, call));
    EXPECT_EQ(m.Get(DType::kInt32, call.dst().at, row.written.size()),
              row.written);
  }
}

TEST_P(Lanewise, RepeatsAndStridesFollowTheFormulas) {
  const auto of = [](std::uint64_t left, std::uint64_t right) {
    return Words{Combined(DType::kInt16, left, right)};
  };
  Call call = MaskCall(GetParam(), 1, DType::kInt16);
  call[Param::kRepeatTimes] = 256;
  test::SetStrides(call, 1, 0);
  EXPECT_EQ(Anywhere(call), "REPEAT");
  Machine m;
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.oracle.node_count(), 256U);
  EXPECT_EQ(m.oracle.accesses().back().iteration, 255);

  // Lane 16 is the first of block 1.
  call = MaskCall(GetParam(), 17, DType::kInt16);
  call[Param::kSrc0BlkStride] = 300;
  EXPECT_EQ(Anywhere(call), "BOUNDS STRIDE-RANGE");
  m.Put(DType::kInt16, call.src(0).at + 300 * 32, {5});
  m.Put(DType::kInt16, call.src(1).at, Words(17, 77));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kInt16, 32, 1), of(5, 77));
  call[Param::kSrc0BlkStride] = 384;  // one past the last block
  EXPECT_EQ(Refusal(m, call), "src0 would reach outside its memory");
  call[Param::kSrc0BlkStride] = 383;
  ASSERT_TRUE(RunsExtended(m, call));

  call = MaskCall(GetParam(), 128, DType::kInt16);
  call[Param::kDstBlkStride] = 0;  // the eighth block is written last
  EXPECT_EQ(Anywhere(call), "DST-BLK-STRIDE-ZERO");
  Machine other;
  other.Put(DType::kInt16, call.src(0).at + 7 * 32, {113});
  other.Put(DType::kInt16, call.src(1).at + 7 * 32, {200});
  ASSERT_TRUE(RunsExtended(other, call));
  EXPECT_EQ(other.Get(DType::kInt16, 0, 1), of(113, 200));
  EXPECT_EQ(other.Get(DType::kInt16, 32, 1), Words{0xa5a5});
}

TEST_P(Lanewise, Masks) {
  // Bits beyond the lanes of a 32-bit type are ignored.
  const Call bits = BitsCall(GetParam(), 1, 1, DType::kInt32);
  EXPECT_EQ(Anywhere(bits), "MASK-BITS");
  Machine m;
  m.Put(DType::kInt32, bits.src(0).at, {4, 4});
  m.Put(DType::kInt32, bits.src(1).at, {2, 2});
  const auto result = Combined(DType::kInt32, 4, 2);
  ASSERT_TRUE(RunsExtended(m, bits));
  EXPECT_EQ(m.Get(DType::kInt32, 0, 2), (Words{result, 0xa5a5a5a5}));

  Call placeholder = MaskCall(GetParam(), 5, DType::kInt32);
  placeholder.is_set_mask = false;
  EXPECT_EQ(Anywhere(placeholder), "PLACEHOLDER");
  m.Execute(isa::SetVectorMask{.high = 0, .low = 2});
  ASSERT_TRUE(RunsExtended(m, placeholder));
  EXPECT_EQ(m.Get(DType::kInt32, 0, 3), (Words{result, result, 0xa5a5a5a5}));

  // The register is left as the illegal call's own mask, and all ones by the
  // count form.
  ASSERT_TRUE(RunsExtended(m, MaskCall(GetParam(), 0, DType::kInt32)));
  EXPECT_TRUE(m.oracle.accesses().empty());
  placeholder[Param::kMask] = 0;
  ASSERT_TRUE(m.Executes(placeholder));
  EXPECT_TRUE(m.oracle.accesses().empty());
  Call count = CountCall(GetParam(), 1, DType::kInt32);
  count.dst().at = 2;
  ASSERT_TRUE(RunsExtended(m, count));
  ASSERT_TRUE(m.Executes(placeholder));
  EXPECT_EQ(m.oracle.node_count(), 1 + 1 + 1 + 64U);
}

TEST_P(Lanewise, EveryRuleByItself) {
  struct Row {
    Call call;
    Product product;
    const char* rules;
    std::string_view reason;
  };
  const auto changed = [](DType dtype, auto change) {
    Call call = MaskCall(GetParam(), 1, dtype);
    test::SetStrides(call, 1, 0);
    change(call);
    return call;
  };
  using enum Product;
  const Row rows[] = {
      {changed(DType::kInt16, [](Call& c) { c.src(1).dtype = DType::kFloat; }),
       kAtlasTraining, "DTYPE DTYPE-MATCH", "it ran"},
      // Both at once, though a step reports only the product.
      {MaskCall(GetParam(), 1, DType::kInt8), kAtlasInferenceVectorcore,
       "DTYPE PRODUCT", "no arithmetic for this type"},
      {MaskCall(GetParam(), 1, DType::kUint16), kAtlasA2, "DTYPE",
       "no arithmetic for this type"},
      {changed(DType::kHalf,
               [](Call& c) { c.src(1).position = Position::kC2pipe2gm; }),
       kAtlasTraining, "POSITION", "src1's position has no memory here"},
      {MaskCall(GetParam(), 65, DType::kInt32), kAtlasA2, "MASK-CONTIGUOUS",
       "a number of lanes that an iteration does not have"},
      {changed(DType::kHalf, [](Call& c) { c[Param::kRepeatTimes] = kMax; }),
       kAtlasA2, "REPEAT", "more than 1000000 accesses or 16 MiB"},
      {changed(DType::kHalf, [](Call& c) { c[Param::kRepeatTimes] = -kMax; }),
       kAtlasA2, "REPEAT", "a negative repeat"},
      {changed(DType::kHalf,
               [](Call& c) {
                 c[Param::kRepeatTimes] = 2;
                 c[Param::kDstRepStride] = test::kMin;
               }),
       kAtlasA2, "BOUNDS STRIDE-RANGE", "dst would reach outside its memory"},
      {CountCall(GetParam(), kMax), kAtlasA2, "BOUNDS COUNT",
       "dst would reach outside its memory"},
      {CountCall(GetParam(), -1), kAtlasA2, "COUNT",
       "a negative count or length"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Anywhere(row.call, row.product), row.rules) << row.reason;
    Machine m(row.product);
    EXPECT_EQ(Refusal(m, row.call), row.reason);
  }
}

}  // namespace
}  // namespace lanediff::oracle
