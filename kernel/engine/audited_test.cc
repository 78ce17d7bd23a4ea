// The translation of an audited call to a step, which emulator and oracle both
// execute: each parameter has a number of its own, and the step is read back.

#include "kernel/engine/audited.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lanediff::kernel {
namespace {

using isa::DType;
using isa::Position;

struct Parameter {
  const char* name;
  std::int64_t value;
  const char* text = nullptr;
};

/// A call of `name` with operands of their own places and lengths.
class Audited {
 public:
  explicit Audited(const char* name) {
    call_.name = name;
    call_.form = LANEDIFF_PLAIN;
    call_.is_set_mask = 1;
  }

  Audited& Operands(std::vector<Placed> operands) {
    operands_ = std::move(operands);
    return *this;
  }
  Audited& Parameters(const std::vector<Parameter>& parameters) {
    for (const auto& [name, value, text] : parameters) {
      parameters_.push_back({name, value, text});
    }
    return *this;
  }
  Audited& Form(std::uint8_t form, std::uint64_t low = 0,
                std::uint64_t high = 0) {
    call_.form = form;
    call_.mask[0] = low;
    call_.mask[1] = high;
    return *this;
  }
  Audited& NoSetMask() {
    call_.is_set_mask = 0;
    return *this;
  }

  std::expected<isa::Step, std::string> Step() {
    call_.parameters = parameters_.data();
    call_.parameter_count = static_cast<std::uint32_t>(parameters_.size());
    return AuditedStep(call_, operands_);
  }

