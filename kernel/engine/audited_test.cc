// The translation of an audited call to a step, which emulator and oracle both
// execute: what no kernel of the corpus shows of it.

#include "kernel/engine/audited.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/step.h"
#include "kernel/carried/call_testing.h"
#include "sanitizer/judge.h"

namespace lanediff::kernel {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;

std::expected<isa::Call, std::string> Step(
    Call& call, const std::vector<Placed>& operands) {
  return AuditedStep(call.Raw(), operands);
}

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
  const auto min =
      Step(Call("Min")
               .Form(LANEDIFF_MASK_BITS, 18, 19)
               .Numbers({"repeatTimes", "dstBlkStride", "src0BlkStride",
                         "src1BlkStride", "dstRepStride", "src0RepStride",
                         "src1RepStride"},
                        {11, 12, 13, 14, 15, 16, 17})
               .NoSetMask(),
           Three(DType::kInt32));
  ASSERT_TRUE(min) << min.error();
  EXPECT_EQ(*min, expected);

  const auto whole = Step(Call("WholeReduceSum")
                              .Form(LANEDIFF_MASK_BITS, 18, 19)
                              .Numbers({"repeatTimes", "dstRepStride",
                                        "srcBlkStride", "srcRepStride"},
                                       {11, 12, 13, 14})
                              .NoSetMask(),
                          Two(DType::kFloat));
  ASSERT_TRUE(whole) << whole.error();
  EXPECT_TRUE(whole->Has(Param::kMaskWords));
  EXPECT_EQ(whole->mask_words, expected.mask_words);
  EXPECT_FALSE(whole->is_set_mask);

  const auto repeat =
      Step(Call("RepeatReduceSum")
               .Numbers({"repeat", "elemsInOneRepeat", "dstBlkStride",
                         "srcBlkStride", "dstRepStride", "srcRepStride"},
                        {11, 12, 13, 14, 15, 16})
               .NoSetMask(),
           Two(DType::kFloat));
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
  Call fill("Duplicate");
  fill.Form(LANEDIFF_MASK_LEN, 18).Scalar(LANEDIFF_BFLOAT16, 0x3f80);
  fill.Numbers({"dstBlockStride", "dstRepeatStride"}, {12, 13});
  const std::vector<Placed> dst = {
      At("dst", Position::kVecout, 1001, 2001, DType::kBfloat16)};
  const auto step = Step(fill.Number("repeatTime", 11), dst);
  ASSERT_TRUE(step) << step.error();
  EXPECT_EQ(*step, expected);

  Call other("Duplicate");
  other.Form(LANEDIFF_MASK_LEN, 18).Scalar(LANEDIFF_BFLOAT16, 0x3f80);
  other.Numbers({"dstBlkStride", "dstRepStride"}, {12, 13});
  EXPECT_EQ(Step(other.Number("repeat", 11), dst), expected);
}

TEST(AuditedCalls, WithoutStridesHaveNoGaps) {
  using isa::Param;
  Call call("Adds");
  call.Form(LANEDIFF_MASK_LEN, 18).Scalar(LANEDIFF_HALF, 0x3c00);
  const auto step = Step(call, Two(DType::kHalf));
  ASSERT_TRUE(step) << step.error();
  EXPECT_EQ((*step)[Param::kMask], 18);
  EXPECT_EQ((*step)[Param::kRepeatTimes], 1);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(step->BlkStride(i), 1);
    EXPECT_EQ(step->RepStride(i), 8);
  }
}

