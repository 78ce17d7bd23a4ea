// The translation of an audited call to a step, which emulator and oracle both
// execute: what no kernel of the corpus shows of it.

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
    for (const auto& [name, value] : parameters) {
      parameters_.push_back({name, value, nullptr});
    }
    return *this;
  }
  Audited& Word(const char* name, const char* word) {
    parameters_.push_back({name, 0, word});
    return *this;
  }
  Audited& Form(std::uint8_t form, std::uint64_t low = 0,
                std::uint64_t high = 0) {
    call_.form = form;
    call_.mask[0] = low;
    call_.mask[1] = high;
    return *this;
  }
  Audited& Scalar(DType dtype, std::uint64_t bits) {
    call_.scalar = bits;
    call_.scalar_dtype = static_cast<std::uint8_t>(dtype);
    return *this;
  }
  Audited& NoSetMask() {
    call_.is_set_mask = 0;
    return *this;
  }

  std::expected<isa::Call, std::string> Step() {
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

// Each other parameter has a number of its own in the kernels unequal-strides
// and pto-unequal-tiles of the corpus, which compute the same by plain loops.
TEST(AuditedCalls, KeepBothWordsOfAMaskAndThatTheRegisterIsUsed) {
  using isa::Param;
  isa::Call expected = isa::CallOf("Min");
  expected.dtype = DType::kInt32;
  expected.dst() = {Position::kVecout, 1001, 2001, {}};
  expected.src(0) = {Position::kVecin, 1002, 2002, {}};
  expected.src(1) = {Position::kVeccalc, 1003, 2003, {}};
  expected.form = isa::kBitsForm;
  expected.is_set_mask = false;
  expected[Param::kMask] = 18;
  expected.mask_words = {18, 19};
  expected[Param::kRepeatTimes] = 11;
  expected[Param::kDstBlkStride] = 12;
  expected[Param::kSrc0BlkStride] = 13;
  expected[Param::kSrc1BlkStride] = 14;
  expected[Param::kDstRepStride] = 15;
  expected[Param::kSrc0RepStride] = 16;
  expected[Param::kSrc1RepStride] = 17;
  const auto min = Audited("Min")
                       .Operands(Three(DType::kInt32))
                       .Form(LANEDIFF_MASK_BITS, 18, 19)
                       .Parameters({{"repeatTimes", 11},
                                    {"dstBlkStride", 12},
                                    {"src0BlkStride", 13},
                                    {"src1BlkStride", 14},
                                    {"dstRepStride", 15},
                                    {"src0RepStride", 16},
                                    {"src1RepStride", 17}})
                       .NoSetMask()
                       .Step();
  ASSERT_TRUE(min) << min.error();
  EXPECT_EQ(*min, expected);

  const auto whole = Audited("WholeReduceSum")
                         .Operands(Two(DType::kFloat))
                         .Form(LANEDIFF_MASK_BITS, 18, 19)
                         .Parameters({{"repeatTimes", 11},
                                      {"dstRepStride", 12},
                                      {"srcBlkStride", 13},
                                      {"srcRepStride", 14}})
                         .NoSetMask()
                         .Step();
  ASSERT_TRUE(whole) << whole.error();
  EXPECT_TRUE(whole->Has(Param::kMaskWords));
  EXPECT_EQ(whole->mask_words, expected.mask_words);
  EXPECT_FALSE(whole->is_set_mask);

  const auto repeat = Audited("RepeatReduceSum")
                          .Operands(Two(DType::kFloat))
                          .Parameters({{"repeat", 11},
                                       {"elemsInOneRepeat", 12},
                                       {"dstBlkStride", 13},
                                       {"srcBlkStride", 14},
                                       {"dstRepStride", 15},
                                       {"srcRepStride", 16}})
                          .NoSetMask()
                          .Step();
  ASSERT_TRUE(repeat) << repeat.error();
  EXPECT_FALSE(repeat->is_set_mask);
}

TEST(AuditedCalls, NeedNoSource) {
  using isa::Param;
  isa::Call expected = isa::CallOf("Duplicate");
  expected.dtype = DType::kBfloat16;
  expected.dst() = {Position::kVecout, 1001, 2001, {}};
  expected.scalar = 0x3f80;
  expected.form = isa::kMaskForm;
  expected[Param::kMask] = 18;
  expected.mask_words = {18, 0};
  expected[Param::kRepeatTimes] = 11;
  expected[Param::kDstBlkStride] = 12;
  expected[Param::kDstRepStride] = 13;
  Audited fill("Duplicate");
  fill.Operands({At("dst", Position::kVecout, 1001, 2001, DType::kBfloat16)})
      .Form(LANEDIFF_MASK_LEN, 18)
      .Scalar(DType::kBfloat16, 0x3f80)
      .Parameters({{"dstBlockStride", 12}, {"dstRepeatStride", 13}});
  EXPECT_EQ(fill.Step().error(), "Duplicate without repeatTime");
  const auto step = fill.Parameters({{"repeatTime", 11}}).Step();
  ASSERT_TRUE(step) << step.error();
  EXPECT_EQ(*step, expected);
}

TEST(AuditedCalls, ByCountWithoutSetMaskTakeTheRegistersLanesOnce) {
  using isa::Param;
  isa::Call expected = isa::CallOf("Adds");
  expected.dst() = {Position::kVecout, 1001, 2001, {}};
  expected.src(0) = {Position::kVecin, 1002, 2002, {}};
  expected.form = isa::kMaskForm;
  expected.is_set_mask = false;
  expected.scalar = 0x3c00;
  expected[Param::kRepeatTimes] = 1;
  expected[Param::kDstBlkStride] = expected[Param::kSrc0BlkStride] = 1;
  expected[Param::kDstRepStride] = expected[Param::kSrc0RepStride] = 8;
  const auto step = Audited("Adds")
                        .Operands(Two(DType::kHalf))
                        .Form(LANEDIFF_COUNT)
                        .Parameters({{"count", 10}})
                        .Scalar(DType::kHalf, 0x3c00)
                        .NoSetMask()
                        .Step();
  ASSERT_TRUE(step) << step.error();
  EXPECT_EQ(*step, expected);
}

TEST(AuditedCalls, KeepAnOperandsOwnType) {
  std::vector<Placed> operands = Three(DType::kHalf);
  operands[2].dtype = LANEDIFF_FLOAT;
  const auto min = Audited("Min")
                       .Operands(operands)
                       .Form(LANEDIFF_COUNT)
                       .Parameters({{"count", 10}})
                       .Step();
  ASSERT_TRUE(min) << min.error();
  EXPECT_EQ(min->src(0).dtype, std::nullopt);
  EXPECT_EQ(min->src(1).dtype, DType::kFloat);
}

TEST(AuditedCalls, TakeGapsByTheirNewerNames) {
  const auto copy = Audited("DataCopy")
                        .Operands(Two(DType::kUint8))
                        .Parameters({{"blockCount", 11},
                                     {"blockLen", 12},
                                     {"srcStride", 13},
                                     {"dstStride", 14}})
                        .Step();
  ASSERT_TRUE(copy) << copy.error();
  using isa::Param;
  ASSERT_TRUE(copy->Has(Param::kBlockCount));
  EXPECT_EQ((*copy)[Param::kBlockCount], 11);
  EXPECT_EQ((*copy)[Param::kBlockLen], 12);
  EXPECT_EQ((*copy)[Param::kSrcGap], 13);
  EXPECT_EQ((*copy)[Param::kDstGap], 14);
}

TEST(AuditedCalls, PadWhatGoesIntoUb) {
  using isa::Param;
  isa::Call expected = isa::CallOf("DataCopyPad");
  expected.dst() = {Position::kVecout, 1001, 2001, {}};
  expected.src(0) = {Position::kVecin, 1002, 2002, {}};
  expected.SetBlocks(11, 70000, 13, 14);
  expected.form = expected.signature->FormWith(Param::kIsPad);
  expected.is_pad = true;
  expected[Param::kLeftPadding] = 15;
  expected[Param::kRightPadding] = -16;
  expected.scalar = 0xfffe;
  const std::vector<Parameter> blocks = {{"blockCount", 11},
                                         {"blockLen", 70000},
                                         {"srcStride", 13},
                                         {"dstStride", 14}};
  const auto into = Audited("DataCopyPad")
                        .Operands(Two(DType::kHalf))
                        .Parameters(blocks)
                        .Parameters({{"isPad", 1},
                                     {"leftPadding", 15},
                                     {"rightPadding", -16},
                                     {"paddingValue", -2}})
                        .Step();
  ASSERT_TRUE(into) << into.error();
  EXPECT_EQ(*into, expected);

  expected.form = 1;
  expected.is_pad = false;
  expected[Param::kLeftPadding] = expected[Param::kRightPadding] = 0;
  expected.scalar = 0;
  Audited out("DataCopyPad");
  out.Operands(Two(DType::kHalf)).Parameters(blocks);
  ASSERT_TRUE(out.Step());
  EXPECT_EQ(*out.Step(), expected);
  EXPECT_EQ(out.Word("params", "DataCopyParams").Step().error(),
            "blockLen 70000 in a field of 16 bits");
}

TEST(AuditedCalls, AreThoseThatKernelsMake) {
  EXPECT_TRUE(IsAudited("DataCopyPad"));
  EXPECT_TRUE(IsAudited("TROWPROD"));
  EXPECT_FALSE(IsAudited("vec_trans"));
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

TEST(AuditedCalls, ByCountOfWordsOf32BitsAreNoCase) {
  const auto by_count = [](const char* name, DType dtype) {
    return Audited(name)
        .Operands({At("dst", Position::kVecout, 0, 64, dtype),
                   At("src0", Position::kVecin, 64, 64, dtype),
                   At("src1", Position::kVecin, 128, 64, dtype),
                   At("src", Position::kVecin, 64, 64, dtype)})
        .Form(LANEDIFF_COUNT)
        .Parameters({{"count", 16}})
        .Step();
  };
  EXPECT_EQ(by_count("And", DType::kUint32).error(),
            "And of a count of uint32");
  EXPECT_EQ(by_count("Or", DType::kInt32).error(), "Or of a count of int32");
  EXPECT_TRUE(by_count("And", DType::kUint16));
  EXPECT_TRUE(by_count("Not", DType::kUint32)) << "which a rule rejects";
  EXPECT_TRUE(by_count("Min", DType::kUint32)) << "which a rule rejects";
}

TEST(AuditedCalls, MoveInGmAlone) {
  isa::Call copy = isa::CallOf("DataCopy");
  copy.dst() = {Position::kGm, 100, 64, {}};
  copy.src(0) = {Position::kVecout, 200, 64, {}};
  const isa::Call moved = MovedInGm(copy, 4096);
  copy.dst().at = 4196;
  EXPECT_EQ(moved, copy);
  const auto accesses = MovedInGm(
      std::vector<isa::Access>{{"dst", true, isa::Memory::kGm, 100, 64},
                               {"src", false, isa::Memory::kUb, 200, 64}},
      4096);
  EXPECT_EQ(accesses[0].at, 4196);
  EXPECT_EQ(accesses[1].at, 200);
}

}  // namespace
}  // namespace lanediff::kernel