 private:
  lanediff_call call_{};
  std::vector<Placed> operands_;
  std::vector<lanediff_parameter> parameters_;
};

Placed At(std::string_view name, Position position, std::int64_t at,
          std::int64_t bytes, DType dtype) {
  Placed placed;
  placed.name = name;
  placed.operand = {position, at, bytes, {}};
  placed.dtype = static_cast<std::uint8_t>(dtype);
  placed.given = true;
  return placed;
}

std::vector<Placed> Three(DType dtype) {
  return {At("dst", Position::kVecout, 1001, 2001, dtype),
          At("src0", Position::kVecin, 1002, 2002, dtype),
          At("src1", Position::kVeccalc, 1003, 2003, dtype)};
}
std::vector<Placed> Two(DType dtype) {
  return {At("dst", Position::kVecout, 1001, 2001, dtype),
          At("src", Position::kVecin, 1002, 2002, dtype)};
}
constexpr isa::Operand kDst{Position::kVecout, 1001, 2001, {}};
constexpr isa::Operand kSrc{Position::kVecin, 1002, 2002, {}};
constexpr isa::Operand kSrc1{Position::kVeccalc, 1003, 2003, {}};

template <class S>
void ExpectStep(const std::expected<isa::Step, std::string>& made,
                const S& expected) {
  ASSERT_TRUE(made) << made.error();
  const auto* const step = std::get_if<S>(&*made);
  ASSERT_NE(step, nullptr) << isa::OpName(*made);
  EXPECT_EQ(*step, expected);
}

template <class Call>
class AuditedElementwise : public testing::Test {};
using Elementwise =
    testing::Types<isa::Add, isa::Sub, isa::Mul, isa::Max, isa::Min>;
TYPED_TEST_SUITE(AuditedElementwise, Elementwise);

const std::vector<Parameter> kBinary = {
    {"repeatTimes", 11},   {"dstBlkStride", 12}, {"src0BlkStride", 13},
    {"src1BlkStride", 14}, {"dstRepStride", 15}, {"src0RepStride", 16},
    {"src1RepStride", 17}};

TYPED_TEST(AuditedElementwise, KeepsEachParameter) {
  const char* const name = TypeParam::kOp.data();
  TypeParam expected;
  expected.dtype = DType::kInt32;
  expected.dst = kDst;
  expected.src0 = kSrc;
  expected.src1 = kSrc1;
  expected.count = 10;
  ExpectStep(Audited(name)
                 .Operands(Three(DType::kInt32))
                 .Form(LANEDIFF_COUNT)
                 .Parameters({{"count", 10}})
                 .Step(),
             expected);
  expected.count = 0;
  expected.form = TypeParam::kContiguous;
  expected.mask = 18;
  expected.mask_words = {18, 19};
  expected.repeat_times = 11;
  expected.repeat_params = {12, 13, 14, 15, 16, 17};
  ExpectStep(Audited(name)
                 .Operands(Three(DType::kInt32))
                 .Form(LANEDIFF_MASK_LEN, 18, 19)
                 .Parameters(kBinary)
                 .Step(),
             expected);
  expected.form = TypeParam::kBitwise;
  expected.is_set_mask = false;
  ExpectStep(Audited(name)
                 .Operands(Three(DType::kInt32))
                 .Form(LANEDIFF_MASK_BITS, 18, 19)
                 .Parameters(kBinary)
                 .NoSetMask()
                 .Step(),
             expected);
}

TYPED_TEST(AuditedElementwise, KeepsAnOperandsOwnType) {
  std::vector<Placed> operands = Three(DType::kHalf);
  operands[2].dtype = LANEDIFF_FLOAT;
  TypeParam expected;
  expected.dst = kDst;
  expected.src0 = kSrc;
  expected.src1 = kSrc1;
  expected.src1.dtype = DType::kFloat;
  expected.count = 10;
  ExpectStep(Audited(TypeParam::kOp.data())
                 .Operands(operands)
                 .Form(LANEDIFF_COUNT)
                 .Parameters({{"count", 10}})
                 .Step(),
             expected);
}

TEST(AuditedDataCopy, KeepsEachParameter) {
  isa::DataCopy expected;
  expected.dtype = DType::kUint8;
  expected.dst = kDst;
  expected.src = kSrc;
  expected.count = 10;
  ExpectStep(Audited("DataCopy")
                 .Operands(Two(DType::kUint8))
                 .Form(LANEDIFF_COUNT)
                 .Parameters({{"count", 10}})
                 .Step(),
             expected);
  expected.count = 0;
  expected.form = isa::DataCopy::kParams;
  expected.params = {
      .block_count = 11, .block_len = 12, .src_gap = 13, .dst_gap = 14};
  for (const auto& [src, dst] :
       {std::pair("srcGap", "dstGap"), std::pair("srcStride", "dstStride")}) {
    ExpectStep(
        Audited("DataCopy")
            .Operands(Two(DType::kUint8))
            .Parameters(
                {{"blockCount", 11}, {"blockLen", 12}, {src, 13}, {dst, 14}})
            .Step(),
        expected);
  }
}

TEST(AuditedRepeatReduceSum, KeepsEachParameter) {
  isa::RepeatReduceSum expected;
  expected.dtype = DType::kFloat;
  expected.dst = kDst;
  expected.src = kSrc;
  expected.repeat = 11;
  expected.elems_in_one_repeat = 12;
  expected.dst_blk_stride = 13;
  expected.src_blk_stride = 14;
  expected.dst_rep_stride = 15;
  expected.src_rep_stride = 16;
  for (const char* repeat : {"repeat", "repeatTime", "repeatTimes"}) {
    expected.is_set_mask = !expected.is_set_mask;
    Audited call("RepeatReduceSum");
    call.Operands(Two(DType::kFloat))
        .Parameters({{repeat, 11},
                     {"elemsInOneRepeat", 12},
                     {"dstBlkStride", 13},
                     {"srcBlkStride", 14},
                     {"dstRepStride", 15},
                     {"srcRepStride", 16}});
    if (!expected.is_set_mask) call.NoSetMask();
    ExpectStep(call.Step(), expected);
  }
}

TEST(AuditedWholeReduceSum, KeepsEachParameter) {
  isa::WholeReduceSum expected;
  expected.dtype = DType::kFloat;
  expected.dst = kDst;
  expected.src = kSrc;
  expected.mask = 18;
  expected.mask_words = {18, 19};
  expected.repeat_times = 11;
  expected.dst_rep_stride = 12;
  expected.src_blk_stride = 13;
  expected.src_rep_stride = 14;
  const std::vector<Parameter> parameters = {{"repeatTimes", 11},
                                             {"dstRepStride", 12},
                                             {"srcBlkStride", 13},
                                             {"srcRepStride", 14}};
  ExpectStep(Audited("WholeReduceSum")
                 .Operands(Two(DType::kFloat))
                 .Form(LANEDIFF_MASK_LEN, 18, 19)
                 .Parameters(parameters)
                 .Step(),
             expected);
  expected.form = isa::WholeReduceSum::kBitwise;
  expected.is_set_mask = false;
  ExpectStep(Audited("WholeReduceSum")
                 .Operands(Two(DType::kFloat))
                 .Form(LANEDIFF_MASK_BITS, 18, 19)
                 .Parameters(parameters)
                 .NoSetMask()
                 .Step(),
             expected);
}

TEST(AuditedTrowprod, KeepsEachParameter) {
  const auto tile = [](Position position, std::int64_t first,
                       isa::Layout layout) {
    return isa::Tile{.position = position,
                     .at = first,
                     .rows = first + 1,
                     .cols = first + 2,
                     .valid_row = first + 3,
                     .valid_col = first + 4,
                     .layout = layout,
                     .dtype = {}};
  };
  isa::Trowprod expected;
  expected.dtype = DType::kHalf;
  expected.dst = tile(Position::kVecout, 100, isa::Layout::kDn);
  expected.src = tile(Position::kVecin, 200, isa::Layout::kNd);
  expected.tmp = tile(Position::kVeccalc, 300, isa::Layout::kDn);
  expected.tmp.dtype = DType::kFloat;
  const std::vector<Parameter> parameters = {
      {"dst.rows", 101},       {"dst.cols", 102},
      {"dst.validRow", 103},   {"dst.validCol", 104},
      {"dst.layout", 0, "DN"}, {"src.rows", 201},
      {"src.cols", 202},       {"src.validRow", 203},
      {"src.validCol", 204},   {"src.layout", 0, "ND"},
      {"tmp.rows", 301},       {"tmp.cols", 302},
      {"tmp.validRow", 303},   {"tmp.validCol", 304},
      {"tmp.layout", 0, "DN"}};
  ExpectStep(
      Audited("TROWPROD")
          .Operands({At("dst", Position::kVecout, 100, 1, DType::kHalf),
                     At("src", Position::kVecin, 200, 1, DType::kHalf),
                     At("tmp", Position::kVeccalc, 300, 1, DType::kFloat)})
          .Parameters(parameters)
          .Step(),
      expected);
}

TEST(AuditedCalls, WithoutAParameterAreRefusedByItsName) {
  EXPECT_EQ(Audited("DataCopy")
                .Operands(Two(DType::kHalf))
                .Parameters({{"blockCount", 1}, {"srcGap", 0}, {"dstGap", 0}})
                .Step()
                .error(),
            "DataCopy without blockLen");
  EXPECT_FALSE(Audited("Add")
                   .Operands(Two(DType::kHalf))
                   .Form(LANEDIFF_COUNT)
                   .Parameters({{"count", 1}})
                   .Step())
      << "without src0 and src1";
  EXPECT_FALSE(Audited("Adds").Step());
}

TEST(AuditedCalls, MoveInGmAlone) {
  isa::DataCopy copy;
  copy.dst = {Position::kGm, 100, 64, {}};
  copy.src = {Position::kVecout, 200, 64, {}};
  const isa::Step moved = MovedInGm(isa::Step(copy), 4096);
  copy.dst.at = 4196;
  EXPECT_EQ(moved, isa::Step(copy));
  const auto accesses = MovedInGm(
      std::vector<isa::Access>{{"dst", true, isa::Memory::kGm, 100, 64},
                               {"src", false, isa::Memory::kUb, 200, 64}},
      4096);
  EXPECT_EQ(accesses[0].at, 4196);
  EXPECT_EQ(accesses[1].at, 200);
}

}  // namespace
}  // namespace lanediff::kernel