TEST(AuditedCalls, RoundWhereTheyAreGivenRoundEn) {
  for (const bool given : {false, true}) {
    Call call("ShiftRight");
    call.Form(LANEDIFF_MASK_LEN, 18).Scalar(LANEDIFF_INT16, 3);
    if (given) call.Number("roundEn", 1);
    const auto step = Step(call, Two(DType::kInt16));
    ASSERT_TRUE(step) << step.error();
    EXPECT_EQ(step->scalar, 3U);
    EXPECT_EQ(step->round_en, given);
  }
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
  const auto step =
      Step(Call("Adds").Count(10).Scalar(LANEDIFF_HALF, 0x3c00).NoSetMask(),
           Two(DType::kHalf));
  ASSERT_TRUE(step) << step.error();
  EXPECT_EQ(*step, expected);

  const auto copy =
      Step(Call("DataCopy").Count(10).NoSetMask(), Two(DType::kHalf));
  ASSERT_TRUE(copy) << copy.error();
  ASSERT_TRUE(copy->Has(Param::kCount)) << "copies have no mask";
  EXPECT_EQ((*copy)[Param::kCount], 10);
}

TEST(AuditedCalls, KeepAnOperandsOwnType) {
  std::vector<Placed> operands = Three(DType::kHalf);
  operands[2].dtype = LANEDIFF_FLOAT;
  const auto min = Step(Call("Min").Count(10), operands);
  ASSERT_TRUE(min) << min.error();
  EXPECT_EQ(min->src(0).dtype, std::nullopt);
  EXPECT_EQ(min->src(1).dtype, DType::kFloat);
}

TEST(AuditedCalls, TakeGapsByTheirNewerNames) {
  const auto copy =
      Step(Call("DataCopy")
               .Numbers({"blockCount", "blockLen", "srcStride", "dstStride"},
                        {11, 12, 13, 14}),
           Two(DType::kUint8));
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
  const auto pad = [] {
    Call call("DataCopyPad");
    call.Numbers({"blockCount", "blockLen", "srcStride", "dstStride"},
                 {11, 70000, 13, 14});
    return call;
  };
  Call in = pad();
  in.Numbers({"isPad", "leftPadding", "rightPadding", "paddingValue"},
             {1, 15, -16, -2});
  const auto into = Step(in, Two(DType::kHalf));
  ASSERT_TRUE(into) << into.error();
  EXPECT_EQ(*into, expected);

  expected.form = 1;
  expected.is_pad = false;
  expected[Param::kLeftPadding] = expected[Param::kRightPadding] = 0;
  expected.scalar = 0;
  Call out = pad();
  const auto step = Step(out, Two(DType::kHalf));
  ASSERT_TRUE(step) << step.error();
  EXPECT_EQ(*step, expected);
  EXPECT_EQ(
      Step(out.Word("params", "DataCopyParams"), Two(DType::kHalf)).error(),
      "blockLen 70000 in a field of 16 bits");
}

TEST(AuditedCalls, AreThoseThatKernelsMake) {
  EXPECT_TRUE(IsAudited("DataCopyPad"));
  EXPECT_TRUE(IsAudited("TROWPROD"));
  EXPECT_FALSE(IsAudited("vec_trans"));
  struct Row {
    const char* name;
    std::uint8_t dst;
    std::uint8_t src;
    Product product;
    bool audited;
  };
  constexpr Row kRows[] = {
      {"Add", LANEDIFF_HALF, LANEDIFF_FLOAT, Product::kAtlasA2, true},
      {"Axpy", LANEDIFF_HALF, LANEDIFF_HALF, Product::kAtlasA2, true},
      {"Axpy", LANEDIFF_FLOAT, LANEDIFF_HALF, Product::kAtlasA2, false},
      {"Cast", LANEDIFF_FLOAT, LANEDIFF_HALF, Product::kAtlasA2, true},
      {"Cast", LANEDIFF_FLOAT, LANEDIFF_FLOAT, Product::kAtlasA2, true},
      {"Cast", LANEDIFF_BFLOAT16, LANEDIFF_HALF, Product::kAtlasA2, true},
      {"Cast", LANEDIFF_HALF, LANEDIFF_INT4, Product::kAtlasA2, false},
      {"Cast", LANEDIFF_INT4, LANEDIFF_HALF, Product::kAtlasA2, false},
      {"Cast", LANEDIFF_HALF, LANEDIFF_INT32, Product::kAtlasA2, false},
      {"Cast", LANEDIFF_HALF, LANEDIFF_INT32, Product::kAtlas200i500A2, true},
      {"Exp", LANEDIFF_HALF, LANEDIFF_HALF, Product::kAtlasA2, true},
      {"Neg", LANEDIFF_HALF, LANEDIFF_HALF, Product::kAtlasA2, false},
  };
  for (const Row& row : kRows) {
    std::array<lanediff_operand, 2> operands = {};
    operands[0].name = "dst";
    operands[0].dtype = row.dst;
    operands[1].name = "src";
    operands[1].dtype = row.src;
    lanediff_call call = {};
    call.name = row.name;
    call.operands = operands.data();
    call.operand_count = operands.size();
    EXPECT_EQ(IsAudited(call, row.product), row.audited)
        << row.name << " to " << int{row.dst} << " from " << int{row.src};
  }
}

TEST(AuditedCalls, ConvertFromTheTypeOfSrcByTheModesName) {
  Call call("Cast");
  call.Count(16).Word("roundMode", "CAST_ODD");
  const auto step =
      Step(call, {At("dst", Position::kVecout, 0, 32, DType::kHalf),
                  At("src", Position::kVecin, 64, 64, DType::kFloat)});
  ASSERT_TRUE(step) << step.error();
  EXPECT_EQ(step->dtype, DType::kFloat);
  EXPECT_EQ(step->TypeOf(0), DType::kHalf);
  EXPECT_EQ(step->round_mode, isa::RoundMode::kOdd);
  EXPECT_FALSE(Step(Call("Cast").Count(16).Word("roundMode", "CAST_HYBRID"),
                    Two(DType::kHalf)));
  EXPECT_FALSE(Step(Call("Cast").Count(16), Two(DType::kHalf)));
}

TEST(AuditedCalls, WithoutAParameterAreRefusedByItsName) {
  EXPECT_EQ(Step(Call("DataCopy")
                     .Numbers({"blockCount", "srcGap", "dstGap"}, {1, 0, 0}),
                 Two(DType::kHalf))
                .error(),
            "DataCopy without blockLen");
  EXPECT_FALSE(Step(Call("Add").Count(1), Two(DType::kHalf)))
      << "without src0 and src1";
  EXPECT_FALSE(Step(Call("Adds").Count(1), {}));
}

TEST(AuditedCalls, CountElementsOf16BitsOfAndAndOrOf32BitsOnAtlasA2) {
  const auto by_count = [](const char* name, DType dtype,
                           Product product = Product::kAtlasA3) {
    const auto step =
        AuditedStep(Call(name).Count(16).Raw(),
                    std::vector{At("dst", Position::kVecout, 0, 64, dtype),
                                At("src0", Position::kVecin, 64, 64, dtype),
                                At("src1", Position::kVecin, 128, 64, dtype),
                                At("src", Position::kVecin, 64, 64, dtype)},
                    product);
    EXPECT_TRUE(step) << name;
    for (const isa::Operand& operand : step->used_operands()) {
      EXPECT_EQ(operand.dtype, std::nullopt) << name;
    }
    EXPECT_EQ((*step)[isa::Param::kCount], 16) << name;
    return step->dtype;
  };
  EXPECT_EQ(by_count("And", DType::kUint32), DType::kUint16);
  EXPECT_EQ(by_count("Or", DType::kInt32), DType::kInt16);
  EXPECT_EQ(by_count("And", DType::kUint16), DType::kUint16);
  // A rule rejects these.
  for (const Product product :
       {Product::kAtlasTraining, Product::kAtlasInferenceAicore,
        Product::kAtlas200i500A2}) {
    EXPECT_EQ(by_count("And", DType::kInt32, product), DType::kInt32);
  }
  EXPECT_EQ(by_count("And", DType::kFloat), DType::kFloat);
  EXPECT_EQ(by_count("Or", DType::kFloat), DType::kFloat);
  EXPECT_EQ(by_count("Not", DType::kUint32), DType::kUint32);
  EXPECT_EQ(by_count("Min", DType::kUint32), DType::kUint32);
}

/// The pages that unaudited calls are held against, too.
TEST(AuditedCalls, HaveTheProductsAndTypesOfTheirPages) {
  Case c;
  const lint::Judge judge(c);
  std::size_t listed = 0;
  // Not of DataCopy, which has a page for each route, nor where dst and sources
  // have types of their own.
  for (const char* name : {"Add",
                           "Sub",
                           "Mul",
                           "Min",
                           "Max",
                           "Adds",
                           "Muls",
                           "Mins",
                           "Maxs",
                           "Abs",
                           "Relu",
                           "LeakyRelu",
                           "Div",
                           "Exp",
                           "Ln",
                           "Reciprocal",
                           "Rsqrt",
                           "Sqrt",
                           "AddRelu",
                           "SubRelu",
                           "And",
                           "Or",
                           "Not",
                           "Duplicate",
                           "CreateVecIndex",
                           "DataCopyPad",
                           "WholeReduceSum",
                           "RepeatReduceSum",
                           "ShiftLeft",
                           "ShiftRight",
                           "FusedMulAdd",
                           "MulAddRelu",
                           "BlockReduceSum",
                           "BlockReduceMax",
                           "BlockReduceMin",
                           "PairReduceSum",
                           "WholeReduceMax",
                           "WholeReduceMin",
                           "Brcb",
                           "Copy"}) {
    for (std::size_t p = 0; p < isa::kCount<Product>; ++p) {
      const auto product = static_cast<Product>(p);
      for (std::uint8_t type = 0; type <= LANEDIFF_DOUBLE; ++type) {
        isa::Call step = isa::CallOf(name);
        step.dtype = static_cast<DType>(type);
        bool broken = false;
        for (const isa::RuleId rule : judge.BrokenOn(product, step)) {
          broken = broken || rule.text().ends_with("-PRODUCT") ||
                   rule.text().ends_with("-DTYPE");
        }
        Call call(name);
        call.Operand(isa::OperandName::kDst, type, 0).On(product).Raw();
        const auto unlisted = UnlistedBy(call.call);
        EXPECT_EQ(unlisted.has_value(), broken)
            << name << " of " << isa::Name(step.dtype) << " on "
            << isa::Name(product);
        listed += unlisted ? 0 : 1;
      }
    }
  }
  EXPECT_EQ(listed, 546U);
}

/// But where int32 becomes half by SetDeqScale's scale, of which no case is.
TEST(AuditedCalls, HaveTheConversionsOfTheirPage) {
  Case c;
  const lint::Judge judge(c);
  const auto cast_of = [](std::uint8_t from, std::uint8_t to, Product product) {
    isa::Call step = isa::CallOf("Cast");
    step.dtype = static_cast<DType>(from);
    step.dst().dtype = static_cast<DType>(to);
    Call call("Cast");
    call.Operand(isa::OperandName::kDst, to, 0);
    call.Operand(isa::OperandName::kSrc, from, 4096).On(product).Raw();
    return std::pair(step, UnlistedBy(call.call).has_value());
  };
  std::size_t listed = 0;
  for (std::size_t p = 0; p < isa::kCount<Product>; ++p) {
    const auto product = static_cast<Product>(p);
    for (std::uint8_t from = 0; from <= LANEDIFF_DOUBLE; ++from) {
      for (std::uint8_t to = 0; to <= LANEDIFF_DOUBLE; ++to) {
        const auto [step, unlisted] = cast_of(from, to, product);
        const isa::RuleSet broken = judge.BrokenOn(product, step);
        const bool by_scale = from == LANEDIFF_INT32 && to == LANEDIFF_HALF &&
                              product != Product::kAtlas200i500A2 && !unlisted;
        EXPECT_EQ(unlisted || by_scale,
                  broken.Contains(step.Rule(isa::CallRule::kProduct)) ||
                      broken.Contains(step.Rule(isa::CallRule::kDtype)))
            << isa::Name(step.dtype) << " to " << isa::Name(*step.dst().dtype)
            << " on " << isa::Name(product);
        listed += unlisted ? 0 : 1;
      }
    }
  }
  EXPECT_EQ(listed, 92U);
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
